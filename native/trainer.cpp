// The training loop around TorchModel.
#include "native/trainer.h"

#include <chrono>
#include <cmath>

#include "shared/task/dates.h"

namespace softalign {

Result<Trainer> Trainer::create(const TrainSettings& settings) {
  auto config = checked(settings.config);
  if (!config) return config.error();
  if (settings.steps < 1) return {ErrorCode::BAD_VALUE, "training needs at least one step"};
  Random random(settings.seed);
  auto model = TorchModel::create(*config, initialise(*config, random), settings.device, settings.threads);
  if (!model) return model.error();

  Trainer trainer;
  trainer.settings_ = settings;
  trainer.model_ = std::move(*model);
  for (const Example& example : train_split()) {
    auto encoded = encode_example(example.source, example.target);
    if (!encoded) return encoded.error();
    trainer.examples_.push_back(std::move(*encoded));
  }
  return trainer;
}

Result<TrainOutcome> Trainer::run(const std::function<void(const TrainProgress&)>& report,
                                  const std::function<bool()>& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  TrainOutcome outcome;
  BatchOrder order;
  std::vector<const EncodedExample*> chosen;
  while (outcome.steps < settings_.steps && !outcome.interrupted) {
    chosen.clear();
    for (uint32_t index : order.next()) chosen.push_back(&examples_[index]);
    auto batch = make_batch(chosen);
    if (!batch) return batch.error();
    auto learned = model_->train_step(*batch);
    if (!learned) return learned.error();
    ++outcome.steps;
    outcome.interrupted = interrupted();

    const bool last = outcome.steps == settings_.steps || outcome.interrupted;
    if (outcome.steps != 1 && outcome.steps % report_every != 0 && !last) continue;
    const TrainProgress progress{outcome.steps, model_->last_loss(), seconds()};
    if (!std::isfinite(progress.loss))
      return {ErrorCode::NOT_FINITE, "the loss is no longer a number at step " + std::to_string(outcome.steps) +
                                         "; nothing was saved"};
    outcome.losses.push_back(progress);
    report(progress);
  }
  outcome.interrupted = outcome.steps < settings_.steps;
  outcome.seconds = seconds();
  outcome.params = model_->parameters();
  return outcome;
}

}  // namespace softalign
