// Runs a judge over examples and lays out what the metrics say.
#include "native/evaluation.h"

#include <chrono>
#include <cstdio>

namespace softalign {
namespace {

constexpr int label_width = 30, cell_width = 9;

std::string padded(std::string text, int width) {
  if (static_cast<int>(text.size()) < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string rate_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", rate);
  return text;
}

// One row of a table: a label, then a cell for each K of the examples, empty where `cell` gives nothing.
template <class Cell>
std::string row(const std::string& label, const std::map<int, int>& n, Cell&& cell) {
  std::string line = "  " + label + std::string(std::max(label_width - static_cast<int>(label.size()), 1), ' ');
  for (const auto& [K, count] : n) line += padded(cell(K), cell_width);
  while (line.back() == ' ') line.pop_back();
  return line + "\n";
}

template <class V>
std::string rates_row(const std::string& label, const std::map<int, int>& n, const std::map<int, V>& rates) {
  return row(label, n, [&](int K) { return rate_text(rates.at(K)); });
}

std::string rate_row(const std::string& label, const std::map<int, int>& n, const Rate& rate) {
  std::string line = rates_row(label, n, rate.by_K);
  line.pop_back();
  return line + padded(rate_text(rate.all), cell_width) + "\n";
}

std::string alignment_tables(const Metrics& metrics) {
  const AlignmentMetrics& alignment = *metrics.alignment;
  std::string text = "\n" + row("Where attention looks", metrics.n, [](int K) { return "K = " + std::to_string(K); });
  text.pop_back();
  text += padded("all", cell_width) + "\n";
  auto block = [&](const std::string& name, const auto& rates, const auto& chances) {
    for (const int tol : tolerances) {
      text += rate_row(name + ", tol " + std::to_string(tol), metrics.n, rates[tol]);
      text += rate_row("  by chance", metrics.n, chances[tol]);
    }
  };
  block("alignment_hit_rate", alignment.alignment_hit_rate, alignment.chance_hit_rate);
  block("field_hit_rate", alignment.field_hit_rate, alignment.chance_field_rate);
  return text + rate_row("one-hot rows (> 0.99)", metrics.n, alignment.one_hot_share);
}

Json by_K(const std::map<int, double>& values) {
  Json json = Json::object();
  for (const auto& [K, value] : values) json[std::to_string(K)] = value;
  return json;
}

Json to_json(const Rate& rate) {
  Json json = {{"all", rate.all}};
  json.update(by_K(rate.by_K));
  return json;
}

Json to_json(const std::array<Rate, tolerances.size()>& rates) {
  Json json = Json::object();
  for (const int tol : tolerances) json[std::to_string(tol)] = to_json(rates[tol]);
  return json;
}

}  // namespace

std::vector<Example> examples_of(const std::string& split, int limit) {
  std::vector<Example> examples = split == "train" ? train_split() : test_split();
  if (limit > 0) {
    std::map<int, int> seen;
    std::erase_if(examples, [&](const Example& example) { return ++seen[example.K] > limit; });
  }
  return examples;
}

std::optional<Evaluation> evaluate(Judge& judge, bool attends, const std::string& split,
                                   std::span<const Example> examples, const std::function<bool(int done)>& go_on) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> outputs;
  std::vector<Alpha> alphas;
  for (const Example& example : examples) {
    const Source source = make_source(example.source).value();
    outputs.push_back(output_text(judge.greedy(source, lab_max_len).tokens));
    if (attends) {
      std::vector<int32_t> target = target_ids(example.target);
      target.push_back(eos);
      alphas.push_back(judge.alpha(source, target));
    }
    if (!go_on(static_cast<int>(outputs.size()))) return std::nullopt;
  }
  Evaluation evaluation{split, judge.name(), measure(examples, outputs, alphas), 0};
  evaluation.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return evaluation;
}

Json to_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  Json json;
  json["split"] = evaluation.split;
  json["backend"] = evaluation.judge;
  for (const auto& [K, n] : metrics.n) json["n"][std::to_string(K)] = n;
  json["seconds"] = std::round(evaluation.seconds * 1000) / 1000;
  json["exact_match"] = by_K(metrics.exact_match);
  for (const auto& [K, rates] : metrics.per_date) json["per_date"][std::to_string(K)] = rates;
  json["well_formed"] = by_K(metrics.well_formed);
  const auto& alignment = metrics.alignment;
  json["alignment_hit_rate"] = alignment ? to_json(alignment->alignment_hit_rate) : Json();
  json["field_hit_rate"] = alignment ? to_json(alignment->field_hit_rate) : Json();
  json["chance_hit_rate"] = alignment ? to_json(alignment->chance_hit_rate) : Json();
  json["chance_field_rate"] = alignment ? to_json(alignment->chance_field_rate) : Json();
  json["one_hot_share"] = alignment ? to_json(alignment->one_hot_share) : Json();
  return json;
}

std::string tables(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  size_t total = 0;
  for (const auto& [K, n] : metrics.n) total += static_cast<size_t>(n);
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", evaluation.seconds);

  std::string text = row("Answers, free running", metrics.n, [](int K) { return "K = " + std::to_string(K); });
  text += rates_row("exact_match", metrics.n, metrics.exact_match);
  const int max_K = metrics.n.empty() ? 0 : metrics.n.rbegin()->first;
  for (int date = 1; date <= max_K; ++date)
    text += row("date " + std::to_string(date) + " right", metrics.n,
                [&](int K) { return date <= K ? rate_text(metrics.per_date.at(K)[date - 1]) : std::string(); });
  text += rates_row("well_formed", metrics.n, metrics.well_formed);
  text += row("n", metrics.n, [&](int K) { return std::to_string(metrics.n.at(K)); });
  if (metrics.alignment) text += alignment_tables(metrics);
  return text + "\n" + with_commas(total) + " sources of the " + evaluation.split + " split in " + seconds + "\n";
}

}  // namespace softalign
