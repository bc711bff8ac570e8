// Attention: the three scores, the softmax over source positions, and the context vector (Eq. 6, 7, 9-11).
#pragma once
#include <cassert>

#include "shared/model/backend.h"

namespace softalign {

// What encode leaves for the decoder: the encoder states, and what the score needs of them alone.
template <class B>
struct Memory {
  typename B::Tensor h;         // (B,S,d_h), 0 beyond each source's end
  typename B::Tensor h_S;       // (B,1,d_h), the state after each source's last character
  typename B::Tensor k;         // general W_a h_i (B,S,d_h), additive W_k h_i (B,S,d_a); dot reads h itself
  typename B::Lengths lengths;  // (B)
};

// Everything that one call of decode computes; T = 1 at decoding time, all of the target in training.
template <class B>
struct Step {
  typename B::Tensor s;        // (B,T,d_h)   Eq. 3
  typename B::Tensor s_T;      // (B,1,d_h)   the state to go on from
  typename B::Tensor q;        // (B,T,d_a)   W_q s_t, additive only
  typename B::Tensor score;    // (B,T,S)     Eq. 9-11
  typename B::Tensor alpha;    // (B,T,S)     Eq. 6
  typename B::Tensor h_bar;    // (B,T,d_h)   Eq. 7
  typename B::Tensor joined;   // (B,T,2 d_h) [s_t; h_bar_t]
  typename B::Tensor linear;   // (B,T,d_h)   W_c [s_t; h_bar_t] + b_c
  typename B::Tensor s_tilde;  // (B,T,d_h)   Eq. 8
  typename B::Tensor z;        // (B,T,V)     Eq. 4
};

// The part of the score that h alone decides, made once per source.
template <ModelBackend B>
void prepare_keys(B& be, const Config& config, const Parameters<B>& params, Memory<B>& memory) {
  if (config.score == Score::general) be.linear(memory.k, memory.h, params.W_a, nullptr);   // W_a h_i
  if (config.score == Score::additive) be.linear(memory.k, memory.h, params.W_k, nullptr);  // W_k h_i
}

// Eq. 6 and Eq. 7, the same for every score: padding gets weight exactly 0.
template <ModelBackend B>
void masked_attention(B& be, typename B::Tensor& alpha, typename B::Tensor& h_bar, const typename B::Tensor& score,
                      const typename B::Tensor& h, const typename B::Lengths& lengths) {
  be.masked_softmax(alpha, score, lengths);  // (B,T,S)   Eq. 6
  be.weighted_sum(h_bar, alpha, h);          // (B,T,d_h) Eq. 7
}

// Eq. 9 followed by Eq. 6 and 7.
template <ModelBackend B>
void dot_product_attention(B& be, Step<B>& step, const Memory<B>& memory) {
  be.dot_score(step.score, step.s, memory.h);  // s_t . h_i   Eq. 9
  masked_attention(be, step.alpha, step.h_bar, step.score, memory.h, memory.lengths);
}

// Eq. 11: u . tanh(W_q s_t + W_k h_i), where k = W_k h is prepared.
template <ModelBackend B>
void additive_score(B& be, Step<B>& step, const typename B::Tensor& k, const typename B::Weight& W_q,
                    const typename B::Weight& u) {
  be.linear(step.q, step.s, W_q, nullptr);          // (B,T,d_a)
  be.additive_score(step.score, step.q, k, u);      // (B,T,S)
}

// From the decoder states s_t to their weights alpha and contexts h_bar.
template <ModelBackend B>
void attend(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory, Step<B>& step) {
  switch (config.score) {
    case Score::dot:
      return dot_product_attention(be, step, memory);
    case Score::general:
      be.dot_score(step.score, step.s, memory.k);  // s_t . W_a h_i   Eq. 10
      break;
    case Score::additive:
      additive_score(be, step, memory.k, params.W_q, params.u);  // Eq. 11
      break;
    case Score::none:
      assert(false && "attend: the plain model has no attention");
  }
  masked_attention(be, step.alpha, step.h_bar, step.score, memory.h, memory.lengths);
}

}  // namespace softalign
