// `softalign train`: the lab's training run, from settings to a weights file with its manifest.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/manifest.h"
#include "native/manifest_facts.h"
#include "native/snapshot_measures.h"
#include "native/snapshots_file.h"
#include "native/terminal.h"
#include "native/torch_commands.h"
#include "native/train_all.h"
#include "native/train_files.h"
#include "native/version.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> written_dtypes{"f16", "f32"};
constexpr std::array<std::string_view, 3> devices{"auto", "cpu", "cuda"};
constexpr long long max_seed = 9'007'199'254'740'991;  // what every JSON reader keeps exactly
constexpr int overfit_budget = 1000;                   // steps

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

// Measures the snapshots that are written already, and writes them again with their numbers; false when a signal came, which
// leaves them as they are.
Result<bool> finish_snapshots(const TrainFlags& flags, const Config& config, Snapshots snapshots) {
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
    return false;
  }
  snapshots.measured = std::move(**measures);
  if (auto written = write_snapshots_file(flags.snapshots_path(), config, snapshots); !written) return written.error();
  return true;
}

Result<std::vector<uint8_t>> weights_of(const TrainFlags& flags, const TrainSettings& settings,
                                        const TrainOutcome& outcome) {
  Checkpoint checkpoint{settings.config, outcome.params, outcome.steps, {}};
  return write_with_golden_vector(std::move(checkpoint), flags.dtype == "f32" ? DType::F32 : DType::F16);
}

// Writes the weights, then the manifest, and the manifest again once the written weights are evaluated; once the snapshots
// are measured, too, the checkpoint has done its work.
Result<int> save(const TrainFlags& flags, const std::string& command, const std::string& device,
                 const TrainSettings& settings, const TrainOutcome& outcome) {
  auto weights = weights_of(flags, settings, outcome);
  if (!weights) return weights.error();
  const fs::path path = flags.weights_path();
  if (auto written = write_file(path, *weights); !written) return written.error();
  if (flags.snapshots)
    if (auto written = write_snapshots_file(flags.snapshots_path(), settings.config, outcome.snapshots); !written)
      return written.error();
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
    std::printf("\n%s", tables(**evaluation).c_str());
  } else {
    std::printf("\nThe evaluation was interrupted, so the manifest holds no numbers; the same command with --resume "
                "evaluates again, and softalign evaluate takes the weights as they are\n");
  }
  Result<bool> measured = true;
  if (flags.snapshots) measured = finish_snapshots(flags, settings.config, outcome.snapshots);
  if (!measured) return measured.error();
  std::error_code ignored;
  if (*evaluation && *measured) fs::remove(flags.checkpoint_path(), ignored);
  std::printf("\nWrote %s and %s (%s, %s)\n", path.c_str(), flags.manifest_path().c_str(), budget_label(settings).c_str(),
              duration(outcome.seconds).c_str());
  const int signal = SignalWatch::caught();
  return signal == 0 ? exit_code::ok : exit_code::signalled + signal;
}

void log_start(RunLog& log, const std::string& command, const std::string& device, const TrainSettings& settings,
               const std::optional<TrainState>& resumed) {
  log.write("start", {{"command", command},
                      {"config", to_json(settings.config)},
                      {"steps", settings.steps},
                      {"seed", settings.seed},
                      {"device", device},
                      {"gru", settings.torch.gru},
                      {"resumed_at", resumed ? Json(resumed->learning.step) : Json()},
                      {"softalign", version()},
                      {"torch", torch_library()}});
}

void log_end(RunLog& log, const TrainOutcome& outcome, const Result<int>& result) {
  const char* why = !result ? "error" : *result == exit_code::ok ? "done" : "signal";
  log.write("end", {{"why", why},
                    {"step", outcome.steps},
                    {"seconds", outcome.seconds},
                    {"message", result ? Json() : Json(result.error().message)}});
}

// On standard error, above the line of progress.
void warn(Progress& line, RunLog& log, const std::string& message) {
  line.clear();
  std::fprintf(stderr, "warning: %s\n", message.c_str());
  log.write("warning", {{"message", message}});
}

void log_step(RunLog& log, const TrainProgress& progress) {
  log.write("step", {{"step", progress.step},
                     {"loss", progress.loss},
                     {"gradient_norm", progress.gradient_norm},
                     {"seconds", progress.seconds},
                     {"steps_per_second", progress.seconds > 0 ? progress.step / progress.seconds : 0}});
}

void print_device(const std::string& device, const TrainSettings& settings) {
  std::printf("device   %s (%s), gru %s\n", device.c_str(), torch_library().c_str(), settings.torch.gru.c_str());
  std::fflush(stdout);
}

