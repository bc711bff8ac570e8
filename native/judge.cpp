// Loads a weights file and lets a backend answer.
#include "native/judge.h"

#include "native/file.h"
#include "native/torch_commands.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

class EigenJudge : public Judge {
 public:
  EigenJudge(std::unique_ptr<InferenceModel> model, std::shared_ptr<const Checkpoint> checkpoint)
      : model_(std::move(model)), checkpoint_(std::move(checkpoint)) {}
  Decoded greedy(const Source& source, int max_len) override { return model_->greedy(source, max_len); }
  Decoded score_target(const Source& source, std::span<const int32_t> target) override {
    return model_->score_target(source, target);
  }
  Result<BeamSearch> beam(const Source& source, const BeamSettings& settings) override {
    return model_->beam(source, settings);
  }
  std::string name() const override { return "eigen"; }
  std::unique_ptr<Judge> twin() const override {
    auto model = InferenceModel::create(*checkpoint_);
    if (!model) return nullptr;  // no memory for it
    return std::make_unique<EigenJudge>(std::move(*model), checkpoint_);
  }

 private:
  std::unique_ptr<InferenceModel> model_;
  std::shared_ptr<const Checkpoint> checkpoint_;
};

}  // namespace

Result<Checkpoint> load_checkpoint(const std::filesystem::path& path) {
  auto bytes = read_file(path);
  if (!bytes) return {bytes.error().code, bytes.error().message + " (--model names the weights file)"};
  auto checkpoint = read_checkpoint(*bytes);
  if (!checkpoint) return {checkpoint.error().code, path.string() + ": " + checkpoint.error().message};
  if (auto fits = check_vocabularies(*checkpoint, source_characters, target_characters); !fits)
    return {fits.error().code, path.string() + ": " + fits.error().message};
  return checkpoint;
}

Result<std::unique_ptr<Judge>> make_judge(const std::string& backend, const std::filesystem::path& path,
                                          Checkpoint checkpoint, const Invocation& invocation) {
  auto model = InferenceModel::create(checkpoint);  // for torch too: LibTorch would run swapped gates without a word
  if (!model) return {model.error().code, path.string() + ": " + model.error().message};
  if (backend != "torch")
    return std::unique_ptr<Judge>(
        std::make_unique<EigenJudge>(std::move(*model), std::make_shared<const Checkpoint>(std::move(checkpoint))));
  if (auto torch = enter_torch(invocation); !torch) return torch.error();
  return torch_judge(checkpoint);
}

std::string describe(const Checkpoint& checkpoint) {
  const Config& config = checkpoint.config;
  return (config.attends() ? name(config.score) + " score, " + name(config.ordering) + " ordering, " : "no attention, ") +
         name(config.encoder) + " encoder, " + with_commas(parameter_count(config)) + " parameters, " +
         (checkpoint.steps > 0 ? with_commas(static_cast<size_t>(checkpoint.steps)) + " training steps"
                               : "training steps not stated");
}

std::string with_commas(size_t number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

}  // namespace softalign
