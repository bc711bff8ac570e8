// Models of a few weights and their files, for the tests of whole models in files.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "io_bytes.h"
#include "shared/io/checkpoint.h"
#include "shared/task/random.h"

namespace softalign::small_models {

inline constexpr Score scores[] = {Score::none, Score::dot, Score::general, Score::additive};

inline Config small(Score score) { return {.score = score, .V_src = 6, .V_tgt = 5, .d_emb = 2, .d_h = 3, .d_a = 4}; }

inline Checkpoint untrained(const Config& config) {
  Random random(7);
  return {config, initialise(config, random), 500, {{"softalign.golden", "opaque \"text\""}}};
}

inline Bytes small_file(Score score, DType dtype = DType::F32) { return *write_checkpoint(untrained(small(score)), dtype); }

// A committed file of tests/golden.
inline Bytes golden(const std::string& name) {
  std::ifstream file(SOFTALIGN_SOURCE_DIR "/tests/golden/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::vector<float>> weights_of(const Checkpoint& checkpoint) {
  std::vector<std::vector<float>> weights;
  each_parameter(checkpoint.config, checkpoint.params, [&](const auto&, auto& weight) { weights.push_back(weight); });
  return weights;
}

// A file taken apart, to be put together again with a change.
struct Parts {
  struct Tensor {
    std::string name;
    std::vector<uint64_t> shape;
    std::vector<float> values;
    DType dtype = DType::F32;
  };
  std::vector<Tensor> tensors;
  Metadata metadata;

  explicit Parts(const Bytes& file) {
    Header header = *read_header(file);
    for (const TensorView& view : header.tensors) tensors.push_back({view.name, view.shape, to_floats(file, view), view.dtype});
    metadata = header.metadata;
  }
  Tensor& operator[](std::string_view name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) { return tensor.name == name; });
  }
  Parts& without(std::string_view name) {
    std::erase_if(tensors, [&](const Tensor& tensor) { return tensor.name == name; });
    return *this;
  }
  Parts& with(std::string name, std::vector<uint64_t> shape) {
    size_t size = 1;
    for (uint64_t n : shape) size *= n;
    tensors.push_back({std::move(name), std::move(shape), std::vector<float>(size, 0.5f)});
    return *this;
  }
  Parts& state(std::string_view key, std::string_view value) {
    std::erase_if(metadata, [&](const auto& entry) { return entry.first == key; });
    metadata.emplace_back(key, value);
    return *this;
  }
  Parts& silent() {
    metadata.clear();
    return *this;
  }
  Bytes file() const {
    std::vector<TensorValues> views;
    for (const Tensor& tensor : tensors) views.push_back({tensor.name, tensor.shape, tensor.values, tensor.dtype});
    return *write(views, metadata, DType::F32);
  }
};

// True when reading the file fails with this code and a message that holds every word.
inline ::testing::AssertionResult refused(const Bytes& file, ErrorCode code, std::initializer_list<std::string_view> words) {
  const Result<Checkpoint> checkpoint = read_checkpoint(file);
  if (checkpoint) return ::testing::AssertionFailure() << "it was accepted";
  const Error& error = checkpoint.error();
  if (error.code != code) return ::testing::AssertionFailure() << name(error.code) << ": " << error.message;
  for (std::string_view word : words)
    if (error.message.find(word) == std::string::npos)
      return ::testing::AssertionFailure() << "\"" << word << "\" is not in: " << error.message;
  return ::testing::AssertionSuccess();
}

}  // namespace softalign::small_models
