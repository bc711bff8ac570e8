// The training loop around TorchModel.
#include "native/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace softalign {

Result<Trainer> Trainer::create(const TrainSettings& settings) {
  auto config = checked(settings.config);
  if (!config) return config.error();
  if (settings.steps < 1) return {ErrorCode::BAD_VALUE, "training needs at least one step"};
  Random random(settings.seed);
  Trainer trainer;
  trainer.decoded_ = initialise(*config, random);
  trainer.snapshots_.seed = settings.seed;
  auto model = TorchModel::create(*config, trainer.decoded_, settings.torch);
  if (!model) return model.error();

  std::vector<EncodedExample> examples;
  for (const Example& example : train_split()) {
    auto encoded = encode_example(example.source, example.target);
    if (!encoded) return encoded.error();
    examples.push_back(std::move(*encoded));
  }
  if (auto kept = (*model)->keep(examples); !kept) return kept.error();
  trainer.settings_ = settings;
  trainer.model_ = std::move(*model);
  return trainer;
}

void Trainer::resume(const TrainState& state) {
  model_->restore(state.learning);
  order_ = state.order;
  losses_ = state.losses;
  step_ = state.learning.step;
  seconds_ = state.seconds;
  snapshots_ = state.snapshots;
  for (const Snapshot& snapshot : snapshots_.taken) play(settings_.config, snapshot, decoded_);
}

void Trainer::take_snapshot_where_due() {
  if (!settings_.snapshots) return;
  const bool due = std::find(std::begin(snapshot_steps), std::end(snapshot_steps), step_) != std::end(snapshot_steps);
  if (due || step_ == settings_.steps)
    snapshots_.taken.push_back(take_snapshot(settings_.config, step_, model_->parameters(), decoded_));
}

Status Trainer::save(const TrainHooks& hooks, double seconds) {
  return hooks.checkpoint({model_->learning_state(), order_, losses_, seconds, snapshots_});
}

Result<TrainOutcome> Trainer::run(const TrainHooks& hooks) {
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  bool interrupted = false;
  while (step_ < settings_.steps && !interrupted) {
    if (auto learned = model_->train_step(order_.next()); !learned) return learned.error();
    ++step_;
    take_snapshot_where_due();
    interrupted = step_ < settings_.steps && hooks.interrupted();

    const bool last = step_ == settings_.steps;
    if (step_ == 1 || step_ % report_every == 0 || last || interrupted) {
      const TrainProgress progress{step_, model_->last_loss(), seconds()};
      if (!std::isfinite(progress.loss))
        return {ErrorCode::NOT_FINITE, "the loss is no longer a number at step " + std::to_string(step_) +
                                           "; the last checkpoint is as it was"};
      hooks.report(progress);
      // An interruption leaves no trace in the record, so that a resumed run has the same one as an uninterrupted run.
      if (step_ == 1 || step_ % report_every == 0 || last) losses_.push_back(progress);
    }
    // The last one too: the weights are still to be written and evaluated, and a signal may come before that is done.
    if (interrupted || last || step_ % settings_.checkpoint_every == 0)
      if (auto saved = save(hooks, seconds()); !saved) return saved.error();
  }
  return TrainOutcome{model_->parameters(), step_, interrupted, seconds(), losses_, snapshots_};
}

}  // namespace softalign
