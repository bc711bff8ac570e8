// The trained models on LibTorch and on Eigen over the whole test split, and what training must never do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "model_suite.h"
#include "native/torch_model.h"
#include "native/training_checkpoint.h"
#include "shared/eigen/inference_model.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

std::vector<std::filesystem::path> weights_files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(SOFTALIGN_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".safetensors" && entry.path().stem().extension() != ".probe") found.push_back(entry.path());
  return found;
}
std::vector<uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
Checkpoint read(const std::filesystem::path& path) { return *read_checkpoint(bytes_of(path)); }

const TorchSettings on_cpu{.device = "cpu"};

float gap_of_top_two(std::span<const float> z) {
  std::vector<float> sorted(z.begin(), z.end());
  std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
  return sorted[0] - sorted[1];
}

// The largest difference of logits and of alpha.
struct Distance {
  double z = 0, alpha = 0;
  void widen(const Distance& other) { z = std::max(z, other.z), alpha = std::max(alpha, other.alpha); }
  bool within(double z_bound, double alpha_bound) const { return z <= z_bound && alpha <= alpha_bound; }
};
constexpr double z_bound = 1e-4, alpha_bound = 1e-5;

// One source by both: (T,V) logits and (T,S) weights after the same tokens.
struct Pair {
  EncodedExample example;  // the target is what Eigen wrote
  std::vector<float> eigen_z, eigen_alpha, torch_z, torch_alpha;

  static Distance between(std::span<const float> z, std::span<const float> other_z, std::span<const float> alpha,
                          std::span<const float> other_alpha) {
    Distance distance;
    for (size_t i = 0; i < z.size(); ++i) distance.z = std::max<double>(distance.z, std::abs(z[i] - other_z[i]));
    for (size_t i = 0; i < alpha.size(); ++i)
      distance.alpha = std::max<double>(distance.alpha, std::abs(alpha[i] - other_alpha[i]));
    return distance;
  }
  Distance distance() const { return between(eigen_z, torch_z, eigen_alpha, torch_alpha); }
};

struct Comparison {
  int tokens = 0, near_ties = 0, other_tokens = 0;
  Distance worst;
  std::vector<Pair> far;  // those beyond the bounds
};

// Eigen decodes freely; LibTorch is then given those tokens. Where both prefer the same token after the same prefix, at
// every step, free decoding on LibTorch writes the same string.
void compare(InferenceModel& eigen, const TorchModel& torch, std::span<const Example> examples, Comparison& comparison) {
  std::vector<Pair> pairs;
  for (const Example& example : examples) {
    const Source source = *make_source(example.source);
    Decoded decoded = eigen.greedy(source, lab_max_len);
    pairs.push_back({{source.ids(), decoded.tokens}, decoded.z, decoded.alpha.weights, {}, {}});
  }
  std::vector<const EncodedExample*> encoded;
  for (const Pair& pair : pairs) encoded.push_back(&pair.example);
  const Batch batch = *make_batch(encoded);
  const auto [z, alpha] = torch.forward(batch);
  const size_t V = eigen.config().V_tgt;
  for (size_t b = 0; b < pairs.size(); ++b) {
    Pair& pair = pairs[b];
    const size_t S = pair.example.source.size();
    for (size_t t = 0; t < pair.example.target.size(); ++t) {
      const size_t row = b * batch.T + t;
      const std::span<const float> theirs(&z[row * V], V), ours(&pair.eigen_z[t * V], V);
      pair.torch_z.insert(pair.torch_z.end(), theirs.begin(), theirs.end());
      if (!alpha.empty())
        pair.torch_alpha.insert(pair.torch_alpha.end(), &alpha[row * batch.S], &alpha[row * batch.S] + S);
      const bool near_tie = gap_of_top_two(ours) < 1e-5f;
      ++comparison.tokens;
      comparison.near_ties += near_tie;
      comparison.other_tokens += argmax(theirs) != pair.example.target[t] && !near_tie;
    }
    comparison.worst.widen(pair.distance());
    if (!pair.distance().within(z_bound, alpha_bound)) comparison.far.push_back(std::move(pair));
  }
}

