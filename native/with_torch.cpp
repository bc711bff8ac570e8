// The LibTorch side of the command line, linked into softalign-torch.
#include "native/torch_commands.h"
#include "native/torch_model.h"

namespace softalign {
namespace {

class TorchJudge : public Judge {
 public:
  explicit TorchJudge(std::unique_ptr<TorchModel> model) : model_(std::move(model)) {}
  Decoded greedy(const Source& source, int max_len) override { return model_->greedy(source, max_len); }
  Decoded score_target(const Source& source, std::span<const int32_t> target) override {
    return model_->score_target(source, target);
  }
  std::string name() const override { return "torch on " + model_->device(); }

 private:
  std::unique_ptr<TorchModel> model_;
};

}  // namespace

Status enter_torch(const Invocation&) { return success(); }

Result<TrainOutcome> train_with_torch(const TrainSettings& settings, const std::optional<TrainState>& resumed,
                                      const TrainHooks& hooks, const Started& started) {
  auto trainer = Trainer::create(settings);
  if (!trainer) return trainer.error();
  if (resumed) trainer->resume(*resumed);
  started(trainer->device());
  return trainer->run(hooks);
}

Result<TrainOutcome> overfit_with_torch(const TrainSettings& settings, const TrainHooks& hooks, const Started& started) {
  auto trainer = Trainer::create(settings);
  if (!trainer) return trainer.error();
  started(trainer->device());
  return trainer->overfit(hooks);
}

Result<std::unique_ptr<Judge>> torch_judge(const Checkpoint& checkpoint) {
  auto model = TorchModel::create(checkpoint.config, checkpoint.params, {});
  if (!model) return model.error();
  return std::unique_ptr<Judge>(std::make_unique<TorchJudge>(std::move(*model)));
}

std::string torch_library() { return TorchModel::library(); }

}  // namespace softalign
