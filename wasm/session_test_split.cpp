// Session: the test split, and what models make of it.
#include "shared/io/message.h"
#include "wasm/session.h"

namespace softalign {
namespace {

constexpr int test_examples = max_trained_K * test_examples_per_K;

// Whether the positions are one for each row of the examples, inside its source.
bool fit(std::span<const int> positions, std::span<const Example> examples) {
  if (positions.size() != position_count(examples)) return false;
  size_t row = 0;
  for (const Example& example : examples)
    for (size_t t = 0; t < example.target.size(); ++t, ++row)
      if (positions[row] < 0 || positions[row] >= static_cast<int>(example.source.size())) return false;
  return true;
}

// All four rates of some examples; `place` says where each goes.
template <class Place>
void measure_part(std::span<const int> positions, std::span<const Example> examples, Place place) {
  for (size_t i = 0; i < tolerances.size(); ++i) {
    const int tol = tolerances[i];
    place(&TestAlignment::alignment_hit_rate, i) = alignment_hit_rate(positions, examples, tol);
    place(&TestAlignment::field_hit_rate, i) = field_hit_rate(positions, examples, tol);
    place(&TestAlignment::chance_hit_rate, i) = chance_hit_rate(examples, tol);
    place(&TestAlignment::chance_field_rate, i) = chance_field_rate(examples, tol);
  }
}

}  // namespace

const std::vector<Example>& Session::examples() {
  if (test_split_.empty()) test_split_ = test_split();
  return test_split_;
}

Result<Example> Session::sample(int K, int index) {
  if (K < 1 || K > max_trained_K || index < 0 || index >= test_examples_per_K)
    return {ErrorCode::BAD_VALUE, "the test split has 500 examples, 0 to 499, for each K from 1 to 4"};
  return examples()[static_cast<size_t>(K - 1) * test_examples_per_K + index];
}

Result<std::span<const Example>> Session::slice(int first, int count) {
  if (first < 0 || count < 0 || first > test_examples || count > test_examples - first)
    return {ErrorCode::BAD_VALUE, "the test split has 2,000 sources, 0 to 1999"};
  return std::span<const Example>(examples()).subspan(first, count);
}

Result<TestOutputs> Session::decode_test(const std::string& name, int first, int count) {
  auto held = find(name);
  if (!held) return held.error();
  const auto asked = slice(first, count);
  if (!asked) return asked.error();
  TestOutputs told;
  for (const Example& example : *asked) {
    told.outputs.push_back(output_text((*held)->model->greedy(make_source(example.source).value(), lab_max_len).tokens));
    told.right.push_back(told.outputs.back() == example.target);
  }
  return told;
}

Result<std::vector<int>> Session::align_test(const std::string& name, int first, int count) {
  auto held = find(name);
  if (!held) return held.error();
  if (!(*held)->model->config().attends()) return {ErrorCode::BAD_VALUE, "the plain model has no attention to align"};
  const auto asked = slice(first, count);
  if (!asked) return asked.error();
  std::vector<int> positions;
  for (const Example& example : *asked) {
    std::vector<int32_t> target = target_ids(example.target);
    target.push_back(eos);
    append_positions((*held)->model->score_target(make_source(example.source).value(), target).alpha, example, positions);
  }
  return positions;
}

Result<Measurement> Session::measure(std::span<const std::string> outputs) {
  if (outputs.size() != test_examples)
    return {ErrorCode::BAD_VALUE, "a measurement takes one output for each of the 2,000 sources of the test split"};
  Measurement measured;
  for (int K = 1; K <= max_trained_K; ++K) {
    const size_t begin = static_cast<size_t>(K - 1) * test_examples_per_K;
    std::vector<std::string> targets(test_examples_per_K);
    for (size_t i = 0; i < targets.size(); ++i) targets[i] = examples()[begin + i].target;
    OutputMetrics bucket = measure_outputs(outputs.subspan(begin, targets.size()), targets, K);
    measured.n[K - 1] = bucket.n;
    measured.exact_match[K - 1] = bucket.exact_match;
    measured.per_date[K - 1] = std::move(bucket.per_date);
    measured.well_formed[K - 1] = bucket.well_formed;
  }
  return measured;
}

Result<TestAlignment> Session::measure_alignment(std::span<const int> positions) {
  const std::span<const Example> all = examples();
  if (!fit(positions, all))
    return {ErrorCode::BAD_VALUE, "a measurement takes one position inside its source for each character of the test split's targets"};
  TestAlignment told;
  measure_part(positions, all, [&](TestRate TestAlignment::*rate, size_t i) -> double& { return (told.*rate).all[i]; });
  size_t row = 0;
  for (size_t k = 0; k < max_trained_K; ++k) {
    const auto bucket = all.subspan(k * test_examples_per_K, test_examples_per_K);
    const size_t rows = position_count(bucket);
    measure_part(positions.subspan(row, rows), bucket,
                 [&](TestRate TestAlignment::*rate, size_t i) -> double& { return (told.*rate).by_K[i][k]; });
    row += rows;
  }
  return told;
}

}  // namespace softalign
