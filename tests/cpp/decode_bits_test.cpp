// The trained models over the whole test split, bit by bit: the native build and the WebAssembly build run this same test
// against one committed list, so that they equal each other.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "shared/eigen/inference_model.h"
#include "shared/io/sha256.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

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
TEST(DecodeBits, EqualTheCommittedOnesOnTheWholeTestSplit) {
  std::ifstream list(SOFTALIGN_SOURCE_DIR "/tests/golden/decode_bits.txt");
  std::string name, digest;
  int models = 0;
  while (list >> name >> digest) {
    std::ifstream file(SOFTALIGN_SOURCE_DIR "/models/" + name + ".safetensors", std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    auto checkpoint = read_checkpoint(bytes);
    ASSERT_TRUE(checkpoint.ok()) << name << ": " << checkpoint.error().message;
    auto model = InferenceModel::create(std::move(*checkpoint));
    ASSERT_TRUE(model.ok()) << name;
    EXPECT_EQ(decode_bits(**model), digest) << name;
    ++models;
  }
  EXPECT_GE(models, 2);
}

}  // namespace
}  // namespace softalign
