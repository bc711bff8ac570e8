// The model a second time, as slowly and plainly as the equations are written, in double: what every backend is judged by.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "shared/model/parameters.h"

namespace softalign::reference {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  // rows

inline Vector multiply(const std::vector<float>& W, const Vector& x) {  // W row-major, (rows, x.size())
  Vector y(W.size() / x.size());
  for (size_t row = 0; row < y.size(); ++row)
    for (size_t col = 0; col < x.size(); ++col) y[row] += static_cast<double>(W[row * x.size() + col]) * x[col];
  return y;
}
inline Vector add(Vector a, const std::vector<float>& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}
inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline Vector softmax(const Vector& scores) {
  double top = scores[0], sum = 0;
  for (double score : scores) top = std::max(top, score);
  Vector weights;
  for (double score : scores) weights.push_back(std::exp(score - top));
  for (double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Where the reset gate enters the new gate: PyTorch's model multiplies it with (W_hn h + b_hn), another one with h.
enum class ResetGate { after_product, before_product };

// One step of a GRU with PyTorch's gate order r, z, n.
inline Vector gru_step(const GruWeights<PlainStorage>& w, const Vector& x, const Vector& h,
                       ResetGate reset = ResetGate::after_product) {
  const size_t d_h = h.size();
  const Vector input = add(multiply(w.weight_ih, x), w.bias_ih), state = add(multiply(w.weight_hh, h), w.bias_hh);
  auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  Vector reset_h(d_h), next(d_h);
  for (size_t j = 0; j < d_h; ++j) reset_h[j] = sigmoid(input[j] + state[j]) * h[j];
  const Vector state_of_reset_h = add(multiply(w.weight_hh, reset_h), w.bias_hh);
  for (size_t j = 0; j < d_h; ++j) {
    const double r = sigmoid(input[j] + state[j]), z = sigmoid(input[d_h + j] + state[d_h + j]);
    const double carried = reset == ResetGate::after_product ? r * state[2 * d_h + j] : state_of_reset_h[2 * d_h + j];
    const double n = std::tanh(input[2 * d_h + j] + carried);
    next[j] = (1 - z) * n + z * h[j];
  }
  return next;
}

inline Vector embedding(const std::vector<float>& table, int32_t id, int d_emb) {
  return Vector(table.begin() + static_cast<ptrdiff_t>(id) * d_emb, table.begin() + static_cast<ptrdiff_t>(id + 1) * d_emb);
}

// Eq. 9, 10 or 11 for one pair.
inline double score(const Config& config, const PlainParameters& p, const Vector& s, const Vector& h) {
  switch (config.score) {
    case Score::dot: return dot(s, h);
    case Score::general: return dot(s, multiply(p.W_a, h));
    case Score::additive: {
      const Vector q = multiply(p.W_q, s), k = multiply(p.W_k, h);
      double sum = 0;
      for (size_t j = 0; j < q.size(); ++j) sum += p.u[j] * std::tanh(q[j] + k[j]);
      return sum;
    }
    case Score::none: break;
  }
  return 0;
}

struct Forward {
  Matrix z, alpha;                   // (T,V), (T,S)
  Matrix s, s_t, score, read, h_bar;  // the state that asks, the state after the cell, what h is read through
  Matrix s_tilde;                    // luong ordering
};
// The weights to read row t with, from its scores and alpha.
using Edit = std::function<Vector(int t, const Vector& score, const Vector& alpha)>;

inline Vector joined(Vector a, const Vector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Vector tanh(Vector x) {
  for (double& value : x) value = std::tanh(value);
  return x;
}

// Eq. 2: h_1..h_S and s_0.
struct Encoded {
  Matrix h;
  Vector s_0;
};
inline Encoded read(const Config& c, const GruWeights<PlainStorage>& gru, const PlainParameters& p,
                    const std::vector<int32_t>& source) {
  Encoded out{{}, Vector(c.d_h)};
  for (int32_t id : source) out.h.push_back(out.s_0 = gru_step(gru, embedding(p.src_emb, id, c.d_emb), out.s_0));
  return out;
}
inline Encoded read_backward(const Config& c, const GruWeights<PlainStorage>& gru, const PlainParameters& p,
                             const std::vector<int32_t>& source) {
  Encoded out = read(c, gru, p, {source.rbegin(), source.rend()});
  std::reverse(out.h.begin(), out.h.end());
  return out;
}
inline Encoded encode(const Config& c, const PlainParameters& p, const std::vector<int32_t>& source) {
  if (c.encoder == Encoder::uni) return read(c, p.enc, p, source);
  if (c.encoder == Encoder::reversed) return read_backward(c, p.enc, p, source);
  const Encoded left = read(c, p.enc, p, source), right = read_backward(c, p.enc_reverse, p, source);
  Encoded out;
  for (size_t i = 0; i < source.size(); ++i) out.h.push_back(joined(left.h[i], right.h[i]));
  out.s_0 = tanh(add(multiply(p.bridge, joined(left.s_0, right.s_0)), p.b_bridge));
  return out;
}

// Eq. 2-11 for one source under teacher forcing, with an intervention where `edit` is given.
inline Forward forward(const Config& c, const PlainParameters& p, const std::vector<int32_t>& source,
                       const std::vector<int32_t>& tgt_in, const Edit& edit = {}) {
  const auto [h, s_0] = encode(c, p, source);
  Vector state = s_0;
  Forward out;
  const auto attend = [&, &h = h](const Vector& query) {
    Vector scores, h_bar(c.d_enc());
    for (const Vector& h_i : h) scores.push_back(score(c, p, query, h_i));
    out.alpha.push_back(softmax(scores));
    const int t = static_cast<int>(out.read.size());
    out.read.push_back(edit ? edit(t, scores, out.alpha.back()) : out.alpha.back());
    for (int d = 0; d < c.d_enc(); ++d)
      for (size_t i = 0; i < h.size(); ++i) h_bar[d] += out.read.back()[i] * h[i][d];
    out.s.push_back(query), out.score.push_back(scores), out.h_bar.push_back(h_bar);
    return h_bar;
  };
  for (int32_t id : tgt_in) {
    const Vector y = embedding(p.tgt_emb, id, c.d_emb);
    if (c.ordering == Ordering::bahdanau) {
      out.s_t.push_back(state = gru_step(p.dec, joined(y, attend(state)), state));
      out.z.push_back(add(multiply(p.W_o, state), p.b_o));
      continue;
    }
    out.s_t.push_back(state = gru_step(p.dec, y, state));
    const Vector top = c.attends() ? tanh(add(multiply(p.W_c, joined(state, attend(state))), p.b_c)) : state;
    if (c.attends()) out.s_tilde.push_back(top);
    out.z.push_back(add(multiply(p.W_o, top), p.b_o));
  }
  return out;
}

}  // namespace softalign::reference
