// Beam search over tables of probabilities: small enough to be worked out by hand, or to be searched exhaustively.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "shared/decoding/beam_search.h"
#include "shared/task/random.h"
#include "shared/task/vocabulary.h"

namespace softalign {
namespace {

using Tokens = std::vector<int32_t>;
constexpr int32_t a = 3, b = 4;  // two tokens that write something

// P(next token | prefix) as a function; log 0 is -inf.
class Table : public NextTokens {
 public:
  using Row = std::map<int32_t, double>;
  Table(int V, std::function<Row(const Tokens&)> row) : V_(V), row_(std::move(row)) {}

  int V() const override { return V_; }
  std::span<const float> begin() override {
    hypotheses_ = {{}};
    return rows();
  }
  std::span<const float> advance(std::span<const int> parents, std::span<const int32_t> tokens) override {
    std::vector<Tokens> next;
    for (size_t i = 0; i < parents.size(); ++i) {
      next.push_back(hypotheses_.at(parents[i]));
      EXPECT_TRUE(next.back().empty() || next.back().back() != eos) << "nothing follows <eos>";
      next.back().push_back(tokens[i]);
    }
    hypotheses_ = std::move(next);
    most_ = std::max(most_, static_cast<int>(hypotheses_.size()));
    return rows();
  }
  double probability(const Tokens& prefix, int32_t token) const {
    const Row row = row_(prefix);
    return row.contains(token) ? row.at(token) : 0;
  }
  int most() const { return most_; }  // hypotheses at once

 private:
  std::span<const float> rows() {
    log_probs_.clear();
    for (const Tokens& hypothesis : hypotheses_)
      for (int32_t token = 0; token < V_; ++token)
        log_probs_.push_back(static_cast<float>(std::log(probability(hypothesis, token))));
    return log_probs_;
  }

