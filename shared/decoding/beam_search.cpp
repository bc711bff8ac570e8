// The search: a step's candidates go into the tree, the best of them on to the next step; the end compares the finished.
#include "shared/decoding/beam_search.h"

#include <algorithm>
#include <cmath>

#include "shared/decoding/greedy.h"
#include "shared/io/message.h"

namespace softalign {
namespace {

// What a reader sees of the tokens: <pad> and <bos> print as nothing.
std::vector<int32_t> shown(const std::vector<int32_t>& tokens) {
  std::vector<int32_t> visible;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(visible), [](int32_t id) { return id > eos; });
  return visible;
}

class Search {
 public:
  Search(NextTokens& next, const BeamSettings& settings) : next_(next), settings_(settings) {}

  BeamSearch run() {
    std::span<const float> log_probs = next_.begin();
    for (int length = 1;; ++length) {
      extend(log_probs, length);
      keep_best();
      if (places_.empty() || static_cast<int>(finished_.size()) >= settings_.B || length == settings_.max_len) break;
      log_probs = next_.advance(places_, tokens_);
    }
    rank();
    return std::move(result_);
  }

 private:
  std::vector<BeamNode>& tree() { return result_.tree; }
  double value(int node) { return node < 0 ? 0 : tree()[node].value; }

  // Every candidate of the step: alive hypothesis by alive hypothesis, token by token.
  void extend(std::span<const float> log_probs, int length) {
    first_ = static_cast<int>(tree().size());
    parents_.clear();
    const int V = next_.V();
    for (size_t place = 0; place < alive_.size(); ++place)
      for (int token = 0; token < V; ++token) {
        const double extended = value(alive_[place]) + log_probs[place * V + token];
        if (!(extended > -INFINITY)) continue;
        tree().push_back({extended, token, alive_[place], length});
        parents_.push_back(static_cast<int>(place));
      }
  }

  // The step's B best, best first: what goes on becomes alive, what ends with <eos> is set aside.
  void keep_best() {
    ranked_.resize(parents_.size());
    for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i] = first_ + static_cast<int>(i);
    const size_t kept = std::min(ranked_.size(), static_cast<size_t>(settings_.B));
    std::partial_sort(ranked_.begin(), ranked_.begin() + kept, ranked_.end(), [&](int a, int b) {
      const BeamNode &left = tree()[a], &right = tree()[b];
      if (left.value != right.value) return left.value > right.value;
      return left.token != right.token ? left.token < right.token : a < b;  // nodes stand in the order of their parents
    });
    places_.clear(), tokens_.clear();
    if (kept > 0) alive_.clear();  // else nothing can follow: the hypotheses stay what the search ended with
    for (const int node : std::span(ranked_).first(kept)) {
      tree()[node].kept = true;
      tree()[node].finished = tree()[node].token == eos;
      if (tree()[node].finished) {
        finished_.push_back(node);
        continue;
      }
      alive_.push_back(node);
      places_.push_back(parents_[node - first_]);
      tokens_.push_back(tree()[node].token);
    }
  }

  Hypothesis hypothesis(int node) {
    Hypothesis made;
    made.log_prob = value(node), made.node = node;
    for (const int each : path_to(tree(), node)) made.tokens.push_back(tree()[each].token);
    if (node < 0) return made;
    made.value_per_length = made.log_prob / tree()[node].length;
    made.finished = tree()[node].finished;
    return made;
  }

  // By what hypotheses are compared at the end.
  double worth(int node) {
    return settings_.plain_values || node < 0 ? value(node) : value(node) / tree()[node].length;
  }

  // Of equals, what finished first comes first.
  void rank() {
    std::vector<int> ranked;
    for (const int node : finished_.empty() ? alive_ : finished_)
      ranked.insert(std::upper_bound(ranked.begin(), ranked.end(), node, [&](int a, int b) { return worth(a) > worth(b); }), node);
    std::vector<std::vector<int32_t>> texts;
    for (const int node : ranked) {
      if (static_cast<int>(result_.best.size()) == settings_.n_best) break;
      Hypothesis each = hypothesis(node);
      auto text = shown(each.tokens);
      if (std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
      texts.push_back(std::move(text));
      result_.best.push_back(std::move(each));
    }
  }

  NextTokens& next_;
  const BeamSettings& settings_;
  BeamSearch result_;
  std::vector<int> alive_{-1};      // nodes, best first; -1 is <bos>
  std::vector<int> finished_;       // nodes, in the order in which they finished
  int first_ = 0;                   // the step's first node
  std::vector<int> parents_;        // of the step's nodes: their places in alive_
  std::vector<int> ranked_;         // the step's nodes
  std::vector<int> places_;         // what advance takes: of alive_, the parents' places in the last alive_
  std::vector<int32_t> tokens_;     // and the tokens
};

}  // namespace

Result<BeamSettings> checked(const BeamSettings& settings) {
  const auto within = [](int number, int most) { return 1 <= number && number <= most; };
  if (!within(settings.B, max_beam))
    return {ErrorCode::BAD_VALUE, message("the beam size is a whole number from 1 to %", {max_beam})};
  if (!within(settings.max_len, live_max_len_limit))
    return {ErrorCode::BAD_VALUE, message("an output is limited to 1 to % tokens", {live_max_len_limit})};
  if (!within(settings.n_best, settings.B))
    return {ErrorCode::BAD_VALUE,
            message("a beam of size % gives 1 to % best outputs, no other number; take a larger beam for more",
                    {settings.B, settings.B})};
  return settings;
}

Result<BeamSearch> beam_search(NextTokens& next, const BeamSettings& settings) {
  auto legal = checked(settings);
  if (!legal) return legal.error();
  return Search(next, settings).run();
}

std::vector<int> path_to(const std::vector<BeamNode>& tree, int node) {
  std::vector<int> path;
  for (; node >= 0; node = tree[node].parent) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace softalign
