// `softalign snapshots`: what a model could do along its training, from the snapshots that were kept of it.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/json.h"
#include "native/judge.h"
#include "native/snapshot_measures.h"
#include "native/snapshots_file.h"
#include "native/terminal.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

struct SnapshotsFlags {
  std::string model = "models/dot.safetensors";
  int threads = all_cores();
  bool measure = false, json = false;
};

// Fills in the numbers and writes the file again; false when a signal came first.
Result<bool> measure_file(const fs::path& path, const Config& config, Snapshots& snapshots, int threads) {
  if (auto writable = check_writable(path, true); !writable) return writable.error();
  const SignalWatch watch;
  Progress line(snapshot_sources(snapshots), Progress::Elsewhere::lines);
  auto measures = measure_snapshots(config, snapshots, [&](int done) {
    line.show(done, "test sources read by " + std::to_string(snapshots.taken.size()) + " snapshots and the untrained model");
    return SignalWatch::caught() == 0;
  }, threads);
  if (!measures) return measures.error();
  if (!*measures) return false;
  snapshots.measured = std::move(**measures);
  auto written = write_snapshots_file(path, config, snapshots);
  if (!written) return written.error();
  return true;
}

Json to_json(const Snapshots& snapshots) {
  Json json = {{"seed", snapshots.seed}, {"snapshots", Json::array()}};
  for (int k = -1; k < static_cast<int>(snapshots.taken.size()); ++k) {
    const auto measure = stored_measure(snapshots, k);
    json["snapshots"].push_back({{"step", k < 0 ? 0 : snapshots.taken[k].step},
                                 {"loss", measure->loss},
                                 {"exact_match", measure->exact_match}});
  }
  return json;
}

void print_table(const Snapshots& snapshots) {
  std::printf("   step      loss   exact_match\n%25s", "");
  for (int K = 1; K <= measured_K; ++K) std::printf(" K = %d ", K);
  std::printf("\n");
  for (int k = -1; k < static_cast<int>(snapshots.taken.size()); ++k) {
    const auto measure = stored_measure(snapshots, k);
    std::printf("%7d  %8.5f        ", k < 0 ? 0 : snapshots.taken[k].step, measure->loss);
    for (const float rate : measure->exact_match) std::printf(" %.3f ", rate);
    std::printf("\n");
  }
}

Result<int> run_snapshots(const SnapshotsFlags& flags) {
  auto checkpoint = load_checkpoint(flags.model);
  if (!checkpoint) return checkpoint.error();
  const fs::path path = fs::path(flags.model).replace_extension(".snapshots");
  auto snapshots = read_snapshots_file(path, checkpoint->config);
  if (!snapshots) {
    const bool none = snapshots.error().code == ErrorCode::NO_FILE;
    return {snapshots.error().code,
            snapshots.error().message + (none ? " (softalign train --snapshots leaves it beside the weights)" : "")};
  }
  if (flags.measure || snapshots->measured.loss.empty()) {
    auto measured = measure_file(path, checkpoint->config, *snapshots, flags.threads);
    if (!measured) return measured.error();
    if (!*measured) {
      std::printf("Interrupted; %s is as it was\n", path.c_str());
      return exit_code::signalled + SignalWatch::caught();
    }
  }
  if (flags.json)
    std::printf("%s\n", to_json(*snapshots).dump().c_str());
  else
    print_table(*snapshots);
  return exit_code::ok;
}

}  // namespace

Run add_snapshots(CLI::App& app) {
  auto flags = std::make_shared<SnapshotsFlags>();
  CLI::App& command = *app.add_subcommand("snapshots", "Show what a model could do along its training");
  add_value(command, "--model", flags->model, "FILE", "Weights file, with its .snapshots beside it");
  add_switch(command, "--measure", flags->measure, "Measure again what the file says already, and write it");
  add_number(command, "--threads", flags->threads, 1, 256, "Threads that share the test split")
      ->default_str("all cores");
  add_switch(command, "--json", flags->json, "Print one JSON object");
  command.footer("Loss is in nats per token under teacher forcing, exact_match is free running, for each number K of dates; "
                 "both over\nthe 2,000 sources of the test split, from the weights that the snapshots decode to; step 0 is the "
                 "untrained model. A file\nthat was never measured is measured "
                 "first.\n\n" + std::string(exit_code::listed));
  return [flags] { return run_snapshots(*flags); };
}

}  // namespace softalign
