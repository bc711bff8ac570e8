// The README of a folder of models: a few small tables, one noun each, with the course's own recorded run beside ours.
#include <algorithm>
#include <array>
#include <cstdio>

#include "native/judge.h"
#include "native/manifest.h"
#include "native/models_folder.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

constexpr const char* nothing = "–";
constexpr std::array all_K{"1", "2", "3", "4"};

std::string table(const Row& titles, const Rows& rows) {
  const auto line = [](const Row& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  std::string text = line(titles) + line(Row(titles.size(), "---"));
  for (const Row& row : rows) text += line(row);
  return text + "\n";
}

std::string number(const Json& value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value.get<double>());
  return text;
}
std::string rate(const Json& value) { return number(value, "%.3f"); }

// The row with a title for each K behind it.
Row with_titles(Row row) {
  for (const std::string K : all_K) row.push_back("K = " + K);
  return row;
}
Row with_titles_and_all(Row row) {
  row = with_titles(std::move(row));
  row.push_back("all");
  return row;
}
Row with_rates_and_all(Row row, const Json& rates) {
  for (const std::string K : all_K) row.push_back(rate(rates.at(K)));
  row.push_back(rate(rates.at("all")));
  return row;
}

std::string code(const std::string& text) { return "`" + text + "`"; }
std::string label(const Json& manifest) { return code(manifest.at("name").get<std::string>()); }
// Of a row that is not ours.
std::string of_course(const std::string& model) { return "*" + code(model) + ", course's run*"; }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// How far the models were trained: numbers of a part of the budget say little about what a model can do.
std::string budgets(const std::vector<Json>& manifests) {
  std::vector<std::string> shorter;
  for (const Json& manifest : manifests)
    if (manifest.at("steps") < full_budget)
      shorter.push_back(label(manifest) + " (" + with_commas(manifest.at("steps").get<size_t>()) + ")");
  const std::string full = "the lab's budget of " + with_commas(full_budget) + " steps";
  if (shorter.empty()) return "Each had " + full + ".";
  return "Models of fewer steps than " + full + " are for trying out: " + listed(shorter) + ".";
}

// Where a model was trained: "Xeon, 2 cores; cpu, 1 thread".
std::string machine(const Json& manifest) {
  std::string text = manifest.at("cpu").is_null() ? "" : manifest.at("cpu").get<std::string>();
  if (const Json cores = manifest.value("cores", Json()); !cores.is_null())
    text += ", " + std::to_string(cores.get<int>()) + (cores == 1 ? " core" : " cores");
  return text + (text.empty() ? "" : "; ") + manifest.at("device").get<std::string>();
}

std::string steps(const Json& manifest) {
  const std::string budget = manifest.at("budget");
  const std::string number = with_commas(manifest.at("steps").get<size_t>());
  return budget == "full" || budget == "quick" ? number + " (" + budget + ")" : number;
}

std::string models_table(const std::vector<Json>& manifests) {
  Rows rows;
  for (const Json& m : manifests) {
    Row row{label(m)};
    for (const char* choice : {"score", "ordering", "encoder"}) row.push_back(m.at("config").at(choice).get<std::string>());
    row.push_back(std::to_string(m.at("seed").get<uint64_t>()));
    row.insert(row.end(), {with_commas(m.at("parameters").get<size_t>()), steps(m), number(m.at("seconds"), "%.0f s"),
                           machine(m)});
    rows.push_back(row);
  }
  return table({"model", "score", "ordering", "encoder", "seed", "parameters", "steps", "training", "on"}, rows);
}

// What may be compared with what, of the models that are there.
std::string comparisons(const std::vector<Json>& manifests) {
  const auto there = [&](const std::string& name) {
    return std::any_of(manifests.begin(), manifests.end(), [&](const Json& m) { return m.at("name") == name; });
  };
  std::string text;
  const auto say = [&](std::initializer_list<const char*> names, const char* sentence) {
    if (std::all_of(names.begin(), names.end(), there)) text += sentence;
  };
  say({"additive", "bahdanau-uni"}, "- `additive` and `bahdanau-uni` differ in the ordering alone: attend after the "
                                    "decoder's cell, or before it.\n");
  say({"bahdanau-uni", "bahdanau"}, "- `bahdanau-uni` and `bahdanau` differ in the encoder alone: read from the left, or "
                                    "from both sides.\n");
  say({"plain", "plain-reversed"}, "- `plain` and `plain-reversed` differ in the direction of reading alone (Sutskever et "
                                   "al., 2014).\n");
  say({"plain", "plain-seed-1"}, "- `plain` and `plain-seed-1` differ in their untrained weights alone.\n");
  say({"dot", "dot-seed-1"}, "- `dot` and `dot-seed-1` differ in their untrained weights alone.\n");
  return text.empty() ? "" : "Pairs that differ in one thing:\n\n" + text + "\n";
}

