// The arithmetic of inference: packed matrix-vector product, dot products, weighted sum, softmax, GRU cell.
//
// Every output adds up its terms in one fixed order, lane by lane, so that SIMD, scalar, native and WebAssembly builds and
// every batch size give the same bits.
#pragma once
#include <Eigen/Core>

#include <algorithm>
#include <type_traits>

#include "shared/eigen/buffer.h"
#include "shared/eigen/elementary.h"
#include "shared/model/parameters.h"

namespace softalign {

// One number or `lanes` of them, from and to memory.
template <class Floats>
inline Floats load(const float* from) {
  if constexpr (std::is_same_v<Floats, float>)
    return *from;
  else
    return Eigen::Map<const Floats>(from);
}
inline void store(float* to, float value) { *to = value; }
inline void store(float* to, const Lanes& values) { Eigen::Map<Lanes>{to} = values; }

// Calls each.template operator()<Floats>(j) so that every j of 0..n-1 is covered: `lanes` at a time where so many are.
// The last block may overlap the one before it, so `each` must not read what it writes.
template <class Each>
inline void in_lanes(int n, Each each) {
  int j = 0;
  for (; j + lanes <= n; j += lanes) each.template operator()<Lanes>(j);
  if (j < n && n >= lanes)
    each.template operator()<Lanes>(n - lanes);
  else
    for (; j < n; ++j) each.template operator()<float>(j);
}

// sum_c x[c] * column c, in the order of c, for `count` columns that lie `stride` floats apart.
inline Lanes sum_of_columns(const float* columns, int stride, const float* x, int count) {
  using Column = Eigen::Map<const Lanes>;
  Lanes sum = Lanes::Zero();
  int c = 0;
  for (; c + 2 <= count; c += 2, columns += 2 * stride) {  // by twos: engines for WebAssembly unroll no loops
    sum += Column(columns) * x[c];
    sum += Column(columns + stride) * x[c + 1];
  }
  if (c < count) sum += Column(columns) * x[c];
  return sum;
}

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
    int row = 0;
    for (; row + lanes <= rows_; row += lanes) {
      Lanes sum = block(row, x);
      if (bias) sum += load<Lanes>(bias + row);
      store(y + row, sum);
    }
    if (row == rows_) return;
    float rest[lanes];  // of the last block only these lanes are rows
    store(rest, block(row, x));
    for (int lane = 0; row < rows_; ++lane, ++row) y[row] = bias ? rest[lane] + bias[row] : rest[lane];
  }

 private:
  Lanes block(int row, const float* x) const {
    return sum_of_columns(packed_.data() + static_cast<size_t>(row) * cols_, lanes, x, cols_);
  }

  Buffer packed_;
  int rows_ = 0, cols_ = 0;
};

// The sum of `count` floats, halves onto halves. Overwrites them.
template <int count>
inline float sum_pairwise(float* partial) {
  for (int half = count / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) partial[k] += partial[k + half];
  return partial[0];
}

// q . k_i over n terms for `rows` rows k_i, one behind the other: term j goes to lane j mod 4, then the lanes are added up.
template <int rows>
inline void dot_rows(float* out, const float* q, const float* k, int n) {
  using Four = Eigen::Array4f;
  Four sum[rows];
  for (Four& row : sum) row.setZero();
  int j = 0;
  for (; j + lanes <= n; j += lanes)
    for (int part = j; part < j + lanes; part += 4)
      for (int i = 0; i < rows; ++i) sum[i] += Eigen::Map<const Four>(q + part) * Eigen::Map<const Four>(k + i * n + part);
  for (int i = 0; i < rows; ++i) {
    float partial[4];
    Eigen::Map<Four>{partial} = sum[i];
    for (int rest = j; rest < n; ++rest) partial[rest % 4] += q[rest] * k[i * n + rest];
    out[i] = sum_pairwise<4>(partial);
  }
}

