// The encoder-decoder with attention, written once for every backend: start reading here.
//
//     source --encode--> Memory (h_1..h_S) --decode--> Step (s_t, alpha_t, h_bar_t, z_t) --> the next character
//
// A step of decoding is the T = 1 case of a sequence: training calls decode once with the whole target (teacher forcing),
// greedy decoding calls it again and again with one token. The models differ in their score (attention.h), in when they attend
// (luong: after the cell, bahdanau: before it), and in how the encoder reads (from the left, from both sides, from the right).
#pragma once
#include "shared/model/attention.h"

namespace softalign {

// A batch of sources, padded with <pad> to the longest: ids (B,S), lengths (B), every length at least 1.
template <class B>
struct SourceBatch {
  typename B::Ids ids;
  typename B::Lengths lengths;
};

// Scratch for one batch: the memory, and two steps used in turn, so that a step never overwrites the state it starts from.
template <class B>
struct Workspace {
  Memory<B> memory;
  Step<B> steps[2];
  typename B::Tensor log_prob;  // (B,T,V)
};

// The largest batch, source, and target that a workspace is reserved for.
struct Limits {
  int B = 1;
  int S = 400;
  int T = 1;
};

// Eq. 2: one state per source position, and the decoder's first state.
template <ModelBackend B>
void encode(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source, Memory<B>& memory) {
  const auto read = [&](typename B::Tensor& h, typename B::Tensor& h_last, const GruWeights<B>& weights, Direction direction) {
    be.gru(h, h_last, source.ids, params.src_emb, nullptr, &source.lengths, nullptr, weights, direction);  // h_0 = 0
  };
  if (config.encoder == Encoder::bi) {
    BothDirections<B>& both = memory.both;
    read(both.h_forward, both.last_forward, params.enc, Direction::forward);
    read(both.h_backward, both.last_backward, params.enc_reverse, Direction::backward);
    be.concat(memory.h, both.h_forward, both.h_backward);              // (B,S,2 d_h)
    be.concat(both.ends, both.last_forward, both.last_backward);       // (B,1,2 d_h)
    be.linear(both.bridge, both.ends, params.bridge, &params.b_bridge);
    be.tanh(memory.s_0, both.bridge);                                  // (B,1,d_h)
  } else {
    const Direction direction = config.encoder == Encoder::reversed ? Direction::backward : Direction::forward;
    read(memory.h, memory.s_0, params.enc, direction);                 // s_0 = h_S
  }
  memory.lengths = source.lengths;
  prepare_keys(be, config, params, memory);
}

// From decoder states to logits. In the luong ordering Eq. 6-8 come first, so that s_tilde replaces s; else Eq. 4 alone.
template <ModelBackend B>
void readout(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory, Step<B>& step) {
  if (!config.attends() || config.ordering == Ordering::bahdanau) {
    be.linear(step.z, step.s, params.W_o, &params.b_o);  // (B,T,V)  Eq. 4
    return;
  }
  attend(be, config, params, memory, step.s, step);
  be.concat(step.joined, step.s, step.h_bar);                  // (B,T,d_h + d_enc)
  be.linear(step.linear, step.joined, params.W_c, &params.b_c);
  be.tanh(step.s_tilde, step.linear);                          // (B,T,d_h)  Eq. 8
  be.linear(step.z, step.s_tilde, params.W_o, &params.b_o);    // (B,T,V)    Eq. 4
}

// Eq. 3 of Bahdanau et al. (2015) for one token a row: attend with s_{t-1}, then feed the context to the cell.
template <ModelBackend B>
void bahdanau_cell(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
                   const typename B::Ids& token, const typename B::Tensor& s_before, Step<B>& step) {
  attend(be, config, params, memory, s_before, step);  // (B,1,S), (B,1,d_enc)
  be.gru(step.s, step.s_T, token, params.tgt_emb, &step.h_bar, nullptr, &s_before, params.dec, Direction::forward);
}

// The same for all T tokens of tgt_in (B,T), whose states hang on one another: T single steps, put side by side.
template <ModelBackend B>
void bahdanau_states(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
                     const typename B::Ids& tgt_in, const typename B::Tensor& s_0, Step<B>& step) {
  const int T = be.steps(tgt_in);
  if (T == 1) return bahdanau_cell(be, config, params, memory, tgt_in, s_0, step);
  std::vector<Step<B>>& slots = step.slots;
  if (static_cast<int>(slots.size()) < T) slots.resize(T);
  for (int t = 0; t < T; ++t) {
    slots[t].edit = step.edit;
    bahdanau_cell(be, config, params, memory, be.slice_time(tgt_in, t), t == 0 ? s_0 : slots[t - 1].s_T, slots[t]);
  }
  const auto side_by_side = [&](typename B::Tensor Step<B>::*part) {
    be.stack(step.*part, T, [&](int t) -> const typename B::Tensor& { return slots[t].*part; });
  };
  for (const auto part : {&Step<B>::score, &Step<B>::alpha, &Step<B>::h_bar, &Step<B>::s}) side_by_side(part);
  be.stack(step.s_T, 1, [&](int) -> const typename B::Tensor& { return slots[T - 1].s_T; });
}

// Eq. 3 and the readout, for the T tokens of tgt_in (B,T), from state s_0 (B,1,d_h): encode's at the start, then the last
// step's s_T.
template <ModelBackend B>
void decode(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
            const typename B::Ids& tgt_in, const typename B::Tensor& s_0, Step<B>& step) {
  if (config.ordering == Ordering::bahdanau)
    bahdanau_states(be, config, params, memory, tgt_in, s_0, step);
  else
    be.gru(step.s, step.s_T, tgt_in, params.tgt_emb, nullptr, nullptr, &s_0, params.dec, Direction::forward);  // Eq. 3
  readout(be, config, params, memory, step);
}

// The teacher-forced pass over a whole target: tgt_in is <bos> and the target without its last token.
template <ModelBackend B>
void forward(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source,
             const typename B::Ids& tgt_in, Memory<B>& memory, Step<B>& step) {
  encode(be, config, params, source, memory);
  decode(be, config, params, memory, tgt_in, memory.s_0, step);
}

// The same for the model without attention, where s_0 is the only way from source to target.
template <ModelBackend B>
void forward_plain(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source,
                   const typename B::Ids& tgt_in, Memory<B>& memory, Step<B>& step) {
  assert(!config.attends() && "forward_plain: this model has attention");
  forward(be, config, params, source, tgt_in, memory, step);
}

// Eq. 5, averaged over the targets that are not <pad>, in nats per token.
template <ModelBackend B>
void seq2seq_loss(B& be, typename B::Tensor& loss, const typename B::Tensor& z, const typename B::Ids& tgt_out) {
  be.cross_entropy(loss, z, tgt_out);
}

}  // namespace softalign
