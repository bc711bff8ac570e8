// Fits a probe to a trained model: the plane of its states, and linear readouts of what each encoder state knows.
#pragma once
#include <functional>
#include <optional>

#include "shared/eigen/inference_model.h"
#include "shared/io/probe.h"

namespace softalign {

// Sources of the training split that are fitted to, of each K, and those whose decoder states the plane sees, too.
inline constexpr int probe_sources_per_K = 500, plane_sources_per_K = 50;
// Added to the squared error for each squared weight of a readout.
inline constexpr double readout_penalty = 1.0;

// Asked after every source that is read, `total` in all; false ends the fit without a result.
using ProbeProgress = std::function<bool(int done, int total)>;

// Plane and readouts from the training split, accuracies from the whole test split.
Result<std::optional<Probe>> fit_probe(InferenceModel& model, const std::string& weights_sha256, const ProbeProgress& go_on);

// Fills in count, accuracy and majority of a probe from the test split; false when told to stop.
Result<bool> measure_probe(InferenceModel& model, Probe& probe, const ProbeProgress& go_on);

}  // namespace softalign
