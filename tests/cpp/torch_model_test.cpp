// The trained models on LibTorch and on Eigen over the whole test split, and what training must never do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "model_suite.h"
#include "native/torch_model.h"
#include "shared/eigen/inference_model.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

std::vector<std::filesystem::path> weights_files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(SOFTALIGN_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".safetensors") found.push_back(entry.path());
  return found;
}
Checkpoint read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  return *read_checkpoint(bytes);
}

float gap_of_top_two(std::span<const float> z) {
  std::vector<float> sorted(z.begin(), z.end());
  std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
  return sorted[0] - sorted[1];
}

struct Difference {
  int tokens = 0, near_ties = 0, other_tokens = 0;
  double z = 0, alpha = 0;
};

// Eigen decodes freely; LibTorch is then given those tokens. Where both prefer the same token after the same prefix, at
// every step, free decoding on LibTorch writes the same string.
void compare(InferenceModel& eigen, const TorchModel& torch, std::span<const Example> examples, Difference& worst) {
  std::vector<Decoded> decoded;
  std::vector<EncodedExample> encoded;
  for (const Example& example : examples) {
    const Source source = *make_source(example.source);
    decoded.push_back(eigen.greedy(source, lab_max_len));
    encoded.push_back({source.ids(), decoded.back().tokens});
  }
  std::vector<const EncodedExample*> pointers;
  for (const auto& example : encoded) pointers.push_back(&example);
  const Batch batch = *make_batch(pointers);
  const auto [z, alpha] = torch.forward(batch);
  const int V = eigen.config().V_tgt;
  for (int b = 0; b < batch.B; ++b) {
    const Decoded& ours = decoded[b];
    for (size_t t = 0; t < ours.tokens.size(); ++t) {
      const std::span<const float> theirs(&z[(static_cast<size_t>(b) * batch.T + t) * V], V);
      const std::span<const float> row(&ours.z[t * V], V);
      ++worst.tokens;
      const bool near_tie = gap_of_top_two(row) < 1e-5f;
      worst.near_ties += near_tie;
      worst.other_tokens += argmax(theirs) != ours.tokens[t] && !near_tie;
      for (int v = 0; v < V; ++v) worst.z = std::max<double>(worst.z, std::abs(row[v] - theirs[v]));
      for (int i = 0; i < ours.alpha.S; ++i)
        worst.alpha = std::max<double>(worst.alpha, std::abs(ours.alpha.weights[t * ours.alpha.S + i] -
                                                             alpha[(static_cast<size_t>(b) * batch.T + t) * batch.S + i]));
    }
  }
}

TEST(TrainedModels, LibTorchAgreesWithEigenOnTheWholeTestSplit) {
  const auto examples = test_split();
  const auto files = weights_files();
  ASSERT_GE(files.size(), 2u) << "models/ holds at least plain and dot";
  for (const auto& file : files) {
    const Checkpoint checkpoint = read(file);
    auto torch = TorchModel::create(checkpoint.config, checkpoint.params, "cpu", 1);
    auto eigen = InferenceModel::create(checkpoint);
    ASSERT_TRUE(torch.ok() && eigen.ok()) << file;
    Difference worst;
    for (size_t first = 0; first < examples.size(); first += 100)
      compare(**eigen, **torch, std::span(examples).subspan(first, 100), worst);
    std::printf("%s: %zu sources, %d tokens; largest difference of logits %.1e, of alpha %.1e; near-ties %d; other tokens %d\n",
                file.stem().c_str(), examples.size(), worst.tokens, worst.z, worst.alpha, worst.near_ties, worst.other_tokens);
    EXPECT_EQ(worst.other_tokens, 0) << file;
    EXPECT_LE(worst.z, 1e-4) << file;
    EXPECT_LE(worst.alpha, 1e-5) << file;
  }
}

TEST(TrainedModels, LibTorchDecodesFreelyToTheSameString) {
  for (const auto& file : weights_files()) {
    const Checkpoint checkpoint = read(file);
    auto torch = TorchModel::create(checkpoint.config, checkpoint.params, "cpu", 1);
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
  Training() {
    config_.score = Score::additive;
    model_ = std::move(*TorchModel::create(config_, random_weights(config_, 0), "cpu", 1));
  }
  Batch batch(std::string_view source, std::string_view target) {
    const EncodedExample example = *encode_example(source, target);
    const EncodedExample* const pointer = &example;
    return *make_batch({&pointer, 1});
  }
  std::vector<std::vector<float>> weights() {
    std::vector<std::vector<float>> all;
    const auto params = model_->parameters();
    each_parameter(config_, params, [&](const ParameterInfo&, const std::vector<float>& weight) { all.push_back(weight); });
    return all;
  }
  Config config_;
  std::unique_ptr<TorchModel> model_;
};

TEST_F(Training, StepsLowerTheLossAndMoveEveryWeight) {
  const Batch one = batch("between 3 March 2021 and 1999/12/31", "2021-03-03 1999-12-31");
  const auto before = weights();
  const double first = model_->loss(one);
  for (int step = 0; step < 20; ++step) ASSERT_TRUE(model_->train_step(one).ok());
  EXPECT_LT(model_->loss(one), 0.7 * first);
  const auto after = weights();
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NE(before[i], after[i]) << "weight " << i << " has a gradient";
}

// L08: a batch of nothing but padding teaches nothing: a clear error, and every weight stays as it is.
TEST_F(Training, BatchWithoutTargetsChangesNothing) {
  Batch one = batch("3 March 2021", "2021-03-03");
  ASSERT_TRUE(model_->train_step(one).ok());  // so that Adam's moments are not zero
  const auto before = weights();
  std::fill(one.tgt_out.begin(), one.tgt_out.end(), pad);
  const auto refused = model_->train_step(one);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::EMPTY);
  EXPECT_EQ(model_->loss(one), 0.0);
  EXPECT_EQ(weights(), before);
}

// L23: a source of length 0 is refused before it can meet a softmax.
TEST_F(Training, BatchWithAnEmptySourceIsRefused) {
  const EncodedExample empty{{}, {3, eos}}, full{{4, 5}, {3, eos}};
  const EncodedExample* const both[] = {&full, &empty};
  const auto refused = make_batch(both);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::EMPTY);
}

TEST_F(Training, UnknownOrMissingDeviceSaysWhy) {
  for (const char* device : {"cuda", "tpu"}) {
    auto made = TorchModel::create(config_, random_weights(config_, 0), device, 1);
    if (made.ok()) continue;  // a machine with a GPU
    EXPECT_EQ(made.error().code, std::string(device) == "cuda" ? ErrorCode::NO_DEVICE : ErrorCode::BAD_VALUE);
    EXPECT_GT(made.error().message.size(), 20u);
  }
}

}  // namespace
}  // namespace softalign