// Eq. 9 for one query: q . k_i over n terms for S keys, by twos, so that each part of q is loaded once for both.
inline void dots(float* score, const float* q, const float* k, int S, int n) {
  int i = 0;
  for (; i + 2 <= S; i += 2) dot_rows<2>(score + i, q, k + static_cast<size_t>(i) * n, n);
  if (i < S) dot_rows<1>(score + i, q, k + static_cast<size_t>(i) * n, n);
}

// Eq. 11 for one pair: u . tanh(q + k) over n terms: term j goes to lane j mod `lanes`, then the lanes are added up.
inline float additive(const float* q, const float* k, const float* u, int n) {
  Lanes sum = Lanes::Zero();
  int j = 0;
  for (; j + lanes <= n; j += lanes)
    sum += load<Lanes>(u + j) * tanh_float(Lanes(load<Lanes>(q + j) + load<Lanes>(k + j)));
  float partial[lanes];
  store(partial, sum);
  for (int lane = 0; j < n; ++j, ++lane) partial[lane] += u[j] * tanh_float(q[j] + k[j]);
  return sum_pairwise<lanes>(partial);
}

// The terms of Eq. 6: exp(score_i - top) for `length` scores of which `top` is the largest. Returns their sum, in order.
// What is at most e^-64 counts as 0: no sum feels it, and its products with h_i would be subnormal numbers, on which
// processors are many times slower.
inline float exponentials(float* out, const float* score, float top, int length) {
  in_lanes(length, [&]<class Floats>(int i) {
    const Floats x = load<Floats>(score + i) - top;
    const Floats counts = elementary::clamp(Floats((x + 64.0f) * 1e30f), 0.0f, 1.0f);  // 0 or 1, without a branch
    store(out + i, Floats(exp_float(x) * counts));
  });
  float sum = 0;
  for (int i = 0; i < length; ++i) sum += out[i];
  return sum;
}

inline float largest(const float* values, int n) { return Eigen::Map<const Eigen::ArrayXf>(values, n).maxCoeff(); }

// Eq. 6 over the first `length` of S scores; exactly 0 behind them, and all 0 when length is 0.
inline void masked_softmax(float* alpha, const float* score, int length, int S) {
  std::fill(alpha + length, alpha + S, 0.0f);
  if (length == 0) return;  // nothing to read, so no largest score either
  const float sum = exponentials(alpha, score, largest(score, length), length);
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
  const float top = largest(z, V), rest = log_sum_exp(z, top, V);
  for (int v = 0; v < V; ++v) log_prob[v] = (z[v] - top) - rest;
}

// Eq. 7 for one row: out = sum_i alpha_i h_i over `length` rows of D floats, in the order of i.
inline void weighted_sum(float* out, const float* alpha, const float* h, int length, int D) {
  int d = 0;
  for (; d + lanes <= D; d += lanes) store(out + d, sum_of_columns(h + d, D, alpha, length));
  for (; d < D; ++d) {
    out[d] = 0;
    for (int i = 0; i < length; ++i) out[d] += alpha[i] * h[static_cast<size_t>(i) * D + d];
  }
}

// tanh of n numbers. `out` may not be x.
inline void tanh(float* out, const float* x, int n) {
  in_lanes(n, [&]<class Floats>(int j) { store(out + j, tanh_float(load<Floats>(x + j))); });
}

// One GRU step from the two input sums, gates r, z, n: x_gates = W_i x + b_i, h_gates = W_h h + b_h, each (3 d_h).
// The reset gate multiplies (W_hn h + b_hn), PyTorch's variant. `h_next` may not be h.
inline void gru_cell(float* h_next, const float* h, const float* x_gates, const float* h_gates, int d_h) {
  in_lanes(d_h, [&]<class Floats>(int j) {
    const auto x = [&](int gate) { return load<Floats>(x_gates + gate * d_h + j); };
    const auto g = [&](int gate) { return load<Floats>(h_gates + gate * d_h + j); };
    const Floats r = sigmoid_float(Floats(x(0) + g(0)));
    const Floats z = sigmoid_float(Floats(x(1) + g(1)));
    const Floats n = tanh_float(Floats(x(2) + r * g(2)));
    store(h_next + j, Floats((1.0f - z) * n + z * load<Floats>(h + j)));
  });
}

}  // namespace softalign