  int V_;
  std::function<Row(const Tokens&)> row_;
  std::vector<Tokens> hypotheses_;
  std::vector<float> log_probs_;
  int most_ = 0;
};

// Rows by prefix; what is not listed ends.
Table table(std::map<Tokens, Table::Row> rows, int V = 5) {
  return {V, [rows = std::move(rows)](const Tokens& prefix) {
            return rows.contains(prefix) ? rows.at(prefix) : Table::Row{{eos, 1}};
          }};
}

BeamSearch search(NextTokens& next, const BeamSettings& settings) {
  auto found = beam_search(next, settings);
  EXPECT_TRUE(found.ok());
  return *found;
}

void expect_sound(const BeamSearch& found, const BeamSettings& settings) {
  std::map<int, int> kept;  // by length
  for (const BeamNode& node : found.tree) {
    kept[node.length] += node.kept;
    EXPECT_EQ(node.finished, node.kept && node.token == eos);
    if (node.parent < 0) {
      EXPECT_EQ(node.length, 1);
      continue;
    }
    const BeamNode& parent = found.tree[node.parent];
    EXPECT_EQ(node.length, parent.length + 1);
    EXPECT_TRUE(parent.kept && !parent.finished);
    EXPECT_LE(node.value, parent.value);
  }
  for (const auto& [length, count] : kept) EXPECT_LE(count, settings.B) << length;
  std::set<std::string> texts;
  for (const Hypothesis& each : found.best) {
    const std::vector<int> path = path_to(found.tree, each.node);
    ASSERT_EQ(path.size(), each.tokens.size());
    for (size_t i = 0; i < path.size(); ++i) EXPECT_EQ(found.tree[path[i]].token, each.tokens[i]);
    EXPECT_EQ(each.log_prob, found.tree[each.node].value);
    EXPECT_EQ(each.value_per_length, each.log_prob / static_cast<double>(each.tokens.size()));
    EXPECT_EQ(each.finished, each.tokens.back() == eos);
    EXPECT_EQ(std::count(each.tokens.begin(), each.tokens.end(), eos), each.finished) << "L33: one end, at the end";
    EXPECT_TRUE(texts.insert(output_text(each.tokens)).second) << "distinct";
  }
}

// The briefing's check: the best first token does not start the best output.
Table two_tokens() {
  return table({{{}, {{a, 0.6}, {b, 0.4}}}, {{a}, {{a, 0.5}, {b, 0.5}}}, {{b}, {{a, 0.9}, {b, 0.1}}}});
}

TEST(BeamSearch, TheBriefingsTwoTokens) {
  Table tokens = two_tokens();
  for (const bool plain_values : {false, true}) {
    const Hypothesis greedy = search(tokens, {.B = 1, .plain_values = plain_values}).best[0];
    EXPECT_EQ(greedy.tokens, (Tokens{a, a, eos}));
    EXPECT_NEAR(std::exp(greedy.log_prob), 0.30, 1e-6);
    const BeamSearch two = search(tokens, {.B = 2, .plain_values = plain_values, .n_best = 2});
    EXPECT_EQ(two.best[0].tokens, (Tokens{b, a, eos}));
    EXPECT_NEAR(std::exp(two.best[0].log_prob), 0.36, 1e-6);
    EXPECT_NEAR(std::exp(two.best[1].log_prob), 0.30, 1e-6);
    expect_sound(two, {.B = 2});
  }
}

TEST(BeamSearch, TheTreeHoldsWhatWasDropped) {
  Table tokens = two_tokens();
  const BeamSearch found = search(tokens, {.B = 1, .max_len = 2});
  // a and b follow <bos>; a and b follow a.
  ASSERT_EQ(found.tree.size(), 4u);
  const int32_t written[] = {a, b, a, b};
  const bool kept[] = {true, false, true, false};
  const int parents[] = {-1, -1, 0, 0}, lengths[] = {1, 1, 2, 2};
  const double probabilities[] = {0.6, 0.4, 0.3, 0.3};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(found.tree[i].token, written[i]);
    EXPECT_EQ(found.tree[i].kept, kept[i]) << "a tie goes to the lowest token";
    EXPECT_EQ(found.tree[i].parent, parents[i]);
    EXPECT_EQ(found.tree[i].length, lengths[i]);
    EXPECT_NEAR(std::exp(found.tree[i].value), probabilities[i], 1e-6);
  }
}

TEST(BeamSearch, TiesGoToTheLowestTokenThenToTheLowestParent) {
  // Four candidates of equal value at the second step: a after each parent comes before b after each.
  Table equal = table({{{}, {{a, 0.5}, {b, 0.5}}}, {{a}, {{a, 0.5}, {b, 0.5}}}, {{b}, {{a, 0.5}, {b, 0.5}}}});
  const BeamSearch three = search(equal, {.B = 3, .max_len = 2, .n_best = 3});
  ASSERT_EQ(three.best.size(), 3u);
  EXPECT_EQ(three.best[0].tokens, (Tokens{a, a}));
  EXPECT_EQ(three.best[1].tokens, (Tokens{b, a}));
  EXPECT_EQ(three.best[2].tokens, (Tokens{a, b}));
}

// L31: the short output has the better value, the longer one the better value / length. The search goes on after the short
// one has ended, and the switch turns the answer round.
TEST(BeamSearch, ALongerOutputMayWinAfterTheFirstHasEnded) {
  Table ends = table({{{}, {{eos, 0.5}, {a, 0.45}, {b, 0.05}}}, {{a}, {{a, 0.95}, {b, 0.05}}}, {{a, a}, {{a, 0.1}, {b, 0.9}}}});
  const BeamSearch by_length = search(ends, {.B = 2});
  EXPECT_EQ(by_length.best[0].tokens, (Tokens{a, a, b, eos}));
  EXPECT_NEAR(by_length.best[0].value_per_length, std::log(0.45 * 0.95 * 0.9) / 4, 1e-6);
  const BeamSearch by_value = search(ends, {.B = 2, .plain_values = true});
  EXPECT_EQ(by_value.best[0].tokens, (Tokens{eos}));
  EXPECT_NEAR(by_value.best[0].log_prob, std::log(0.5), 1e-6);
}

// L33: an output that ends leaves its place to others: B candidates are kept at each step, not one fewer.
TEST(BeamSearch, EndedOutputsDoNotShrinkTheBeam) {
  Table often(6, [](const Tokens& prefix) {
    return prefix.size() < 4 ? Table::Row{{eos, 0.4}, {a, 0.3}, {b, 0.2}, {5, 0.1}} : Table::Row{{eos, 1}};
  });
  for (const int B : {2, 3, 4, 7}) {
    const BeamSettings settings{.B = B, .n_best = B};
    const BeamSearch found = search(often, settings);
    expect_sound(found, settings);
    std::map<int, std::pair<int, int>> by_length;  // kept, candidates
    for (const BeamNode& node : found.tree) {
      by_length[node.length].first += node.kept;
      ++by_length[node.length].second;
    }
    for (const auto& [length, counts] : by_length) EXPECT_EQ(counts.first, std::min(B, counts.second)) << length;
    EXPECT_EQ(static_cast<int>(found.best.size()), B);
  }
}

// L34: a beam as wide as the vocabulary, or wider.
TEST(BeamSearch, ABeamAsWideAsTheVocabulary) {
  for (const int V : {5, 15})
    for (const int B : {V - 1, V, V + 1, 100}) {
      Table even(V, [V](const Tokens& prefix) {
        Table::Row row;
        for (int32_t token = 0; token < V; ++token) row[token] = token == eos && prefix.empty() ? 0 : 1.0 / V;
        return row;
      });
      const BeamSettings settings{.B = B, .max_len = 6, .n_best = B};
      const BeamSearch found = search(even, settings);
      expect_sound(found, settings);
      EXPECT_FALSE(found.best.empty());
      EXPECT_LE(even.most(), B);
    }
}

// L35: without an end the search stops at the limit and says so.
TEST(BeamSearch, WithoutAnEndTheBestPartialComesUnfinished) {
  Table endless(5, [](const Tokens&) { return Table::Row{{a, 0.7}, {b, 0.3}}; });
  for (const int B : {1, 3, 100}) {
    const BeamSettings settings{.B = B, .max_len = 45, .n_best = std::min(B, 2)};
    const BeamSearch found = search(endless, settings);
    ASSERT_EQ(static_cast<int>(found.best.size()), settings.n_best);
    EXPECT_EQ(found.best[0].tokens, Tokens(45, a));
    for (const Hypothesis& each : found.best) EXPECT_FALSE(each.finished);
    expect_sound(found, settings);
  }
}

TEST(BeamSearch, ImpossibleTokensAreNeverKept) {
  Table narrow = table({{{}, {{a, 1}}}, {{a}, {{b, 1}}}, {{a, b}, {}}});  // nothing can follow a b
  const BeamSearch found = search(narrow, {.B = 10, .n_best = 10});
  EXPECT_EQ(found.tree.size(), 2u);
  ASSERT_EQ(found.best.size(), 1u);
  EXPECT_EQ(found.best[0].tokens, (Tokens{a, b}));
  EXPECT_FALSE(found.best[0].finished);
  Table nothing(5, [](const Tokens&) { return Table::Row{}; });
  const BeamSearch none = search(nothing, {.B = 3, .n_best = 3});
  EXPECT_TRUE(none.tree.empty());
  ASSERT_EQ(none.best.size(), 1u);
  EXPECT_TRUE(none.best[0].tokens.empty() && !none.best[0].finished);
  EXPECT_EQ(none.best[0].value_per_length, 0);
}

// L30: outputs that read the same, here because <pad> prints as nothing, are listed once, as the better of them.
TEST(BeamSearch, OutputsOfTheListDiffer) {
  Table padded(5, [](const Tokens& prefix) {
    return prefix.size() < 3 ? Table::Row{{pad, 0.3}, {bos, 0.1}, {eos, 0.2}, {a, 0.4}} : Table::Row{{eos, 1}};
  });
  const BeamSettings settings{.B = 100, .n_best = 100};
  const BeamSearch found = search(padded, settings);
  expect_sound(found, settings);
  EXPECT_EQ(found.best.size(), 4u) << "nothing, a, aa, aaa";
  EXPECT_GT(std::count_if(found.tree.begin(), found.tree.end(), [](const BeamNode& node) { return node.finished; }), 20);
}

// A random table of V tokens; those of `banned` are impossible.
Table random_table(uint64_t seed, int V, std::set<int32_t> banned = {}) {
  auto rows = std::make_shared<std::map<Tokens, Table::Row>>();
  auto random = std::make_shared<Random>(seed);
  return {V, [=](const Tokens& prefix) {
            auto [entry, drawn] = rows->try_emplace(prefix);
            if (!drawn) return entry->second;
            double sum = 0;
            for (int32_t token = 0; token < V; ++token)
              if (!banned.contains(token)) sum += entry->second[token] = std::exp(random->uniform(-2, 2));
            for (auto& [token, probability] : entry->second) probability /= sum;
            return entry->second;
          }};
}

// The best of all outputs of at most max_len tokens, <eos> counted.
void search_all(const Table& table, int max_len, bool plain_values, Tokens& prefix, double value, Tokens& best, double& most) {
  for (int32_t token = 0; token < table.V(); ++token) {
    const double p = table.probability(prefix, token);
    if (p == 0) continue;
    const double extended = value + static_cast<float>(std::log(p));
    prefix.push_back(token);
    const double objective = plain_values ? extended : extended / static_cast<double>(prefix.size());
    if (token == eos && objective > most) best = prefix, most = objective;
    if (token != eos && static_cast<int>(prefix.size()) < max_len)
      search_all(table, max_len, plain_values, prefix, extended, best, most);
    prefix.pop_back();
  }
}

// L34: where B = 100 holds every candidate, it finds the true best, by value and by value / length; narrower beams miss it
// sometimes, and never find better.
TEST(BeamSearch, AHundredFindTheTrueBestOfTinyTables) {
  int missed = 0, differ = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const bool writing_only = seed % 2;  // <eos>, a and b: 96 candidates at length 6; or four tokens: 36 at length 3
    Table tokens = writing_only ? random_table(seed, 5, {pad, bos}) : random_table(seed, 4);
    const int max_len = writing_only ? 6 : 3;
    Tokens winners[2];
    for (const bool plain_values : {false, true}) {
      Tokens prefix, best;
      double most = -INFINITY;
      search_all(tokens, max_len, plain_values, prefix, 0, best, most);
      winners[plain_values] = best;
      const auto objective = [&](const Hypothesis& found) { return plain_values ? found.log_prob : found.value_per_length; };
      const BeamSettings wide{.B = 100, .max_len = max_len, .plain_values = plain_values};
      const Hypothesis found = search(tokens, wide).best[0];
      EXPECT_EQ(found.tokens, best) << "seed " << seed;
      EXPECT_DOUBLE_EQ(objective(found), most);
      const Hypothesis narrow = search(tokens, {.B = 1, .max_len = max_len, .plain_values = plain_values}).best[0];
      missed += narrow.tokens != best;
      if (narrow.finished) {
        EXPECT_LE(objective(narrow), most);
      }
    }
    differ += winners[0] != winners[1];
  }
  EXPECT_GT(missed, 10);
  EXPECT_GT(differ, 10) << "the two objectives are two";
}

