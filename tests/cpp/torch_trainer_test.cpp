// What training promises on bad numbers, on a full disk and between reports; and what a GPU is asked before it is trusted.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "model_suite.h"
#include "native/torch_backend.h"
#include "native/torch_device.h"
#include "native/torch_learning.h"
#include "native/torch_model.h"
#include "native/trainer.h"
#include "native/training_checkpoint.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

std::vector<EncodedExample> examples() {
  std::vector<EncodedExample> encoded;
  Random random(11);
  for (int i = 0; i < 24; ++i) {
    const Example example = draw_example(random, 1 + i % max_trained_K);
    encoded.push_back(*encode_example(example.source, example.target));
  }
  return encoded;
}

std::vector<uint32_t> batch(int first = 0) {
  std::vector<uint32_t> indices(10);
  for (int i = 0; i < 10; ++i) indices[i] = static_cast<uint32_t>((first + 7 * i) % 24);
  return indices;
}

Config config_of(Score score) {
  Config config;
  config.score = score;
  return config;
}

std::unique_ptr<TorchModel> make_model(Score score, const std::string& gru, uint64_t seed = 0) {
  const Config config = config_of(score);
  auto model = std::move(*TorchModel::create(config, random_weights(config, seed), {"cpu", 2, gru}));
  EXPECT_TRUE(model->keep(examples()).ok());
  return model;
}

// All numbers of a state, as one vector.
std::vector<float> flat(const LearningState& state) {
  std::vector<float> all;
  for (const PlainParameters* params : {&state.params, &state.first_moment, &state.second_moment})
    each_parameter(config_of(Score::dot), *params, [&](const ParameterInfo&, const std::vector<float>& weight) {
      all.insert(all.end(), weight.begin(), weight.end());
    });
  return all;
}
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// Operations that wait for a GPU to finish and read one of its numbers, or a shape that depends on them.
std::atomic<int> waits = 0, operations = 0;
class CountWaits {
 public:
  CountWaits() {
    waits = operations = 0;
    handle_ = at::addGlobalCallback(
        at::RecordFunctionCallback([](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
          static const std::set<std::string> waiting{"aten::item",          "aten::_local_scalar_dense", "aten::is_nonzero",
                                                     "aten::nonzero",       "aten::masked_select",       "aten::equal",
                                                     "aten::_unique2",      "aten::unique_dim",          "aten::bincount",
                                                     "aten::repeat_interleave"};
          ++operations;
          waits += waiting.contains(std::string(function.name()));
          return nullptr;
        }).scopes({at::RecordScope::FUNCTION}));
  }
  ~CountWaits() { at::removeCallback(handle_); }

 private:
  at::CallbackHandle handle_;
};

// No step waits for the device: between two reports the host runs ahead. Copies to the device are from pinned memory and
// not waited for either, see to_device. The last two lines show that the count would notice.
TEST(Steps, WaitForTheDeviceOnlyWhenTheyReport) {
  for (const Score score : every_score)
    for (const char* gru : {"own", "torch"}) {
      const auto model = make_model(score, gru);
      const CountWaits count;
      for (int step = 0; step < 20; ++step) ASSERT_TRUE(model->train_step(batch(step)).ok());
      EXPECT_EQ(waits, 0) << name(score) << " " << gru;
      EXPECT_GT(operations, 20 * 50);
      model->last_loss();
      EXPECT_GT(waits, 0);
    }
}

// L09: what a shape or a packing is made from never has to be asked of the device.
TEST(Steps, LengthsLiveOnTheHost) {
  static_assert(std::is_same_v<decltype(TorchBackend::Lengths::counts), std::vector<int32_t>>);
  static_assert(std::is_same_v<decltype(KeptExamples::src_lengths), std::vector<int32_t>>);
  static_assert(std::is_same_v<decltype(BatchPart::lengths), std::vector<int32_t>>);
  // On this device tensors have shapes and no numbers, so that any that were read from it would be an error.
  const KeptExamples kept = KeptExamples(examples(), torch::kCPU).on(torch::kMeta);
  for (const BatchPart& part : parts_of(kept, batch(), TorchModel::cpu_parts)) {
    const auto lengths = TorchBackend(torch::kCPU).lengths(part.lengths, part.S);
    EXPECT_EQ(lengths.counts, part.lengths);
    EXPECT_EQ(part.S, *std::max_element(part.lengths.begin(), part.lengths.end()));
    for (size_t i = 0; i < part.indices.size(); ++i)
      EXPECT_EQ(part.lengths[i], static_cast<int32_t>(examples()[part.indices[i]].source.size()));
  }
}

