// Plays snapshots one after another and evaluates each.
#include "native/snapshot_measures.h"

#include "native/judge.h"

namespace softalign {
namespace {

const std::vector<Example>& test_examples() {
  static const std::vector<Example> examples = examples_of("test", 0);
  return examples;
}

PlainParameters untrained(const Config& config, uint64_t seed) {
  Random random(seed);
  return initialise(config, random);
}

Result<std::optional<SnapshotMeasure>> measure_weights(const Config& config, const PlainParameters& weights,
                                                       const GoOn& go_on, int threads) {
  auto judge = make_judge("eigen", "snapshot", {config, weights, 0, {}}, {});
  if (!judge) return judge.error();
  const auto evaluation = evaluate(**judge, /*attends=*/false, "test", test_examples(), go_on, threads);
  if (!evaluation) return std::optional<SnapshotMeasure>();
  SnapshotMeasure measure;
  measure.loss = static_cast<float>(evaluation->teacher_forced.loss.all);
  for (int K = 1; K <= measured_K; ++K)
    measure.exact_match[K - 1] = static_cast<float>(evaluation->metrics.exact_match.at(K));
  return std::optional(measure);
}

}  // namespace

Result<std::optional<SnapshotMeasure>> measure_snapshot(const Config& config, const Snapshots& snapshots, int k,
                                                        const GoOn& go_on, int threads) {
  PlainParameters weights = untrained(config, snapshots.seed);
  for (int i = 0; i <= k; ++i) play(config, snapshots.taken[i], weights);
  return measure_weights(config, weights, go_on, threads);
}

Result<std::optional<SnapshotMeasures>> measure_snapshots(const Config& config, const Snapshots& snapshots,
                                                          const GoOn& go_on, int threads) {
  const int each = static_cast<int>(test_examples().size()), n = static_cast<int>(snapshots.taken.size());
  SnapshotMeasures measures;
  PlainParameters weights = untrained(config, snapshots.seed);
  for (int k = -1; k < n; ++k) {
    if (k >= 0) play(config, snapshots.taken[k], weights);
    const int before = (k + 1) * each;
    auto measure = measure_weights(config, weights, [&](int done) { return go_on(before + done); }, threads);
    if (!measure) return measure.error();
    if (!*measure) return std::optional<SnapshotMeasures>();
    measures.loss.push_back((*measure)->loss);
    measures.exact_match.insert(measures.exact_match.end(), (*measure)->exact_match.begin(), (*measure)->exact_match.end());
  }
  return std::optional(measures);
}

int snapshot_sources(const Snapshots& snapshots) {
  return static_cast<int>((snapshots.taken.size() + 1) * test_examples().size());
}

std::optional<SnapshotMeasure> stored_measure(const Snapshots& snapshots, int k) {
  const size_t place = static_cast<size_t>(k + 1);
  if (place >= snapshots.measured.loss.size()) return std::nullopt;
  SnapshotMeasure measure{snapshots.measured.loss[place], {}};
  std::copy_n(snapshots.measured.exact_match.begin() + place * measured_K, measured_K, measure.exact_match.begin());
  return measure;
}

}  // namespace softalign