// How far both are from the equations in double.
std::pair<Distance, Distance> distances_from_double(const Checkpoint& checkpoint, const Pair& pair) {
  std::vector<int32_t> tgt_in{bos};
  tgt_in.insert(tgt_in.end(), pair.example.target.begin(), pair.example.target.end() - 1);
  const auto exact = reference::forward(checkpoint.config, checkpoint.params, pair.example.source, tgt_in);
  auto flat = [](const reference::Matrix& rows) {
    std::vector<float> numbers;
    for (const auto& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
    return numbers;
  };
  const auto z = flat(exact.z), alpha = flat(exact.alpha);
  return {Pair::between(pair.eigen_z, z, pair.eigen_alpha, alpha), Pair::between(pair.torch_z, z, pair.torch_alpha, alpha)};
}

// Logits within 1e-4 and weights within 1e-5 of each other or, where training has made the scores so large that LibTorch
// itself is further off, Eigen's within that of the equations in double.
void expect_agreement(const std::vector<std::filesystem::path>& files) {
  const auto examples = test_split();
  for (const auto& file : files) {
    const Checkpoint checkpoint = read(file);
    auto torch = TorchModel::create(checkpoint.config, checkpoint.params, on_cpu);
    auto eigen = InferenceModel::create(checkpoint);
    ASSERT_TRUE(torch.ok() && eigen.ok()) << file;
    Comparison all;
    for (size_t first = 0; first < examples.size(); first += 100)
      compare(**eigen, **torch, std::span(examples).subspan(first, 100), all);
    std::printf("%s: %zu sources, %d tokens; largest difference of logits %.1e, of alpha %.1e; near-ties %d; other tokens %d\n",
                file.stem().c_str(), examples.size(), all.tokens, all.worst.z, all.worst.alpha, all.near_ties, all.other_tokens);
    EXPECT_EQ(all.other_tokens, 0) << file;
    EXPECT_TRUE(all.worst.within(1e-3, 1e-4)) << file;
    Distance ours, theirs;
    const size_t beyond = all.far.size();
    all.far.resize(std::min<size_t>(beyond, 50));  // double takes its time
    for (const Pair& pair : all.far) {
      const auto [eigen_distance, torch_distance] = distances_from_double(checkpoint, pair);
      ours.widen(eigen_distance), theirs.widen(torch_distance);
    }
    if (all.far.empty()) continue;
    std::printf("  further apart: %zu; the first %zu against double: Eigen %.1e and %.1e off, LibTorch %.1e and %.1e\n", beyond,
                all.far.size(), ours.z, ours.alpha, theirs.z, theirs.alpha);
    EXPECT_TRUE(ours.within(z_bound, alpha_bound)) << file;
  }
}

TEST(TrainedModels, LibTorchAgreesWithEigenOnTheWholeTestSplit) {
  const std::filesystem::path folder = SOFTALIGN_SOURCE_DIR "/models";
  expect_agreement({folder / "dot.safetensors", folder / "bahdanau.safetensors"});
}
TEST(TrainedModels, SlowLibTorchAgreesWithEigenOnEveryModel) {
  ASSERT_GE(weights_files().size(), 9u) << "five for the page, four for the table";
  expect_agreement(weights_files());
}

TEST(TrainedModels, LibTorchDecodesFreelyToTheSameString) {
  for (const auto& file : weights_files()) {
    const Checkpoint checkpoint = read(file);
    auto torch = TorchModel::create(checkpoint.config, checkpoint.params, on_cpu);
    auto eigen = InferenceModel::create(checkpoint);
    ASSERT_TRUE(torch.ok() && eigen.ok()) << file;
    for (const char* text : {"3 March 2021", "between July 24, 2041 and February 14, 1914", "1954/9/21; 16 May 2045; 2 Oct 2030"}) {
      const Source source = *make_source(text);
      const Decoded ours = (*eigen)->greedy(source, lab_max_len), theirs = (*torch)->greedy(source, lab_max_len);
      EXPECT_EQ(output_text(ours.tokens), output_text(theirs.tokens)) << file;
      EXPECT_NEAR(ours.log_prob, theirs.log_prob, 1e-4) << file;
    }
  }
}

class Training : public ::testing::Test {
 protected:
  explicit Training(const TorchSettings& settings = {.device = "cpu", .gru = "own"}) { model_ = make(of(Score::additive), settings); }

  static Config of(Score score) { return {.score = score}; }
  static std::unique_ptr<TorchModel> make(const Config& config, const TorchSettings& settings) {
    auto model = std::move(*TorchModel::create(config, random_weights(config, 0), settings));
    EXPECT_TRUE(model->keep(examples()).ok());
    return model;
  }
  // Of many lengths; the last one has no target.
  static std::vector<EncodedExample> examples() {
    std::vector<EncodedExample> encoded;
    Random random(11);
    for (int i = 0; i < 24; ++i) {
      const Example example = draw_example(random, 1 + i % max_trained_K);
      encoded.push_back(*encode_example(example.source, example.target));
    }
    encoded.push_back(encoded.front());
    encoded.back().target.clear();
    return encoded;
  }
  static std::vector<uint32_t> batch(int first = 0) {
    std::vector<uint32_t> indices(10);
    for (int i = 0; i < 10; ++i) indices[i] = static_cast<uint32_t>((first + 7 * i) % 24);
    return indices;
  }
  static std::vector<float> flat(const PlainParameters& params, const Config& config = of(Score::additive)) {
    std::vector<float> all;
    each_parameter(config, params, [&](const ParameterInfo&, const std::vector<float>& weight) {
      all.insert(all.end(), weight.begin(), weight.end());
    });
    return all;
  }
  std::vector<float> weights() const { return flat(model_->parameters()); }

  std::unique_ptr<TorchModel> model_;
};

TEST_F(Training, StepsLowerTheLossAndMoveEveryWeight) {
  const auto before = model_->parameters();
  ASSERT_TRUE(model_->train_step(batch()).ok());
  const double first = model_->last_loss();
  EXPECT_NEAR(first, 2.7, 0.3);
  for (int step = 0; step < 20; ++step) ASSERT_TRUE(model_->train_step(batch()).ok());
  EXPECT_LT(model_->last_loss(), 0.8 * first);
  const auto after = model_->parameters();
  std::vector<std::vector<float>> old;
  Config config;
  config.score = Score::additive;
  each_parameter(config, before, [&](const ParameterInfo&, const std::vector<float>& weight) { old.push_back(weight); });
  size_t next = 0;
  each_parameter(config, after, [&](const ParameterInfo& info, const std::vector<float>& weight) {
    EXPECT_NE(weight, old[next++]) << info.name << " has a gradient";
  });
  for (const auto* embedding : {&after.src_emb, &after.tgt_emb})
    for (int col = 0; col < config.d_emb; ++col) EXPECT_EQ((*embedding)[col], 0) << "<pad> learns nothing";
}

// Each part's gradient on its own kernels and on LibTorch's; the first moment is a tenth of the clipped gradient.
TEST_F(Training, GradientEqualsLibTorchs) {
  for (const Config& small : every_config()) {
    const Config config{.score = small.score, .ordering = small.ordering, .encoder = small.encoder};
    const auto own = make(config, {.device = "cpu", .gru = "own"}), judge = make(config, on_cpu);
    ASSERT_TRUE(own->train_step(batch()).ok() && judge->train_step(batch()).ok());
    EXPECT_NEAR(own->last_loss(), judge->last_loss(), 1e-5);
    const auto found = flat(own->learning_state().first_moment, config),
               expected = flat(judge->learning_state().first_moment, config);
    double largest = 0, worst = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      largest = std::max<double>(largest, std::abs(expected[i]));
      worst = std::max<double>(worst, std::abs(found[i] - expected[i]));
    }
    std::printf("%s: largest tenth of a gradient %.2e, largest difference %.1e\n", name(config).c_str(), largest, worst);
    EXPECT_GT(largest, 1e-3);
    EXPECT_LT(worst, 1e-5 * largest) << name(config);
  }
}

