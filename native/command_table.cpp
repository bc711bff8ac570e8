// `softalign table`: the README of a folder of models, printed from their manifests.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/json.h"
#include "native/judge.h"
#include "native/manifest.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

std::string number(const Json& value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value.get<double>());
  return text;
}
std::string rate(const Json& value) { return number(value, "%.3f"); }

// "0.996 (0.366)": a rate over all K, and that of chance.
std::string rate_and_chance(const Json& evaluation, const char* metric, const char* chance, const char* tol) {
  if (evaluation.at(metric).is_null()) return "–";
  return rate(evaluation.at(metric).at(tol).at("all")) + " (" + rate(evaluation.at(chance).at(tol).at("all")) + ")";
}

std::string by_K(const Json& rates) {
  std::string text;
  for (const auto& [K, value] : rates.items()) text += (text.empty() ? "" : " / ") + rate(value);
  return text;
}

struct Column {
  std::string title;
  std::function<std::string(const Json& manifest)> cell;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> list{
      {"model", [](const Json& m) { return "`" + m.at("name").get<std::string>() + "`"; }},
      {"score", [](const Json& m) { return m.at("config").at("score").get<std::string>(); }},
      {"steps",
       [](const Json& m) {
         return with_commas(m.at("steps").get<size_t>()) + " (" + m.at("budget").get<std::string>() + ")";
       }},
      {"parameters", [](const Json& m) { return with_commas(m.at("parameters").get<size_t>()); }},
      {"exact_match, K = 1 / 2 / 3 / 4", [](const Json& m) { return by_K(m.at("evaluation").at("exact_match")); }},
      {"dates right at K = 4, 1st / 2nd / 3rd / 4th",
       [](const Json& m) { return by_K(m.at("evaluation").at("per_date").at("4")); }},
      {"well_formed, K = 1 / 2 / 3 / 4", [](const Json& m) { return by_K(m.at("evaluation").at("well_formed")); }},
      {"alignment_hit_rate, tol 0 (chance)",
       [](const Json& m) { return rate_and_chance(m.at("evaluation"), "alignment_hit_rate", "chance_hit_rate", "0"); }},
      {"tol 1 (chance)",
       [](const Json& m) { return rate_and_chance(m.at("evaluation"), "alignment_hit_rate", "chance_hit_rate", "1"); }},
      {"field_hit_rate, tol 0 (chance)",
       [](const Json& m) { return rate_and_chance(m.at("evaluation"), "field_hit_rate", "chance_field_rate", "0"); }},
      {"tol 1 (chance)",
       [](const Json& m) { return rate_and_chance(m.at("evaluation"), "field_hit_rate", "chance_field_rate", "1"); }},
      {"training", [](const Json& m) { return number(m.at("seconds"), "%.0f s"); }},
  };
  return list;
}

Result<std::vector<Json>> read_manifests(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().extension() == ".json") paths.push_back(entry->path());
  if (failed) return {ErrorCode::NO_FILE, "cannot read the folder " + folder.string() + ": " + failed.message()};

  std::vector<Json> manifests;
  for (const fs::path& path : paths) {
    auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    Json json = Json::parse(bytes->begin(), bytes->end(), nullptr, false);
    if (!json.is_object() || json.value("softalign_manifest", 0) != manifest_version)
      return {ErrorCode::BAD_VALUE, path.string() + " is no manifest that this version reads"};
    if (json.at("evaluation").is_null())
      return {ErrorCode::BAD_VALUE, path.string() + " is of a run that was not evaluated; train that model again"};
    manifests.push_back(std::move(json));
  }
  if (manifests.empty()) return {ErrorCode::NO_FILE, folder.string() + " holds no manifest"};
  return manifests;
}

// In the order of the scores, the plain model first.
bool stands_before(const Json& one, const Json& other) {
  auto key = [](const Json& manifest) {
    const auto score = manifest.at("config").at("score").get<std::string>();
    return std::pair(std::find(score_names.begin(), score_names.end(), score), manifest.at("name").get<std::string>());
  };
  return key(one) < key(other);
}

std::string table_row(const std::function<std::string(const Column&)>& cell) {
  std::string line = "|";
  for (const Column& column : columns()) line += " " + cell(column) + " |";
  return line + "\n";
}

std::string readme(std::vector<Json> manifests) {
  std::sort(manifests.begin(), manifests.end(), stands_before);
  std::string text =
      "# Trained models\n\n"
      "Each model is a weights file (`NAME.safetensors`) with the manifest of its training run (`NAME.json`). All were "
      "trained by `softalign train` on the lab's data and batch order, and measured on the 2,000 sources of the test "
      "split, from the weights file as it lies here. A full run has 4,000 steps; a quick one has 500, and its weights "
      "are for trying out.\n\n";
  text += table_row([](const Column& column) { return column.title; });
  text += table_row([](const Column&) { return "---"; });
  for (const Json& manifest : manifests) text += table_row([&](const Column& c) { return c.cell(manifest); });
  return text +
         "\nHit rates are over all four K, with teacher forcing; chance is a position drawn uniformly over the source. "
         "Training times were taken on the machine that the manifest names, beside other work, and are no measure of "
         "speed.\n\n"
         "This file is printed by `softalign table models`; a test compares the two.\n";
}

Result<int> run_table(const std::string& folder) {
  auto manifests = read_manifests(folder);
  if (!manifests) return manifests.error();
  try {
    std::printf("%s", readme(std::move(*manifests)).c_str());
  } catch (const Json::exception& error) {
    return {ErrorCode::BAD_VALUE, "a manifest in " + folder + " lacks a value: " + error.what()};
  }
  return exit_code::ok;
}

}  // namespace

Run add_table(CLI::App& app) {
  auto folder = std::make_shared<std::string>("models");
  CLI::App& table = *app.add_subcommand("table", "Print the README of a folder of models from their manifests");
  table.add_option("FOLDER", *folder, "Folder with the manifests")->capture_default_str()->type_name("");
  return [folder] { return run_table(*folder); };
}

}  // namespace softalign