Result<TrainOutcome> train_model(const TrainFlags& flags, const TrainSettings& settings, const std::string& command,
                                 const std::optional<TrainState>& resumed, Checkpoints& checkpoints, std::string& device,
                                 RunLog& log) {
  auto started = [&](const std::string& name) {
    device = name;
    print_settings(flags, settings);
    print_device(device, settings);
    if (resumed) std::printf("resumes  %s at step %d\n", flags.checkpoint_path().c_str(), resumed->learning.step);
    std::fflush(stdout);
    log_start(log, command, device, settings, resumed);
  };
  Progress line(settings.steps, Progress::Elsewhere::lines);
  const TrainHooks hooks{
      .report =
          [&](const TrainProgress& p) {
            line.show(p.step, progress_text(p, settings.steps));
            log_step(log, p);
          },
      .interrupted = [] { return SignalWatch::caught() != 0; },
      .checkpoint = [&](const TrainState& state) { return checkpoints.write(state); },
      .not_saved = [&](const Error& error) {
        warn(line, log, error.message + "; training goes on, and the next checkpoint is tried in its turn");
      },
      .snapshot = [&](int step) { log.write("snapshot", {{"step", step}}); },
  };
  auto outcome = train_with_torch(settings, resumed, hooks, started);
  if (outcome && outcome->unsaved && !outcome->interrupted) warn(line, log, outcome->unsaved->message);
  return outcome;
}

int stopped(const TrainFlags& flags, const TrainSettings& settings, const TrainOutcome& outcome) {
  const std::string checkpoint = flags.checkpoint_path().string();
  if (outcome.learnt > 0)
    std::printf("\nStopped at step %d of %d; everything is in %s, and the same command with --resume goes on\n",
                outcome.steps, settings.steps, checkpoint.c_str());
  else if (outcome.steps > 0)
    std::printf("\nStopped before a step was learnt; %s is as it was, at step %d\n", checkpoint.c_str(), outcome.steps);
  else
    std::printf("\nStopped before a step was learnt, so no file was written\n");
  return exit_code::signalled + SignalWatch::caught();
}

// After the first step no error loses what was learnt.
Result<int> finish(const TrainFlags& flags, const TrainSettings& settings, const std::string& command,
                   const std::string& device, const Checkpoints& checkpoints, const TrainOutcome& outcome) {
  if (outcome.interrupted && outcome.unsaved) return checkpoints.rescued(*outcome.unsaved);
  if (outcome.interrupted) return stopped(flags, settings, outcome);
  auto saved = save(flags, command, device, settings, outcome);
  if (!saved && saved.error().code == ErrorCode::CANNOT_WRITE) return checkpoints.rescued(saved.error());
  return saved;
}

// Learns one batch and nothing else: what cannot do that cannot learn.
Result<int> overfit(const TrainFlags& flags) {
  const TrainSettings settings = flags.settings();
  auto started = [&](const std::string& device) {
    std::printf("model    %s score, %s ordering, %s encoder, seed %llu\n", flags.score.c_str(), flags.ordering.c_str(),
                flags.encoder.c_str(), static_cast<unsigned long long>(settings.seed));
    std::printf("learns   the first batch of %u again and again, at most %s steps; writes no file\n",
                BatchOrder::batch_size, with_commas(static_cast<size_t>(settings.steps)).c_str());
    print_device(device, settings);
  };
  Progress line(settings.steps, Progress::Elsewhere::lines);
  const TrainHooks hooks{.report = [&](const TrainProgress& p) { line.show(p.step, progress_text(p, settings.steps)); },
                         .interrupted = [] { return SignalWatch::caught() != 0; }};
  auto outcome = overfit_with_torch(settings, hooks, started);
  line.clear();
  if (!outcome) return outcome.error();
  const double loss = outcome->losses.empty() ? NAN : outcome->losses.back().loss;
  if (loss < Trainer::overfit_goal) {
    std::printf("\npass: the loss of the batch fell from %.4f to %.4f in %d steps, below %g\n", outcome->losses.front().loss,
                loss, outcome->steps, Trainer::overfit_goal);
    return exit_code::ok;
  }
  if (const int signal = SignalWatch::caught(); signal != 0) {
    std::printf("\nStopped after %d steps; there is no file to write\n", outcome->steps);
    return exit_code::signalled + signal;
  }
  std::printf("\nfail: after %d steps the loss of the batch is %.4f, not below %g\n", outcome->steps, loss,
              Trainer::overfit_goal);
  return exit_code::not_learnt;
}

Result<int> run_train(const TrainFlags& flags, const std::string& command, const std::string& given,
                      const Invocation& invocation) {
  SignalWatch watch;
  if (auto config = checked(flags.settings().config); !config && !flags.all) return config.error();
  if (flags.all)
    if (auto folder = check_folder(flags); !folder) return folder.error();
  if (!flags.all && !flags.overfit)
    if (auto outputs = check_outputs(flags); !outputs) return outputs.error();
  watch.hand_over();
  if (SignalWatch::caught() == 0)
    if (auto torch = enter_torch(invocation); !torch) return torch.error();
  watch.take_back();
  if (const int signal = SignalWatch::caught(); signal != 0) {
    std::printf("Stopped before anything began; no file was written\n");
    return exit_code::signalled + signal;
  }
  if (flags.overfit) return overfit(flags);
  auto log = RunLog::open(flags.log);
  if (!log) return log.error();
  return flags.all ? train_all(flags, given, **log) : train_one(flags, command, **log);
}