// A state that makes the next step's loss, gradient or weights infinite, although each of its numbers is finite.
struct Poison {
  int kind;
  const char* sentence;
  void into(LearningState& state) const {
    for (float& weight : state.params.W_o) {
      if (kind == Trouble::loss) weight = std::copysign(3e38f, weight);  // logits of both infinities
      if (kind == Trouble::gradient_norm) weight *= 1e25f;               // its square is infinite
    }
    // <pad> has no gradient, so that its second moment stays 0: the quotient of Adam's means leaves the floats.
    if (kind == Trouble::weights) state.first_moment.src_emb[0] = 1e38f, state.second_moment.src_emb[0] = 0;
  }
};
constexpr Poison poisons[] = {{Trouble::loss, "the loss is NaN or infinite at step 4"},
                              {Trouble::gradient_norm, "the norm of the gradient is NaN or infinite at step 4"},
                              {Trouble::weights, "a weight is NaN or infinite at step 4"}};

// L10: the bad step and all that come after it change nothing, and it is the bad step that is named.
TEST(NotFinite, ChangesNothingAndNamesTheFirstBadStep) {
  for (const Poison& poison : poisons)
    for (const char* gru : {"own", "torch"}) {
      const auto model = make_model(Score::dot, gru);
      for (int step = 0; step < 3; ++step) ASSERT_TRUE(model->train_step(batch(step)).ok());
      EXPECT_FALSE(model->trouble());
      LearningState state = model->learning_state();
      poison.into(state);
      model->restore(state);
      EXPECT_FALSE(model->trouble()) << "each number of the state is finite";
      const auto before = flat(state);
      for (int step = 3; step < 9; ++step) ASSERT_TRUE(model->train_step(batch(step)).ok());
      const auto trouble = model->trouble();
      ASSERT_TRUE(trouble) << poison.sentence;
      EXPECT_EQ(describe(*trouble), poison.sentence);
      EXPECT_TRUE(same_bits(flat(model->learning_state()), before)) << poison.sentence;
      // A state without the fault is learnt from again.
      const auto healthy = make_model(Score::dot, gru);
      model->restore(healthy->learning_state());
      ASSERT_TRUE(model->train_step(batch()).ok());
      EXPECT_FALSE(model->trouble());
      EXPECT_FALSE(same_bits(flat(model->learning_state()), flat(healthy->learning_state())));
    }
}

TEST(NotFinite, WeightsThatCameThatWayAreNamed) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const auto model = make_model(Score::dot, "own");
    LearningState state = model->learning_state();
    state.step = 49;
    state.params.dec.weight_hh[7] = bad;
    model->restore(state);
    ASSERT_TRUE(model->train_step(batch()).ok());
    const auto trouble = model->trouble();
    ASSERT_TRUE(trouble);
    EXPECT_EQ(describe(*trouble), "a weight is NaN or infinite at step 50");
    // L11: such a state does not get into a file.
    TrainSettings settings;
    const auto file = write_training_checkpoint(settings, {.learning = model->learning_state(), .order = {}, .losses = {},
                                                           .seconds = 0, .snapshots = {}, .last_loss = NAN});
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, ErrorCode::NOT_FINITE);
    EXPECT_NE(file.error().message.find("dec.weight_hh_l0"), std::string::npos) << file.error().message;
  }
}

