// Interventions and inspections of whole models against the reference in double, for every legal model.
#include <gtest/gtest.h>

#include <cmath>

#include "model_configs.h"
#include "reference.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

using Kind = RowEdit::Kind;
using reference::Vector;

// Small models of the task's vocabularies.
std::vector<Config> every_task_config() {
  std::vector<Config> configs = every_config();
  for (Config& config : configs) config.V_src = source_vocabulary_size, config.V_tgt = target_vocabulary_size;
  return configs;
}

struct Tested {
  explicit Tested(const Config& c)
      : config(c), plain(random_weights(c, 5)), model(std::move(*InferenceModel::create({c, plain, 0, {}}))) {}
  Config config;
  PlainParameters plain;
  std::unique_ptr<InferenceModel> model;
};

const Source source = *make_source("3 Mar 2021");
const std::vector<int32_t> prefix = target_ids("2021-");
const std::vector<int32_t> tgt_in = [] {
  std::vector<int32_t> ids{bos};
  ids.insert(ids.end(), prefix.begin(), prefix.end() - 1);
  return ids;
}();

void expect_near(const std::vector<float>& found, const Vector& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 3e-6) << what << " " << i;
}

Vector logarithms(const Vector& z) {
  Vector logs = reference::softmax(z);
  for (double& p : logs) p = std::log(p);
  return logs;
}

void expect_step(const Inspection& step, const reference::Forward& expected, int t, const Config& config) {
  const std::string what = name(config) + " t = " + std::to_string(t) + ": ";
  expect_near(step.s_t, expected.s_t[t], what + "s_t");
  expect_near(step.z, expected.z[t], what + "z");
  expect_near(step.log_probs, logarithms(expected.z[t]), what + "log_probs");
  if (!config.attends()) {
    for (const auto* part : {&step.q, &step.k, &step.score, &step.exponential, &step.alpha, &step.alpha_read, &step.h_bar})
      EXPECT_TRUE(part->empty()) << what;
    EXPECT_EQ(step.s, step.s_t);
    return;
  }
  expect_near(step.s, expected.s[t], what + "s");
  expect_near(step.score, expected.score[t], what + "score");
  expect_near(step.alpha, expected.alpha[t], what + "alpha");
  expect_near(step.alpha_read, expected.read[t], what + "alpha_read");
  expect_near(step.h_bar, expected.h_bar[t], what + "h_bar");
  if (config.ordering == Ordering::luong) expect_near(step.s_tilde, expected.s_tilde[t], what + "s_tilde");
  if (config.ordering == Ordering::bahdanau) {
    EXPECT_TRUE(step.s_tilde.empty()) << what;
  }
}

TEST(Inspection, EqualsTheReferenceForEveryModel) {
  for (const Config& config : every_task_config()) {
    Tested tested(config);
    const auto expected = reference::forward(config, tested.plain, source.ids(), tgt_in);
    for (int t = 4; t >= 0; --t) {
      const auto step = tested.model->inspect(source, t, 45, {.prefix = prefix});
      ASSERT_TRUE(step.ok());
      expect_step(*step, expected, t, config);
      EXPECT_EQ(step->token, prefix[t]);
      EXPECT_EQ(step->h.size(), static_cast<size_t>(step->S) * step->d_enc);
    }
  }
}

// The scores are what q and k make, whichever score it is.
TEST(Inspection, TheScoreComparesQAndK) {
  for (const Config& config : every_task_config()) {
    if (!config.attends()) continue;
    Tested tested(config);
    const Inspection step = *tested.model->inspect(source, 0, 45);
    ASSERT_EQ(step.q.size(), static_cast<size_t>(step.d_k));
    ASSERT_EQ(step.k.size(), static_cast<size_t>(step.S) * step.d_k);
    for (int i = 0; i < step.S; ++i) {
      double score = 0;
      for (int j = 0; j < step.d_k; ++j) {
        const double q = step.q[j], k = step.k[static_cast<size_t>(i) * step.d_k + j];
        score += config.score == Score::additive ? tested.plain.u[j] * std::tanh(q + k) : q * k;
      }
      EXPECT_NEAR(step.score[i], score, 1e-5) << name(config);
    }
  }
}

// The state that asks: s_t in the luong ordering, the one before it in bahdanau's.
TEST(Inspection, BahdanauAsksWithTheStateBefore) {
  for (const Config& config : every_task_config()) {
    Tested tested(config);
    const Edits forced{.prefix = prefix};
    const Inspection step = *tested.model->inspect(source, 2, 45, forced), last = *tested.model->inspect(source, 1, 45, forced);
    EXPECT_EQ(step.s, config.ordering == Ordering::bahdanau ? last.s_t : step.s_t) << name(config);
  }
}

