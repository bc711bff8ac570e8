// The operations that the model is written in: whatever offers them (LibTorch, Eigen, later a tape) runs the one definition.
//
// Every operation is `op(out, inputs...)`. `out` is made by the call and never aliases an input: LibTorch rebinds the
// handle and keeps its graph, Eigen fills a buffer reserved for the stated limits, a tape binds a new node.
//
//   gru(h, h_last, ids, embedding, extra, lengths, h_0, weights, direction)
//                                                          Eq. 2, Eq. 3, with x_t = [embedding[id_t]; extra_t]:
//        r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
//        n = tanh(W_in x + b_in + r * (W_hn h + b_hn))  h' = (1 - z) * n + z * h
//      ids (B,T), h (B,T,d_h), h_0 and h_last (B,1,d_h). h is 0 and never read at t >= length; h_last is the state after the
//      last valid step. extra (B,T,e), or null for none. lengths null: all of T is valid. h_0 null: zeros.
//      Direction backward reads the valid part from its end, and leaves h_t at the place of the id that it read last.
//   linear(y, x, W, b)                 y = W x + b per row; b may be null         (B,T,in) -> (B,T,out)
//   dot_score(score, q, k)             score_ti = q_t . k_i                        (B,T,d), (B,S,d) -> (B,T,S)    Eq. 9
//   additive_score(score, q, k, u)     score_ti = u . tanh(q_t + k_i)              (B,T,d), (B,S,d) -> (B,T,S)    Eq. 11
//   masked_softmax(alpha, score, lengths)   over S; exactly 0 at i >= length; a row of length 0 is all 0           Eq. 6
//   edit_alpha(alpha_read, alpha, score, lengths, edit)      every row edited as edits.h says, for interventions
//   weighted_sum(h_bar, alpha, h)      h_bar_t = sum_i alpha_ti h_i                (B,T,S), (B,S,d) -> (B,T,d)    Eq. 7
//   concat(out, a, b)                  [a; b] per row                              (B,T,d), (B,T,e) -> (B,T,d+e)
//   tanh(out, x)                       elementwise
//   log_softmax(log_prob, z)           over the last axis                          (B,T,V) -> (B,T,V)             Eq. 4
//   cross_entropy(loss, z, tgt_out)    mean of -log P(tgt_out) over the targets that are not <pad>; 0 when none is  Eq. 5
//   steps(ids), slice_time(ids, t)     T, and column t of it                        (B,T) -> (B,1)
//   stack(out, T, at)                  out_t = at(t), where at(t) is a tensor of T = 1       T of (B,1,d) -> (B,T,d)
//   gather_rows(out, x, rows)          out_b = x_rows[b]: the states of a beam's parents     (N,1,d) -> (B,1,d)
//   ids(tokens, B, T)                  token ids as the backend takes them; for Eigen a view that must stay alive
//   to_host(x)                         the numbers as a span, row-major; valid until the next call
// Inputs of batch 1 serve every row of a larger batch in the attention operations.
#pragma once
#include <concepts>
#include <cstdint>
#include <span>

#include "shared/model/edits.h"
#include "shared/model/parameters.h"

namespace softalign {

enum class Direction { forward, backward };

template <class B>
concept ModelBackend = requires(B& be, typename B::Tensor& out, const typename B::Tensor& x, const typename B::Weight& W,
                                const typename B::Ids& ids, const typename B::Lengths& lengths,
                                const GruWeights<B>& gru, std::span<const int32_t> tokens, const RowEdit& edit,
                                std::span<const int> rows, const typename B::Tensor& (*at)(int t)) {
  be.gru(out, out, ids, W, &x, &lengths, &x, gru, Direction::forward);
  be.linear(out, x, W, &W);
  be.dot_score(out, x, x);
  be.additive_score(out, x, x, W);
  be.masked_softmax(out, x, lengths);
  be.edit_alpha(out, x, x, lengths, edit);
  be.weighted_sum(out, x, x);
  be.concat(out, x, x);
  be.tanh(out, x);
  be.log_softmax(out, x);
  be.cross_entropy(out, x, ids);
  { be.steps(ids) } -> std::same_as<int>;
  { be.slice_time(ids, 0) } -> std::same_as<typename B::Ids>;
  be.stack(out, 1, at);
  be.gather_rows(out, x, rows);
  { be.ids(tokens, 1, 1) } -> std::same_as<typename B::Ids>;
  { be.to_host(x) } -> std::convertible_to<std::span<const float>>;
};

}  // namespace softalign
