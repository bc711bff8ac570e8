// A model that has read one source, as the source of probabilities that beam search asks: hypotheses are rows of a batch.
#pragma once
#include "shared/decoding/beam_search.h"
#include "shared/model/seq2seq.h"
#include "shared/task/vocabulary.h"

namespace softalign {

// Scratch for the hypotheses of one beam; the source's memory lies elsewhere, once for all of them.
template <class B>
struct BeamWorkspace {
  Step<B> step;
  typename B::Tensor s_before;  // (n,1,d_h) the states of the parents
  typename B::Tensor log_prob;  // (n,1,V)
};

template <ModelBackend B>
class ModelTokens final : public NextTokens {
 public:
  // `memory` is what encode left of a batch of one source; all arguments outlive this object.
  ModelTokens(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
              BeamWorkspace<B>& workspace)
      : be_(be), config_(config), params_(params), memory_(memory), workspace_(workspace) {}

  int V() const override { return config_.V_tgt; }
  std::span<const float> begin() override {
    static constexpr int32_t start = bos;
    return next({&start, 1}, memory_.s_0);
  }
  std::span<const float> advance(std::span<const int> parents, std::span<const int32_t> tokens) override {
    be_.gather_rows(workspace_.s_before, workspace_.step.s_T, parents);
    return next(tokens, workspace_.s_before);
  }

 private:
  std::span<const float> next(std::span<const int32_t> tokens, const typename B::Tensor& s_before) {
    const int n = static_cast<int>(tokens.size());
    decode(be_, config_, params_, memory_, be_.ids(tokens, n, 1), s_before, workspace_.step);
    be_.log_softmax(workspace_.log_prob, workspace_.step.z);
    return be_.to_host(workspace_.log_prob);
  }

  B& be_;
  const Config& config_;
  const Parameters<B>& params_;
  const Memory<B>& memory_;
  BeamWorkspace<B>& workspace_;
};

}  // namespace softalign
