// Every metric against values counted by hand, and the chance rates against the lab's records.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shared/task/metrics.h"
#include "tests/cpp/task_splits.h"

namespace softalign {
namespace {

using Texts = std::vector<std::string>;

// Weights of one row per entry: 1 at that position of S, 0 elsewhere.
Alpha one_hot(int S, const std::vector<int>& positions) {
  Alpha alpha{static_cast<int>(positions.size()), S, std::vector<float>(positions.size() * static_cast<size_t>(S))};
  for (size_t t = 0; t < positions.size(); ++t)
    alpha.weights[t * static_cast<size_t>(S) + static_cast<size_t>(positions[t])] = 1;
  return alpha;
}

std::vector<int> positions_of(const std::vector<Alpha>& alphas, const std::vector<Example>& examples) {
  std::vector<int> positions;
  for (size_t i = 0; i < examples.size(); ++i) append_positions(alphas[i], examples[i], positions);
  EXPECT_EQ(positions.size(), position_count(examples));
  return positions;
}

Example one_date() {
  return {"3 March 2021", "2021-03-03", 1, {{2021, 3, 3}}, {{0, 12}}, {{{8, 12}, {2, 7}, {0, 1}}}};
}

Example two_dates() {
  return {"3 March 2021; 2020/4/5", "2021-03-03 2020-04-05",
          2, {{2021, 3, 3}, {2020, 4, 5}},
          {{0, 12}, {14, 22}}, {{{8, 12}, {2, 7}, {0, 1}}, {{14, 18}, {19, 20}, {21, 22}}}};
}

TEST(TaskMetrics, ExactMatchCountsWholeOutputs) {
  EXPECT_EQ(exact_match(Texts{"2021-03-03", "2021-03-03 ", "", "x"}, Texts{"2021-03-03", "2021-03-03", "", "y"}), 0.5);
  EXPECT_EQ(exact_match(Texts{}, Texts{}), 0);
}

TEST(TaskMetrics, PerDateAccuracyFindsTheKthDate) {
  const Texts targets(4, "2021-03-03 2020-04-05");
  const Texts outputs{"2021-03-03 2020-04-05", "2021-03-03 2020-04-06", "2021-03-3 2020-04-05", "2021-03-03"};
  EXPECT_EQ(per_date_accuracy(outputs, targets, 2), (std::vector<double>{0.75, 0.5}));
  EXPECT_EQ(per_date_accuracy(Texts{"2021-03-03 2020-04-05 1999-01-01"}, Texts{targets[0]}, 2),
            (std::vector<double>{1, 1}));
}

TEST(TaskMetrics, WellFormedIsTheRightNumberOfDates) {
  EXPECT_EQ(well_formed(Texts{"2021-03-03"}, 1), 1);
  EXPECT_EQ(well_formed(Texts{"1999-12-31 2021-03-03"}, 2), 1);
  for (const char* output : {"", "2021-03-03 2021-03-03", "2021-03-03 ", " 2021-03-03", "2021-3-3", "2021-02-30",
                             "2021-03-033"})
    EXPECT_EQ(well_formed(Texts{output}, 1), 0) << output;
  EXPECT_EQ(well_formed(Texts{"2021-03-03  2021-03-03"}, 2), 0) << "two spaces";
}

TEST(TaskMetrics, ArgmaxTakesTheLowestOfEquals) {
  EXPECT_EQ(argmax(std::vector<float>{0.1f, 0.4f, 0.4f, 0.1f}), 1);
  EXPECT_EQ(argmax(std::vector<float>{0.5f, 0.5f}), 0);
}

// Rows of 2021-03-03: the four digits of the year, -, two of the month, -, two of the day, and <eos>.
TEST(TaskMetrics, FieldHitRateCountsDigitsInTheirField) {
  const std::vector<Example> examples{one_date()};
  const auto rates = [&](const std::vector<int>& positions) {
    const std::vector<int> looks = positions_of({one_hot(12, positions)}, examples);
    std::vector<double> all{alignment_hit_rate(looks, examples, 0)};
    for (int tol : tolerances) all.push_back(field_hit_rate(looks, examples, tol));
    return all;
  };
  EXPECT_EQ(rates({8, 9, 10, 11, 0, 2, 6, 0, 0, 0, 0}), (std::vector<double>{1, 1, 1, 1})) << "all inside";
  EXPECT_EQ(rates({8, 9, 10, 11, 0, 7, 7, 0, 1, 1, 0}), (std::vector<double>{1, 0.5, 1, 1})) << "one after the field";
  EXPECT_EQ(rates({8, 9, 10, 11, 0, 8, 8, 0, 2, 2, 0}), (std::vector<double>{1, 0.5, 0.5, 1})) << "two after it";
  EXPECT_EQ(rates({7, 7, 7, 7, 5, 1, 1, 5, 0, 0, 5}), (std::vector<double>{1, 0.25, 0.25, 0.25})) << "before it";
}

TEST(TaskMetrics, AlignmentHitRateCountsDigitsInTheirDate) {
  const std::vector<Example> examples{two_dates()};
  const auto rates = [&](int first, int second) {
    std::vector<int> positions(22, first);  // 21 characters and <eos>
    std::fill(positions.begin() + 11, positions.end(), second);
    const std::vector<int> looks = positions_of({one_hot(22, positions)}, examples);
    std::vector<double> all;
    for (int tol : tolerances) all.push_back(alignment_hit_rate(looks, examples, tol));
    return all;
  };
  EXPECT_EQ(rates(0, 14), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(rates(11, 21), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(rates(12, 13), (std::vector<double>{0, 0.5, 0.5})) << "tol counts after the end only";
  EXPECT_EQ(rates(13, 14), (std::vector<double>{0.5, 0.5, 1}));
  EXPECT_EQ(rates(14, 0), (std::vector<double>{0, 0, 0})) << "the dates are told apart";
}

TEST(TaskMetrics, OneHotRowsAreAbove99Percent) {
  EXPECT_EQ(one_hot_rows({3, 2, {0.995f, 0.005f, 0.99f, 0.01f, 0, 1}}), 2);
  EXPECT_EQ(one_hot_rows({}), 0);
}

// K = 2, 3, 4 at tol 0, 1, 2 as the lab recorded them; at K = 1 the span is the source.
TEST(TaskMetrics, ChanceRatesAreTheLabs) {
  constexpr double recorded[3][4] = {{1, .394, .292, .217}, {1, .410, .308, .230}, {1, .426, .323, .243}};
  for (int tol : tolerances)
    for (int K = 1; K <= max_trained_K; ++K) {
      const auto bucket = std::span(the_test_split()).subspan(static_cast<size_t>(500 * (K - 1)), 500);
      EXPECT_NEAR(chance_hit_rate(bucket, tol), recorded[tol][K - 1], 0.0005) << "K = " << K << ", tol " << tol;
    }
}

TEST(TaskMetrics, ChanceFieldRateIsTheMeanShare) {
  const std::vector<Example> examples{one_date()};
  // Over 12 positions: four digits of a year 4 long that ends the text, two of a month 5 long, two of a day 1 long.
  EXPECT_DOUBLE_EQ(chance_field_rate(examples, 0), (4 * 4 + 2 * 5 + 2 * 1) / (8.0 * 12));
  EXPECT_DOUBLE_EQ(chance_field_rate(examples, 2), (4 * 4 + 2 * 7 + 2 * 3) / (8.0 * 12));
}

TEST(TaskMetrics, MeasureReportsEveryK) {
  const std::vector<Example> examples{one_date(), two_dates(), one_date()};
  const Texts outputs{examples[0].target, "2021-03-03 2020-04-06", "2021-03-3"};
  const std::vector<Alpha> alphas{one_hot(12, std::vector<int>(11, 8)), one_hot(22, std::vector<int>(22, 14)),
                                  one_hot(12, std::vector<int>(11, 8))};
  const Metrics metrics = measure(examples, outputs, alphas);
  EXPECT_EQ(metrics.n, (std::map<int, int>{{1, 2}, {2, 1}}));
  EXPECT_EQ(metrics.exact_match, (std::map<int, double>{{1, 0.5}, {2, 0}}));
  EXPECT_EQ(metrics.per_date, (std::map<int, std::vector<double>>{{1, {0.5}}, {2, {1, 0}}}));
  EXPECT_EQ(metrics.well_formed, (std::map<int, double>{{1, 0.5}, {2, 1}}));
  ASSERT_TRUE(metrics.alignment.has_value());
  for (size_t i = 0; i < tolerances.size(); ++i) {
    SCOPED_TRACE(i);
    const AlignmentMetrics& alignment = *metrics.alignment;
    EXPECT_EQ(alignment.alignment_hit_rate[i].by_K.at(1), 1);
    EXPECT_EQ(alignment.alignment_hit_rate[i].by_K.at(2), 0.5);
    EXPECT_EQ(alignment.alignment_hit_rate[i].all, 24 / 32.0) << "digits of all three count alike";
    EXPECT_EQ(alignment.field_hit_rate[i].by_K.at(1), i < 2 ? 0.5 : 0.75) << "position 8 is two after the month";
    EXPECT_EQ(alignment.chance_hit_rate[i].all, chance_hit_rate(examples, tolerances[i]));
    const std::span<const Example> second = std::span(examples).subspan(1, 1);
    EXPECT_EQ(alignment.chance_field_rate[i].by_K.at(2), chance_field_rate(second, tolerances[i]));
  }
  EXPECT_EQ(metrics.alignment->one_hot_share.all, 1);
  EXPECT_FALSE(measure(examples, outputs, {}).alignment.has_value()) << "a model without attention";
}

}  // namespace
}  // namespace softalign
