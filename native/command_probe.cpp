// `softalign probe`: fits a probe to a model, writes it beside the weights, and shows what the encoder states know.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/judge.h"
#include "native/probe_fit.h"
#include "native/terminal.h"
#include "shared/io/sha256.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

struct ProbeFlags {
  std::string model = "models/dot.safetensors";
};

void print_table(const Probe& probe) {
  std::printf("plane    of %d dimensions; the two axes hold %.1f %% and %.1f %% of the variance\n\n", probe.plane.D,
              100 * probe.plane.explained[0], 100 * probe.plane.explained[1]);
  std::printf("Characters of the date read so far, and how often a linear readout of h_i, and always guessing the most\n"
              "frequent value, are right on the test split:\n\n%9s%8s", "read", "n");
  for (const ReadoutInfo& info : readout_infos) std::printf("%15s", std::string(info.name).c_str());
  std::printf("\n");
  for (int position = 0; position < probe_positions; ++position) {
    if (probe.count[position] == 0) continue;
    std::printf("%9d%8.0f", position + 1, probe.count[position]);
    for (const Readout& readout : probe.readouts) std::printf("   %.3f (%.3f)", readout.accuracy[position], readout.majority[position]);
    std::printf("\n");
  }
}

Result<int> run_probe(const ProbeFlags& flags) {
  const auto bytes = read_file(flags.model);
  if (!bytes) return bytes.error();
  auto checkpoint = load_checkpoint(flags.model);
  if (!checkpoint) return checkpoint.error();
  auto model = InferenceModel::create(std::move(*checkpoint));
  if (!model) return {model.error().code, flags.model + ": " + model.error().message};
  const fs::path path = fs::path(flags.model).replace_extension(".probe.safetensors");
  if (auto writable = check_writable(path, true); !writable) return writable.error();

  const SignalWatch watch;
  auto probe = [&] {
    std::optional<Progress> line;
    const std::string hash = sha256({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    return fit_probe(**model, hash, [&](int done, int total) {
      if (!line) line.emplace(total, Progress::Elsewhere::nothing);
      line->show(done, "sources read");
      return SignalWatch::caught() == 0;
    });
  }();
  if (!probe) return probe.error();
  if (!*probe) {
    std::printf("Interrupted; nothing was written\n");
    return exit_code::signalled + SignalWatch::caught();
  }
  const auto file = write_probe((*model)->config(), **probe);
  if (!file) return file.error();
  if (auto written = write_file(path, *file); !written) return written.error();
  print_table(**probe);
  std::printf("\nWrote %s\n", path.c_str());
  return exit_code::ok;
}

}  // namespace

Run add_probe(CLI::App& app) {
  auto flags = std::make_shared<ProbeFlags>();
  CLI::App& command = *app.add_subcommand("probe", "Fit a plane and linear readouts to a model's states");
  add_value(command, "--model", flags->model, "FILE", "Weights file; the probe goes beside it as .probe.safetensors");
  command.footer("Everything is fitted to sources of the training split and measured on the test split.\n\n" +
                 std::string(exit_code::listed));
  return [flags] { return run_probe(*flags); };
}

}  // namespace softalign
