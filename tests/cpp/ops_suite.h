// Every operation of a backend against numbers worked out by hand or in double; run by eigen_ops_test.cpp and torch_ops_test.cpp.
#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "golden_gru.h"
#include "reference.h"
#include "shared/model/attention.h"
#include "shared/model/seq2seq.h"
#include "shared/task/vocabulary.h"

namespace softalign {

template <class Lab>
class Ops : public ::testing::Test {
 protected:
  using B = typename Lab::B;
  using Tensor = typename B::Tensor;

  std::vector<float> numbers(const Tensor& tensor) {
    const auto host = lab.backend.to_host(tensor);
    return {host.begin(), host.end()};
  }
  void expect(const Tensor& tensor, const std::vector<double>& expected, double tolerance = 1e-6) {
    const auto found = numbers(tensor);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << "at " << i;
  }
  // alpha and h_bar of one row of scores over states of size d_h.
  struct Attended {
    std::vector<float> alpha, h_bar;
  };
  Attended attended(const std::vector<float>& scores, const std::vector<float>& h, int d_h, int length) {
    const int S = static_cast<int>(scores.size());
    const std::vector<int32_t> counts{length};
    Tensor alpha = lab.empty(S), h_bar = lab.empty(d_h);
    masked_attention(lab.backend, alpha, h_bar, lab.tensor(scores, 1, 1, S), lab.tensor(h, 1, S, d_h), lab.lengths(counts, S));
    return {numbers(alpha), numbers(h_bar)};
  }
  std::vector<float> gru_states(const golden_gru::Weights& w) {
    Tensor h = lab.empty(40), h_last = lab.empty(4);
    GruWeights<B> gru{lab.weight(w.gru.weight_ih, 3), lab.weight(w.gru.weight_hh, 4), lab.weight(w.gru.bias_ih, 0),
                      lab.weight(w.gru.bias_hh, 0), {}};
    const auto embedding = lab.weight(w.embedding, 3);
    lab.prepare_gru(embedding, gru);
    const auto tokens = golden_gru::tokens();
    const Tensor h_0 = lab.tensor(std::vector<float>(4), 1, 1, 4);
    lab.backend.gru(h, h_last, lab.backend.ids(tokens, 1, golden_gru::steps), embedding, nullptr, nullptr, &h_0, gru,
                    Direction::forward);
    const auto states = numbers(h), last = numbers(h_last);
    for (int j = 0; j < 4; ++j) EXPECT_EQ(states[36 + j], last[j]);
    return states;
  }

  Lab lab;
};
TYPED_TEST_SUITE_P(Ops);

// L24: a GRU whose reset gate comes before the product is another network, and this test tells the two apart.
TYPED_TEST_P(Ops, GruEqualsPyTorchOverTenSteps) {
  const auto weights = golden_gru::weights();
  const auto states = this->gru_states(weights);
  reference::Vector right(4), wrong(4);
  double distance = 0;
  for (int t = 0; t < golden_gru::steps; ++t) {
    const auto x = reference::embedding(weights.embedding, t, 3);
    right = reference::gru_step(weights.gru, x, right);
    wrong = reference::gru_step(weights.gru, x, wrong, reference::ResetGate::before_product);
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(states[t * 4 + j], golden_gru::h[t][j], 1e-6) << "step " << t;
      EXPECT_NEAR(right[j], golden_gru::h[t][j], 1e-6) << "step " << t;
      distance = std::max(distance, std::abs(wrong[j] - golden_gru::h[t][j]));
    }
  }
  EXPECT_GT(distance, 1e-2);
}

TYPED_TEST_P(Ops, LinearMultipliesEachRow) {
  auto y = this->lab.empty(6);
  const auto W = this->lab.weight({1, 2, 0, -1, 3, 0.5f}, 2), b = this->lab.weight({10, 20, 30}, 0);
  this->lab.backend.linear(y, this->lab.tensor({1, 2, -1, 4}, 1, 2, 2), W, &b);
  this->expect(y, {15, 18, 34, 17, 16, 29});
  this->lab.backend.linear(y, this->lab.tensor({1, 2, -1, 4}, 2, 1, 2), W, nullptr);
  this->expect(y, {5, -2, 4, 7, -4, -1});
}

TYPED_TEST_P(Ops, DotScoreComparesEveryPair) {
  auto score = this->lab.empty(6);
  this->lab.backend.dot_score(score, this->lab.tensor({2, 0, 1, 1}, 1, 2, 2), this->lab.tensor({1, 0, 0, 1, -1, 0}, 1, 3, 2));
  this->expect(score, {2, 0, -2, 1, 1, -1});
}

TYPED_TEST_P(Ops, AdditiveScoreIsTheEquationOnePairAtATime) {
  auto score = this->lab.empty(6);
  const std::vector<float> q{0.3f, -0.4f, 1.1f, 0.2f}, k{0.5f, 0.1f, -2, 0.7f, 0, 0}, u{1.5f, -0.5f};
  this->lab.backend.additive_score(score, this->lab.tensor(q, 1, 2, 2), this->lab.tensor(k, 1, 3, 2), this->lab.weight(u, 0));
  std::vector<double> expected;
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < 3; ++i)
      expected.push_back(u[0] * std::tanh(q[2 * t] + k[2 * i]) + u[1] * std::tanh(q[2 * t + 1] + k[2 * i + 1]));
  this->expect(score, expected);
}

