// `softalign train`: the lab's training run, from settings to a weights file with its manifest.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/manifest.h"
#include "native/terminal.h"
#include "native/torch_commands.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> written_dtypes{"f16", "f32"};
constexpr std::array<std::string_view, 3> devices{"auto", "cpu", "cuda"};
constexpr long long max_seed = 9'007'199'254'740'991;  // what every JSON reader keeps exactly
constexpr std::string_view extension = ".safetensors";

struct TrainFlags {
  std::string score = "dot", name, out, device = "auto", dtype = "f16";
  int steps = full_budget, threads = 1;
  uint64_t seed = 0;
  bool quick = false, force = false;

  TrainSettings settings() const {
    TrainSettings settings;
    const auto found = std::find(score_names.begin(), score_names.end(), score);
    settings.config.score = static_cast<Score>(found - score_names.begin());
    settings.steps = quick ? quick_budget : steps;
    settings.seed = seed;
    settings.device = device;
    settings.threads = threads;
    return settings;
  }
  std::string model_name() const {
    if (!name.empty()) return name;
    if (!out.empty()) return fs::path(out).stem().string();
    return score == "none" ? "plain" : score;
  }
  fs::path weights_path() const {
    return out.empty() ? fs::path("models") / (model_name() + std::string(extension)) : fs::path(out);
  }
  fs::path manifest_path() const { return weights_path().replace_extension(".json"); }
};

Status check_outputs(const TrainFlags& flags) {
  if (flags.model_name().find_first_of("/|\n") != std::string::npos)
    return {ErrorCode::BAD_VALUE, "a model's name has no '/', '|' or line break; --out chooses the folder"};
  if (flags.weights_path().extension() != extension)
    return {ErrorCode::BAD_VALUE, "--out names a file that ends with .safetensors, not " + flags.out};
  for (const fs::path& path : {flags.weights_path(), flags.manifest_path()})
    if (auto writable = check_writable(path, flags.force); !writable) return writable;
  return success();
}

void print_settings(const TrainFlags& flags, const TrainSettings& settings) {
  const Config& config = settings.config;
  std::printf("model    %s: %s score, %s ordering, %s encoder, %s parameters\n", flags.model_name().c_str(),
              name(config.score).c_str(), name(config.ordering).c_str(), name(config.encoder).c_str(),
              with_commas(parameter_count(config)).c_str());
  std::printf("steps    %s of batch %u, seed %llu\n", with_commas(static_cast<size_t>(settings.steps)).c_str(),
              BatchOrder::batch_size, static_cast<unsigned long long>(settings.seed));
  std::printf("writes   %s (%s) and %s\n", flags.weights_path().c_str(), flags.dtype.c_str(),
              flags.manifest_path().c_str());
  std::fflush(stdout);
}

std::string progress_text(const TrainProgress& progress, int steps) {
  const double rate = progress.seconds > 0 ? progress.step / progress.seconds : 0;
  char text[96];
  std::snprintf(text, sizeof text, "loss %.4f  %.1f steps/s  ", progress.loss, rate);
  if (progress.step == steps) return text + duration(progress.seconds);
  return text + (rate > 0 ? duration((steps - progress.step) / rate) : std::string("?")) + " left";
}

// The evaluation of the weights file as it lies on the disk; nothing when a signal came.
Result<std::optional<Evaluation>> evaluate_file(const fs::path& path) {
  auto checkpoint = load_checkpoint(path);
  if (!checkpoint) return checkpoint.error();
  const bool attends = checkpoint->config.attends();
  auto judge = make_judge("eigen", path, std::move(*checkpoint), {});
  if (!judge) return judge.error();
  const std::vector<Example> examples = examples_of("test", 0);
  Progress line(static_cast<int>(examples.size()), Progress::Elsewhere::nothing);
  return evaluate(**judge, attends, "test", examples, [&](int done) {
    line.show(done, "test sources read by the written model");
    return SignalWatch::caught() == 0;
  });
}

Result<std::vector<uint8_t>> weights_of(const TrainFlags& flags, const TrainSettings& settings,
                                        const TrainOutcome& outcome) {
  Checkpoint checkpoint{settings.config, outcome.params, outcome.steps, {}};
  return write_with_golden_vector(std::move(checkpoint), flags.dtype == "f32" ? DType::F32 : DType::F16);
}

