// The LibTorch side of the command line, linked into softalign-torch.
#include <algorithm>
#include <cmath>

#include "native/batch.h"
#include "native/torch_commands.h"
#include "native/torch_model.h"

namespace softalign {
namespace {

// Of each row of V logits.
std::vector<float> log_softmax(std::span<const float> z, int V) {
  std::vector<float> log_probs;
  log_probs.reserve(z.size());
  for (; !z.empty(); z = z.subspan(V)) {
    const std::span<const float> row = z.first(V);
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const float logit : row) sum += std::exp(logit - largest);
    for (const float logit : row) log_probs.push_back(static_cast<float>(logit - largest - std::log(sum)));
  }
  return log_probs;
}

class TorchJudge : public Judge {
 public:
  TorchJudge(const Config& config, std::unique_ptr<TorchModel> model) : config_(config), model_(std::move(model)) {}
  Decoded greedy(const Source& source, int max_len) override { return model_->greedy(source, max_len); }
  Decoded score_target(const Source& source, std::span<const int32_t> target) override {
    const EncodedExample example{source.ids(), {target.begin(), target.end()}};
    const EncodedExample* examples[] = {&example};
    const auto batch = make_batch(examples);
    assert(batch && "a Source has at least one id");
    auto [z, alpha] = model_->forward(*batch);
    Decoded decoded;
    decoded.tokens = example.target;
    decoded.alpha.weights = std::move(alpha);
    decoded.log_probs = log_softmax(z, config_.V_tgt);
    decoded.z = std::move(z);
    conclude(config_, batch->S, decoded);
    return decoded;
  }
  std::string name() const override { return "torch on " + model_->device(); }

 private:
  Config config_;
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
  return std::unique_ptr<Judge>(std::make_unique<TorchJudge>(checkpoint.config, std::move(*model)));
}

std::string torch_library() { return TorchModel::library(); }

}  // namespace softalign
