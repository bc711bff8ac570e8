// The model's operations for inference: packed weights, token tables, buffers reserved once, no allocation after that.
#pragma once
#include <span>
#include <vector>

#include "shared/decoding/model_tokens.h"
#include "shared/eigen/kernels.h"
#include "shared/model/seq2seq.h"

namespace softalign {

class InferenceBackend {
 public:
  using Tensor = BufferTensor;

  struct Weight {
    std::vector<float> plain;  // as in the file: vectors, embeddings and u are read from here
    PackedMatrix packed;       // matrices that `linear` multiplies by
    int cols = 0;
  };
  struct TokenTable {
    std::vector<float> gates;  // (V, 3 d_h) = embedding W_ih^T + b_ih: no input product at run time
    PackedMatrix W_extra;      // (3 d_h, e): the columns of W_ih behind the embedding's, for the context; empty without
    PackedMatrix W_hh;
  };
  struct Ids {
    const int32_t* tokens = nullptr;  // (B,T), a view
    int B = 0, T = 0;
    int stride = 0;  // ids between two rows
    int32_t at(int b, int t) const { return tokens[static_cast<size_t>(b) * stride + t]; }
  };
  struct Lengths {
    const int* counts = nullptr;  // (B), a view
    int B = 0;
  };

  // Takes the plain weights over and derives the packed forms and token tables. OUT_OF_MEMORY when refused.
  Status prepare(const Config& config, PlainParameters&& plain, Parameters<InferenceBackend>& params);
  // The token table and packed recurrent weights of one GRU. False when memory is refused.
  [[nodiscard]] bool prepare_gru(const Weight& embedding, GruWeights<InferenceBackend>& gru);
  // Gives every tensor of a workspace the room that `limits` ask for. OUT_OF_MEMORY when refused.
  Status reserve(const Config& config, const Limits& limits, Workspace<InferenceBackend>& workspace);
  // The same for B hypotheses on a source of at most S characters.
  Status reserve(const Config& config, int B, int S, BeamWorkspace<InferenceBackend>& workspace);

  // ModelBackend, as backend.h says.
  void gru(Tensor& h, Tensor& h_last, const Ids& ids, const Weight& embedding, const Tensor* extra, const Lengths* lengths,
           const Tensor* h_0, const GruWeights<InferenceBackend>& weights, Direction direction);
  void linear(Tensor& y, const Tensor& x, const Weight& W, const Weight* b);
  void dot_score(Tensor& score, const Tensor& q, const Tensor& k);
  void additive_score(Tensor& score, const Tensor& q, const Tensor& k, const Weight& u);
  void masked_softmax(Tensor& alpha, const Tensor& score, const Lengths& lengths);
  void edit_alpha(Tensor& alpha_read, const Tensor& alpha, const Tensor& score, const Lengths& lengths, const RowEdit& edit);
  void weighted_sum(Tensor& h_bar, const Tensor& alpha, const Tensor& h);
  void concat(Tensor& out, const Tensor& a, const Tensor& b);
  void tanh(Tensor& out, const Tensor& x);
  void log_softmax(Tensor& log_prob, const Tensor& z);
  void cross_entropy(Tensor& loss, const Tensor& z, const Ids& tgt_out);
  Ids ids(std::span<const int32_t> tokens, int B, int T) const { return {tokens.data(), B, T, T}; }
  int steps(const Ids& ids) const { return ids.T; }
  Ids slice_time(const Ids& ids, int t) const { return {ids.tokens + t, ids.B, 1, ids.stride}; }
  template <class At>
  void stack(Tensor& out, int T, At at) const {
    out.shape(at(0).B, T, at(0).D);
    for (int b = 0; b < out.B; ++b)
      for (int t = 0; t < T; ++t) std::copy_n(at(t).row(b, 0), out.D, out.row(b, t));
  }
  void gather_rows(Tensor& out, const Tensor& x, std::span<const int> rows) const;
  std::span<const float> to_host(const Tensor& x) const { return {x.buffer.data(), x.size()}; }

 private:
  Status reserve_step(const Config& config, size_t rows, size_t S, Step<InferenceBackend>& step);

  Buffer gates_, x_gates_;  // (3 d_h) each
  Buffer zeros_;            // (d_h), the h_0 of encode
  Buffer heated_;           // (S) scores divided by a temperature
};

static_assert(ModelBackend<InferenceBackend>);

}  // namespace softalign
