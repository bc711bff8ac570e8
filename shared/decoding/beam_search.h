// Beam search (briefing section 7): the B best partial outputs at every step, over any source of probabilities.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "shared/io/error.h"

namespace softalign {

// Where log P(y_t | y_<t) comes from: a model that has read a source, or a table made by hand.
class NextTokens {
 public:
  virtual ~NextTokens() = default;
  virtual int V() const = 0;
  // (V) log P(y_1); starts over.
  virtual std::span<const float> begin() = 0;
  // Replaces the hypotheses of the last call by n new ones: the i-th is number parents[i] of those, then tokens[i].
  // (n,V) log-probabilities of what may follow each; valid until the next call.
  virtual std::span<const float> advance(std::span<const int> parents, std::span<const int32_t> tokens) = 0;
};

inline constexpr int max_beam = 100;

struct BeamSettings {
  int B = 5;                  // hypotheses kept at every step, 1..max_beam
  int max_len = 45;           // tokens, 1..live_max_len_limit
  bool plain_values = false;  // compare finished hypotheses by value rather than by value / length
  int n_best = 1;             // outputs wanted, 1..B
};
// The settings themselves, or BAD_VALUE with the reason.
Result<BeamSettings> checked(const BeamSettings& settings);

// One candidate: a hypothesis followed by one more token.
struct BeamNode {
  double value = 0;  // log P(all tokens up to here | source), in nats
  int32_t token = 0;
  int parent = -1;   // its node; -1 for what follows <bos>
  int length = 1;    // tokens up to here, <eos> counted
  bool kept = false;
  bool finished = false;  // kept, and ends with <eos>
};

struct Hypothesis {
  std::vector<int32_t> tokens;  // with <eos> when finished
  double log_prob = 0;          // its value
  double value_per_length = 0;  // <eos> counted; 0 for no token at all
  bool finished = false;
  int node = -1;  // its last token's, in the tree
};

struct BeamSearch {
  // Best first, and no two of the same text: the finished ones, or when there is none what was going on at the end.
  std::vector<Hypothesis> best;
  // Every candidate of probability above 0, step by step: those of a step follow each other, parent by parent (the best
  // first), and then token by token; at most B V a step.
  std::vector<BeamNode> tree;
};

// At each step the min(B, n V) best of the n V candidates that n hypotheses have are kept (ties: lowest token, then
// lowest parent), and those of them that end with <eos> are set aside. The search stops when B have finished, when none
// is left, or at max_len. BAD_VALUE for settings out of range.
Result<BeamSearch> beam_search(NextTokens& next, const BeamSettings& settings);

// The nodes from the first token to `node`.
std::vector<int> path_to(const std::vector<BeamNode>& tree, int node);

}  // namespace softalign
