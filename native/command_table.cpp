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

std::string by_K(const Json& rates) {
  std::string text;
  for (const auto& [K, value] : rates.items()) text += (text.empty() ? "" : " / ") + rate(value);
  return text;
}

struct Column {
  std::string title;
  std::function<std::string(const Json& manifest)> cell;
};

using Columns = std::vector<Column>;

const Column model_column{"model", [](const Json& m) { return "`" + m.at("name").get<std::string>() + "`"; }};

const Columns& answer_columns() {
  static const Columns list{
      model_column,
      {"score", [](const Json& m) { return m.at("config").at("score").get<std::string>(); }},
      {"steps",
       [](const Json& m) {
         return with_commas(m.at("steps").get<size_t>()) + " (" + m.at("budget").get<std::string>() + ")";
       }},
      {"parameters", [](const Json& m) { return with_commas(m.at("parameters").get<size_t>()); }},
      {"exact_match", [](const Json& m) { return by_K(m.at("evaluation").at("exact_match")); }},
      {"well_formed", [](const Json& m) { return by_K(m.at("evaluation").at("well_formed")); }},
      {"dates 1 to 4 right, K = 4",
       [](const Json& m) { return by_K(m.at("evaluation").at("per_date").at("4")); }},
      {"training", [](const Json& m) { return number(m.at("seconds"), "%.0f s"); }},
  };
  return list;
}

Column hit_rate_column(const char* metric, const char* chance, const char* tol) {
  return {std::string(metric) + ", tol " + tol + " (chance)", [=](const Json& manifest) {
            const Json& evaluation = manifest.at("evaluation");
            const auto over_all = [&](const char* key) { return rate(evaluation.at(key).at(tol).at("all")); };
            return over_all(metric) + " (" + over_all(chance) + ")";
          }};
}

const Columns& attention_columns() {
  static const Columns list{
      model_column,
      hit_rate_column("alignment_hit_rate", "chance_hit_rate", "0"),
      hit_rate_column("alignment_hit_rate", "chance_hit_rate", "1"),
      hit_rate_column("field_hit_rate", "chance_field_rate", "0"),
      hit_rate_column("field_hit_rate", "chance_field_rate", "1"),
      {"rows over 0.99 on one character",
       [](const Json& m) { return rate(m.at("evaluation").at("one_hot_share").at("all")); }},
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
    if (!json.is_object() || !json.contains("softalign_manifest") || json["softalign_manifest"] != manifest_version)
      return {ErrorCode::BAD_VALUE, path.string() + " is no manifest that this version reads"};
    if (json.value("evaluation", Json()).is_null())
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

std::string table(const Columns& columns, const std::vector<Json>& manifests) {
  std::string titles = "|", rule = "|", rows;
  for (const Column& column : columns) {
    titles += " " + column.title + " |";
    rule += " --- |";
  }
  for (const Json& manifest : manifests) {
    rows += "|";
    for (const Column& column : columns) rows += " " + column.cell(manifest) + " |";
    rows += "\n";
  }
  return titles + "\n" + rule + "\n" + rows + "\n";
}

std::string readme(std::vector<Json> manifests) {
  std::sort(manifests.begin(), manifests.end(), stands_before);
  std::vector<Json> attending;
  for (const Json& manifest : manifests)
    if (!manifest.at("evaluation").at("alignment_hit_rate").is_null()) attending.push_back(manifest);
  std::string text =
      "# Trained models\n\n"
      "Each model is a weights file (`NAME.safetensors`) and the manifest of its training run (`NAME.json`). All were "
      "trained by `softalign train` on the lab's data in the lab's order of batches, and measured on the 2,000 sources "
      "of the test split, from the very file that lies here. A full run has 4,000 steps; the weights of a quick run, "
      "an eighth of that, are for trying out.\n\n"
      "Shares of the answers, for K = 1 / 2 / 3 / 4 dates in the source where four numbers stand:\n\n";
  text += table(answer_columns(), manifests);
  if (!attending.empty())
    text += "Where attention looks, under teacher forcing, over all four K; in brackets what a position drawn at "
            "random would reach:\n\n" +
            table(attention_columns(), attending);
  return text +
         "Training times were taken on the machine that the manifest names, beside other work: they are no measure of "
         "speed.\n\n"
         "`softalign table models` prints this file, and a test compares the two.\n";
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