// The worked numbers of the briefing's section 4.
TYPED_TEST_P(Ops, WorkedScoresGiveTheirWeights) {
  const std::vector<float> unit{1, 0, 0};
  auto weights = [&](const std::vector<float>& scores) { return this->attended(scores, unit, 1, 3).alpha; };
  const double e2 = std::exp(2.0);
  for (const auto& alpha : {weights({2, 0, 0}), weights({12, 10, 10})}) {  // only differences matter
    EXPECT_NEAR(alpha[0], e2 / (e2 + 2), 1e-6);
    EXPECT_NEAR(alpha[1], 1 / (e2 + 2), 1e-6);
    EXPECT_NEAR(alpha[2], 1 / (e2 + 2), 1e-6);
    EXPECT_NEAR(alpha[0], 0.79, 0.005);
  }
  EXPECT_NEAR(weights({20, 0, 0})[0], 1, 1e-8);
  for (float alpha : weights({5, 5, 5})) EXPECT_NEAR(alpha, 1.0 / 3, 1e-6);
}

TYPED_TEST_P(Ops, PaddedPositionGetsExactlyZero) {
  const double e2 = std::exp(2.0);
  const auto padded = this->attended({2, 0, 0, 100}, {1, 0, 0, 5}, 1, 3);  // three real positions, one of padding
  EXPECT_NEAR(padded.alpha[0], e2 / (e2 + 2), 1e-6);
  EXPECT_EQ(padded.alpha[3], 0.0f);
  EXPECT_NEAR(padded.alpha[0] + padded.alpha[1] + padded.alpha[2], 1, 1e-6);
}

TYPED_TEST_P(Ops, WorkedVectorsGiveTheirContext) {
  const std::vector<float> h{1, 0, 0, 1, -1, 0};
  auto score = this->lab.empty(3);
  this->lab.backend.dot_score(score, this->lab.tensor({2, 0}, 1, 1, 2), this->lab.tensor(h, 1, 3, 2));
  const auto scores = this->numbers(score);
  const auto all = this->attended(scores, h, 2, 3);
  for (auto [found, said] : {std::pair{all.alpha[0], 0.867}, {all.alpha[1], 0.117}, {all.alpha[2], 0.016},
                             {all.h_bar[0], 0.851}, {all.h_bar[1], 0.117}})
    EXPECT_NEAR(found, said, 5e-4);
  const auto third_is_padding = this->attended(scores, h, 2, 2);
  for (auto [found, said] : {std::pair{third_is_padding.alpha[0], 0.881}, {third_is_padding.alpha[1], 0.119},
                             {third_is_padding.h_bar[0], 0.881}, {third_is_padding.h_bar[1], 0.119}})
    EXPECT_NEAR(found, said, 5e-4);
  EXPECT_EQ(third_is_padding.alpha[2], 0.0f);
}

// L22, L23: a row with nothing to read is neither NaN nor uniform.
TYPED_TEST_P(Ops, FullyMaskedRowIsZero) {
  const auto nothing = this->attended({3, -1}, {1, 2, 3, 4}, 2, 0);
  EXPECT_EQ(nothing.alpha, (std::vector<float>{0, 0}));
  EXPECT_EQ(nothing.h_bar, (std::vector<float>{0, 0}));
}

// What an intervention makes of a row over three characters and one position of padding.
TYPED_TEST_P(Ops, EditsReplaceTheRowThatIsRead) {
  const std::vector<float> scores{1, 3, 2, 9}, h{1, 10, 100, 5};
  const std::vector<int32_t> counts{3};
  const auto read = [&](const RowEdit& edit) {
    auto alpha = this->lab.empty(4), alpha_read = this->lab.empty(4), h_bar = this->lab.empty(1);
    masked_attention(this->lab.backend, alpha, h_bar, this->lab.tensor(scores, 1, 1, 4), this->lab.tensor(h, 1, 4, 1),
                     this->lab.lengths(counts, 4), &alpha_read, &edit);
    const auto plain = this->attended(scores, h, 1, 3).alpha;
    EXPECT_EQ(this->numbers(alpha), plain) << "the model's own row stays as it is";
    const auto row = this->numbers(alpha_read);
    EXPECT_EQ(row[3], 0.0f) << "padding";
    double context = 0;
    for (int i = 0; i < 3; ++i) context += static_cast<double>(row[i]) * h[i];
    EXPECT_NEAR(this->numbers(h_bar)[0], context, 1e-4);
    return row;
  };
  using Kind = RowEdit::Kind;
  using Row = std::vector<float>;
  const auto alpha = this->attended(scores, h, 1, 3).alpha;
  EXPECT_EQ(read({.kind = Kind::one_hot}), (Row{0, 1, 0, 0}));
  EXPECT_EQ(read({.kind = Kind::one_hot, .position = 2}), (Row{0, 0, 1, 0}));
  EXPECT_EQ(read({.kind = Kind::uniform}), (Row{1 / 3.f, 1 / 3.f, 1 / 3.f, 0}));
  EXPECT_EQ(read({.kind = Kind::shift, .by = 1}), (Row{0, alpha[0], alpha[1] + alpha[2], 0}));
  EXPECT_EQ(read({.kind = Kind::shift, .by = -9}), (Row{alpha[0] + alpha[1] + alpha[2], 0, 0, 0}));
  EXPECT_EQ(read({.kind = Kind::row, .row = {2, 0, 6, 7}}), (Row{0.25f, 0, 0.75f, 0}));
  EXPECT_EQ(read({.kind = Kind::row, .row = {5}}), (Row{1, 0, 0, 0}));
  EXPECT_EQ(read({.kind = Kind::none}), (Row{0, 0, 0, 0}));
  const auto heated = read({.kind = Kind::temperature, .temperature = 4});
  const double sum = std::exp(0.25) + std::exp(0.75) + std::exp(0.5);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(heated[i], std::exp(scores[i] / 4.0) / sum, 1e-6);
}

