// The training loop around TorchModel.
#include "native/trainer.h"

#include <algorithm>
#include <chrono>

namespace softalign {
namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

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
  trainer.settings_ = settings;
  trainer.model_ = std::move(*model);
  return trainer;
}

void Trainer::resume(const TrainState& state) {
  model_->restore(state.learning);
  order_ = state.order;
  losses_ = state.losses;
  step_ = resumed_at_ = state.learning.step;
  seconds_ = state.seconds;
  last_loss_ = state.last_loss;
  snapshots_ = state.snapshots;
  for (const Snapshot& snapshot : snapshots_.taken) play(settings_.config, snapshot, decoded_);
}

void Trainer::take_snapshot_where_due(const TrainHooks& hooks) {
  if (!settings_.snapshots) return;
  const bool due = std::find(std::begin(snapshot_steps), std::end(snapshot_steps), step_) != std::end(snapshot_steps);
  if (!due && step_ != settings_.steps) return;
  snapshots_.taken.push_back(take_snapshot(settings_.config, step_, model_->parameters(), decoded_));
  hooks.snapshot(step_);
}

Result<bool> Trainer::read_data(const TrainHooks& hooks) {
  if (hooks.interrupted()) return false;
  std::vector<EncodedExample> examples;
  for (const Example& example : train_split()) {
    if (hooks.interrupted()) return false;
    auto encoded = encode_example(example.source, example.target);
    if (!encoded) return encoded.error();
    examples.push_back(std::move(*encoded));
  }
  if (auto kept = model_->keep(examples); !kept) return kept.error();
  if (auto same = model_->compare_with_cpu(BatchOrder().next()); !same) return same.error();
  return !hooks.interrupted();
}

Result<TrainProgress> Trainer::progress(double seconds) const {
  if (const auto trouble = model_->trouble())
    return {ErrorCode::NOT_FINITE, describe(*trouble) + "; no weight took it up, and the last checkpoint is as it was"};
  return TrainProgress{step_, model_->last_loss(), seconds, model_->last_gradient_norm()};
}

Status Trainer::save(const TrainHooks& hooks, double seconds, bool final) {
  unsaved_.reset();
  auto saved = hooks.checkpoint({model_->learning_state(), order_, losses_, seconds, snapshots_, last_loss_});
  if (saved) return success();
  if (saved.error().code != ErrorCode::CANNOT_WRITE) return saved.error();
  unsaved_ = saved.error();
  if (!final) hooks.not_saved(*unsaved_);
  return success();
}

Result<TrainOutcome> Trainer::run(const TrainHooks& hooks) {
  Result<bool> ready = true;
  if (step_ < settings_.steps) ready = read_data(hooks);
  if (!ready) return ready.error();
  const Stopwatch sitting;
  auto seconds = [&] { return seconds_ + sitting.seconds(); };
  bool interrupted = !*ready;
  while (step_ < settings_.steps && !interrupted) {
    if (auto learned = model_->train_step(order_.next()); !learned) return learned.error();
    ++step_;
    take_snapshot_where_due(hooks);
    const bool last = step_ == settings_.steps, kept = step_ == 1 || step_ % report_every == 0 || last;
    interrupted = !last && hooks.interrupted();
    const bool save_now = interrupted || last || step_ % settings_.checkpoint_every == 0;
    if (!kept && !save_now) continue;
    auto now = progress(seconds());
    if (!now) return now.error();
    last_loss_ = now->loss;
    if (kept || interrupted) hooks.report(*now);
    // A stop leaves no trace in the record, so that a resumed run has the same one as an uninterrupted run.
    if (kept) losses_.push_back(*now);
    // The last one too: the weights are still to be written and evaluated, and a signal may come before that is done.
    if (save_now)
      if (auto saved = save(hooks, seconds(), interrupted || last); !saved) return saved.error();
  }
  // A run that was stopped at a step, and is now asked for no more than that.
  if (!interrupted && std::isfinite(last_loss_) && (losses_.empty() || losses_.back().step != step_))
    losses_.push_back({step_, last_loss_, seconds_});
  return TrainOutcome{model_->parameters(), step_, step_ - resumed_at_, interrupted, seconds(), unsaved_, losses_, snapshots_};
}

Result<TrainOutcome> Trainer::overfit(const TrainHooks& hooks) {
  auto ready = read_data(hooks);
  if (!ready) return ready.error();
  const Stopwatch sitting;
  const auto batch = order_.next();
  bool interrupted = !*ready;
  for (double loss = INFINITY; step_ < settings_.steps && !interrupted && loss >= overfit_goal;) {
    if (auto learned = model_->train_step(batch); !learned) return learned.error();
    ++step_;
    interrupted = hooks.interrupted();
    if (step_ != 1 && step_ % report_every != 0 && step_ != settings_.steps) continue;
    auto now = progress(sitting.seconds());
    if (!now) return now.error();
    hooks.report(*now);
    losses_.push_back(*now);
    loss = now->loss;
  }
  return TrainOutcome{{}, step_, step_, interrupted, sitting.seconds(), {}, losses_, {}};
}

}  // namespace softalign
