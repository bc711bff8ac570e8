// Runs a judge over examples and lays out what the metrics say.
#include "native/evaluation.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>

#include "native/markup.h"

namespace softalign {
namespace {

constexpr int label_width = 30, cell_width = 9;

std::string padded(std::string text, int width) {
  if (static_cast<int>(text.size()) < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string rate_text(double rate) { return fixed(rate, 3); }

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

// A table's first row, for rows that end with a rate over all examples.
std::string head_with_all(const std::string& title, const std::map<int, int>& n) {
  std::string line = row(title, n, [](int K) { return "K = " + std::to_string(K); });
  line.pop_back();
  return "\n" + line + padded("all", cell_width) + "\n";
}

std::string teacher_forced_table(const TeacherForced& forced, const std::map<int, int>& n) {
  std::string losses = row("loss, nats per token", n, [&](int K) { return fixed(forced.loss.by_K.at(K), 6); });
  losses.pop_back();
  return head_with_all("Given the right tokens so far", n) + losses + padded(fixed(forced.loss.all, 6), cell_width) +
         "\n" + rate_row("token accuracy", n, forced.token_accuracy);
}

std::string alignment_tables(const Metrics& metrics) {
  const AlignmentMetrics& alignment = *metrics.alignment;
  std::string text = head_with_all("Where attention looks", metrics.n);
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

Json to_json(const Showcase& shown) {
  Json json = {{"source", showcase}, {"output", output_text(shown.tokens)}, {"log_prob", shown.log_prob}};
  json["one_hot_rows"] = shown.looks ? Json(shown.looks->one_hot_rows) : Json();
  json["largest_at"] = shown.looks ? Json(shown.looks->largest_at) : Json();
  return json;
}

std::string showcase_table(const Showcase& shown) {
  const auto label = [](const char* name) {
    char text[64];
    std::snprintf(text, sizeof text, "  %-*s", label_width, name);
    return std::string(text);
  };
  char log_prob[32];
  std::snprintf(log_prob, sizeof log_prob, "%.6f nats", shown.log_prob);
  std::string text = "\n  On " + std::string(showcase) + "\n" + label("log_prob") + log_prob + "\n";
  std::string written = label("writes"), places = label("largest weight at position");
  for (size_t t = 0; t < shown.tokens.size(); ++t) {
    const std::string token = token_text(shown.tokens[t]);
    const int width = 2 + std::max(1, static_cast<int>(token.size()));
    written += padded(token, width);
    if (shown.looks) places += padded(std::to_string(shown.looks->largest_at[t]), width);
  }
  text += written + "\n";
  if (!shown.looks) return text;
  return text + places + "\n" + label("one-hot rows (> 0.99)") + std::to_string(shown.looks->one_hot_rows) + " of " +
         std::to_string(shown.tokens.size()) + "\n";
}

std::vector<int32_t> with_eos(std::string_view target) {
  std::vector<int32_t> ids = target_ids(target);
  ids.push_back(eos);
  return ids;
}

// Sums over the tokens of one example, or of many.
struct ForcedSums {
  double log_prob = 0;
  int tokens = 0, right = 0;
  void add(const ForcedSums& other) {
    log_prob += other.log_prob;
    tokens += other.tokens;
    right += other.right;
  }
};

ForcedSums forced_sums(const Decoded& scored) {
  ForcedSums sums{scored.log_prob, static_cast<int>(scored.tokens.size()), 0};
  const size_t V = scored.z.size() / scored.tokens.size();
  for (size_t t = 0; t < scored.tokens.size(); ++t)
    sums.right += argmax(std::span(scored.z).subspan(t * V, V)) == scored.tokens[t];
  return sums;
}

// Summed in the examples' order, whichever threads measured them.
TeacherForced teacher_forced(std::span<const Example> examples, std::span<const ForcedSums> forced) {
  ForcedSums all;
  std::map<int, ForcedSums> by_K;
  for (size_t i = 0; i < examples.size(); ++i) {
    all.add(forced[i]);
    by_K[examples[i].K].add(forced[i]);
  }
  const auto loss = [](const ForcedSums& sums) { return std::round(-sums.log_prob / sums.tokens * 1e6) / 1e6; };
  const auto accuracy = [](const ForcedSums& sums) { return static_cast<double>(sums.right) / sums.tokens; };
  TeacherForced measured{{loss(all), {}}, {accuracy(all), {}}};
  for (const auto& [K, sums] : by_K) {
    measured.loss.by_K[K] = loss(sums);
    measured.token_accuracy.by_K[K] = accuracy(sums);
  }
  return measured;
}

Showcase show(Judge& judge) {
  const Decoded decoded = judge.greedy(make_source(showcase).value(), lab_max_len);
  const Alpha& alpha = decoded.alpha;
  Showcase shown{decoded.tokens, std::round(decoded.log_prob * 1e6) / 1e6, std::nullopt};
  if (alpha.S == 0) return shown;
  shown.looks.emplace().one_hot_rows = one_hot_rows(alpha);
  for (int t = 0; t < alpha.T; ++t) shown.looks->largest_at.push_back(argmax(alpha.row(t)) + 1);
  return shown;
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

int all_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::optional<Evaluation> evaluate(Judge& judge, bool attends, const std::string& split,
                                   std::span<const Example> examples, const std::function<bool(int done)>& go_on,
                                   int threads) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> outputs(examples.size());
  std::vector<Alpha> alphas(attends ? examples.size() : 0);
  std::vector<ForcedSums> forced(examples.size());
  std::atomic<size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::mutex asking;
  int done = 0;
  const auto work = [&](Judge& worker) {
    for (size_t i; !stopped && (i = next++) < examples.size();) {
      const Source source = make_source(examples[i].source).value();
      outputs[i] = output_text(worker.greedy(source, lab_max_len).tokens);
      Decoded scored = worker.score_target(source, with_eos(examples[i].target));
      forced[i] = forced_sums(scored);
      if (attends) alphas[i] = std::move(scored.alpha);
      const std::lock_guard lock(asking);
      if (!stopped && !go_on(++done)) stopped = true;
    }
  };
  {
    std::vector<std::unique_ptr<Judge>> twins;
    for (int thread = 1; thread < std::min(threads, static_cast<int>(examples.size())); ++thread)
      if (auto twin = judge.twin()) twins.push_back(std::move(twin));
    std::vector<std::jthread> workers;
    for (const auto& twin : twins) workers.emplace_back([&work, &twin] { work(*twin); });
    work(judge);
  }
  if (stopped) return std::nullopt;
  Evaluation evaluation{split,       judge.name(), measure(examples, outputs, alphas), teacher_forced(examples, forced),
                        show(judge), 0};
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
  json["teacher_forced"] = {{"loss", to_json(evaluation.teacher_forced.loss)},
                            {"token_accuracy", to_json(evaluation.teacher_forced.token_accuracy)}};
  const auto& alignment = metrics.alignment;
  json["alignment_hit_rate"] = alignment ? to_json(alignment->alignment_hit_rate) : Json();
  json["field_hit_rate"] = alignment ? to_json(alignment->field_hit_rate) : Json();
  json["chance_hit_rate"] = alignment ? to_json(alignment->chance_hit_rate) : Json();
  json["chance_field_rate"] = alignment ? to_json(alignment->chance_field_rate) : Json();
  json["one_hot_share"] = alignment ? to_json(alignment->one_hot_share) : Json();
  json["showcase"] = to_json(evaluation.showcase);
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
  text += teacher_forced_table(evaluation.teacher_forced, metrics.n);
  if (metrics.alignment) text += alignment_tables(metrics);
  text += showcase_table(evaluation.showcase);
  return text + "\n" + with_commas(total) + " sources of the " + evaluation.split + " split in " + seconds + "\n";
}

}  // namespace softalign