// The loss of a batch learnt in parts is that of the batch as a whole.
TEST_F(Training, LossOfPartsIsTheMeanOverAllTargets) {
  const auto kept = examples();
  std::vector<const EncodedExample*> chosen;
  for (uint32_t index : batch()) chosen.push_back(&kept[index]);
  const double whole = model_->loss(*make_batch(chosen));
  ASSERT_TRUE(model_->train_step(batch()).ok());
  EXPECT_NEAR(model_->last_loss(), whole, 1e-5);
}

TEST_F(Training, AnyNumberOfWorkersLearnsTheSameBits) {
  std::vector<std::vector<float>> learnt;
  for (int threads = 1; threads <= 4; ++threads) {
    const auto model = make(of(Score::dot), {"cpu", threads, "own"});
    for (int step = 0; step < 6; ++step) ASSERT_TRUE(model->train_step(batch(step)).ok());
    learnt.push_back(flat(model->parameters(), of(Score::dot)));
    EXPECT_EQ(learnt.back(), learnt.front()) << threads << " workers";
  }
}

// A run that goes on from its written state learns what it would have learnt without the stop, bit by bit.
TEST_F(Training, GoesOnFromACheckpointBitForBit) {
  TrainSettings settings;
  settings.config.score = Score::additive;
  settings.seed = 5;
  BatchOrder order;
  order.next();
  for (int step = 0; step < 3; ++step) ASSERT_TRUE(model_->train_step(batch(step)).ok());
  const auto file = write_training_checkpoint(settings, {model_->learning_state(), order, {{1, 2.75, 0.5}}, 1.25, {}});
  ASSERT_TRUE(file.ok()) << file.error().message;
  for (int step = 3; step < 6; ++step) ASSERT_TRUE(model_->train_step(batch(step)).ok());

  auto state = read_training_checkpoint(*file, settings);
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(state->learning.step, 3);
  EXPECT_EQ(state->order.next(), order.next());
  EXPECT_EQ(state->seconds, 1.25);
  ASSERT_EQ(state->losses.size(), 1u);
  EXPECT_EQ(state->losses[0].loss, 2.75);
  const auto resumed = make(of(Score::additive), {.device = "cpu", .gru = "own"});
  resumed->restore(state->learning);
  for (int step = 3; step < 6; ++step) ASSERT_TRUE(resumed->train_step(batch(step)).ok());
  EXPECT_EQ(flat(resumed->parameters()), weights());
}

