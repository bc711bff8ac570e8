// Attention on plain arrays: the course's worked numbers, padding, and what is refused.
#include "shared/eigen/attention_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace softalign {
namespace {

using Numbers = std::vector<float>;

void expect_near(const Numbers& numbers, const Numbers& expected) {
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(numbers[i], expected[i], 0.0005) << i;
}

TEST(AttentionStep, WorkedScores) {
  const AttentionStep step = *masked_attention(Numbers{2, 0, 0}, Numbers{1, 2, 3}, 3);
  expect_near(step.alpha, {.787f, .107f, .107f});
  EXPECT_EQ(step.alpha[1], step.alpha[2]);
  EXPECT_EQ(step.largest, 2);
  EXPECT_EQ(step.exponential[0], 1);
  EXPECT_NEAR(step.sum, 1 + 2 * std::exp(-2.0), 1e-6);
  EXPECT_NEAR(step.h_bar[0], (1 + 5 * std::exp(-2.0)) / (1 + 2 * std::exp(-2.0)), 1e-6);
}

TEST(AttentionStep, EqualScoresGetExactlyEqualWeights) {
  for (const int S : {1, 2, 3, 7, 400}) {
    const AttentionStep step = *masked_attention(Numbers(S, 12.5f), Numbers(S, 1), S);
    for (const float weight : step.alpha) EXPECT_EQ(weight, 1.0f / static_cast<float>(S));
  }
}

TEST(AttentionStep, PaddingHasAScoreAndNothingElse) {
  const Numbers score{1, 3, 100, -5}, h{1, 0, 0, 1, 7, 7, 9, 9};
  const AttentionStep step = *masked_attention(score, h, 2);
  EXPECT_EQ(step.score, score);
  EXPECT_EQ(step.largest, 3);
  for (const size_t i : {2, 3}) EXPECT_EQ(step.exponential[i] + step.alpha[i], 0) << i;
  expect_near(step.h_bar, {.119f, .881f});
}

TEST(AttentionStep, RefusesWhatDoesNotFit) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto code = [](const auto& result) { return result.ok() ? "ok" : name(result.error().code); };
  EXPECT_STREQ(code(masked_attention(Numbers{}, Numbers{}, 0)), "BAD_VALUE");
  EXPECT_STREQ(code(masked_attention(Numbers{1}, Numbers{}, 1)), "BAD_VALUE");
  EXPECT_STREQ(code(masked_attention(Numbers{1, 2}, Numbers{1, 2, 3}, 2)), "BAD_VALUE");
  EXPECT_STREQ(code(dot_product_attention(Numbers{1, 2}, Numbers{1, 2, 3}, 1)), "BAD_VALUE");
  EXPECT_STREQ(code(dot_product_attention(Numbers{1, 2}, Numbers{1}, 1)), "BAD_VALUE");
  for (const int length : {-1, 0, 3}) EXPECT_STREQ(code(masked_attention(Numbers{1, 2}, Numbers{1, 2}, length)), "BAD_VALUE");
  for (const float odd : {infinity, -infinity, std::nanf("")}) {
    EXPECT_STREQ(code(masked_attention(Numbers{1, odd}, Numbers{1, 2}, 1)), "BAD_VALUE") << "on padding, too";
    EXPECT_STREQ(code(dot_product_attention(Numbers{1}, Numbers{1, odd}, 1)), "BAD_VALUE");
  }
  EXPECT_STREQ(code(masked_attention(Numbers(400, 1), Numbers(400 * 256, 1), 400)), "ok");
  EXPECT_STREQ(code(masked_attention(Numbers(401, 1), Numbers(401, 1), 401)), "BAD_VALUE");
  EXPECT_STREQ(code(dot_product_attention(Numbers(257, 1), Numbers(257, 1), 1)), "BAD_VALUE");
  const float huge = std::numeric_limits<float>::max();
  EXPECT_STREQ(code(dot_product_attention(Numbers{huge}, Numbers{huge}, 1)), "BAD_VALUE") << "the score overflows";
  EXPECT_STREQ(code(masked_attention(Numbers{huge, -huge}, Numbers{1, 2}, 2)), "ok");
}

}  // namespace
}  // namespace softalign