struct Case {
  RowEdit edit;
  std::function<Vector(const Vector& score, const Vector& alpha)> expected;
};

const std::vector<Case>& cases() {
  const auto largest_of = [](const Vector& alpha) { return std::max_element(alpha.begin(), alpha.end()) - alpha.begin(); };
  const auto one_hot = [](size_t S, size_t at) {
    Vector row(S);
    row[at] = 1;
    return row;
  };
  const auto shift = [](const Vector& alpha, int by) {
    Vector row(alpha.size());
    const int last = static_cast<int>(alpha.size()) - 1;
    for (int i = 0; i <= last; ++i) row[std::clamp(i + by, 0, last)] += alpha[i];
    return row;
  };
  const auto heated = [](Vector score, double tau) {
    for (double& value : score) value /= tau;
    return reference::softmax(score);
  };
  static const std::vector<Case> all{
      {{.kind = Kind::one_hot, .position = 7}, [=](const Vector&, const Vector& a) { return one_hot(a.size(), 7); }},
      {{.kind = Kind::one_hot}, [=](const Vector&, const Vector& a) { return one_hot(a.size(), largest_of(a)); }},
      {{.kind = Kind::uniform}, [](const Vector&, const Vector& a) { return Vector(a.size(), 1.0 / a.size()); }},
      {{.kind = Kind::shift, .by = 2}, [=](const Vector&, const Vector& a) { return shift(a, 2); }},
      {{.kind = Kind::shift, .by = -1}, [=](const Vector&, const Vector& a) { return shift(a, -1); }},
      {{.kind = Kind::shift, .by = 99}, [=](const Vector&, const Vector& a) { return shift(a, 99); }},
      {{.kind = Kind::temperature, .temperature = 0.25f}, [=](const Vector& s, const Vector&) { return heated(s, 0.25); }},
      {{.kind = Kind::temperature, .temperature = 2}, [=](const Vector& s, const Vector&) { return heated(s, 2); }},
      {{.kind = Kind::row, .row = {1, 0, 3}},
       [](const Vector&, const Vector& a) {
         Vector row(a.size());
         row[0] = 0.25, row[2] = 0.75;
         return row;
       }},
      {{.kind = Kind::none}, [](const Vector&, const Vector& a) { return Vector(a.size()); }}};
  return all;
}

TEST(Edits, EqualTheReferenceForEveryModelAndKind) {
  for (const Config& config : every_task_config()) {
    if (!config.attends()) continue;
    Tested tested(config);
    for (const auto& [edit, read] : cases()) {
      const Edits edits{.rows = {{1, 2, edit}}, .prefix = prefix};
      const auto expected = reference::forward(
          config, tested.plain, source.ids(), tgt_in,
          [&, &read = read](int t, const Vector& score, const Vector& a) { return t == 1 || t == 2 ? read(score, a) : a; });
      for (int t = 0; t < 5; ++t) expect_step(*tested.model->inspect(source, t, 45, edits), expected, t, config);
    }
  }
}

TEST(Edits, OneHotReadsOneStateAndZeroContextNone) {
  for (const Config& config : every_task_config()) {
    if (!config.attends()) continue;
    Tested tested(config);
    const Edits one{.rows = {{0, 0, {.kind = Kind::one_hot, .position = 4}}}};
    const Inspection step = *tested.model->inspect(source, 0, 45, one);
    const auto h_4 = step.h.begin() + 4 * step.d_enc;
    EXPECT_EQ(step.h_bar, std::vector<float>(h_4, h_4 + step.d_enc)) << "bit by bit";
    const Edits zero{.rows = {{0, 44, {.kind = Kind::none}}}, .prefix = prefix};
    for (int t = 0; t < 5; ++t)
      EXPECT_EQ(tested.model->inspect(source, t, 45, zero)->h_bar, std::vector<float>(step.d_enc, 0.0f));
  }
}

