// The lab's training loop: its splits, its batch order, its budget, for any score function.
#pragma once
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "native/torch_model.h"
#include "shared/io/snapshots.h"
#include "shared/task/dates.h"

namespace softalign {

inline constexpr int full_budget = 4000, quick_budget = 500;
// Steps after which a snapshot is taken, dense where most is learnt; the last step of a run is one in any case.
inline constexpr int snapshot_steps[] = {5,   10,  20,  30,  40,  50,  60,  70,  80,   90,   100,  120,  140,  160,  180,  200,  225, 250,
                                         275, 300, 350, 400, 450, 500, 600, 700, 800, 1000, 1250, 1500, 2000, 2500, 3000, 3500, 4000};

struct TrainSettings {
  Config config;
  int steps = full_budget;
  uint64_t seed = 0;           // of the untrained weights; the batch order is the same for every model and seed
  int checkpoint_every = 100;  // steps
  bool snapshots = false;      // whether they are taken
  TorchSettings torch{.gru = "own"};
};

struct TrainProgress {
  int step = 0;              // steps done
  double loss = 0;           // of the last step, nats per token
  double seconds = 0;        // of training so far
  double gradient_norm = 0;  // of the last step, before clipping; not kept in checkpoints
};

// A run between two steps: all that the next ones depend on, and its record.
struct TrainState {
  LearningState learning;
  BatchOrder order;
  std::vector<TrainProgress> losses;  // every `report_every` steps, the first and the last one
  double seconds = 0;                 // of training, over all its sittings
  Snapshots snapshots;                // none where they are not asked for
  double last_loss = NAN;             // of the last step, which becomes the last entry when the run ends here
};

struct TrainOutcome {
  PlainParameters params;
  int steps = 0;   // fewer than asked for when interrupted
  int learnt = 0;  // of them in this sitting
  bool interrupted = false;
  double seconds = 0;
  std::optional<Error> unsaved;  // why the last checkpoint, which holds these steps, could not be written
  std::vector<TrainProgress> losses;
  Snapshots snapshots;
};

// What the trainer tells and asks while it runs.
struct TrainHooks {
  std::function<void(const TrainProgress&)> report;
  std::function<bool()> interrupted;                      // asked after every step, and while the data are drawn
  std::function<Status(const TrainState&)> checkpoint = {};  // every `checkpoint_every` steps, at the end, when interrupted
  std::function<void(const Error&)> not_saved = {};       // hears why a checkpoint on the way failed; training goes on
  std::function<void(int step)> snapshot = {};            // hears that one was taken
};

class Trainer {
 public:
  static constexpr int report_every = 10;
  static constexpr double overfit_goal = 0.1;  // nats per token

  // Draws the untrained model on its device. Errors: NO_DEVICE, BAD_VALUE.
  static Result<Trainer> create(const TrainSettings& settings);

  const std::string& device() const { return model_->device(); }
  // Goes on from a state of an earlier run with the same settings.
  void resume(const TrainState& state);
  // Draws and encodes the training split, then trains until the budget is spent or a signal came. NOT_FINITE, naming the
  // first bad step and what was bad, with the last checkpoint as it was; NO_DEVICE when a GPU computes another model than
  // the CPU does.
  Result<TrainOutcome> run(const TrainHooks& hooks);
  // Learns the first batch again and again until its loss is below `overfit_goal`, at most for the budget.
  Result<TrainOutcome> overfit(const TrainHooks& hooks);

 private:
  Trainer() = default;
  // False when interrupted.
  Result<bool> read_data(const TrainHooks& hooks);
  // What the device says of the last step, once none of the steps met trouble.
  Result<TrainProgress> progress(double seconds) const;
  Status save(const TrainHooks& hooks, double seconds, bool final);
  void take_snapshot_where_due(const TrainHooks& hooks);

  TrainSettings settings_;
  std::unique_ptr<TorchModel> model_;
  BatchOrder order_;
  std::vector<TrainProgress> losses_;
  int step_ = 0, resumed_at_ = 0;
  double seconds_ = 0;  // of earlier sittings
  double last_loss_ = NAN;
  Snapshots snapshots_;
  PlainParameters decoded_;  // the weights of the last snapshot, or the untrained ones
  std::optional<Error> unsaved_;
};

}  // namespace softalign