// Writes the weights, then the manifest, and the manifest again once the written weights are evaluated.
Result<int> save(const TrainFlags& flags, const std::string& command, const std::string& device,
                 const TrainSettings& settings, const TrainOutcome& outcome) {
  auto weights = weights_of(flags, settings, outcome);
  if (!weights) return weights.error();
  const fs::path path = flags.weights_path();
  if (auto written = write_file(path, *weights); !written) return written.error();
  const TrainRecord record{flags.model_name(),          command,  device,   flags.dtype == "f32" ? "F32" : "F16",
                           path.filename().string(), *weights, settings, outcome};
  auto write_manifest = [&](const std::optional<Evaluation>& evaluation) {
    return write_file(flags.manifest_path(), pretty(manifest_of(record, evaluation)));
  };
  if (auto written = write_manifest(std::nullopt); !written) return written.error();
  if (!outcome.interrupted) {
    auto evaluation = evaluate_file(path);
    if (!evaluation) return evaluation.error();
    if (*evaluation) {
      if (auto written = write_manifest(*evaluation); !written) return written.error();
      std::printf("\n%s", tables(**evaluation).c_str());
    } else {
      std::printf("\nThe evaluation was interrupted, so the manifest holds no numbers; softalign evaluate takes the "
                  "weights as they are\n");
    }
  }
  const std::string label = budget_label(settings, outcome);
  std::printf("\nWrote %s and %s (%s, %s)\n", path.c_str(), flags.manifest_path().c_str(), label.c_str(),
              duration(outcome.seconds).c_str());
  const int signal = SignalWatch::caught();
  return signal == 0 ? exit_code::ok : exit_code::signalled + signal;
}

Result<int> run_train(const TrainFlags& flags, const std::string& command, const Invocation& invocation) {
  if (auto outputs = check_outputs(flags); !outputs) return outputs.error();
  if (auto torch = enter_torch(invocation); !torch) return torch.error();
  const SignalWatch watch;
  const TrainSettings settings = flags.settings();
  print_settings(flags, settings);

  std::string device;
  auto started = [&](const std::string& name) {
    device = name;
    std::printf("device   %s (%s)\n", device.c_str(), torch_library().c_str());
    std::fflush(stdout);
  };
  Result<TrainOutcome> outcome = [&] {
    Progress line(settings.steps, Progress::Elsewhere::lines);
    return train_with_torch(
        settings, started, [&](const TrainProgress& p) { line.show(p.step, progress_text(p, settings.steps)); },
        [] { return SignalWatch::caught() != 0; });
  }();
  if (!outcome) return outcome.error();
  return save(flags, command, device, settings, *outcome);
}

}  // namespace

Run add_train(CLI::App& app, const Invocation& invocation) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App& train = *app.add_subcommand("train", "Train a model as the lab does, and write its weights and a manifest");
  add_choice(train, "--score", flags->score, score_names, "Score function; none is the plain model without attention");
  CLI::Option* steps = add_number(train, "--steps", flags->steps, 1, 1'000'000, "Training steps of one batch each");
  add_switch(train, "--quick", flags->quick, "An eighth of the budget: 500 steps")->excludes(steps);
  add_number(train, "--seed", flags->seed, 0, max_seed, "Seed of the untrained weights; the data are always the same");
  add_value(train, "--name", flags->name, "NAME", "Name of the model")
      ->default_str("the score; plain for none");
  add_value(train, "--out", flags->out, "FILE", "Weights file; the manifest goes beside it as .json")
      ->default_str("models/NAME.safetensors");
  add_switch(train, "--force", flags->force, "Overwrite files that exist");
  add_choice(train, "--device", flags->device, devices, "auto takes a GPU where LibTorch can use one");
  add_number(train, "--threads", flags->threads, 1, 256, "LibTorch's threads within one operation");
  add_choice(train, "--dtype", flags->dtype, written_dtypes, "Numbers in the weights file");
  train.footer("Ctrl-C stops after the current step and saves what there is.");
  return [flags, &train, invocation] {
    return run_train(*flags, "softalign train" + given_options(train, {"--out", "--force"}), invocation);
  };
}

}  // namespace softalign
