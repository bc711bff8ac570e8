// Collects a manifest from the run, the splits, the libraries and the machine.
#include "native/manifest.h"

#include <Eigen/Core>
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "native/manifest_facts.h"
#include "native/torch_commands.h"
#include "shared/io/sha256.h"

namespace softalign {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::string eigen_version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

Json cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return {};
}

// Which of its kernels OpenBLAS chose, where it is there to be asked.
std::string openblas_kernels() {
  const auto name = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name ? std::string(", ") + name() + " kernels" : std::string();
}

// The BLAS that LibTorch was loaded with, such as "openblas-pthread/libblas.so.3, Haswell kernels": the system chooses it.
Json loaded_blas() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t start = line.find('/');
    if (start == std::string::npos) continue;
    const std::filesystem::path path = line.substr(start);
    const std::string file = path.filename().string();
    if (file.starts_with("libblas") || file.starts_with("libopenblas") || file.starts_with("libmkl_core"))
      return (path.parent_path().filename() / file).string() + openblas_kernels();
  }
  return {};
}

// What a git command prints in the repository that this program was built from; nothing when it fails.
std::optional<std::string> git(const std::string& arguments) {
  const std::string folder = SOFTALIGN_SOURCE_DIR;
  if (folder.find('\'') != std::string::npos) return std::nullopt;
  std::FILE* pipe = ::popen(("git -C '" + folder + "' " + arguments + " 2>/dev/null").c_str(), "r");
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 256> piece;
  while (const size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), count);
  if (::pclose(pipe) != 0) return std::nullopt;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void add_commit(Json& manifest) {
  const auto commit = git("rev-parse HEAD");
  manifest["commit"] = commit ? Json(*commit) : Json();
  const auto changes = git("status --porcelain -- :/native :/shared");
  manifest["uncommitted_changes"] = commit && changes ? Json(!changes->empty()) : Json();
}

Json loss_curve(const TrainOutcome& outcome) {
  Json steps = Json::array(), losses = Json::array();
  for (const TrainProgress& progress : outcome.losses) {
    steps.push_back(progress.step);
    losses.push_back(std::round(progress.loss * 1e6) / 1e6);
  }
  return {{"unit", "nats per token, one batch of 128"}, {"step", steps}, {"loss", losses}};
}

void print(const Json& json, int indent, std::string& text) {
  constexpr size_t line = 110;
  const std::string margin(static_cast<size_t>(indent) + 2, ' ');
  if (!json.is_structured() || json.empty()) {
    text += json.dump();
    return;
  }
  // Lists of numbers, and objects that fit a line, stay on one.
  const bool flat = std::none_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
  if (std::string compact = json.dump(); (json.is_array() && flat) || compact.size() <= line) {
    text += compact;
    return;
  }
  text += json.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    text += (first ? "\n" : ",\n") + margin;
    first = false;
    if (json.is_object()) text += Json(key).dump() + ": ";
    print(value, indent + 2, text);
  }
  text += "\n" + margin.substr(2) + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string budget_label(const TrainSettings& settings) {
  if (settings.steps == full_budget) return "full";
  if (settings.steps == quick_budget) return "quick";
  return std::to_string(settings.steps) + (settings.steps == 1 ? " step" : " steps");
}

Json manifest_of(const TrainRecord& record, const std::optional<Evaluation>& evaluation) {
  const std::string_view bytes(reinterpret_cast<const char*>(record.weights.data()), record.weights.size());
  Json manifest;
  manifest["softalign_manifest"] = manifest_version;
  manifest["name"] = record.name;
  manifest["weights"] = {{"file", record.weights_file},
                         {"dtype", record.dtype},
                         {"bytes", record.weights.size()},
                         {"sha256", sha256(bytes)}};
  manifest["config"] = to_json(record.settings.config);
  manifest["parameters"] = parameter_count(record.settings.config);
  manifest["budget"] = budget_label(record.settings);
  manifest["steps"] = record.outcome.steps;
  manifest["seed"] = record.settings.seed;
  manifest["seconds"] = std::round(record.outcome.seconds * 10) / 10;
  manifest["command"] = record.command;
  manifest["sha256"] = data_hashes();
  manifest["device"] = record.device;
  manifest["threads"] = record.settings.torch.threads;
  manifest["gru"] = record.settings.torch.gru;
  manifest["cpu"] = cpu_model();
  manifest["cores"] = all_cores();
  manifest["libraries"] = {{"torch", torch_library()},
                           {"blas", loaded_blas()},
                           {"eigen", eigen_version()},
                           {"compiler", compiler()}};
  add_commit(manifest);
  manifest["loss"] = loss_curve(record.outcome);
  manifest["evaluation"] = evaluation ? to_json(*evaluation) : Json();
  return manifest;
}

std::string pretty(const Json& json) {
  std::string text;
  print(json, 0, text);
  return text + "\n";
}

}  // namespace softalign
