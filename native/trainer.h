// The lab's training loop: its splits, its batch order, its budget, for any score function.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "native/torch_model.h"

namespace softalign {

inline constexpr int full_budget = 4000, quick_budget = 500;

struct TrainSettings {
  Config config;
  int steps = full_budget;
  uint64_t seed = 0;  // of the untrained weights; the batch order is the same for every model and seed
  std::string device = "auto";
  int threads = 1;
};

struct TrainProgress {
  int step = 0;         // steps done
  double loss = 0;      // of the last step, nats per token
  double seconds = 0;   // since the first step began
};

struct TrainOutcome {
  PlainParameters params;
  int steps = 0;  // fewer than asked for when interrupted
  bool interrupted = false;
  double seconds = 0;
  std::vector<TrainProgress> losses;  // every `report_every` steps, the first and the last one
};

class Trainer {
 public:
  static constexpr int report_every = 10;

  // Draws the untrained model and encodes the training split. Errors: NO_DEVICE, BAD_VALUE.
  static Result<Trainer> create(const TrainSettings& settings);

  const std::string& device() const { return model_->device(); }
  // Trains until the budget is spent or `interrupted` says so (asked after every step).
  // NOT_FINITE, naming the step, when the loss is no longer a number.
  Result<TrainOutcome> run(const std::function<void(const TrainProgress&)>& report,
                           const std::function<bool()>& interrupted);

 private:
  Trainer() = default;
  TrainSettings settings_;
  std::unique_ptr<TorchModel> model_;
  std::vector<EncodedExample> examples_;
};

}  // namespace softalign
