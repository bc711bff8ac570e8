// `softalign verify`: computes again what the manifests of a folder of models say, and compares.
#include <cstdio>
#include <set>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/evaluation.h"
#include "native/file.h"
#include "native/manifest_facts.h"
#include "native/models_folder.h"
#include "native/probe_fit.h"
#include "native/snapshot_measures.h"
#include "native/snapshots_file.h"
#include "native/terminal.h"
#include "shared/eigen/inference_model.h"
#include "shared/io/sha256.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

struct VerifyFlags {
  std::string folder = "models";
  int threads = all_cores();
};

// What was compared, and a line for each thing that differs.
class Findings {
 public:
  // Value by value, by the keys of both; `path` names the place in the manifest.
  void compare(const std::string& path, const Json& expected, const Json& found) {
    if (expected.is_object() && found.is_object()) {
      for (const auto& [key, value] : expected.items())
        compare(path + "." + key, value, found.contains(key) ? found[key] : Json(absent));
      for (const auto& [key, value] : found.items())
        if (!expected.contains(key)) compare(path + "." + key, Json(absent), value);
      return;
    }
    ++compared_;
    if (expected != found) add(path + ": expected " + text(expected) + ", found " + text(found));
  }
  void add(const std::string& difference) { lines_.push_back(difference); }
  // Worth saying, but no difference.
  void note(const std::string& sentence) { notes_.push_back(sentence); }

