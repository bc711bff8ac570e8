// The arithmetic of inference: packed matrix-vector product, dot products, weighted sum, softmax, GRU cell.
//
// Every output adds up its terms in one fixed order, lane by lane, so that SIMD, scalar, native and WebAssembly builds and
// every batch size give the same bits. No output may be an input.
#pragma once
#include "shared/eigen/buffer.h"
#include "shared/eigen/elementary.h"

namespace softalign {

// A matrix laid out for y = W x: blocks of `lanes` rows, each block column by column, the last block filled with zeros.
class PackedMatrix {
 public:
  // From a row-major (rows, cols) matrix whose rows begin `stride` floats apart. False when memory is refused.
  [[nodiscard]] bool pack(const float* W, int rows, int cols, int stride);
  [[nodiscard]] bool pack(const float* W, int rows, int cols) { return pack(W, rows, cols, cols); }
  int rows() const { return rows_; }
  int cols() const { return cols_; }

  // y = W x, plus bias where there is one: (cols) -> (rows).
  void multiply(float* y, const float* x, const float* bias) const;

 private:
  Lanes block(int row, const float* x) const;

  Buffer packed_;
  int rows_ = 0, cols_ = 0;
};

// Eq. 9 for one query: q . k_i over n terms for S keys, one behind the other.
void dots(float* score, const float* q, const float* k, int S, int n);

// Eq. 11 for one pair: u . tanh(q + k) over n terms.
float additive(const float* q, const float* k, const float* u, int n);

// The largest of n numbers.
float largest(const float* values, int n);

// The terms of Eq. 6: exp(score_i - top) for `length` scores of which `top` is the largest. Returns their sum, in order.
// What is at most e^-64 counts as 0: no sum feels it, and its products with h_i would be subnormal numbers, on which
// processors are many times slower.
float exponentials(float* out, const float* score, float top, int length);

// Eq. 6 over the first `length` of S scores; exactly 0 behind them, and all 0 when length is 0.
void masked_softmax(float* alpha, const float* score, int length, int S);

// log sum_v exp(z_v - top) over V logits, where top is the largest of them.
float log_sum_exp(const float* z, float top, int V);

// log softmax(z) over V logits.
void log_softmax(float* log_prob, const float* z, int V);

// Eq. 7 for one row: out = sum_i alpha_i h_i over `length` rows of D floats, in the order of i.
void weighted_sum(float* out, const float* alpha, const float* h, int length, int D);

// tanh of n numbers.
void tanh(float* out, const float* x, int n);

// One GRU step from the two input sums, gates r, z, n: x_gates = W_i x + b_i, h_gates = W_h h + b_h, each (3 d_h).
// The reset gate multiplies (W_hn h + b_hn), PyTorch's variant.
void gru_cell(float* h_next, const float* h, const float* x_gates, const float* h_gates, int d_h);

}  // namespace softalign
