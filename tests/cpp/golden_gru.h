// Ten steps of a GRU of 3 inputs and 4 states as PyTorch's own nn::GRU computes them (LibTorch 1.13, CPU, float).
#pragma once
#include <numeric>

#include "shared/model/parameters.h"
#include "shared/task/random.h"

namespace softalign::golden_gru {

inline constexpr int inputs = 3, d_h = 4, steps = 10;

// Weights uniform in (-1, 1) from seed 7, in the order: ten inputs, weight_ih, weight_hh, bias_ih, bias_hh.
struct Weights {
  std::vector<float> embedding;  // (10, 3): token t stands for the input of step t
  GruWeights<PlainStorage> gru;
};
inline Weights weights() {
  Random random(7);
  auto draw = [&](int n) {
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
    return values;
  };
  Weights w;
  w.embedding = draw(steps * inputs);
  w.gru.weight_ih = draw(3 * d_h * inputs);
  w.gru.weight_hh = draw(3 * d_h * d_h);
  w.gru.bias_ih = draw(3 * d_h);
  w.gru.bias_hh = draw(3 * d_h);
  return w;
}
inline std::vector<int32_t> tokens() {
  std::vector<int32_t> ids(steps);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// h after each step, from h_0 = 0.
inline constexpr float h[steps][d_h] = {
    {-0.602652729f, 0.0261121299f, -0.358205408f, -0.422306567f},
    {-0.455981255f, 0.187883288f, -0.805481315f, -0.680613339f},
    {-0.236116439f, 0.207278699f, -0.902252555f, -0.847177684f},
    {-0.189562023f, 0.0927474946f, -0.580136776f, -0.921688676f},
    {-0.173062772f, 0.292385221f, -0.844785333f, -0.913868189f},
    {-0.443117887f, 0.310185373f, -0.722919881f, -0.921223044f},
    {-0.602008462f, 0.325755835f, -0.232465461f, -0.938387156f},
    {-0.461784899f, 0.406766593f, -0.898214877f, -0.948783159f},
    {-0.375365496f, 0.272747159f, -0.744975328f, -0.96089077f},
    {-0.49221608f, 0.271436512f, 0.0308814645f, -0.95036912f},
};

}  // namespace softalign::golden_gru