  int compared() const { return compared_; }
  const std::vector<std::string>& lines() const { return lines_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  static constexpr const char* absent = "nothing";
  static std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

  int compared_ = 0;
  std::vector<std::string> lines_, notes_;
};

// "F16", or every dtype that the tensors have.
std::string dtypes(std::span<const uint8_t> file) {
  const auto header = read_header(file);
  if (!header) return "an unreadable header";
  std::set<std::string> names;
  for (const TensorView& tensor : header->tensors) names.insert(name(tensor.dtype));
  return CLI::detail::join(std::vector<std::string>(names.begin(), names.end()), " and ");
}

// The weights that the manifest describes; nothing when the file holds others, whose numbers would say nothing, or none.
std::optional<Checkpoint> check_weights(const Json& manifest, const fs::path& path, Findings& findings) {
  const auto bytes = read_file(path);
  if (!bytes) {
    findings.add("weights: " + bytes.error().message);
    return std::nullopt;
  }
  const std::string hash = sha256({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  findings.compare("weights", manifest.at("weights"),
                   {{"file", path.filename().string()},
                    {"dtype", dtypes(*bytes)},
                    {"bytes", bytes->size()},
                    {"sha256", hash}});
  auto checkpoint = load_checkpoint(path);
  if (!checkpoint) {
    findings.add("weights: " + checkpoint.error().message);
    return std::nullopt;
  }
  findings.compare("config", manifest.at("config"), to_json(checkpoint->config));
  findings.compare("parameters", manifest.at("parameters"), parameter_count(checkpoint->config));
  findings.compare("steps", manifest.at("steps"), checkpoint->steps);
  if (manifest.at("weights").at("sha256") != hash) return std::nullopt;
  return std::move(*checkpoint);
}

// The model against the golden vector of its file: within the tolerance that loading allows, and, for a note, to the bit.
std::unique_ptr<Judge> check_golden_vector(const Checkpoint& checkpoint, const fs::path& path, Findings& findings) {
  const std::string* golden = find(checkpoint.metadata, metadata_keys::golden);
  auto model = InferenceModel::create(checkpoint);
  if (!golden || !model) {
    findings.add("weights: " + (golden ? model.error().message : "the file holds no golden vector"));
    return nullptr;
  }
  if ((*model)->golden_vector() != *golden)
    findings.note("the golden vector agrees within 0.001, but not to the bit: the program that wrote the file computed "
                  "other last digits");
  auto judge = make_judge("eigen", path, checkpoint, {});
  if (judge) return std::move(*judge);
  findings.add("weights: " + judge.error().message);
  return nullptr;
}

// Every number of the evaluation, exactly: on Eigen they are the same for every run and number of threads.
void check_evaluation(const Json& manifest, Judge& judge, bool attends, int threads, Findings& findings) {
  Json recorded = manifest.at("evaluation");
  if (recorded.is_null()) return findings.add("evaluation: the run was not evaluated; train that model again");
  static const std::vector<Example> examples = examples_of("test", 0);
  Progress line(static_cast<int>(examples.size()), Progress::Elsewhere::nothing);
  const std::string doing = "test sources read by " + harmless(manifest.at("name").get<std::string>());
  const auto show = [&](int done) {
    line.show(done, doing);
    return true;
  };
  Json measured = to_json(*evaluate(judge, attends, "test", examples, show, threads));
  line.clear();
  for (Json* evaluation : {&recorded, &measured}) evaluation->erase("seconds");
  for (const char* later : {"showcase", "teacher_forced"})  // a manifest from before they were measured
    if (!recorded.contains(later)) measured.erase(later);
  findings.compare("evaluation", recorded, measured);
}

// The snapshots beside the weights, where there are any: of this very run, and the last one measured again.
void check_snapshots(const Json& manifest, const fs::path& path, const Config& config, int threads, Findings& findings) {
  if (!fs::exists(path)) return;
  const auto snapshots = read_snapshots_file(path, config);
  if (!snapshots) return findings.add("snapshots: " + snapshots.error().message);
  if (snapshots->taken.empty()) return findings.add("snapshots: there are none");
  const int last = static_cast<int>(snapshots->taken.size()) - 1;
  findings.compare("snapshots.seed", manifest.at("seed"), snapshots->seed);
  findings.compare("snapshots.last_step", manifest.at("steps"), snapshots->taken[last].step);
  const auto stored = stored_measure(*snapshots, last);
  if (!stored) return findings.add("snapshots: they were not measured; softalign snapshots does it");
  const auto measured = measure_snapshot(config, *snapshots, last, [](int) { return true; }, threads);
  if (!measured) return findings.add("snapshots: " + measured.error().message);
  findings.compare("snapshots.loss", stored->loss, (*measured)->loss);
  findings.compare("snapshots.exact_match", stored->exact_match, (*measured)->exact_match);
}

// The probe beside the weights, where there is one: fitted to these weights, and its accuracies measured again.
void check_probe(const Json& manifest, const fs::path& path, Checkpoint checkpoint, Findings& findings) {
  if (!fs::exists(path)) return;
  const auto bytes = read_file(path);
  const auto stored = bytes ? read_probe(checkpoint.config, *bytes) : bytes.error();
  if (!stored) return findings.add("probe: " + stored.error().message);
  if (stored->weights_sha256 != manifest.at("weights").at("sha256"))  // its numbers would say nothing
    return findings.add("probe: it was fitted to other weights; softalign probe fits one to these");
  auto model = InferenceModel::create(std::move(checkpoint));
  if (!model) return findings.add("probe: " + model.error().message);
  Probe measured = *stored;
  if (auto done = measure_probe(**model, measured, [](int, int) { return true; }); !done)
    return findings.add("probe: " + done.error().message);
  findings.compare("probe.count", stored->count, measured.count);
  for (size_t i = 0; i < readout_infos.size(); ++i) {
    const std::string name = "probe." + std::string(readout_infos[i].name);
    findings.compare(name + ".accuracy", stored->readouts[i].accuracy, measured.readouts[i].accuracy);
    findings.compare(name + ".majority", stored->readouts[i].majority, measured.readouts[i].majority);
  }
}

// `described` hears the name of the weights file.
Findings check_model(const fs::path& path, int threads, std::set<std::string>& described) {
  Findings findings;
  const auto manifest = read_manifest(path);
  if (!manifest) {
    findings.add(manifest.error().message);
    return findings;
  }
  try {
    const fs::path weights = fs::path(manifest->at("weights").at("file").get<std::string>()).filename();
    described.insert(weights.string());
    const Json& hashes = data_hashes();
    findings.compare("sha256", manifest->at("sha256"), hashes);
    const auto checkpoint = check_weights(*manifest, path.parent_path() / weights, findings);
    if (!checkpoint) return findings;
    if (const auto judge = check_golden_vector(*checkpoint, path.parent_path() / weights, findings))
      check_evaluation(*manifest, *judge, checkpoint->config.attends(), threads, findings);
    check_probe(*manifest, (path.parent_path() / weights).replace_extension(".probe.safetensors"), *checkpoint, findings);
    check_snapshots(*manifest, (path.parent_path() / weights).replace_extension(".snapshots"), checkpoint->config, threads,
                    findings);
  } catch (const Json::exception& error) {
    findings.add(std::string("the manifest lacks a value: ") + error.what());
  }
  return findings;
}

// The README of the folder against what `softalign table` prints.
Findings check_readme(const fs::path& path) {
  Findings findings;
  const auto bytes = read_file(path);
  const auto expected = models_readme(path.parent_path());
  if (!bytes || !expected) {
    findings.add((bytes ? expected.error() : bytes.error()).message);
    return findings;
  }
  const auto differs = std::mismatch(bytes->begin(), bytes->end(), expected->begin(), expected->end(),
                                     [](uint8_t one, char other) { return one == static_cast<uint8_t>(other); });
  if (differs.first != bytes->end() || differs.second != expected->end())
    findings.add("line " + std::to_string(1 + std::count(bytes->begin(), differs.first, '\n')) +
                 " is not what softalign table prints");
  return findings;
}

// A line for a file, and one for each thing that differs; how many those are.
int report(const fs::path& path, const Findings& findings, const std::string& good) {
  const bool same = findings.lines().empty();
  std::printf("%-20s %s\n", harmless(path.filename().string()).c_str(), same ? ("ok: " + good).c_str() : "differs");
  for (const std::string& line : findings.lines()) std::printf("  %s\n", harmless(line).c_str());
  for (const std::string& note : findings.notes()) std::printf("  note: %s\n", note.c_str());
  std::fflush(stdout);
  return static_cast<int>(findings.lines().size());
}

Result<int> run_verify(const VerifyFlags& flags) {
  const fs::path folder = flags.folder;
  const auto manifests = files_of(folder, ".json"), weights = files_of(folder, ".safetensors");
  if (!manifests) return manifests.error();
  if (!weights) return weights.error();
  if (manifests->empty() && weights->empty())
    return {ErrorCode::NO_FILE, folder.string() + " holds neither manifests nor weights"};

  std::set<std::string> described;
  int differences = 0;
  for (const fs::path& path : *manifests) {
    const Findings findings = check_model(path, flags.threads, described);
    differences += report(path, findings, std::to_string(findings.compared()) + " values computed again, all the same");
  }
  for (const fs::path& path : *weights) {
    if (described.contains(path.filename().string())) continue;
    Findings findings;
    findings.add("these weights have no manifest");
    differences += report(path, findings, "");
  }
  if (const fs::path path = folder / "README.md"; fs::exists(path))
    differences += report(path, check_readme(path), "what softalign table prints");
  if (differences == 0) return exit_code::ok;
  std::printf("\n%d %s\n", differences, differences == 1 ? "difference" : "differences");
  return exit_code::failed;
}

}  // namespace

Run add_verify(CLI::App& app) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App& command = *app.add_subcommand("verify", "Compute again what the manifests of a folder of models say");
  command.add_option("FOLDER", flags->folder, "Folder with weights and manifests")->capture_default_str()->type_name("");
  add_number(command, "--threads", flags->threads, 1, 256, "Threads that share the test split")
      ->default_str("all cores");
  command.footer("Weights, data and every number of the evaluation must be exactly as the manifests say; a .probe.safetensors "
                 "and a\n.snapshots file beside the weights, where there is one, must belong to them and measure the same again; "
                 "README.md, where\nthere is one, must be as softalign table prints it. Else the exit code is 1.\n\n" +
                 std::string(exit_code::listed));
  return [flags] { return run_verify(*flags); };
}

}  // namespace softalign
