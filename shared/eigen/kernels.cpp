// The kernels. They live in this one file, so that it can be compiled for speed where the rest is compiled for size.
#include "shared/eigen/kernels.h"

#include <algorithm>
#include <type_traits>

namespace softalign {
namespace {

// One number or `lanes` of them, from and to memory.
template <class Floats>
Floats load(const float* from) {
  if constexpr (std::is_same_v<Floats, float>)
    return *from;
  else
    return Eigen::Map<const Floats>(from);
}
void store(float* to, float value) { *to = value; }
void store(float* to, const Lanes& values) { Eigen::Map<Lanes>{to} = values; }

// Calls each.template operator()<Floats>(j) so that every j of 0..n-1 is covered: `lanes` at a time where so many are.
// The last block may overlap the one before it, so `each` must not read what it writes.
template <class Each>
void in_lanes(int n, Each each) {
  if (n >= lanes)
    for (int j = 0; j < n; j += lanes) each.template operator()<Lanes>(std::min(j, n - lanes));
  else
    for (int j = 0; j < n; ++j) each.template operator()<float>(j);
}

// sum_c x[c] * column c, in the order of c, for `count` columns that lie `stride` floats apart.
Lanes sum_of_columns(const float* columns, int stride, const float* x, int count) {
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

// Four sums of a dot product side by side: term j goes to entry j mod 4.
using Four = Eigen::Array4f;
Four four(const float* from) { return Eigen::Map<const Four>(from); }

float sum_pairwise(const Four& sum) {
  float partial[4];
  Eigen::Map<Four>{partial} = sum;
  return (partial[0] + partial[2]) + (partial[1] + partial[3]);
}

// q . k from its four sums over the terms before j.
float finish(const Four& sum, const float* q, const float* k, int j, int n) {
  if (j == n) return sum_pairwise(sum);
  float partial[4];
  Eigen::Map<Four>{partial} = sum;
  for (; j < n; ++j) partial[j % 4] += q[j] * k[j];
  return sum_pairwise(four(partial));
}

}  // namespace

bool PackedMatrix::pack(const float* W, int rows, int cols, int stride) {
  rows_ = rows, cols_ = cols;
  const int blocks = (rows + lanes - 1) / lanes;
  if (!packed_.reserve(static_cast<size_t>(blocks) * lanes * cols)) return false;
  float* next = packed_.data();
  for (int block = 0; block < blocks; ++block)
    for (int col = 0; col < cols; ++col)
      for (int row = block * lanes; row < (block + 1) * lanes; ++row)
        *next++ = row < rows ? W[static_cast<size_t>(row) * stride + col] : 0.0f;
  return true;
}

Lanes PackedMatrix::block(int row, const float* x) const {
  return sum_of_columns(packed_.data() + static_cast<size_t>(row) * cols_, lanes, x, cols_);
}

void PackedMatrix::multiply(float* y, const float* x, const float* bias) const {
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

void dots(float* score, const float* q, const float* k, int S, int n) {
  int i = 0;
  for (; i + 2 <= S; i += 2, k += 2 * n) {  // by twos, so that each part of q is loaded once for both
    Four sum = Four::Zero(), next_sum = Four::Zero();
    const auto add = [&](int j) {
      const Four part = four(q + j);
      sum += part * four(k + j);
      next_sum += part * four(k + n + j);
    };
    int j = 0;
    for (; j + 16 <= n; j += 16) add(j), add(j + 4), add(j + 8), add(j + 12);
    score[i] = finish(sum, q, k, j, n);
    score[i + 1] = finish(next_sum, q, k + n, j, n);
  }
  if (i == S) return;
  Four sum = Four::Zero();
  int j = 0;
  for (; j + 4 <= n; j += 4) sum += four(q + j) * four(k + j);
  score[i] = finish(sum, q, k, j, n);
}

// Term j goes to lane j mod `lanes`; then the lanes are added up, halves onto halves.
float additive(const float* q, const float* k, const float* u, int n) {
  Lanes sum = Lanes::Zero();
  int j = 0;
  for (; j + lanes <= n; j += lanes)
    sum += load<Lanes>(u + j) * tanh_float(Lanes(load<Lanes>(q + j) + load<Lanes>(k + j)));
  float partial[lanes];
  store(partial, sum);
  for (int lane = 0; j < n; ++j, ++lane) partial[lane] += u[j] * tanh_float(q[j] + k[j]);
  return sum_pairwise((four(partial) + four(partial + 8)) + (four(partial + 4) + four(partial + 12)));
}

float largest(const float* values, int n) {
  float top = values[0];
  for (int i = 1; i < n; ++i) top = std::max(top, values[i]);
  return top;
}

float exponentials(float* out, const float* score, float top, int length) {
  in_lanes(length, [&]<class Floats>(int i) {
    const Floats x = load<Floats>(score + i) - top;
    const Floats counts = elementary::clamp(Floats((x + 64.0f) * 1e30f), 0.0f, 1.0f);  // 0 or 1, without a branch
    store(out + i, Floats(exp_float(x) * counts));
  });
  float sum = 0;
  for (int i = 0; i < length; ++i) sum += out[i];
  return sum;
}

void masked_softmax(float* alpha, const float* score, int length, int S) {
  std::fill(alpha + length, alpha + S, 0.0f);
  if (length == 0) return;  // nothing to read, so no largest score either
  const float sum = exponentials(alpha, score, largest(score, length), length);
  for (int i = 0; i < length; ++i) alpha[i] /= sum;
}

float log_sum_exp(const float* z, float top, int V) {
  float sum = 0;
  for (int v = 0; v < V; ++v) sum += exp_float(z[v] - top);
  return log_float(sum);
}

void log_softmax(float* log_prob, const float* z, int V) {
  const float top = largest(z, V), rest = log_sum_exp(z, top, V);
  for (int v = 0; v < V; ++v) log_prob[v] = (z[v] - top) - rest;
}

void weighted_sum(float* out, const float* alpha, const float* h, int length, int D) {
  int d = 0;
  for (; d + lanes <= D; d += lanes) store(out + d, sum_of_columns(h + d, D, alpha, length));
  for (; d < D; ++d) {
    out[d] = 0;
    for (int i = 0; i < length; ++i) out[d] += alpha[i] * h[static_cast<size_t>(i) * D + d];
  }
}

void tanh(float* out, const float* x, int n) {
  in_lanes(n, [&]<class Floats>(int j) { store(out + j, tanh_float(load<Floats>(x + j))); });
}

void gru_cell(float* h_next, const float* h, const float* x_gates, const float* h_gates, int d_h) {
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
