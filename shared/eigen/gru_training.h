// The GRU over whole sequences (Eq. 2, Eq. 3) with its hand-written gradient: what training runs and inference does not.
//
// Batch rows are sorted by length and packed step by step: step t is a block of the rows that still live then, so no
// padding is computed. The input product is a table (V, 3 d_h) = embedding W_ih^T + b_ih, made once per batch outside.
#pragma once
#include <Eigen/Core>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "shared/eigen/buffer.h"
#include "shared/eigen/elementary.h"

namespace softalign {

// C (m,n) += A (m,k) B (k,n), row-major. A template argument of the GRU, so that a trainer can bring its library's product.
struct EigenProduct {
  using Matrix = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Target = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  // B is given transposed: (n,k).
  void add_by_transposed(float* C, const float* A, const float* B, int m, int k, int n) const {
    Target(C, m, n).noalias() += Matrix(A, m, k) * Matrix(B, n, k).transpose();
  }
  void add(float* C, const float* A, const float* B, int m, int k, int n) const {
    Target(C, m, n).noalias() += Matrix(A, m, k) * Matrix(B, k, n);
  }
  // A is given transposed: (k,m).
  void add_transposed_by(float* C, const float* A, const float* B, int m, int k, int n) const {
    Target(C, m, n).noalias() += Matrix(A, k, m).transpose() * Matrix(B, k, n);
  }
};

// The shape of one batch, what the forward pass keeps for the gradient, and the room that the backward pass needs.
struct GruTrace {
  int B = 0, T = 0, d_h = 0;
  std::vector<int> order;  // packed row p of every block is batch row order[p]; longest first
  std::vector<int> alive;  // (steps) rows of block t
  std::vector<int> first;  // (steps) packed row at which block t begins
  Buffer h;          // (R, d_h) the state that each packed row starts from
  Buffer gates;      // (R, 3 d_h) r, z, n
  Buffer h_n;        // (R, d_h) W_hn h + b_hn
  Buffer grad_sums;  // (R, 3 d_h) gradient of W_hh h + b_hh
  Buffer carry;      // (B, d_h) gradient of the state after the step at hand

  int steps() const { return static_cast<int>(alive.size()); }
  int rows(int t) const { return t < steps() ? alive[t] : 0; }
  int packed_rows() const { return alive.empty() ? 0 : first.back() + alive.back(); }

  // `lengths` (B), each at most T; null when all of T is valid. False when memory is refused.
  [[nodiscard]] bool lay_out(int batch, int longest, int width, const int32_t* lengths) {
    B = batch, T = longest, d_h = width;
    auto length = [&](int b) { return lengths ? lengths[b] : T; };
    order.resize(B);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return length(a) > length(b); });
    alive.clear(), first.clear();
    for (int t = 0, rows = B, at = 0; t < T; ++t, at += rows) {
      while (rows > 0 && length(order[rows - 1]) <= t) --rows;
      if (rows == 0) break;
      alive.push_back(rows), first.push_back(at);
    }
    const size_t states = static_cast<size_t>(packed_rows()) * d_h;
    return h.reserve(states) && h_n.reserve(states) && gates.reserve(3 * states) && grad_sums.reserve(3 * states) &&
           carry.reserve(static_cast<size_t>(B) * d_h);
  }
};

// One row of Eq. 2: from x (3 d_h) and the recurrent sums in `gates` (3 d_h) to the next state; `gates` becomes r, z, n.
inline void gru_row(float* __restrict next, float* __restrict gates, float* __restrict h_n, const float* __restrict h,
                    const float* __restrict x, int d_h) {
  float *r = gates, *z = gates + d_h, *n = gates + 2 * d_h;
  const float* x_n = x + 2 * d_h;
  for (int j = 0; j < 2 * d_h; ++j) gates[j] = sigmoid_float(x[j] + gates[j]);
  for (int j = 0; j < d_h; ++j) {
    h_n[j] = n[j];
    n[j] = tanh_float(x_n[j] + r[j] * n[j]);
    next[j] = (1.0f - z[j]) * n[j] + z[j] * h[j];
  }
}

