// `softalign evaluate`: the lab's metrics of a weights file.
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/evaluation.h"
#include "native/file.h"
#include "native/models_folder.h"
#include "native/report.h"
#include "native/terminal.h"
#include "native/version.h"
#include "shared/io/sha256.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr const char* models_folder = "models";

struct EvaluateFlags {
  std::string model = "models/dot.safetensors", html, split = "test", backend = "eigen";
  int limit = 0, threads = all_cores();
  bool json = false, force = false;
  bool model_named = false;
};

// The weights files that a report is of. NO_FILE when there are none.
Result<std::vector<fs::path>> models_of(const EvaluateFlags& flags) {
  const fs::path named = flags.model_named ? flags.model : models_folder;
  std::error_code ignored;
  if (!fs::is_directory(named, ignored)) return std::vector{named};
  auto paths = files_of(named, ".safetensors");
  if (!paths) return paths;
  // NAME.probe.safetensors and the like stand beside a model and are none.
  std::erase_if(*paths, [](const fs::path& path) { return path.stem().has_extension(); });
  if (paths->empty()) return {ErrorCode::NO_FILE, named.string() + " holds no weights file (.safetensors)"};
  return paths;
}

// The manifest beside a weights file, when it is of these very weights.
Json manifest_beside(const fs::path& weights) {
  const auto manifest = read_manifest(fs::path(weights).replace_extension(".json"));
  const auto bytes = read_file(weights);
  if (!manifest || !bytes) return {};
  const Json recorded = manifest->value("weights", Json());
  const std::string hash = sha256({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  const bool same = recorded.is_object() && recorded.value("sha256", Json()) == hash;
  return same ? *manifest : Json();
}

// What a report draws maps of: the showcase, and the split's first source with two dates.
std::vector<Example> shown_examples(std::span<const Example> examples) {
  std::vector<Example> shown(1);
  shown[0].source = showcase, shown[0].target = "2021-03-03";
  const auto two = std::find_if(examples.begin(), examples.end(), [](const Example& example) { return example.K == 2; });
  if (two != examples.end()) shown.push_back(*two);
  return shown;
}

ReportModel measure_for_report(const fs::path& path, Judge& judge, const Config& config, int steps,
                               std::span<const Example> examples, const EvaluateFlags& flags) {
  ReportModel model{path.stem().string(), config, steps, {}, {}, manifest_beside(path)};
  Progress line(static_cast<int>(examples.size()), Progress::Elsewhere::nothing);
  const auto show = [&](int done) {
    line.show(done, "sources read by " + harmless(model.name));
    return true;
  };
  model.evaluation = *evaluate(judge, config.attends(), flags.split, examples, show, flags.threads);
  if (!config.attends()) return model;
  for (const Example& example : shown_examples(examples)) {
    const Source source = make_source(example.source).value();
    const int max_len = live_max_len(static_cast<int>(source.ids().size()));
    model.readings.push_back({example.source, example.target, judge.greedy(source, max_len)});
  }
  return model;
}

std::string made_now() {
  char text[64];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return std::string("Made ") + text + " by " + version();
}

// In the order of the scores, the plain model first, as in the models' README.
bool stands_before(const ReportModel& one, const ReportModel& other) {
  const auto key = [](const ReportModel& model) { return std::tuple(model.config.score, model.name); };
  return key(one) < key(other);
}

Result<int> write_report(const EvaluateFlags& flags, const Invocation& invocation) {
  if (auto writable = check_replaceable(flags.html, report_start, flags.force); !writable) return writable.error();
  const auto paths = models_of(flags);
  if (!paths) return paths.error();
  struct Ready {
    Config config;
    int steps;
    std::unique_ptr<Judge> judge;
  };
  std::vector<Ready> ready;  // all of them before the first is measured: a damaged one ends it at once
  for (const fs::path& path : *paths) {
    auto checkpoint = load_checkpoint(path);
    if (!checkpoint) return checkpoint.error();
    const Config config = checkpoint->config;
    const int steps = checkpoint->steps;
    auto judge = make_judge(flags.backend, path, std::move(*checkpoint), invocation);
    if (!judge) return judge.error();
    ready.push_back({config, steps, std::move(*judge)});
  }
  const std::vector<Example> examples = examples_of(flags.split, flags.limit);
  Report report{{}, made_now()};
  for (size_t m = 0; m < paths->size(); ++m) {
    auto& [config, steps, judge] = ready[m];
    report.models.push_back(measure_for_report((*paths)[m], *judge, config, steps, examples, flags));
    std::string rates;
    for (const auto& [K, rate] : report.models.back().evaluation.metrics.exact_match) {
      char text[16];
      std::snprintf(text, sizeof text, " %.3f", rate);
      rates += text;
    }
    std::printf("%-20s exact_match%s\n", harmless(report.models.back().name).c_str(), rates.c_str());
    std::fflush(stdout);
  }
  std::stable_sort(report.models.begin(), report.models.end(), stands_before);
  if (auto written = write_file(flags.html, report_page(report)); !written) return written.error();
  std::printf("Wrote %s: %zu %s, %s sources each\n", harmless(flags.html).c_str(), report.models.size(),
              report.models.size() == 1 ? "model" : "models", with_commas(examples.size()).c_str());
  return exit_code::ok;
}

Result<int> run_evaluate(const EvaluateFlags& flags, const Invocation& invocation) {
  if (!flags.html.empty()) return write_report(flags, invocation);
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
  CLI::Option* model = add_value(command, "--model", flags->model, "FILE", "Weights file; for --html a folder, too");
  add_choice(command, "--split", flags->split, split_names, "Examples to measure on");
  add_number(command, "--limit", flags->limit, 0, 25'000, "Take only the first N examples of each K; 0 takes all");
  add_number(command, "--threads", flags->threads, 1, 256, "Threads that share the examples on Eigen")
      ->default_str("all cores");
  add_choice(command, "--backend", flags->backend, backend_names, "torch judges the same weights with LibTorch");
  CLI::Option* json = add_switch(command, "--json", flags->json, "Print one JSON object");
  add_value(command, "--html", flags->html, "FILE",
            "Write a page of tables and charts of --model, or of all of models/ without one")
      ->default_str("none")
      ->excludes(json);
  add_switch(command, "--force", flags->force, "Let --html overwrite a file that softalign did not write");
  command.callback([flags, model] { flags->model_named = model->count() > 0; });
  return [flags, invocation] { return run_evaluate(*flags, invocation); };
}

}  // namespace softalign
