// A model's way from its untrained weights to its last ones: stops small enough for a page, each of which runs.
//
// A snapshot holds, for every weight, how far it moved since the snapshot before as decoded, in whole units: w += unit * delta.
// A unit is a sixteenth of the root mean square of its tensor, and errors do not add up: what one snapshot rounds away or
// cuts off, the next one makes good. The start is the untrained model, which is drawn again from its seed.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "shared/io/error.h"
#include "shared/io/safetensors.h"
#include "shared/model/parameters.h"

namespace softalign {

// The format that is written, and the newest that is read.
inline constexpr int snapshots_version = 1;
// Numbers of dates that snapshots are measured for: exact_match has a column for each K from 1.
inline constexpr int measured_K = 4;

struct Snapshot {
  int step = 0;                // training steps behind it
  std::vector<float> units;    // one a tensor, in the order of each_parameter
  std::vector<int8_t> deltas;  // one a weight, in the same order
};

// What a run's snapshots are measured to do, the untrained model first; empty until then.
struct SnapshotMeasures {
  std::vector<float> loss;         // (1 + n) nats per token under teacher forcing, over the test split
  std::vector<float> exact_match;  // (1 + n, measured_K) free running
};

struct Snapshots {
  uint64_t seed = 0;  // of the untrained model
  std::vector<Snapshot> taken;
  SnapshotMeasures measured;
};

// The snapshot that follows one whose weights decode to `decoded`, which moves on to this one's.
Snapshot take_snapshot(const Config& config, int step, const PlainParameters& params, PlainParameters& decoded);
// From the weights of the snapshot before, or the untrained ones, to those of `next`.
void play(const Config& config, const Snapshot& next, PlainParameters& weights);

// As tensors of a safetensors file, their names behind `prefix`: each weight by its name as I8 (n, its shape), its units as
// NAME.unit (n), and loss and exact_match once measured. `numbers` holds what the tensors point to.
void add_tensors(const Config& config, const Snapshots& snapshots, const std::string& prefix,
                 std::vector<std::vector<float>>& numbers, std::vector<TensorValues>& tensors);
// Their steps, as metadata; the seed stands under softalign.seed.
void add_metadata(const Snapshots& snapshots, Metadata& metadata);
// BAD_WEIGHTS when something is missing or has another shape than a model of `config` asks for.
Result<Snapshots> snapshots_of(const Config& config, std::span<const uint8_t> file, const Header& header,
                               const std::string& prefix);

// A whole file. It is kept compressed by gzip, as NAME.snapshots; this is what is inside.
Result<std::vector<uint8_t>> write_snapshots(const Config& config, const Snapshots& snapshots);
// Errors: those of read_header and snapshots_of; NEWER_FORMAT; WRONG_MODEL for a file of another config.
Result<Snapshots> read_snapshots(const Config& config, std::span<const uint8_t> file);

}  // namespace softalign
