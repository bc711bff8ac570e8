// What the snapshots of a run can do, measured on the test split from the weights that they decode to.
#pragma once
#include <array>
#include <functional>
#include <optional>

#include "native/evaluation.h"
#include "shared/io/snapshots.h"

namespace softalign {

struct SnapshotMeasure {
  float loss = 0;                              // nats per token under teacher forcing
  std::array<float, measured_K> exact_match{};  // free running, for K = 1 and on
  bool operator==(const SnapshotMeasure&) const = default;
};

// Asked after every source with the number of all so far; false ends the measuring without a result.
using GoOn = std::function<bool(int done)>;

// The snapshot at place k of those taken, or the untrained model for k = -1.
Result<std::optional<SnapshotMeasure>> measure_snapshot(const Config& config, const Snapshots& snapshots, int k,
                                                        const GoOn& go_on, int threads = all_cores());

// All of them, the untrained model first. Sources in all: snapshot_sources.
Result<std::optional<SnapshotMeasures>> measure_snapshots(const Config& config, const Snapshots& snapshots,
                                                          const GoOn& go_on, int threads = all_cores());
int snapshot_sources(const Snapshots& snapshots);

// What was stored for a place as measure_snapshot counts them; nothing when the file was never measured.
std::optional<SnapshotMeasure> stored_measure(const Snapshots& snapshots, int k);

}  // namespace softalign
