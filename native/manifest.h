// The record of a training run that stands beside its weights: enough to repeat it and to check what the README says.
#pragma once
#include <optional>
#include <string>

#include "native/evaluation.h"
#include "native/trainer.h"

namespace softalign {

inline constexpr int manifest_version = 1;

struct TrainRecord {
  std::string name;     // of the model
  std::string command;  // that repeats the run
  std::string device;
  std::string dtype;
  std::string weights_file;  // its name, without folders
  std::span<const uint8_t> weights;
  const TrainSettings& settings;
  const TrainOutcome& outcome;
};

// "full", "quick" or "3 steps".
std::string budget_label(const TrainSettings& settings);

// `evaluation` is that of the weights file, read again; null until there is one.
Json manifest_of(const TrainRecord& record, const std::optional<Evaluation>& evaluation);

// JSON for people and for diffs: short objects and lists on one line, long ones indented.
std::string pretty(const Json& json);

}  // namespace softalign