TEST(BeamSearch, TheFirstDoesNotDependOnHowManyAreAskedFor) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (const int B : {2, 5, 15, 40}) {
      Table tokens = random_table(seed, 6);
      const BeamSettings all{.B = B, .max_len = 12, .n_best = B};
      const BeamSearch found = search(tokens, all);
      expect_sound(found, all);
      for (const int n_best : {1, 2, B}) {
        const BeamSearch fewer = search(tokens, {.B = B, .max_len = 12, .n_best = n_best});
        ASSERT_LE(fewer.best.size(), static_cast<size_t>(n_best));
        for (size_t i = 0; i < fewer.best.size(); ++i) EXPECT_EQ(fewer.best[i].tokens, found.best[i].tokens);
        EXPECT_EQ(fewer.tree.size(), found.tree.size());
      }
      for (size_t i = 1; i < found.best.size(); ++i)
        EXPECT_GE(found.best[i - 1].value_per_length, found.best[i].value_per_length);
    }
}

TEST(BeamSearch, SettingsOutOfRangeAreRefusedWithTheRange) {
  Table tokens = two_tokens();
  const auto refused = [&](const BeamSettings& settings) {
    const auto found = beam_search(tokens, settings);
    if (found.ok()) return std::string();
    EXPECT_EQ(found.error().code, ErrorCode::BAD_VALUE);
    return found.error().message;
  };
  for (const int B : {-1, 0, 101, 1 << 30}) EXPECT_NE(refused({.B = B}).find("1 to 100"), std::string::npos) << B;
  for (const int max_len : {-1, 0, 129}) EXPECT_NE(refused({.max_len = max_len}).find("1 to 128"), std::string::npos);
  for (const int n_best : {-1, 0, 4}) EXPECT_NE(refused({.B = 3, .n_best = n_best}).find("1 to 3"), std::string::npos);
  EXPECT_EQ(refused({.B = 100, .max_len = 128, .n_best = 100}), "");
}

}  // namespace
}  // namespace softalign
