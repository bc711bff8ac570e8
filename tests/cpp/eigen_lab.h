// Plain numbers in, the inference backend's types out: what the suites over backends need to run on Eigen.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "shared/eigen/inference_backend.h"

namespace softalign {

struct EigenLab {
  using B = InferenceBackend;
  B backend;

  // An uninitialised tensor with room for `floats`, to be an operation's output.
  B::Tensor empty(size_t floats) {
    B::Tensor tensor;
    EXPECT_TRUE(tensor.buffer.reserve(floats));
    return tensor;
  }
  B::Tensor tensor(const std::vector<float>& values, int b, int t, int d) {
    B::Tensor made = empty(values.size());
    made.shape(b, t, d);
    std::copy(values.begin(), values.end(), made.buffer.data());
    return made;
  }
  B::Weight weight(const std::vector<float>& values, int cols) {
    B::Weight made{values, {}, cols};
    if (cols) {
      EXPECT_TRUE(made.packed.pack(values.data(), static_cast<int>(values.size()) / cols, cols));
    }
    return made;
  }
  // `counts` must outlive the result.
  B::Lengths lengths(const std::vector<int32_t>& counts, int) { return {counts.data(), static_cast<int>(counts.size())}; }

  void prepare_gru(const B::Weight& embedding, GruWeights<B>& gru) { EXPECT_TRUE(backend.prepare_gru(embedding, gru)); }
  Parameters<B> parameters(const Config& config, PlainParameters plain) {
    Parameters<B> params;
    EXPECT_TRUE(backend.prepare(config, std::move(plain), params).ok());
    return params;
  }
  void reserve(const Config& config, const Limits& limits, Workspace<B>& workspace) {
    EXPECT_TRUE(backend.reserve(config, limits, workspace).ok());
  }
};

}  // namespace softalign
