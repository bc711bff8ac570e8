// The arithmetic of inference: packed matrix-vector product, dot product, weighted sum, softmax, GRU cell.
//
// Every output adds up its terms in one fixed order, lane by lane, so that SIMD, scalar, native and WebAssembly builds and
// every batch size give the same bits.
#pragma once
#include <Eigen/Core>

#include "shared/eigen/buffer.h"
#include "shared/eigen/elementary.h"
#include "shared/model/parameters.h"

namespace softalign {

// Rows that one block of a packed matrix holds, and terms that a dot product adds up side by side.
inline constexpr int lanes = 32;
using Lanes = Eigen::Array<float, lanes, 1>;

// `sum` in memory that can be addressed lane by lane; the array itself stays in registers as long as none of its lanes is.
struct LaneFloats {
  explicit LaneFloats(const Lanes& sum) { Eigen::Map<Lanes, Eigen::Aligned64>{floats} = sum; }
  float& operator[](int lane) { return floats[lane]; }
  alignas(64) float floats[lanes];
};

// A matrix laid out for y = W x: blocks of `lanes` rows, each block column by column, the last block filled with zeros.
class PackedMatrix {
 public:
  // From a row-major (rows, cols) matrix. False when memory is refused.
  [[nodiscard]] bool pack(const float* W, int rows, int cols) {
    rows_ = rows, cols_ = cols;
    const int blocks = (rows + lanes - 1) / lanes;
    if (!packed_.reserve(static_cast<size_t>(blocks) * lanes * cols)) return false;
    for (int block = 0; block < blocks; ++block)
      for (int col = 0; col < cols; ++col)
        for (int lane = 0; lane < lanes; ++lane) {
          const int row = block * lanes + lane;
          packed_.data()[(static_cast<size_t>(block) * cols + col) * lanes + lane] =
              row < rows ? W[static_cast<size_t>(row) * cols + col] : 0.0f;
        }
    return true;
  }
  int rows() const { return rows_; }
  int cols() const { return cols_; }

  // y = W x, plus bias where there is one: (cols) -> (rows).
  void multiply(float* y, const float* x, const float* bias) const {
    const float* w = packed_.data();
    for (int row = 0; row < rows_; row += lanes) {
      Lanes sum = Lanes::Zero();
      for (int col = 0; col < cols_; ++col, w += lanes) sum += Eigen::Map<const Lanes, Eigen::Aligned64>(w) * x[col];
      LaneFloats block(sum);
      const int count = std::min(lanes, rows_ - row);
      for (int lane = 0; lane < count; ++lane) y[row + lane] = block[lane] + (bias ? bias[row + lane] : 0.0f);
    }
  }

 private:
  Buffer packed_;
  int rows_ = 0, cols_ = 0;
};

// The sum of all lanes, halves onto halves. Overwrites them.
inline float add_pairwise(float* partial) {
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) partial[lane] += partial[lane + half];
  return partial[0];
}

// a . b over n terms: term j goes to lane j mod `lanes`, then the lanes are added up pairwise.
inline float dot(const float* a, const float* b, int n) {
  Lanes sum = Lanes::Zero();
  int j = 0;
  for (; j + lanes <= n; j += lanes) sum += Eigen::Map<const Lanes>(a + j) * Eigen::Map<const Lanes>(b + j);
  LaneFloats partial(sum);
  for (int lane = 0; j < n; ++j, ++lane) partial[lane] += a[j] * b[j];
  return add_pairwise(partial.floats);
}

// Eq. 11 for one pair: u . tanh(q + k) over n terms, added up as in `dot`.
inline float additive(const float* q, const float* k, const float* u, int n) {
  alignas(64) float partial[lanes] = {};
  for (int j = 0; j < n; j += lanes) {
    const int count = std::min(lanes, n - j);
    for (int lane = 0; lane < count; ++lane) partial[lane] += u[j + lane] * tanh_float(q[j + lane] + k[j + lane]);
  }
  return add_pairwise(partial);
}

// The terms of Eq. 6: exp(score_i - top) for `length` scores of which `top` is the largest. Returns their sum.
inline float exponentials(float* out, const float* score, float top, int length) {
  for (int i = 0; i < length; ++i) out[i] = exp_float(score[i] - top);
  float sum = 0;
  for (int i = 0; i < length; ++i) sum += out[i];
  return sum;
}

// Eq. 6 over the first `length` of S scores; exactly 0 behind them, and all 0 when length is 0.
inline void masked_softmax(float* alpha, const float* score, int length, int S) {
  std::fill(alpha + length, alpha + S, 0.0f);
  if (length == 0) return;  // nothing to read, so no largest score either
  const float sum = exponentials(alpha, score, *std::max_element(score, score + length), length);
  for (int i = 0; i < length; ++i) alpha[i] /= sum;
}

// log sum_v exp(z_v - top) over V logits, where top is the largest of them.
inline float log_sum_exp(const float* z, float top, int V) {
  float sum = 0;
  for (int v = 0; v < V; ++v) sum += exp_float(z[v] - top);
  return log_float(sum);
}

// log softmax(z) over V logits.
inline void log_softmax(float* log_prob, const float* z, int V) {
  const float top = *std::max_element(z, z + V), rest = log_sum_exp(z, top, V);
  for (int v = 0; v < V; ++v) log_prob[v] = (z[v] - top) - rest;
}

// Eq. 7 for one row: out = sum_i alpha_i h_i over `length` rows of D floats, in the order of i.
inline void weighted_sum(float* out, const float* alpha, const float* h, int length, int D) {
  std::fill(out, out + D, 0.0f);
  for (int i = 0; i < length; ++i)
    for (int d = 0; d < D; ++d) out[d] += alpha[i] * h[static_cast<size_t>(i) * D + d];
}

// One GRU step from the two input sums, gates r, z, n: x_gates = W_i x + b_i, h_gates = W_h h + b_h, each (3 d_h).
// The reset gate multiplies (W_hn h + b_hn), PyTorch's variant.
inline void gru_cell(float* h_next, const float* h, const float* x_gates, const float* h_gates, int d_h) {
  const float *x_r = x_gates, *x_z = x_gates + d_h, *x_n = x_gates + 2 * d_h;
  const float *h_r = h_gates, *h_z = h_gates + d_h, *h_n = h_gates + 2 * d_h;
  for (int j = 0; j < d_h; ++j) {
    const float r = sigmoid_float(x_r[j] + h_r[j]);
    const float z = sigmoid_float(x_z[j] + h_z[j]);
    const float n = tanh_float(x_n[j] + r * h_n[j]);
    h_next[j] = (1.0f - z) * n + z * h[j];
  }
}

}  // namespace softalign
