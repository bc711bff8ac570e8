// The trained models over the whole test split: bit by bit, so that the native build and the WebAssembly build, which run
// this same file against one committed list, equal each other; and what weights of fewer bits cost.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "shared/eigen/inference_model.h"
#include "shared/io/sha256.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

Checkpoint trained(const std::string& name) {
  std::ifstream file(SOFTALIGN_SOURCE_DIR "/models/" + name + ".safetensors", std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  auto checkpoint = read_checkpoint(bytes);
  EXPECT_TRUE(checkpoint.ok()) << name << ": " << checkpoint.error().message;
  return *checkpoint;
}

// SHA-256 over tokens, logits, log-probabilities and weights of every example's free decoding.
std::string decode_bits(InferenceModel& model) {
  Sha256 bits;
  auto add = [&](const auto& numbers) {
    bits.add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])});
  };
  for (const Example& example : test_split()) {
    const Decoded decoded = model.greedy(*make_source(example.source), lab_max_len);
    add(decoded.tokens);
    add(decoded.z);
    add(decoded.log_probs);
    add(decoded.alpha.weights);
  }
  return bits.hex();
}

// Lines of `name digest`. A newly trained model changes its line: the failing test prints the new one.
TEST(TrainedModels, DecodeToTheCommittedBits) {
  std::ifstream list(SOFTALIGN_SOURCE_DIR "/tests/golden/decode_bits.txt");
  std::string name, digest;
  int models = 0;
  while (list >> name >> digest) {
    auto model = InferenceModel::create(trained(name));
    ASSERT_TRUE(model.ok()) << name << ": " << model.error().message;
    EXPECT_EQ(decode_bits(**model), digest) << name;
    ++models;
  }
  EXPECT_GE(models, 2);
}

// L01: days 29 to 31, which a generator once never drew, are read as well as the others, within half a point.
TEST(TrainedModels, LastDaysOfMonthsAreReadAsWellAsTheOthers) {
  auto model = InferenceModel::create(trained("dot"));
  ASSERT_TRUE(model.ok());
  int right[2] = {}, all[2] = {};  // of days 1 to 28, of days 29 to 31
  for (const Example& example : test_split()) {
    const std::string output = output_text((*model)->greedy(*make_source(example.source), lab_max_len).tokens);
    for (size_t at = 0; at < example.target.size(); at += 11) {
      const std::string date = example.target.substr(at, 10);
      const bool late = date.substr(8) >= "29";
      ++all[late];
      right[late] += output.substr(std::min(at, output.size()), 10) == date;
    }
  }
  const double late = static_cast<double>(right[1]) / all[1], early = static_cast<double>(right[0]) / all[0];
  std::printf("dates right of dot: days 29 to 31 %.4f of %d, other days %.4f of %d\n", late, all[1], early, all[0]);
  EXPECT_GT(all[1], 400);
  EXPECT_GE(late, early - 0.005);
}

// L65: the same weights rounded to BF16 answer as well, within half a point.
TEST(TrainedModels, SlowBfloat16CostsAtMostHalfAPoint) {
  const Checkpoint f16 = trained("dot");
  const Checkpoint bf16 = *read_checkpoint(*write_checkpoint(
      {f16.config, f16.params, f16.steps, {}}, DType::BF16));  // without the golden vector of the finer weights
  std::vector<std::string> targets;
  for (const Example& example : test_split()) targets.push_back(example.target);
  auto share = [&](const Checkpoint& checkpoint) {
    auto model = InferenceModel::create(checkpoint);
    EXPECT_TRUE(model.ok());
    std::vector<std::string> outputs;
    if (!model.ok()) return 0.0;
    for (const Example& example : test_split())
      outputs.push_back(output_text((*model)->greedy(*make_source(example.source), lab_max_len).tokens));
    return exact_match(outputs, targets);
  };
  const double fine = share(f16), coarse = share(bf16);
  std::printf("exact match of dot over 2,000 sources: F16 %.4f, BF16 %.4f\n", fine, coarse);
  EXPECT_GE(coarse, fine - 0.005);
}

}  // namespace
}  // namespace softalign
