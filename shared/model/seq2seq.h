// The encoder-decoder with attention, written once for every backend: start reading here.
//
//     source --encode--> Memory (h_1..h_S) --decode--> Step (s_t, alpha_t, h_bar_t, z_t) --> the next character
//
// A step of decoding is the T = 1 case of a sequence: training calls decode once with the whole target (teacher forcing),
// greedy decoding calls it again and again with one token. The score function alone tells the models apart (attention.h).
// The luong ordering is written here; the bahdanau ordering will be a loop over t in decode, of the same operations.
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

// Eq. 2: one state per source position.
template <ModelBackend B>
void encode(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source, Memory<B>& memory) {
  be.gru(memory.h, memory.h_S, source.ids, params.src_emb, &source.lengths, nullptr, params.enc);  // h_0 = 0
  memory.lengths = source.lengths;
  prepare_keys(be, config, params, memory);
}

// From decoder states to logits. Without attention Eq. 4 alone; with it Eq. 6-8 first, so that s_tilde replaces s.
template <ModelBackend B>
void readout(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory, Step<B>& step) {
  if (!config.attends()) {
    be.linear(step.z, step.s, params.W_o, &params.b_o);  // (B,T,V)  Eq. 4
    return;
  }
  attend(be, config, params, memory, step);
  be.concat(step.joined, step.s, step.h_bar);                  // (B,T,2 d_h)
  be.linear(step.linear, step.joined, params.W_c, &params.b_c);
  be.tanh(step.s_tilde, step.linear);                          // (B,T,d_h)  Eq. 8
  be.linear(step.z, step.s_tilde, params.W_o, &params.b_o);    // (B,T,V)    Eq. 4
}

// Eq. 3 and the readout, for the T tokens of tgt_in (B,T), from state s_0 (B,1,d_h): h_S at the start, then the last step's s_T.
template <ModelBackend B>
void decode(B& be, const Config& config, const Parameters<B>& params, const Memory<B>& memory,
            const typename B::Ids& tgt_in, const typename B::Tensor& s_0, Step<B>& step) {
  be.gru(step.s, step.s_T, tgt_in, params.tgt_emb, nullptr, &s_0, params.dec);  // (B,T,d_h)  Eq. 3
  readout(be, config, params, memory, step);
}

// The teacher-forced pass over a whole target: tgt_in is <bos> and the target without its last token.
template <ModelBackend B>
void forward(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source,
             const typename B::Ids& tgt_in, Memory<B>& memory, Step<B>& step) {
  encode(be, config, params, source, memory);
  decode(be, config, params, memory, tgt_in, memory.h_S, step);  // s_0 = h_S
}

// The same for the model without attention, where h_S is the only way from source to target.
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
