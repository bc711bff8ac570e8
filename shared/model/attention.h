// Attention: the three scores, the softmax over source positions, and the context vector (Eq. 6, 7, 9-11).
#pragma once
#include <cassert>
#include <vector>

#include "shared/model/backend.h"

namespace softalign {

// The two halves of a bi encoder's states, and the way from their ends to s_0.
template <class B>
struct BothDirections {
  typename B::Tensor h_forward, h_backward;        // (B,S,d_h)    h_i having read x_1..x_i, and x_S..x_i
  typename B::Tensor last_forward, last_backward;  // (B,1,d_h)    at x_S, and at x_1
  typename B::Tensor ends;                         // (B,1,2 d_h)  the two joined
  typename B::Tensor bridge;                       // (B,1,d_h)    bridge ends + b_bridge
};

// What encode leaves for the decoder: the encoder states, and what the score needs of them alone.
template <class B>
struct Memory {
  typename B::Tensor h;         // (B,S,d_enc), 0 beyond each source's end
  typename B::Tensor s_0;       // (B,1,d_h)  the decoder's first state: h_S, or what the bridge of a bi encoder makes
  typename B::Tensor k;         // general W_a h_i (B,S,d_h), additive W_k h_i (B,S,d_a); dot reads h itself
  typename B::Lengths lengths;  // (B)
  BothDirections<B> both;       // bi encoder
};

// Everything that one call of decode computes; T = 1 at decoding time, all of the target in training.
template <class B>
struct Step {
  typename B::Tensor s;        // (B,T,d_h)   Eq. 3
  typename B::Tensor s_T;      // (B,1,d_h)   the state to go on from
  typename B::Tensor q;        // (B,T,d_a)   W_q of the query, additive only
  typename B::Tensor score;    // (B,T,S)     Eq. 9-11
  typename B::Tensor alpha;    // (B,T,S)     Eq. 6
  typename B::Tensor alpha_read;  // (B,T,S)  alpha after `edit`, where there is one
  typename B::Tensor h_bar;    // (B,T,d_enc) Eq. 7
  typename B::Tensor joined;   // (B,T,d_h + d_enc) [s_t; h_bar_t]
  typename B::Tensor linear;   // (B,T,d_h)   W_c [s_t; h_bar_t] + b_c
  typename B::Tensor s_tilde;  // (B,T,d_h)   Eq. 8
  typename B::Tensor z;        // (B,T,V)     Eq. 4

  const RowEdit* edit = nullptr;  // an intervention on every row of this step
  std::vector<Step> slots;        // (T) the single steps that a longer target takes in the bahdanau ordering
};

// The part of the score that h alone decides, made once per source.
template <ModelBackend B>
void prepare_keys(B& be, const Config& config, const Parameters<B>& params, Memory<B>& memory) {
  if (config.score == Score::general) be.linear(memory.k, memory.h, params.W_a, nullptr);   // W_a h_i
  if (config.score == Score::additive) be.linear(memory.k, memory.h, params.W_k, nullptr);  // W_k h_i
}

// Eq. 6 and Eq. 7, the same for every score: padding gets weight exactly 0. With an edit, h is read through alpha_read.
template <ModelBackend B>
void masked_attention(B& be, typename B::Tensor& alpha, typename B::Tensor& h_bar, const typename B::Tensor& score,
                      const typename B::Tensor& h, const typename B::Lengths& lengths,
                      typename B::Tensor* alpha_read = nullptr, const RowEdit* edit = nullptr) {
  be.masked_softmax(alpha, score, lengths);  // (B,T,S)     Eq. 6
  if (edit) be.edit_alpha(*alpha_read, alpha, score, lengths, *edit);
  be.weighted_sum(h_bar, edit ? *alpha_read : alpha, h);  // (B,T,d_enc) Eq. 7
}

// Eq. 9 followed by Eq. 6 and 7, for queries (B,T,d_h).
template <ModelBackend B>
void dot_product_attention(B& be, Step<B>& step, const typename B::Tensor& query, const Memory<B>& memory) {
  be.dot_score(step.score, query, memory.h);  // s_t . h_i   Eq. 9
  masked_attention(be, step.alpha, step.h_bar, step.score, memory.h, memory.lengths, &step.alpha_read, step.edit);
}

// Eq. 11: u . tanh(W_q s_t + W_k h_i), where k = W_k h is prepared.
template <ModelBackend B>
void additive_score(B& be, Step<B>& step, const typename B::Tensor& query, const typename B::Tensor& k,
                    const typename B::Weight& W_q, const typename B::Weight& u) {
  be.linear(step.q, query, W_q, nullptr);           // (B,T,d_a)
  be.additive_score(step.score, step.q, k, u);      // (B,T,S)
}

// From queries (B,T,d_h) to their weights alpha and contexts h_bar: s_t in the luong ordering, s_{t-1} in bahdanau's.
template <ModelBackend B>
void attend(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
            const typename B::Tensor& query, Step<B>& step) {
  switch (config.score) {
    case Score::dot:
      return dot_product_attention(be, step, query, memory);
    case Score::general:
      be.dot_score(step.score, query, memory.k);  // s_t . W_a h_i   Eq. 10
      break;
    case Score::additive:
      additive_score(be, step, query, memory.k, params.W_q, params.u);  // Eq. 11
      break;
    case Score::none:
      assert(false && "attend: the plain model has no attention");
  }
  masked_attention(be, step.alpha, step.h_bar, step.score, memory.h, memory.lengths, &step.alpha_read, step.edit);
}

}  // namespace softalign