// Beside what a model writes on its own, what it foretells when it is given the right tokens: the easier task.
std::string teacher_forced(const std::vector<Json>& manifests) {
  Rows rows;
  for (const Json& manifest : manifests) {
    const Json& evaluation = manifest.at("evaluation");
    if (!evaluation.contains("teacher_forced")) continue;  // measured by an older version
    double sum = 0;
    for (const std::string K : all_K) sum += evaluation.at("exact_match").at(K).get<double>();
    const Json& forced = evaluation.at("teacher_forced");
    rows.push_back({label(manifest), rate(sum / static_cast<double>(all_K.size())),
                    rate(forced.at("token_accuracy").at("all")), number(forced.at("loss").at("all"), "%.6f")});
  }
  if (rows.empty()) return "";
  return "Over all K, beside what each foretells when it is given the right tokens so far (teacher forcing), the easier "
         "task, whose loss is in nats per token:\n\n" +
         table({"model", "exact_match, free running", "token accuracy, teacher forced", "loss, teacher forced"}, rows);
}

// A row for each model with its rates by K; the course's rows follow.
std::string by_K_table(const std::vector<Json>& manifests, const std::string& metric, const Rows& course) {
  Rows rows;
  for (const Json& manifest : manifests) {
    Row row{label(manifest)};
    for (const std::string K : all_K) {
      const Json& value = manifest.at("evaluation").at(metric).at(K);
      std::string cell;
      for (const Json& part : value.is_array() ? value : Json::array({value}))
        cell += (cell.empty() ? "" : " / ") + rate(part);
      row.push_back(cell);
    }
    rows.push_back(row);
  }
  rows.insert(rows.end(), course.begin(), course.end());
  return table(with_titles({metric}), rows);
}

// Of models with attention.
std::string hit_rate_table(const std::vector<Json>& attending, const std::string& metric, const std::string& chance,
                           const Rows& course) {
  Rows rows;
  for (const std::string tol : {"0", "1"}) {
    const auto add = [&](const std::string& name, const Json& rates) {
      rows.push_back(with_rates_and_all({name, tol}, rates.at(tol)));
    };
    for (const Json& manifest : attending) add(label(manifest), manifest.at("evaluation").at(metric));
    for (const Row& row : course)
      if (row[1] == tol) rows.push_back(row);
    add("by chance", attending.front().at("evaluation").at(chance));
  }
  return table(with_titles_and_all({metric, "tol"}), rows);
}

// Manifests written before the showcase was measured lack it.
std::string showcase_table(const std::vector<Json>& manifests, const Rows& course) {
  Rows rows;
  for (const Json& manifest : manifests) {
    const Json shown = manifest.at("evaluation").value("showcase", Json());
    Row row{label(manifest), nothing, nothing, nothing, nothing};
    if (!shown.is_null()) {
      row[1] = code(shown.at("output").get<std::string>());
      row[2] = number(shown.at("log_prob"), "%.6f");
      if (const Json& places = shown.at("largest_at"); !places.is_null()) {
        row[3] = std::to_string(shown.at("one_hot_rows").get<int>()) + " of " + std::to_string(places.size());
        row[4].clear();
        for (const Json& place : places) row[4] += (row[4].empty() ? "" : " ") + std::to_string(place.get<int>());
      }
    }
    rows.push_back(row);
  }
  rows.insert(rows.end(), course.begin(), course.end());
  return table({"model", "output", "log_prob", "rows over 0.99", "largest weight at"}, rows);
}

std::string one_hot_table(const std::vector<Json>& attending) {
  Rows rows;
  for (const Json& manifest : attending)
    rows.push_back(with_rates_and_all({label(manifest)}, manifest.at("evaluation").at("one_hot_share")));
  return table(with_titles_and_all({"share over 0.99"}), rows);
}

