// Counts over outputs and attention weights; every hit rate is one walk over the digits of the targets.
#include "shared/task/metrics.h"

#include <algorithm>
#include <cassert>

namespace softalign {
namespace {

constexpr int date_length = 11;  // of an ISO date and the space, or <eos>, after it

double share(double count, double total) { return total > 0 ? count / total : 0.0; }

// The parts of a text between its spaces, one after the other.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}
  // False when all have been taken.
  bool take(std::string_view& part) {
    if (done_) return false;
    const size_t space = rest_.find(' ');
    part = rest_.substr(0, space);
    done_ = space == std::string_view::npos;
    if (!done_) rest_.remove_prefix(space + 1);
    return true;
  }

 private:
  std::string_view rest_;
  bool done_ = false;
};

// Which part of the source a target's character t belongs to.
using SpanOf = Span (*)(const Example&, int t);

Span date_span(const Example& example, int t) { return example.spans[static_cast<size_t>(t / date_length)]; }

Span field_span(const Example& example, int t) {
  const Fields& fields = example.fields[static_cast<size_t>(t / date_length)];
  const int place = t % date_length;  // yyyy-mm-dd
  return place < 4 ? fields.year : place < 7 ? fields.month : fields.day;
}

// The mean over all digits of all targets of `score(row, S, span with its tolerance)`; rows are counted over all targets.
template <class Score>
double mean_over_digits(std::span<const Example> examples, SpanOf span_of, int tol, Score score) {
  double sum = 0, digits = 0;
  size_t row = 0;
  for (const Example& example : examples) {
    const int S = static_cast<int>(example.source.size());
    for (int t = 0; t < static_cast<int>(example.target.size()); ++t, ++row) {
      const char character = example.target[static_cast<size_t>(t)];
      if (character < '0' || character > '9') continue;
      Span span = span_of(example, t);
      span.end = std::min(span.end + tol, S);
      sum += score(row, S, span);
      digits += 1;
    }
  }
  return share(sum, digits);
}

double hit_rate(std::span<const int> positions, std::span<const Example> examples, SpanOf span_of, int tol) {
  assert(positions.size() == position_count(examples) && "hit_rate: one position per character of the targets");
  return mean_over_digits(examples, span_of, tol, [&](size_t row, int, Span span) {
    return span.start <= positions[row] && positions[row] < span.end ? 1.0 : 0.0;
  });
}

double chance_rate(std::span<const Example> examples, SpanOf span_of, int tol) {
  return mean_over_digits(examples, span_of, tol, [&](size_t, int S, Span span) {
    return static_cast<double>(span.end - span.start) / static_cast<double>(S);
  });
}

double one_hot_share(std::span<const Alpha> alphas, std::span<const Example> examples) {
  double one_hot = 0, rows = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    const int T = static_cast<int>(examples[i].target.size());
    const auto weights = alphas[i].weights.begin();
    one_hot += one_hot_rows({T, alphas[i].S, {weights, weights + T * alphas[i].S}});
    rows += T;
  }
  return share(one_hot, rows);
}

// The examples of one K with what belongs to them, as arrays of their own.
struct Bucket {
  std::vector<Example> examples;
  std::vector<std::string> outputs, targets;
  std::vector<Alpha> alphas;
};

AlignmentMetrics measure_alignment(std::span<const Example> examples, std::span<const Alpha> alphas,
                                   const std::map<int, Bucket>& buckets) {
  AlignmentMetrics metrics;
  const auto fill = [&](std::span<const Example> part, std::span<const Alpha> weights, auto place) {
    std::vector<int> positions;
    for (size_t i = 0; i < part.size(); ++i) append_positions(weights[i], part[i], positions);
    for (size_t i = 0; i < tolerances.size(); ++i) {
      place(metrics.alignment_hit_rate[i]) = alignment_hit_rate(positions, part, tolerances[i]);
      place(metrics.field_hit_rate[i]) = field_hit_rate(positions, part, tolerances[i]);
      place(metrics.chance_hit_rate[i]) = chance_hit_rate(part, tolerances[i]);
      place(metrics.chance_field_rate[i]) = chance_field_rate(part, tolerances[i]);
    }
    place(metrics.one_hot_share) = one_hot_share(weights, part);
  };
  fill(examples, alphas, [](Rate& rate) -> double& { return rate.all; });
  for (const auto& [K, bucket] : buckets)
    fill(bucket.examples, bucket.alphas, [K = K](Rate& rate) -> double& { return rate.by_K[K]; });
  return metrics;
}

}  // namespace

