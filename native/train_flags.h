// The flags of `softalign train`, and what they say together: settings, names and paths.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "native/pinned_models.h"
#include "native/trainer.h"

namespace softalign {

inline constexpr std::string_view weights_extension = ".safetensors";

struct TrainFlags {
  std::string score = "dot", ordering = "luong", encoder = "uni", name, out, device = "auto", dtype = "f16", gru = "own", log;
  std::string folder = "models";
  int steps = full_budget, checkpoint_every = 100;
  int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, TorchModel::cpu_parts);
  uint64_t seed = 0;
  bool quick = false, force = false, resume = false, snapshots = false, all = false, overfit = false;

  TrainSettings settings() const {
    const auto place = [](const auto& names, const std::string& word) {
      return std::find(std::begin(names), std::end(names), word) - std::begin(names);
    };
    TrainSettings settings;
    settings.config.score = static_cast<Score>(place(score_names, score));
    settings.config.ordering = static_cast<Ordering>(place(ordering_names, ordering));
    settings.config.encoder = static_cast<Encoder>(place(encoder_names, encoder));
    settings.steps = quick ? quick_budget : steps;
    settings.seed = seed;
    settings.checkpoint_every = checkpoint_every;
    settings.snapshots = snapshots;
    settings.torch = {device, std::min(threads, TorchModel::cpu_parts), gru};
    return settings;
  }
  // The name of the pinned model of this kind, else one made of the words that are not usual.
  std::string model_name() const {
    if (!name.empty()) return name;
    if (!out.empty()) return std::filesystem::path(out).stem().string();
    for (const PinnedModel& model : pinned_models)
      if (model.score == score && model.ordering == ordering && model.encoder == encoder) return std::string(model.name);
    return (score == "none" ? "plain" : score) + (ordering == "luong" ? "" : "-" + ordering) +
           (encoder == "uni" ? "" : "-" + encoder);
  }
  std::filesystem::path weights_path() const {
    return out.empty() ? std::filesystem::path(folder) / (model_name() + std::string(weights_extension))
                       : std::filesystem::path(out);
  }
  std::filesystem::path manifest_path() const { return weights_path().replace_extension(".json"); }
  std::filesystem::path snapshots_path() const { return weights_path().replace_extension(".snapshots"); }
  std::filesystem::path checkpoint_path() const { return weights_path().replace_extension(".ckpt"); }
  std::filesystem::path lock_path() const { return weights_path().replace_extension(".lock"); }
};

}  // namespace softalign