TEST(Edits, LeaveEarlierRowsAndLaterDecodingsAlone) {
  for (const Config& config : every_task_config()) {
    if (!config.attends()) continue;
    Tested tested(config);
    const Decoded before = *tested.model->greedy(source, 12, {.prefix = prefix});
    EXPECT_TRUE(before.alpha_read.weights.empty());
    const Decoded edited = *tested.model->greedy(source, 12, {.rows = {{3, 11, {.kind = Kind::none}}}, .prefix = prefix});
    ASSERT_GE(edited.alpha.T, 5);
    const size_t first = 3 * edited.alpha.S;
    EXPECT_TRUE(std::equal(edited.alpha.weights.begin(), edited.alpha.weights.begin() + first, before.alpha.weights.begin()));
    ASSERT_EQ(edited.alpha_read.weights.size(), edited.alpha.weights.size());
    EXPECT_TRUE(std::equal(edited.alpha.weights.begin(), edited.alpha.weights.begin() + first,
                           edited.alpha_read.weights.begin()));
    EXPECT_EQ(std::count(edited.alpha_read.weights.begin() + first, edited.alpha_read.weights.end(), 0.0f),
              static_cast<ptrdiff_t>(edited.alpha.weights.size() - first));
    const Decoded after = *tested.model->greedy(source, 12, {.prefix = prefix});
    EXPECT_EQ(after.z, before.z) << "nothing of an edit stays";
    EXPECT_EQ(after.alpha.weights, before.alpha.weights);
  }
}

TEST(Edits, AForcedBeginningIsWrittenAndCounted) {
  for (const Config& config : every_task_config()) {
    Tested tested(config);
    const Decoded forced = *tested.model->greedy(source, 12, {.prefix = prefix});
    ASSERT_GE(forced.tokens.size(), prefix.size());
    EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), forced.tokens.begin()));
    const Decoded scored = tested.model->score_target(source, forced.tokens);
    for (size_t i = 0; i < scored.z.size(); ++i) EXPECT_NEAR(scored.z[i], forced.z[i], 1e-5);
    EXPECT_NEAR(scored.log_prob, forced.log_prob, 1e-4);
    EXPECT_EQ(tested.model->greedy(source, 5, {.prefix = prefix})->tokens, prefix);
  }
}

TEST(Edits, TheLaterOneCountsWhereTwoMeet) {
  const Edits edits{.rows = {{0, 9, {.kind = Kind::uniform}}, {2, 3, {.kind = Kind::none}}}};
  EXPECT_EQ(edits.row(1)->kind, Kind::uniform);
  EXPECT_EQ(edits.row(2)->kind, Kind::none);
  EXPECT_EQ(edits.row(9)->kind, Kind::uniform);
  EXPECT_EQ(edits.row(10), nullptr);
}

TEST(Edits, WhatNoModelCanDoIsRefusedWithTheReason) {
  const Config dot = small_config(Score::dot);
  const auto refused = [](const Edits& edits, const Config& config) {
    const auto legal = check(edits, config, 10, 45);
    if (legal.ok()) return std::string();
    EXPECT_EQ(legal.error().code, ErrorCode::BAD_VALUE);
    return legal.error().message;
  };
  const auto row = [](const RowEdit& edit) { return Edits{.rows = {{0, 0, edit}}}; };
  const std::pair<Edits, const char*> bad[] = {
      {row({.kind = Kind::one_hot, .position = 10}), "10 characters"},
      {row({.kind = Kind::one_hot, .position = -2}), "10 characters"},
      {row({.kind = Kind::temperature, .temperature = 0}), "0.01 to 100"},
      {row({.kind = Kind::temperature, .temperature = NAN}), "0.01 to 100"},
      {row({.kind = Kind::row, .row = {}}), "above 0"},
      {row({.kind = Kind::row, .row = {0, 0}}), "above 0"},
      {row({.kind = Kind::row, .row = {1, -1}}), "negative"},
      {row({.kind = Kind::row, .row = {1, INFINITY}}), "above 0"},
      {row({.kind = Kind::row, .row = std::vector<float>(11, 1)}), "10 characters"},
      {{.rows = {{-1, 0, {}}}}, "one token"},
      {{.rows = {{3, 2, {}}}}, "one token"},
      {{.prefix = std::vector<int32_t>(46, 3)}, "45 tokens"},
      {{.prefix = {eos}}, "characters"},
      {{.prefix = {99}}, "characters"}};
  for (const auto& [edits, words] : bad) EXPECT_NE(refused(edits, dot).find(words), std::string::npos) << words;
  EXPECT_NE(refused(row({}), small_config(Score::none)).find("plain model"), std::string::npos);
  for (const auto& [edit, read] : cases()) EXPECT_EQ(refused(row(edit), dot), "");
  EXPECT_EQ(refused({.prefix = {3, 4}}, small_config(Score::none)), "");
}

}  // namespace
}  // namespace softalign