// The whole trainer around a model of one step a batch, and what it asked to be written.
struct Trial {
  TrainSettings settings;
  std::vector<int> saved, reported;
  std::vector<std::string> warnings;
  std::function<bool(int step)> takes = [](int) { return true; };  // whether the disk takes the checkpoint of this step

  Trial(int steps, int every) {
    settings.steps = steps;
    settings.checkpoint_every = every;
    settings.torch = {"cpu", 2, "own"};
  }
  TrainHooks hooks(int stop_after = -1) {
    return {.report = [&](const TrainProgress& p) { reported.push_back(p.step); },
            .interrupted = [this, stop_after] { return stop_after >= 0 && !reported.empty() && reported.back() >= stop_after; },
            .checkpoint =
                [&](const TrainState& state) -> Status {
              if (!takes(state.learning.step)) return {ErrorCode::CANNOT_WRITE, "cannot write x: full"};
              saved.push_back(state.learning.step);
              return success();
            },
            .not_saved = [&](const Error& error) { warnings.push_back(error.message); },
            .snapshot = [](int) {}};
  }
};

// L10 through the trainer: nothing is written at or after the bad step, and the run is an error.
TEST(NotFinite, EndsTheRunAndLeavesTheLastFile) {
  Trial run(60, 1);
  auto trainer = Trainer::create(run.settings);
  ASSERT_TRUE(trainer.ok()) << trainer.error().message;
  TrainState state;
  Random random(0);
  state.learning.params = initialise(run.settings.config, random);
  state.learning.first_moment = state.learning.second_moment = state.learning.params;
  for (PlainParameters* moments : {&state.learning.first_moment, &state.learning.second_moment})
    each_parameter(run.settings.config, *moments, [&](const ParameterInfo&, std::vector<float>& values) {
      std::fill(values.begin(), values.end(), 0.0f);
    });
  state.learning.step = 49;
  poisons[0].into(state.learning);
  trainer->resume(state);
  const auto outcome = trainer->run(run.hooks());
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::NOT_FINITE);
  EXPECT_NE(outcome.error().message.find("the loss is NaN or infinite at step 50"), std::string::npos)
      << outcome.error().message;
  EXPECT_TRUE(run.saved.empty() && run.reported.empty());
}

// L13: a checkpoint on the way that cannot be written is tried again in its turn; only the last one is missed for good.
TEST(FullDisk, TrainingGoesOnAndOnlyTheLastCheckpointIsMissed) {
  Trial run(5, 1);
  run.takes = [](int step) { return step == 1 || step == 3; };
  auto trainer = Trainer::create(run.settings);
  ASSERT_TRUE(trainer.ok()) << trainer.error().message;
  const auto outcome = trainer->run(run.hooks());
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(run.saved, (std::vector<int>{1, 3}));
  EXPECT_EQ(run.warnings.size(), 2u);  // of steps 2 and 4
  EXPECT_EQ(outcome->steps, 5);
  ASSERT_TRUE(outcome->unsaved);
  EXPECT_EQ(outcome->unsaved->message, "cannot write x: full");
}

// A run that is asked for no more steps than it was stopped at ends with that step's loss in its record.
TEST(Resume, AtTheLastStepKeepsItsLoss) {
  Trial run(20, 100);
  TrainState stopped;
  {
    auto trainer = Trainer::create(run.settings);
    auto hooks = run.hooks(1);  // stops at the second step, as the first is reported
    hooks.checkpoint = [&](const TrainState& state) { return stopped = state, success(); };
    ASSERT_TRUE(trainer.ok() && trainer->run(hooks).ok());
  }
  ASSERT_GE(stopped.learning.step, 1);
  const auto file = write_training_checkpoint(run.settings, stopped);
  ASSERT_TRUE(file.ok()) << file.error().message;
  run.settings.steps = stopped.learning.step;
  auto read = read_training_checkpoint(*file, run.settings);
  ASSERT_TRUE(read.ok()) << read.error().message;
  auto trainer = Trainer::create(run.settings);
  ASSERT_TRUE(trainer.ok());
  trainer->resume(*read);
  const auto outcome = trainer->run(run.hooks());
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->learnt, 0);
  ASSERT_FALSE(outcome->losses.empty());
  EXPECT_EQ(outcome->losses.back().step, stopped.learning.step);
  EXPECT_TRUE(std::isfinite(outcome->losses.back().loss));
}

