// Greedy decoding (briefing section 7): the most probable token at every step, fed back until <eos>; and the scoring of a given target.
#pragma once
#include <algorithm>
#include <vector>

#include "shared/decoding/edits.h"
#include "shared/model/seq2seq.h"
#include "shared/task/metrics.h"
#include "shared/task/vocabulary.h"

namespace softalign {

// What decoding one source gives: T tokens and, per token, where the model looked and what else it could have written.
struct Decoded {
  std::vector<int32_t> tokens;   // (T), with <eos> when finished
  bool finished = false;         // false: the length limit came before <eos>
  double log_prob = 0;           // log P(tokens | source) in nats: Eq. 1 as a sum
  Alpha alpha;                   // (T,S) as the model computed it; S = 0 for the plain model
  Alpha alpha_read;              // (T,S) what h was read through, where rows were edited; else S = 0
  std::vector<float> z;          // (T,V) logits
  std::vector<float> log_probs;  // (T,V) log softmax(z)
};

// Longest answer to a source that need not be the lab's; the lab's own metrics stop at 45 (44 is the longest target).
inline constexpr int lab_max_len = 45;
inline constexpr int live_max_len_limit = 128;
inline int live_max_len(int S) { return std::min(4 * S + 8, live_max_len_limit); }

// Appends the rows of a step, of batch 1, to `decoded`; its tokens are the caller's. `edited`: some row has an edit.
template <ModelBackend B>
void record(B& be, const Config& config, Step<B>& step, typename B::Tensor& log_prob, Decoded& decoded,
            bool edited = false) {
  auto append = [&](std::vector<float>& to, std::span<const float> rows) { to.insert(to.end(), rows.begin(), rows.end()); };
  append(decoded.z, be.to_host(step.z));
  be.log_softmax(log_prob, step.z);
  append(decoded.log_probs, be.to_host(log_prob));
  if (config.attends()) append(decoded.alpha.weights, be.to_host(step.alpha));
  if (edited) append(decoded.alpha_read.weights, be.to_host(step.edit ? step.alpha_read : step.alpha));
}

// Sets the sizes and the summed log-probability once all rows and tokens are there.
inline void conclude(const Config& config, int S, Decoded& decoded) {
  const int T = static_cast<int>(decoded.tokens.size());
  if (config.attends()) decoded.alpha.T = T, decoded.alpha.S = S;
  if (!decoded.alpha_read.weights.empty()) decoded.alpha_read.T = T, decoded.alpha_read.S = S;
  decoded.finished = T > 0 && decoded.tokens.back() == eos;
  for (int t = 0; t < T; ++t)
    decoded.log_prob += decoded.log_probs[static_cast<size_t>(t) * config.V_tgt + decoded.tokens[t]];
}

// One source (batch 1) of S characters; at most `max_len` tokens. Ties go to the lowest token.
// Everything is reserved before the first step; the steps themselves allocate nothing.
template <ModelBackend B>
Decoded greedy_decode(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source, int S,
                      int max_len, Workspace<B>& workspace, const Edits& edits = {}) {
  Decoded decoded;
  const bool edited = !edits.rows.empty();
  decoded.tokens.reserve(max_len);
  decoded.z.reserve(static_cast<size_t>(max_len) * config.V_tgt);
  decoded.log_probs.reserve(static_cast<size_t>(max_len) * config.V_tgt);
  if (config.attends()) decoded.alpha.weights.reserve(static_cast<size_t>(max_len) * S);
  if (edited) decoded.alpha_read.weights.reserve(static_cast<size_t>(max_len) * S);

  encode(be, config, params, source, workspace.memory);
  const typename B::Tensor* state = &workspace.memory.s_0;
  int32_t token = bos;
  for (int t = 0; t < max_len && token != eos; ++t) {
    Step<B>& step = workspace.steps[t % 2];
    step.edit = edits.row(t);
    decode(be, config, params, workspace.memory, be.ids({&token, 1}, 1, 1), *state, step);
    record(be, config, step, workspace.log_prob, decoded, edited);
    step.edit = nullptr;
    // Among log-probabilities, as in beam search: B = 1 is greedy decoding even where rounding makes two of them equal.
    token = t < static_cast<int>(edits.prefix.size()) ? edits.prefix[t]
                                                      : argmax(std::span<const float>(decoded.log_probs).last(config.V_tgt));
    decoded.tokens.push_back(token);
    state = &step.s_T;
  }
  conclude(config, S, decoded);
  return decoded;
}

// The same record for a target that is given (teacher forcing): `target` ends with <eos>.
template <ModelBackend B>
Decoded score_target(B& be, const Config& config, const Parameters<B>& params, const SourceBatch<B>& source, int S,
                     std::span<const int32_t> target, Workspace<B>& workspace) {
  Decoded decoded;
  std::vector<int32_t> tgt_in{bos};
  tgt_in.insert(tgt_in.end(), target.begin(), target.end() - 1);
  Step<B>& step = workspace.steps[0];
  forward(be, config, params, source, be.ids(tgt_in, 1, static_cast<int>(tgt_in.size())), workspace.memory, step);
  record(be, config, step, workspace.log_prob, decoded);
  decoded.tokens.assign(target.begin(), target.end());
  conclude(config, S, decoded);
  return decoded;
}

}  // namespace softalign
