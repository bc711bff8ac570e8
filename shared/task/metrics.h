// What is measured of a model's answers: whole outputs, single dates, and whether attention looks at the right place.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/task/dates.h"

namespace softalign {

// Attention weights of one source: row t is the distribution over its S positions when token t was written.
struct Alpha {
  int T = 0, S = 0;
  std::vector<float> weights;  // (T, S) row-major

  std::span<const float> row(int t) const {
    return std::span(weights).subspan(static_cast<size_t>(t) * static_cast<size_t>(S), static_cast<size_t>(S));
  }
};
// The position of the largest weight, the lowest one of equals.
int argmax(std::span<const float> row);

// Share of the outputs that equal their target, all of it.
double exact_match(std::span<const std::string> outputs, std::span<const std::string> targets);
// For k = 1..K the share of the outputs whose k-th date is the target's.
std::vector<double> per_date_accuracy(std::span<const std::string> outputs, std::span<const std::string> targets,
                                      int K);
// Share of the outputs that are K ISO dates of days that exist, right or wrong, joined by single spaces.
double well_formed(std::span<const std::string> outputs, int K);

// Where each row has its largest weight when the target is written (teacher forcing): appended to `positions` for the rows
// of the target's characters, so that those of several examples lie one behind the other. <eos> has none.
void append_positions(const Alpha& alpha, const Example& example, std::vector<int>& positions);
// How many positions the examples have in all.
size_t position_count(std::span<const Example> examples);

// Over every digit of every target, the share whose position lies inside the span of the digit's date, or at most `tol`
// positions after the span's end. At K = 1 the span is the whole source, so any weights reach 1.
double alignment_hit_rate(std::span<const int> positions, std::span<const Example> examples, int tol);
// The same against the digit's own field: year digits in the year, month digits in the month, day digits in the day.
double field_hit_rate(std::span<const int> positions, std::span<const Example> examples, int tol);
// What a position drawn uniformly over the source would reach in each of them.
double chance_hit_rate(std::span<const Example> examples, int tol);
double chance_field_rate(std::span<const Example> examples, int tol);
// Rows with more than 0.99 on one position.
int one_hot_rows(const Alpha& alpha);

inline constexpr std::array<int, 3> tolerances{0, 1, 2};

// A rate over all examples, and over those of each K.
struct Rate {
  double all = 0;
  std::map<int, double> by_K;
};

// What the outputs alone tell of the examples of one K.
struct OutputMetrics {
  int n = 0;  // examples
  double exact_match = 0;
  std::vector<double> per_date;
  double well_formed = 0;
};
OutputMetrics measure_outputs(std::span<const std::string> outputs, std::span<const std::string> targets, int K);

struct AlignmentMetrics {
  // Indexed like `tolerances`, that is by tol.
  std::array<Rate, tolerances.size()> alignment_hit_rate, field_hit_rate, chance_hit_rate, chance_field_rate;
  Rate one_hot_share;  // of the rows up to the target's last character
};

struct Metrics {
  std::map<int, int> n;  // examples of each K
  std::map<int, double> exact_match;
  std::map<int, std::vector<double>> per_date;
  std::map<int, double> well_formed;
  std::optional<AlignmentMetrics> alignment;  // nothing for a model without attention
};

// Everything above for one output per example, and one alpha per example or none at all.
Metrics measure(std::span<const Example> examples, std::span<const std::string> outputs, std::span<const Alpha> alphas);

}  // namespace softalign