// What guards a run on a GPU, with the CPU in its place: the same model agrees, and another one is refused.
TEST(Guard, AGpuThatComputesAnotherModelIsRefused) {
  const auto model = make_model(Score::additive, "own"), judge = make_model(Score::additive, "torch");
  EXPECT_TRUE(model->compare_with_cpu(batch()).ok());
  EXPECT_TRUE(check_same(model->judge(batch()), judge->judge(batch())).ok());
  EXPECT_NEAR(model->judge(batch()).loss, 2.7, 0.3);
  EXPECT_GT(model->judge(batch()).gradient_norm, 0.01);

  LearningState other = judge->learning_state();
  for (float& weight : other.params.dec.weight_hh) weight *= 0.5f;
  judge->restore(other);
  const auto refused = check_same(model->judge(batch()), judge->judge(batch()));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::NO_DEVICE);
  EXPECT_NE(refused.error().message.find("use --device cpu"), std::string::npos);
  const Judgement sound{2.7, 0.4};
  EXPECT_FALSE(check_same({NAN, 0.4}, sound).ok());
  EXPECT_FALSE(check_same({2.7, 0.41}, sound).ok());
  EXPECT_FALSE(check_same({2.71, 0.4}, sound).ok());
  EXPECT_TRUE(check_same({2.7001, 0.4001}, sound).ok());
}

// L72: what fails at its first small computation is named with its architecture and with what LibTorch is built for.
TEST(Guard, AGpuThatCannotComputeIsNamedWithTheBuild) {
  const auto tried = try_device(torch::Device(torch::kCUDA, 99));  // which no machine has
  ASSERT_FALSE(tried.ok());
  EXPECT_EQ(tried.error().code, ErrorCode::NO_DEVICE);
  const std::string& message = tried.error().message;
  const std::string start = "the GPU (architecture " + gpu_architecture() + ") cannot run this LibTorch, which is built for ";
  EXPECT_TRUE(message.starts_with(start)) << message;
  EXPECT_NE(message.find(": ", start.size()), std::string::npos) << message;
  EXPECT_TRUE(try_device(torch::kCPU).ok());
}

// L18: a model that saw the answer, through a wrong mask or a wrong shift, would learn from any target. Where the targets
// are those of other sources, all that can be learnt is their form; a date of 11 tokens stays one of 73,049. The right targets
// show that these steps are enough to learn what the sources say.
TEST(Learning, SlowShuffledTargetsStayNearChance) {
  constexpr uint32_t N = 4096, B = 64;
  const double chance = std::log(static_cast<double>(days_of_task)) / 11;  // 1.02 nats a token
  Config config;
  config.d_emb = 16, config.d_h = 64;
  for (const bool shuffled : {false, true}) {
    std::vector<EncodedExample> encoded;
    Random dates(11), weights(0), order(3);
    for (uint32_t i = 0; i < N; ++i) {
      const Example example = draw_example(dates, 1);
      encoded.push_back(*encode_example(example.source, example.target));
    }
    for (uint32_t i = 0; shuffled && i + 1 < N; ++i) std::swap(encoded[i].target, encoded[i + 1].target);
    auto model = std::move(*TorchModel::create(config, initialise(config, weights), {"cpu", 2, "own"}));
    ASSERT_TRUE(model->keep(encoded).ok());
    for (int step = 0; step < 300; ++step) ASSERT_TRUE(model->train_step(order.sample(N, B)).ok());
    std::printf("%s targets: loss %.3f after 300 steps, chance %.3f\n", shuffled ? "shuffled" : "right", model->last_loss(), chance);
    if (shuffled) EXPECT_NEAR(model->last_loss(), chance, 0.1);
    else EXPECT_LT(model->last_loss(), 0.1 * chance);
  }
}

}  // namespace
}  // namespace softalign