// Files of every format stay readable: drawn from seed 1 after one batch, 7 steps; the later ones with a snapshot of step 5.
class CommittedCheckpoint : public ::testing::TestWithParam<int> {};

TEST_P(CommittedCheckpoint, IsRead) {
  TrainSettings settings;
  settings.config = {.score = Score::general, .V_src = 5, .V_tgt = 6, .d_emb = 2, .d_h = 3, .d_a = 2};
  settings.seed = 8;
  settings.snapshots = GetParam() > 1;
  const std::string file = "/tests/golden/training_checkpoint_" + std::to_string(GetParam()) + ".ckpt";
  auto state = read_training_checkpoint(bytes_of(SOFTALIGN_SOURCE_DIR + file), settings);
  ASSERT_TRUE(state.ok()) << state.error().message;
  ASSERT_EQ(state->snapshots.taken.size(), settings.snapshots ? 1u : 0u);
  if (settings.snapshots) {
    EXPECT_EQ(state->snapshots.taken[0].step, 5);
    EXPECT_EQ(state->last_loss, 1.5);
  }
  EXPECT_EQ(state->learning.step, 7);
  EXPECT_EQ(state->seconds, 0.875);
  ASSERT_EQ(state->losses.size(), 2u);
  EXPECT_EQ(state->losses[1].loss, 1.5);
  BatchOrder order;
  order.next();
  EXPECT_EQ(state->order.next(), order.next());
  Random random(1);
  for (const PlainParameters* found : {&state->learning.params, &state->learning.first_moment, &state->learning.second_moment}) {
    const PlainParameters expected = initialise(settings.config, random);
    EXPECT_EQ(found->W_a, expected.W_a);
    EXPECT_EQ(found->enc.weight_hh, expected.enc.weight_hh);
  }
}
INSTANTIATE_TEST_SUITE_P(Formats, CommittedCheckpoint, ::testing::Values(1, 2));

