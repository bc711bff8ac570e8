// The additive score (Eq. 11) over whole sequences with its hand-written gradient: the sums q_t + k_i are never stored.
#pragma once
#include <cstddef>

#include "shared/eigen/kernels.h"

namespace softalign {

// (B,T,d) queries, (B,S,d) keys.
struct AdditiveShape {
  int B = 0, T = 0, S = 0, d = 0;

  size_t query(int b, int t) const { return (static_cast<size_t>(b) * T + t) * d; }
  size_t key(int b, int i) const { return (static_cast<size_t>(b) * S + i) * d; }
  size_t pair(int b, int t, int i) const { return (static_cast<size_t>(b) * T + t) * S + i; }
};

// score (B,T,S) = u . tanh(q_t + k_i).
inline void additive_forward(const AdditiveShape& shape, float* score, const float* q, const float* k, const float* u) {
  for (int b = 0; b < shape.B; ++b)
    for (int t = 0; t < shape.T; ++t)
      for (int i = 0; i < shape.S; ++i)
        score[shape.pair(b, t, i)] = additive(q + shape.query(b, t), k + shape.key(b, i), u, shape.d);
}

// One pair: v = tanh(q + k); u learns from v, q and k from u (1 - v^2).
inline void additive_pair_backward(float* __restrict grad_q, float* __restrict grad_k, float* __restrict grad_u,
                                   float grad_score, const float* __restrict q, const float* __restrict k,
                                   const float* __restrict u, int d) {
  for (int j = 0; j < d; ++j) {
    const float v = tanh_float(q[j] + k[j]);
    const float grad = grad_score * u[j] * (1.0f - v * v);
    grad_q[j] += grad;
    grad_k[j] += grad;
    grad_u[j] += grad_score * v;
  }
}

// Adds to grad_q (B,T,d), grad_k (B,S,d) and grad_u (d); grad_score (B,T,S) is exactly 0 on padding, which costs nothing.
inline void additive_backward(const AdditiveShape& shape, float* grad_q, float* grad_k, float* grad_u,
                              const float* grad_score, const float* q, const float* k, const float* u) {
  for (int b = 0; b < shape.B; ++b)
    for (int t = 0; t < shape.T; ++t)
      for (int i = 0; i < shape.S; ++i)
        if (const float grad = grad_score[shape.pair(b, t, i)]; grad != 0.0f)
          additive_pair_backward(grad_q + shape.query(b, t), grad_k + shape.key(b, i), grad_u, grad,
                                 q + shape.query(b, t), k + shape.key(b, i), u, shape.d);
}

}  // namespace softalign