TYPED_TEST_P(Ops, GatherRowsTakesStatesOfParents) {
  auto out = this->lab.empty(6);
  const std::vector<int> rows{2, 0, 2};
  this->lab.backend.gather_rows(out, this->lab.tensor({1, 2, 3, 4, 5, 6}, 3, 1, 2), rows);
  this->expect(out, {5, 6, 1, 2, 5, 6});
}

TYPED_TEST_P(Ops, ConcatJoinsRows) {
  auto out = this->lab.empty(6);
  this->lab.backend.concat(out, this->lab.tensor({1, 2}, 1, 2, 1), this->lab.tensor({3, 4, 5, 6}, 1, 2, 2));
  this->expect(out, {1, 3, 4, 2, 5, 6});
}

// L26: no NaN and no overflow however large the input.
TYPED_TEST_P(Ops, TanhIsAccurateEverywhere) {
  std::vector<float> x;
  std::vector<double> expected;
  for (float value = -12; value < 12; value += 0.0131f) x.push_back(value);
  for (float value : {0.0f, 44.0f, 100.0f, 1e4f}) x.push_back(value), x.push_back(-value);
  for (float value : x) expected.push_back(std::tanh(static_cast<double>(value)));
  auto out = this->lab.empty(x.size());
  this->lab.backend.tanh(out, this->lab.tensor(x, 1, 1, static_cast<int>(x.size())));
  this->expect(out, expected, 2e-7);
}

TYPED_TEST_P(Ops, LogSoftmaxNormalises) {
  auto out = this->lab.empty(6);
  this->lab.backend.log_softmax(out, this->lab.tensor({1, 2, 3, -1000, 0, 1000}, 1, 2, 3));
  const double log_sum = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(3.0));
  this->expect(out, {1 - log_sum, 2 - log_sum, 3 - log_sum, -2000, -1000, 0}, 1e-5);
}

TYPED_TEST_P(Ops, CrossEntropySkipsPadding) {
  auto loss = this->lab.empty(1);
  const std::vector<float> z{0, 0, 0, 0, 9, 9, 9, 9};
  const std::vector<int32_t> one_target{3, pad}, none{pad, pad};
  this->lab.backend.cross_entropy(loss, this->lab.tensor(z, 1, 2, 4), this->lab.backend.ids(one_target, 1, 2));
  this->expect(loss, {std::log(4.0)});
  // The logits at padding do not count.
  std::vector<float> other = z;
  other[4] = -50;
  auto same = this->lab.empty(1);
  this->lab.backend.cross_entropy(same, this->lab.tensor(other, 1, 2, 4), this->lab.backend.ids(one_target, 1, 2));
  EXPECT_EQ(this->numbers(loss), this->numbers(same));
  // L08: no target at all is loss 0, not 0 / 0.
  this->lab.backend.cross_entropy(loss, this->lab.tensor(z, 1, 2, 4), this->lab.backend.ids(none, 1, 2));
  EXPECT_EQ(this->numbers(loss), (std::vector<float>{0}));
}

REGISTER_TYPED_TEST_SUITE_P(Ops, GruEqualsPyTorchOverTenSteps, LinearMultipliesEachRow, DotScoreComparesEveryPair,
                            AdditiveScoreIsTheEquationOnePairAtATime, WorkedScoresGiveTheirWeights,
                            PaddedPositionGetsExactlyZero, WorkedVectorsGiveTheirContext, FullyMaskedRowIsZero,
                            EditsReplaceTheRowThatIsRead, GatherRowsTakesStatesOfParents,
                            ConcatJoinsRows, TanhIsAccurateEverywhere, LogSoftmaxNormalises, CrossEntropySkipsPadding);

}  // namespace softalign