TEST_F(Training, CheckpointOfAnotherRunIsRefused) {
  TrainSettings settings;
  settings.config.score = Score::additive;
  const auto file = write_training_checkpoint(settings, {model_->learning_state(), BatchOrder(), {}, 0, {}});
  ASSERT_TRUE(file.ok()) << file.error().message;
  TrainSettings other = settings;
  other.seed = 1;
  EXPECT_NE(read_training_checkpoint(*file, other).error().message.find("seed 0, and the seed asked for is 1"), std::string::npos);
  other = settings;
  other.config.score = Score::dot;
  EXPECT_NE(read_training_checkpoint(*file, other).error().message.find("score additive"), std::string::npos);
  const auto model_file = write_checkpoint({settings.config, model_->parameters(), 3, {}});
  EXPECT_EQ(read_training_checkpoint(*model_file, settings).error().code, ErrorCode::WRONG_MODEL);
  other = settings;
  other.torch.gru = "torch";
  EXPECT_NE(read_training_checkpoint(*file, other).error().message.find("gru own"), std::string::npos);
  auto changed = *file;
  changed[changed.size() - 2] ^= 1;  // a digit of a number
  EXPECT_NE(read_training_checkpoint(changed, settings).error().message.find("damaged"), std::string::npos);
  auto cut = *file;
  cut.resize(cut.size() / 2);
  EXPECT_EQ(read_training_checkpoint(cut, settings).error().code, ErrorCode::BAD_WEIGHTS);
}

// L08: a batch of nothing but padding teaches nothing: a clear error, and every weight stays as it is.
TEST_F(Training, BatchWithoutTargetsChangesNothing) {
  ASSERT_TRUE(model_->train_step(batch()).ok());  // so that Adam's moments are not zero
  const auto before = weights();
  const uint32_t without_target[] = {24, 24};
  const auto refused = model_->train_step(without_target);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::EMPTY);
  const auto kept = examples();
  const EncodedExample* const only[] = {&kept[24]};
  EXPECT_EQ(model_->loss(*make_batch(only)), 0.0);
  EXPECT_EQ(weights(), before);
}

// L23: a source of length 0 is refused before it can meet a softmax.
TEST_F(Training, BatchWithAnEmptySourceIsRefused) {
  const EncodedExample empty{{}, {3, eos}}, full{{4, 5}, {3, eos}};
  const EncodedExample* const both[] = {&full, &empty};
  const auto refused = make_batch(both);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::EMPTY);
  const auto not_kept = model_->keep(std::vector<EncodedExample>{empty});
  ASSERT_FALSE(not_kept.ok());
  EXPECT_EQ(not_kept.error().code, ErrorCode::EMPTY);
}

TEST_F(Training, UnknownOrMissingDeviceSaysWhy) {
  for (const char* device : {"cuda", "tpu"}) {
    auto made = TorchModel::create(Config(), random_weights(Config(), 0), {.device = device});
    if (made.ok()) continue;  // a machine with a GPU
    EXPECT_EQ(made.error().code, std::string(device) == "cuda" ? ErrorCode::NO_DEVICE : ErrorCode::BAD_VALUE);
    EXPECT_GT(made.error().message.size(), 20u);
  }
}

}  // namespace
}  // namespace softalign
