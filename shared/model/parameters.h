// Every weight of the model, once: name, shape, initial distribution. Loading, saving, counting, drawing and training visit this list.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shared/model/config.h"

namespace softalign {

// A matrix (rows, cols) in row-major order, or a vector when cols is 0.
struct Shape {
  int rows = 0;
  int cols = 0;
  size_t size() const { return static_cast<size_t>(rows) * (cols ? cols : 1); }
  std::string text() const {
    return cols ? "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")" : "(" + std::to_string(rows) + ")";
  }
  bool operator==(const Shape&) const = default;
};

// How an untrained weight is drawn: N(0, scale) or U(-scale, scale).
// `zero_first_row` clears row 0 after the draw, the embedding of <pad>.
struct Init {
  enum class Kind { normal, uniform } kind = Kind::uniform;
  double scale = 1;
  bool zero_first_row = false;
};

struct ParameterInfo {
  std::string_view name;  // its key in the lab's state_dict and in weights files
  Shape shape;
  Init init;
};

// One GRU, gates in PyTorch's order r, z, n. `Tables` is what a backend derives from it once (see ModelBackend).
template <class B>
struct GruWeights {
  typename B::Weight weight_ih;  // (3 d_h, inputs)
  typename B::Weight weight_hh;  // (3 d_h, d_h)
  typename B::Weight bias_ih;    // (3 d_h)
  typename B::Weight bias_hh;    // (3 d_h)
  typename B::TokenTable table;  // (V, 3 d_h) = embedding W_ih^T + b_ih, where the backend keeps one
};

// B names only the storage here: `B::Weight` for a weight, `B::TokenTable` for a GRU's derived table.
template <class B>
struct Parameters {
  typename B::Weight src_emb;   // (V_src, d_emb)
  typename B::Weight tgt_emb;   // (V_tgt, d_emb)
  GruWeights<B> enc, dec;       // Eq. 2, Eq. 3
  GruWeights<B> enc_reverse;    // Eq. 2 from the right, bi encoder
  typename B::Weight bridge, b_bridge;  // from the two final states to s_0, bi encoder
  typename B::Weight W_o, b_o;  // Eq. 4
  typename B::Weight W_c, b_c;  // Eq. 8, with attention in the luong ordering
  typename B::Weight W_a;       // Eq. 10, general
  typename B::Weight W_q, W_k, u;  // Eq. 11, additive
};

// Weights as plain float arrays: what files hold, what init draws, what every backend takes and gives.
struct PlainStorage {
  using Weight = std::vector<float>;
  struct TokenTable {};
};
using PlainParameters = Parameters<PlainStorage>;

namespace init {
inline double inverse_root(int n) { return 1 / std::sqrt(static_cast<double>(n)); }
inline Init embedding() { return {Init::Kind::normal, 1.0, true}; }
inline Init gru(const Config& c) { return {Init::Kind::uniform, inverse_root(c.d_h), false}; }
inline Init linear(int fan_in) { return {Init::Kind::uniform, inverse_root(fan_in), false}; }
inline Init score(int fan_in) { return {Init::Kind::normal, inverse_root(fan_in), false}; }
}  // namespace init

template <class Weight>
struct Parameter {
  ParameterInfo info;
  Weight* weight;
};
template <class Weight>
class ParameterList {
 public:
  void add(const ParameterInfo& info, Weight& weight) { parameters_[count_++] = {info, &weight}; }
  const Parameter<Weight>* begin() const { return parameters_.data(); }
  const Parameter<Weight>* end() const { return begin() + count_; }

 private:
  std::array<Parameter<Weight>, 23> parameters_{};  // additive, luong and bi: the most that a model has
  size_t count_ = 0;
};