std::string answers(const std::vector<Json>& manifests) {
  return "## Answers\n\n"
         "Free running. `exact_match` is the share of sources whose whole output is right:\n\n" +
         by_K_table(manifests, "exact_match",
                    {{of_course("plain"), "0.898", "0.000", "0.000", "0.000"},
                     {of_course("dot"), "1.000", "1.000", "1.000", "1.000"}}) +
         "`per_date` is the share of each date that is right, the first / second / third / fourth of the source. In the "
         "course's run of `plain` the first date was right for 0.90 to 0.93 of the sources at every K, later ones for "
         "none:\n\n" +
         by_K_table(manifests, "per_date", {}) + teacher_forced(manifests) +
         "`well_formed` is the share of outputs that are the right number of dates, right or wrong:\n\n" +
         by_K_table(manifests, "well_formed", {});
}

std::string attention(const std::vector<Json>& attending) {
  return "## Where attention looks\n\n"
         "Under teacher forcing, over every digit of every target. `alignment_hit_rate` is the share whose largest "
         "weight lies in the digit's date, or at most `tol` characters after it; at K = 1 the date is the source, so "
         "that any weights reach 1:\n\n" +
         hit_rate_table(attending, "alignment_hit_rate", "chance_hit_rate",
                        {{of_course("dot"), "0", "≥ 0.99", "≥ 0.99", "≥ 0.99", "≥ 0.99", nothing},
                         {of_course("dot"), "1", nothing, nothing, nothing, nothing, "0.996"}}) +
         "`field_hit_rate` asks for the digit's own year, month or day:\n\n" +
         hit_rate_table(attending, "field_hit_rate", "chance_field_rate", {}) +
         "Rows of the map that put more than 0.99 on one character:\n\n" + one_hot_table(attending);
}

std::string readme(const std::vector<Json>& manifests) {
  std::vector<Json> attending;
  for (const Json& manifest : manifests)
    if (!manifest.at("evaluation").at("alignment_hit_rate").is_null()) attending.push_back(manifest);
  std::string text =
      "# Trained models\n\n"
      "Each model is a weights file (`NAME.safetensors`) and the manifest of its training run (`NAME.json`). All were "
      "trained by `softalign train` on the lab's data in the lab's order of batches, and measured on the 2,000 sources "
      "of the test split, 500 for each number K of dates, from the very file that lies here. " +
      budgets(manifests) + "\n\n" + models_table(manifests) + comparisons(manifests) +
      "Training times were taken beside other work: they are no measure of speed. Rows in italics are the course's own "
      "recorded run, in PyTorch, on the same data.\n\n" +
      answers(manifests);
  if (!attending.empty()) text += attention(attending);
  return text + "## On `" + std::string(showcase) + "`\n\n" +
         "Free running; this sentence was kept out of training. For each row of the map, that is for each written character and "
         "`<eos>`, the position of its largest weight, counted from 1:\n\n" +
         showcase_table(manifests, {{of_course("dot"), "`2021-03-03`", nothing, "8 of 11", nothing}}) +
         "## Checking these numbers\n\n"
         "`softalign verify models` computes all of them again and compares. `softalign table models` prints this "
         "file, and a test compares the two.\n";
}

// In the order of the scores, the plain model first.
bool stands_before(const Json& one, const Json& other) {
  const auto key = [](const Json& manifest) {
    const auto score = manifest.at("config").at("score").get<std::string>();
    return std::pair(std::find(score_names.begin(), score_names.end(), score), manifest.at("name").get<std::string>());
  };
  return key(one) < key(other);
}

}  // namespace

Result<std::string> models_readme(const std::filesystem::path& folder) {
  auto paths = files_of(folder, ".json");
  if (!paths) return paths.error();
  if (paths->empty()) return {ErrorCode::NO_FILE, folder.string() + " holds no manifest"};
  std::vector<Json> manifests;
  for (const auto& path : *paths) {
    auto manifest = read_manifest(path);
    if (!manifest) return manifest.error();
    if (manifest->value("evaluation", Json()).is_null())
      return {ErrorCode::BAD_VALUE, path.string() + " is of a run that was not evaluated; train that model again"};
    manifests.push_back(std::move(*manifest));
  }
  try {
    std::sort(manifests.begin(), manifests.end(), stands_before);
    return readme(manifests);
  } catch (const Json::exception& error) {
    return {ErrorCode::BAD_VALUE, "a manifest in " + folder.string() + " lacks a value: " + error.what()};
  }
}

}  // namespace softalign
