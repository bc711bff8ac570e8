// `softalign evaluate`: the lab's metrics of a weights file.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/evaluation.h"
#include "native/terminal.h"

namespace softalign {
namespace {

struct EvaluateFlags {
  std::string model = "models/dot.safetensors", split = "test", backend = "eigen";
  int limit = 0, threads = all_cores();
  bool json = false;
};

Result<int> run_evaluate(const EvaluateFlags& flags, const Invocation& invocation) {
  auto checkpoint = load_checkpoint(flags.model);
  if (!checkpoint) return checkpoint.error();
  const bool attends = checkpoint->config.attends();
  const std::string description = describe(*checkpoint);
  auto judge = make_judge(flags.backend, flags.model, std::move(*checkpoint), invocation);
  if (!judge) return judge.error();
  if (!flags.json)
    std::printf("%s: %s\n%s split, %s backend\n\n", flags.model.c_str(), description.c_str(), flags.split.c_str(),
                (*judge)->name().c_str());
  std::fflush(stdout);

  const std::vector<Example> examples = examples_of(flags.split, flags.limit);
  const int total = static_cast<int>(examples.size());
  const auto evaluation = [&] {
    Progress line(total, Progress::Elsewhere::nothing);
    const auto show = [&](int done) {
      line.show(done, "sources");
      return true;
    };
    return evaluate(**judge, attends, flags.split, examples, show, flags.threads);
  }();
  std::printf("%s", flags.json ? (to_json(*evaluation).dump() + "\n").c_str() : tables(*evaluation).c_str());
  return exit_code::ok;
}

}  // namespace

Run add_evaluate(CLI::App& app, const Invocation& invocation) {
  auto flags = std::make_shared<EvaluateFlags>();
  CLI::App& command = *app.add_subcommand("evaluate", "Measure a model on a split with the lab's metrics");
  add_value(command, "--model", flags->model, "FILE", "Weights file");
  add_choice(command, "--split", flags->split, split_names, "Examples to measure on");
  add_number(command, "--limit", flags->limit, 0, 25'000, "Take only the first N examples of each K; 0 takes all");
  add_number(command, "--threads", flags->threads, 1, 256, "Threads that share the examples on Eigen")
      ->default_str("all cores");
  add_choice(command, "--backend", flags->backend, backend_names, "torch judges the same weights with LibTorch");
  add_switch(command, "--json", flags->json, "Print one JSON object");
  return [flags, invocation] { return run_evaluate(*flags, invocation); };
}

}  // namespace softalign