void add_model_options(CLI::App& train, TrainFlags& flags) {
  add_choice(train, "--score", flags.score, score_names, "Score function; none is the plain model without attention");
  add_choice(train, "--ordering", flags.ordering, ordering_names,
             "luong attends after the decoder's cell with its new state, bahdanau before it with the old one");
  add_choice(train, "--encoder", flags.encoder, encoder_names, "Read the source from the left, from both sides, or from the right");
  CLI::Option* steps = add_number(train, "--steps", flags.steps, 1, 1'000'000, "Training steps of one batch each");
  add_switch(train, "--quick", flags.quick, "An eighth of the budget: 500 steps")->excludes(steps);
  add_number(train, "--seed", flags.seed, 0, max_seed, "Seed of the untrained weights; the data are always the same");
}

void add_file_options(CLI::App& train, TrainFlags& flags) {
  add_value(train, "--name", flags.name, "NAME", "Name of the model")->default_str("of its kind, such as dot");
  add_value(train, "--out", flags.out, "FILE", "Weights file; the manifest goes beside it as .json")
      ->default_str("FOLDER/NAME.safetensors");
  add_value(train, "--folder", flags.folder, "FOLDER", "Folder of the files, where --out names none");
  add_switch(train, "--force", flags.force, "Overwrite files that exist");
  add_choice(train, "--dtype", flags.dtype, written_dtypes, "Numbers in the weights file");
  add_switch(train, "--snapshots", flags.snapshots,
             "Keep about 35 snapshots of the weights, dense at the start, in a .snapshots file beside the weights");
  add_value(train, "--log", flags.log, "FILE", "Append a log in JSON lines, whose fields are listed below")
      ->default_str("none");
  add_number(train, "--checkpoint-every", flags.checkpoint_every, 1, 1'000'000,
             "Steps between two checkpoints, written beside the weights as .ckpt");
  add_switch(train, "--resume", flags.resume, "Go on from the checkpoint that the same command left");
}

void add_device_options(CLI::App& train, TrainFlags& flags) {
  add_choice(train, "--device", flags.device, devices, "auto takes a GPU where LibTorch can use one");
  add_number(train, "--threads", flags.threads, 1, 256,
             "Workers on a CPU, at most one for each of the four parts of a batch; they change no result")
      ->default_str("the cores, at most 4");
  add_choice(train, "--gru", flags.gru, gru_names,
             "Whose GRU learns on a CPU: own is fast, torch is LibTorch's, to compare with; a GPU always takes torch");
}

void add_ways(CLI::App& train, TrainFlags& flags) {
  CLI::Option* all = add_switch(train, "--all", flags.all,
                                "Train every model of the list in native/pinned_models.h, one after another, each as it "
                                "is pinned there; finished ones are left, stopped ones resumed");
  for (const char* other : {"--score", "--ordering", "--encoder", "--seed", "--gru", "--name", "--out", "--resume", "--snapshots"})
    all->excludes(train.get_option(other));
  CLI::Option* overfit = add_switch(train, "--overfit-one-batch", flags.overfit,
                                    "Only learn the first batch, until its loss is below 0.1 nats a token or for 1000 "
                                    "steps, and say whether that worked; writes no file");
  for (const char* other : {"--name", "--out", "--folder", "--force", "--dtype", "--log", "--checkpoint-every", "--resume",
                            "--snapshots", "--all"})
    overfit->excludes(train.get_option(other));
}

}  // namespace

Result<int> train_one(const TrainFlags& flags, const std::string& command, RunLog& log) {
  auto lock = hold_outputs(flags);
  if (!lock) return lock.error();
  if (auto outputs = check_outputs(flags); !outputs) return outputs.error();
  const TrainSettings settings = flags.settings();
  auto resumed = read_state(flags, settings);
  if (!resumed) return resumed.error();
  log.set_model(flags.model_name());

  std::string device;
  Checkpoints checkpoints(flags, settings, *resumed ? (*resumed)->learning.step : 0, log);
  auto outcome = train_model(flags, settings, command, *resumed, checkpoints, device, log);
  const auto result = outcome ? finish(flags, settings, command, device, checkpoints, *outcome) : outcome.error();
  if (!device.empty()) log_end(log, outcome ? *outcome : TrainOutcome{}, result);
  return result;
}

Run add_train(CLI::App& app, const Invocation& invocation) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App& train = *app.add_subcommand("train", "Train a model as the lab does, and write its weights and a manifest");
  add_model_options(train, *flags);
  add_file_options(train, *flags);
  add_device_options(train, *flags);
  add_ways(train, *flags);
  train.footer("Ctrl-C stops after the current step and leaves a checkpoint; the same command with --resume goes on. A second "
               "one ends at once.\n\n" +
               std::string(exit_code::listed) + "\n\nThe log's lines, by their event:\n" + log_schema());
  return [flags, &train, invocation] {
    if (flags->overfit && train.count("--steps") == 0) flags->steps = overfit_budget;
    std::vector<std::string> without{"--out", "--folder", "--force", "--resume", "--checkpoint-every", "--log", "--all"};
    const std::string given = given_options(train, without);
    return run_train(*flags, "softalign train" + given, given, invocation);
  };
}

}  // namespace softalign