int argmax(std::span<const float> row) {
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

double exact_match(std::span<const std::string> outputs, std::span<const std::string> targets) {
  assert(outputs.size() == targets.size() && "exact_match: one output per target");
  double right = 0;
  for (size_t i = 0; i < targets.size(); ++i) right += outputs[i] == targets[i];
  return share(right, static_cast<double>(targets.size()));
}

std::vector<double> per_date_accuracy(std::span<const std::string> outputs, std::span<const std::string> targets,
                                      int K) {
  assert(outputs.size() == targets.size() && "per_date_accuracy: one output per target");
  std::vector<double> right(static_cast<size_t>(K));
  for (size_t i = 0; i < targets.size(); ++i) {
    Parts output_dates(outputs[i]), target_dates(targets[i]);
    std::string_view output, target;
    for (double& count : right)
      if (output_dates.take(output) && target_dates.take(target)) count += output == target;
  }
  for (double& rate : right) rate = share(rate, static_cast<double>(targets.size()));
  return right;
}

double well_formed(std::span<const std::string> outputs, int K) {
  double good = 0;
  for (const std::string& output : outputs) {
    Parts dates(output);
    int existing = 0, count = 0;
    for (std::string_view date; dates.take(date); ++count) existing += date_of_iso(date).has_value();
    good += count == K && existing == K;
  }
  return share(good, static_cast<double>(outputs.size()));
}

void append_positions(const Alpha& alpha, const Example& example, std::vector<int>& positions) {
  const int T = static_cast<int>(example.target.size());
  assert(T <= alpha.T && alpha.S == static_cast<int>(example.source.size()) && "append_positions: alpha is (T, S)");
  for (int t = 0; t < T; ++t) positions.push_back(argmax(alpha.row(t)));
}

size_t position_count(std::span<const Example> examples) {
  size_t count = 0;
  for (const Example& example : examples) count += example.target.size();
  return count;
}

double alignment_hit_rate(std::span<const int> positions, std::span<const Example> examples, int tol) {
  return hit_rate(positions, examples, date_span, tol);
}
double field_hit_rate(std::span<const int> positions, std::span<const Example> examples, int tol) {
  return hit_rate(positions, examples, field_span, tol);
}
double chance_hit_rate(std::span<const Example> examples, int tol) { return chance_rate(examples, date_span, tol); }
double chance_field_rate(std::span<const Example> examples, int tol) { return chance_rate(examples, field_span, tol); }

int one_hot_rows(const Alpha& alpha) {
  int rows = 0;
  for (int t = 0; t < alpha.T; ++t) {
    const std::span<const float> row = alpha.row(t);
    rows += std::any_of(row.begin(), row.end(), [](float weight) { return weight > 0.99f; });
  }
  return rows;
}

OutputMetrics measure_outputs(std::span<const std::string> outputs, std::span<const std::string> targets, int K) {
  return {static_cast<int>(targets.size()), exact_match(outputs, targets), per_date_accuracy(outputs, targets, K),
          well_formed(outputs, K)};
}

Metrics measure(std::span<const Example> examples, std::span<const std::string> outputs,
                std::span<const Alpha> alphas) {
  assert(outputs.size() == examples.size() && "measure: one output per example");
  assert((alphas.empty() || alphas.size() == examples.size()) && "measure: one alpha per example, or none");
  std::map<int, Bucket> buckets;
  for (size_t i = 0; i < examples.size(); ++i) {
    Bucket& bucket = buckets[examples[i].K];
    bucket.examples.push_back(examples[i]);
    bucket.outputs.push_back(outputs[i]);
    bucket.targets.push_back(examples[i].target);
    if (!alphas.empty()) bucket.alphas.push_back(alphas[i]);
  }
  Metrics metrics;
  for (const auto& [K, bucket] : buckets) {
    const OutputMetrics told = measure_outputs(bucket.outputs, bucket.targets, K);
    metrics.n[K] = told.n;
    metrics.exact_match[K] = told.exact_match;
    metrics.per_date[K] = told.per_date;
    metrics.well_formed[K] = told.well_formed;
  }
  if (!alphas.empty()) metrics.alignment = measure_alignment(examples, alphas, buckets);
  return metrics;
}

}  // namespace softalign
