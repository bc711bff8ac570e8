// `softalign train`: the lab's training run, from settings to a weights file with its manifest.
#include <cstdio>
#include <thread>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/manifest.h"
#include "native/snapshot_measures.h"
#include "native/snapshots_file.h"
#include "native/terminal.h"
#include "native/torch_commands.h"
#include "native/training_checkpoint.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> written_dtypes{"f16", "f32"};
constexpr std::array<std::string_view, 3> devices{"auto", "cpu", "cuda"};
constexpr long long max_seed = 9'007'199'254'740'991;  // what every JSON reader keeps exactly
constexpr std::string_view extension = ".safetensors";

struct TrainFlags {
  std::string score = "dot", ordering = "luong", encoder = "uni", name, out, device = "auto", dtype = "f16";
  std::string gru = "own";
  int steps = full_budget, checkpoint_every = 100;
  int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, TorchModel::cpu_parts);
  uint64_t seed = 0;
  bool quick = false, force = false, resume = false, snapshots = false;

  TrainSettings settings() const {
    TrainSettings settings;
    const auto place = [](const auto& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
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
  std::string model_name() const {
    if (!name.empty()) return name;
    if (!out.empty()) return fs::path(out).stem().string();
    return (score == "none" ? "plain" : score) + (ordering == "luong" ? "" : "-" + ordering) +
           (encoder == "uni" ? "" : "-" + encoder);
  }
  fs::path weights_path() const {
    return out.empty() ? fs::path("models") / (model_name() + std::string(extension)) : fs::path(out);
  }
  fs::path manifest_path() const { return weights_path().replace_extension(".json"); }
  fs::path snapshots_path() const { return weights_path().replace_extension(".snapshots"); }
  fs::path checkpoint_path() const { return weights_path().replace_extension(".ckpt"); }
};

Status check_outputs(const TrainFlags& flags) {
  if (flags.model_name().find_first_of("/|\n") != std::string::npos)
    return {ErrorCode::BAD_VALUE, "a model's name has no '/', '|' or line break; --out chooses the folder"};
  if (flags.weights_path().extension() != extension)
    return {ErrorCode::BAD_VALUE, "--out names a file that ends with .safetensors, not " + flags.out};
  // Weights beside a checkpoint are those that its own run may replace.
  std::vector<fs::path> outputs{flags.weights_path(), flags.manifest_path()};
  if (flags.snapshots) outputs.push_back(flags.snapshots_path());
  for (const fs::path& path : outputs)
    if (auto writable = check_writable(path, flags.force || flags.resume); !writable) return writable;
  const fs::path checkpoint = flags.checkpoint_path();
  if (flags.resume) return check_writable(checkpoint, true);
  if (auto writable = check_writable(checkpoint, flags.force); !writable)
    return {writable.error().code, writable.error().message + ", and --resume goes on from it"};
  return success();
}

Result<std::optional<TrainState>> read_state(const TrainFlags& flags, const TrainSettings& settings) {
  std::optional<TrainState> state;
  if (!flags.resume) return state;
  const std::string path = flags.checkpoint_path().string();
  auto bytes = read_file(path);
  if (!bytes) return {bytes.error().code, "no run to resume: " + bytes.error().message};
  auto read = read_training_checkpoint(*bytes, settings);
  if (!read) return {read.error().code, path + ": " + read.error().message};
  if (read->learning.step > settings.steps)
    return {ErrorCode::BAD_VALUE, path + " is at step " + std::to_string(read->learning.step) + " already, beyond the " +
                                      std::to_string(settings.steps) + " steps asked for"};
  state = std::move(*read);
  return state;
}

void print_settings(const TrainFlags& flags, const TrainSettings& settings) {
  const Config& config = settings.config;
  std::printf("model    %s: %s score, %s ordering, %s encoder, %s parameters\n", flags.model_name().c_str(),
              name(config.score).c_str(), name(config.ordering).c_str(), name(config.encoder).c_str(),
              with_commas(parameter_count(config)).c_str());
  std::printf("steps    %s of batch %u, seed %llu\n", with_commas(static_cast<size_t>(settings.steps)).c_str(),
              BatchOrder::batch_size, static_cast<unsigned long long>(settings.seed));
  std::printf("writes   %s (%s) and %s; every %d steps %s\n", flags.weights_path().c_str(), flags.dtype.c_str(),
              flags.manifest_path().c_str(), settings.checkpoint_every, flags.checkpoint_path().c_str());
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

// Writes them at once, and again once they are measured; a signal leaves them unmeasured, for `softalign snapshots`.
Status write_snapshots(const TrainFlags& flags, const Config& config, Snapshots snapshots) {
  if (auto written = write_snapshots_file(flags.snapshots_path(), config, snapshots); !written) return written;
  auto measures = [&] {
    Progress line(snapshot_sources(snapshots), Progress::Elsewhere::lines);
    return measure_snapshots(config, snapshots, [&](int done) {
      line.show(done, "test sources read by the snapshots");
      return SignalWatch::caught() == 0;
    });
  }();
  if (!measures) return measures.error();
  if (!*measures) {
    std::printf("\nThe snapshots were not measured; softalign snapshots --model %s does it\n", flags.weights_path().c_str());
    return success();
  }
  snapshots.measured = std::move(**measures);
  return write_snapshots_file(flags.snapshots_path(), config, snapshots);
}

Result<std::vector<uint8_t>> weights_of(const TrainFlags& flags, const TrainSettings& settings,
                                        const TrainOutcome& outcome) {
  Checkpoint checkpoint{settings.config, outcome.params, outcome.steps, {}};
  return write_with_golden_vector(std::move(checkpoint), flags.dtype == "f32" ? DType::F32 : DType::F16);
}

// Writes the weights, then the manifest, and the manifest again once the written weights are evaluated; after that the
// checkpoint has done its work.
Result<int> save(const TrainFlags& flags, const std::string& command, const std::string& device,
                 const TrainSettings& settings, const TrainOutcome& outcome) {
  auto weights = weights_of(flags, settings, outcome);
  if (!weights) return weights.error();
  const fs::path path = flags.weights_path();
  if (auto written = write_file(path, *weights); !written) return written.error();
  if (flags.snapshots)
    if (auto written = write_snapshots(flags, settings.config, outcome.snapshots); !written) return written.error();
  const TrainRecord record{flags.model_name(),          command,  device,   flags.dtype == "f32" ? "F32" : "F16",
                           path.filename().string(), *weights, settings, outcome};
  auto write_manifest = [&](const std::optional<Evaluation>& evaluation) {
    return write_file(flags.manifest_path(), pretty(manifest_of(record, evaluation)));
  };
  if (auto written = write_manifest(std::nullopt); !written) return written.error();
  auto evaluation = evaluate_file(path);
  if (!evaluation) return evaluation.error();
  if (*evaluation) {
    if (auto written = write_manifest(*evaluation); !written) return written.error();
    std::error_code ignored;
    fs::remove(flags.checkpoint_path(), ignored);
    std::printf("\n%s", tables(**evaluation).c_str());
  } else {
    std::printf("\nThe evaluation was interrupted, so the manifest holds no numbers; the same command with --resume "
                "evaluates again, and softalign evaluate takes the weights as they are\n");
  }
  std::printf("\nWrote %s and %s (%s, %s)\n", path.c_str(), flags.manifest_path().c_str(), budget_label(settings).c_str(),
              duration(outcome.seconds).c_str());
  const int signal = SignalWatch::caught();
  return signal == 0 ? exit_code::ok : exit_code::signalled + signal;
}

Result<TrainOutcome> train_model(const TrainFlags& flags, const TrainSettings& settings,
                                 const std::optional<TrainState>& resumed, std::string& device) {
  auto started = [&](const std::string& name) {
    device = name;
    std::printf("device   %s (%s), gru %s\n", device.c_str(), torch_library().c_str(), settings.torch.gru.c_str());
    if (resumed) std::printf("resumes  %s at step %d\n", flags.checkpoint_path().c_str(), resumed->learning.step);
    std::fflush(stdout);
  };
  Progress line(settings.steps, Progress::Elsewhere::lines);
  const TrainHooks hooks{
      .report = [&](const TrainProgress& p) { line.show(p.step, progress_text(p, settings.steps)); },
      .interrupted = [] { return SignalWatch::caught() != 0; },
      .checkpoint =
          [&](const TrainState& state) -> Status {
        auto bytes = write_training_checkpoint(settings, state);
        return bytes ? write_file(flags.checkpoint_path(), *bytes) : Status(bytes.error());
      },
  };
  return train_with_torch(settings, resumed, hooks, started);
}

Result<int> run_train(const TrainFlags& flags, const std::string& command, const Invocation& invocation) {
  if (auto outputs = check_outputs(flags); !outputs) return outputs.error();
  const TrainSettings settings = flags.settings();
  if (auto legal = checked(settings.config); !legal) return legal.error();
  auto resumed = read_state(flags, settings);
  if (!resumed) return resumed.error();
  if (auto torch = enter_torch(invocation); !torch) return torch.error();
  const SignalWatch watch;
  print_settings(flags, settings);

  std::string device;
  auto outcome = train_model(flags, settings, *resumed, device);
  if (!outcome) return outcome.error();
  if (!outcome->interrupted) return save(flags, command, device, settings, *outcome);
  std::printf("\nStopped at step %d of %d; everything is in %s, and the same command with --resume goes on\n",
              outcome->steps, settings.steps, flags.checkpoint_path().c_str());
  return exit_code::signalled + SignalWatch::caught();
}

}  // namespace

Run add_train(CLI::App& app, const Invocation& invocation) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App& train = *app.add_subcommand("train", "Train a model as the lab does, and write its weights and a manifest");
  add_choice(train, "--score", flags->score, score_names, "Score function; none is the plain model without attention");
  add_choice(train, "--ordering", flags->ordering, ordering_names, "Attend after the decoder's cell, or before it");
  add_choice(train, "--encoder", flags->encoder, encoder_names,
             "Read the source from the left, from both sides, or from the right");
  CLI::Option* steps = add_number(train, "--steps", flags->steps, 1, 1'000'000, "Training steps of one batch each");
  add_switch(train, "--quick", flags->quick, "An eighth of the budget: 500 steps")->excludes(steps);
  add_number(train, "--seed", flags->seed, 0, max_seed, "Seed of the untrained weights; the data are always the same");
  add_value(train, "--name", flags->name, "NAME", "Name of the model")
      ->default_str("the score, plain for none, and what else differs");
  add_value(train, "--out", flags->out, "FILE", "Weights file; the manifest goes beside it as .json")
      ->default_str("models/NAME.safetensors");
  add_switch(train, "--force", flags->force, "Overwrite files that exist");
  add_choice(train, "--device", flags->device, devices, "auto takes a GPU where LibTorch can use one");
  add_number(train, "--threads", flags->threads, 1, 256,
             "Workers on a CPU, at most one for each of the four parts of a batch; they change no result")
      ->default_str("the cores, at most 4");
  add_choice(train, "--gru", flags->gru, gru_names,
             "Whose GRU learns on a CPU: own is fast, torch is LibTorch's, to compare with; a GPU always takes torch");
  add_number(train, "--checkpoint-every", flags->checkpoint_every, 1, 1'000'000,
             "Steps between two checkpoints, written beside the weights as .ckpt");
  add_switch(train, "--resume", flags->resume, "Go on from the checkpoint that the same command left");
  add_switch(train, "--snapshots", flags->snapshots,
             "Keep about 35 snapshots of the weights, dense at the start, in a .snapshots file beside the weights");
  add_choice(train, "--dtype", flags->dtype, written_dtypes, "Numbers in the weights file");
  train.footer("Ctrl-C stops after the current step and leaves a checkpoint; the same command with --resume goes on.");
  return [flags, &train, invocation] {
    const std::string command =
        "softalign train" + given_options(train, {"--out", "--force", "--resume", "--checkpoint-every"});
    return run_train(*flags, command, invocation);
  };
}

}  // namespace softalign