// h (B,T,d_h), 0 at t >= length; h_last (B,d_h). ids (B,T), table (V, 3 d_h), h_0 (B,d_h) or null for 0.
template <class Product>
void gru_forward(const Product& product, GruTrace& trace, float* h, float* h_last, const int32_t* ids, const float* table,
                 const float* h_0, const float* W_hh, const float* b_hh) {
  const int d_h = trace.d_h, gates = 3 * d_h, T = trace.T;
  float *states = trace.h.data(), *h_n = trace.h_n.data();
  for (int p = 0; p < trace.B; ++p) {
    float* start = p < trace.rows(0) ? states + static_cast<size_t>(p) * d_h : h_last + static_cast<size_t>(trace.order[p]) * d_h;
    if (h_0) std::copy_n(h_0 + static_cast<size_t>(trace.order[p]) * d_h, d_h, start);
    else std::fill_n(start, d_h, 0.0f);
  }
  std::fill_n(h, static_cast<size_t>(trace.B) * T * d_h, 0.0f);
  for (int t = 0; t < trace.steps(); ++t) {
    const int rows = trace.rows(t), next_rows = trace.rows(t + 1);
    const size_t at = trace.first[t];
    float* sums = trace.gates.data() + at * gates;
    for (int p = 0; p < rows; ++p) std::copy_n(b_hh, gates, sums + static_cast<size_t>(p) * gates);
    product.add_by_transposed(sums, states + at * d_h, W_hh, rows, d_h, gates);
    for (int p = 0; p < rows; ++p) {
      const size_t b = trace.order[p], row = at + p;
      float* out = h + (b * T + t) * d_h;
      gru_row(out, sums + static_cast<size_t>(p) * gates, h_n + row * d_h, states + row * d_h,
              table + static_cast<size_t>(ids[b * T + t]) * gates, d_h);
      std::copy_n(out, d_h, p < next_rows ? states + (at + rows + p) * d_h : h_last + b * d_h);
    }
  }
}

// One row of the gradient: from d_h' (in `grad`) to the gradients of the recurrent sums and of x; `grad` becomes z d_h'.
inline void gru_row_backward(float* __restrict grad, float* __restrict grad_sums, float* __restrict grad_x_n,
                             const float* __restrict gates, const float* __restrict h_n, const float* __restrict h, int d_h) {
  const float *__restrict r = gates, *__restrict z = gates + d_h, *__restrict n = gates + 2 * d_h;
  float *__restrict grad_r = grad_sums, *__restrict grad_z = grad_sums + d_h, *__restrict grad_n = grad_sums + 2 * d_h;
  for (int j = 0; j < d_h; ++j) {
    const float into_n = grad[j] * (1.0f - z[j]) * (1.0f - n[j] * n[j]);
    grad_r[j] = into_n * h_n[j] * r[j] * (1.0f - r[j]);
    grad_z[j] = grad[j] * (h[j] - n[j]) * z[j] * (1.0f - z[j]);
    grad_n[j] = into_n * r[j];
    grad_x_n[j] = into_n;
    grad[j] *= z[j];
  }
}

// Adds to grad_table (V, 3 d_h), grad_W_hh (3 d_h, d_h) and grad_b_hh (3 d_h); writes grad_h_0 (B,d_h) where it is asked for.
// grad_h (B,T,d_h) is not read at t >= length.
template <class Product>
void gru_backward(const Product& product, GruTrace& trace, float* grad_table, float* grad_W_hh, float* grad_b_hh,
                  float* grad_h_0, const float* grad_h, const float* grad_h_last, const int32_t* ids, const float* W_hh) {
  const int d_h = trace.d_h, gates = 3 * d_h, T = trace.T;
  float* carry = trace.carry.data();
  for (int p = 0; p < trace.B; ++p)
    std::copy_n(grad_h_last + static_cast<size_t>(trace.order[p]) * d_h, d_h, carry + static_cast<size_t>(p) * d_h);
  std::vector<float> into_n(d_h);
  for (int t = trace.steps() - 1; t >= 0; --t) {
    const size_t at = trace.first[t];
    float* block = trace.grad_sums.data() + at * gates;
    for (int p = 0; p < trace.rows(t); ++p) {
      const size_t b = trace.order[p], row = at + p;
      float *grad = carry + static_cast<size_t>(p) * d_h, *sums = block + static_cast<size_t>(p) * gates;
      const float* outside = grad_h + (b * T + t) * d_h;
      for (int j = 0; j < d_h; ++j) grad[j] += outside[j];
      gru_row_backward(grad, sums, into_n.data(), trace.gates.data() + row * gates, trace.h_n.data() + row * d_h,
                       trace.h.data() + row * d_h, d_h);
      float* of_token = grad_table + static_cast<size_t>(ids[b * T + t]) * gates;
      for (int j = 0; j < 2 * d_h; ++j) of_token[j] += sums[j];
      for (int j = 0; j < d_h; ++j) of_token[2 * d_h + j] += into_n[j];
      for (int j = 0; j < gates; ++j) grad_b_hh[j] += sums[j];
    }
    product.add(carry, block, W_hh, trace.rows(t), gates, d_h);
  }
  if (const int R = trace.packed_rows())
    product.add_transposed_by(grad_W_hh, trace.grad_sums.data(), trace.h.data(), gates, R, d_h);
  if (!grad_h_0) return;
  for (int p = 0; p < trace.B; ++p)
    std::copy_n(carry + static_cast<size_t>(p) * d_h, d_h, grad_h_0 + static_cast<size_t>(trace.order[p]) * d_h);
}

}  // namespace softalign