// Every weight that a model of config `c` has, in the order of the lab's state_dict. `params` may be const.
template <class P>
auto parameter_list(const Config& c, P& params) {
  using Weight = std::remove_reference_t<decltype((params.W_o))>;
  ParameterList<Weight> list;
  const auto gru = [&](std::array<std::string_view, 4> names, auto& w, int inputs) {
    const int gates = 3 * c.d_h;
    list.add({names[0], {gates, inputs}, init::gru(c)}, w.weight_ih);
    list.add({names[1], {gates, c.d_h}, init::gru(c)}, w.weight_hh);
    list.add({names[2], {gates}, init::gru(c)}, w.bias_ih);
    list.add({names[3], {gates}, init::gru(c)}, w.bias_hh);
  };
  const int d_enc = c.d_enc();
  const bool bahdanau = c.ordering == Ordering::bahdanau;
  list.add({"src_emb.weight", {c.V_src, c.d_emb}, init::embedding()}, params.src_emb);
  list.add({"tgt_emb.weight", {c.V_tgt, c.d_emb}, init::embedding()}, params.tgt_emb);
  gru({"enc.weight_ih_l0", "enc.weight_hh_l0", "enc.bias_ih_l0", "enc.bias_hh_l0"}, params.enc, c.d_emb);
  if (c.encoder == Encoder::bi)
    gru({"enc.weight_ih_l0_reverse", "enc.weight_hh_l0_reverse", "enc.bias_ih_l0_reverse", "enc.bias_hh_l0_reverse"},
        params.enc_reverse, c.d_emb);
  gru({"dec.weight_ih_l0", "dec.weight_hh_l0", "dec.bias_ih_l0", "dec.bias_hh_l0"}, params.dec,
      c.d_emb + (bahdanau ? d_enc : 0));
  if (c.encoder == Encoder::bi) {
    list.add({"bridge.weight", {c.d_h, 2 * c.d_h}, init::linear(2 * c.d_h)}, params.bridge);
    list.add({"bridge.bias", {c.d_h}, init::linear(2 * c.d_h)}, params.b_bridge);
  }
  list.add({"W_o.weight", {c.V_tgt, c.d_h}, init::linear(c.d_h)}, params.W_o);
  list.add({"W_o.bias", {c.V_tgt}, init::linear(c.d_h)}, params.b_o);
  if (!c.attends()) return list;
  if (!bahdanau) {
    list.add({"W_c.weight", {c.d_h, c.d_h + d_enc}, init::linear(c.d_h + d_enc)}, params.W_c);
    list.add({"W_c.bias", {c.d_h}, init::linear(c.d_h + d_enc)}, params.b_c);
  }
  if (c.score == Score::general) list.add({"W_a", {c.d_h, d_enc}, init::linear(d_enc)}, params.W_a);
  if (c.score == Score::additive) {
    list.add({"W_q", {c.d_a, c.d_h}, init::score(c.d_h)}, params.W_q);
    list.add({"W_k", {c.d_a, d_enc}, init::score(d_enc)}, params.W_k);
    list.add({"u", {c.d_a}, init::score(c.d_a)}, params.u);
  }
  return list;
}

// Calls visit(ParameterInfo, weight) for each of them; a visitor that only counts can be given any Parameters.
template <class P, class Visitor>
void each_parameter(const Config& config, P& params, Visitor&& visit) {
  for (const auto& [info, weight] : parameter_list(config, params)) visit(info, *weight);
}

inline size_t parameter_count(const Config& config) {
  size_t count = 0;
  PlainParameters none;
  each_parameter(config, none, [&](const ParameterInfo& info, auto&) { count += info.shape.size(); });
  return count;
}

// An untrained model, drawn weight by weight from `random` (uniform(a, b) and normal(), both double).
template <class Random>
PlainParameters initialise(const Config& config, Random& random) {
  PlainParameters params;
  each_parameter(config, params, [&](const ParameterInfo& info, std::vector<float>& weight) {
    weight.resize(info.shape.size());
    const double scale = info.init.scale;
    for (float& x : weight)
      x = static_cast<float>(info.init.kind == Init::Kind::normal ? scale * random.normal()
                                                                  : random.uniform(-scale, scale));
    if (info.init.zero_first_row)
      for (int col = 0; col < info.shape.cols; ++col) weight[col] = 0;
  });
  return params;
}

}  // namespace softalign
