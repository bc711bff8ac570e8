// Decodes every source without and with each intervention, counts, and lays the shares out.
#include "native/interventions.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "native/judge.h"
#include "shared/eigen/inference_model.h"

namespace softalign {
namespace {

using Kind = RowEdit::Kind;
constexpr int label_width = 30, cell_width = 9;

std::string shortest(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// Whether an answer changed, and whether it is right, behind what was forced.
struct Outcome {
  bool changed = false, right = false;
};

// One source without intervention and with each: its outcome, then theirs.
Result<std::vector<Outcome>> outcomes_of(InferenceModel& model, const Example& example,
                                         std::span<const Intervention> interventions) {
  const Source source = make_source(example.source).value();
  const std::string before = output_text(model.greedy(source, lab_max_len).tokens);
  std::vector<Outcome> outcomes{{false, before == example.target}};
  for (const Intervention& intervention : interventions) {
    const Edits edits = intervention.edits(example);
    const auto decoded = model.greedy(source, lab_max_len, edits);
    if (!decoded) return decoded.error();
    const size_t forced = edits.prefix.size();
    const auto rest = [&](const std::string& text) { return text.substr(std::min(forced, text.size())); };
    const std::string after = rest(output_text(decoded->tokens));
    outcomes.push_back({after != rest(before), after == rest(example.target)});
  }
  return outcomes;
}

Rate rate(std::span<const Example> examples, const std::function<bool(size_t)>& holds) {
  Rate rate;
  std::map<int, int> n;
  for (size_t i = 0; i < examples.size(); ++i) {
    ++n[examples[i].K];
    rate.by_K[examples[i].K] += holds(i);
    rate.all += holds(i);
  }
  rate.all /= static_cast<double>(examples.size());
  for (auto& [K, share] : rate.by_K) share /= n[K];
  return rate;
}

std::string padded(std::string text, int width) {
  return std::string(std::max(width - static_cast<int>(text.size()), 0), ' ') + text;
}

std::string row(const std::string& label, const Rate& rate) {
  std::string line = "  " + label + std::string(std::max(label_width - static_cast<int>(label.size()), 1), ' ');
  char text[16];
  const auto cell = [&](double share) {
    std::snprintf(text, sizeof text, "%.3f", share);
    line += padded(text, cell_width);
  };
  for (const auto& [K, share] : rate.by_K) cell(share);
  cell(rate.all);
  return line + "\n";
}

Json to_json(const Rate& rate) {
  Json json = {{"all", rate.all}};
  for (const auto& [K, share] : rate.by_K) json[std::to_string(K)] = share;
  return json;
}

}  // namespace

std::string described(const RowEdit& edit) {
  switch (edit.kind) {
    case Kind::one_hot:
      return edit.position == RowEdit::largest ? "one-hot at the largest"
                                               : "one-hot at position " + std::to_string(edit.position + 1);
    case Kind::uniform: return "uniform";
    case Kind::shift: return "shift by " + std::to_string(edit.by);
    case Kind::temperature: return "temperature " + shortest(edit.temperature);
    case Kind::row: return "a free row";
    case Kind::none: return "zero context";
  }
  return "";
}

Intervention of_rows(const RowEdit& edit, int first, int last) {
  return {described(edit), [=](const Example&) { return Edits{.rows = {{first, last, edit}}}; }};
}

Intervention wrong_first_token() {
  return {"first token forced wrong", [](const Example& example) {
            return Edits{.prefix = target_ids(example.target.starts_with('2') ? "1" : "2")};
          }};
}

std::vector<Intervention> usual_interventions(bool attends, int first, int last) {
  std::vector<Intervention> list;
  if (attends)
    for (const RowEdit& edit :
         {RowEdit{.kind = Kind::one_hot}, RowEdit{.kind = Kind::uniform}, RowEdit{.kind = Kind::shift, .by = 1},
          RowEdit{.kind = Kind::shift, .by = -1}, RowEdit{.kind = Kind::temperature, .temperature = 0.5f},
          RowEdit{.kind = Kind::temperature, .temperature = 2}, RowEdit{.kind = Kind::none}})
      list.push_back(of_rows(edit, first, last));
  list.push_back(wrong_first_token());
  return list;
}

Result<InterventionStudy> study(const Checkpoint& checkpoint, std::span<const Intervention> interventions,
                                std::span<const Example> examples, const std::function<void(int done)>& done, int threads) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::vector<Outcome>> outcomes(examples.size());
  std::optional<Error> failure;
  std::atomic<size_t> next = 0;
  std::mutex telling;
  int finished = 0;
  const auto work = [&] {
    auto model = InferenceModel::create(checkpoint);
    for (size_t i; (i = next++) < examples.size();) {
      auto found = model ? outcomes_of(**model, examples[i], interventions) : model.error();
      const std::lock_guard lock(telling);
      if (failure) return;
      if (!found) {
        failure = found.error();
        return;
      }
      outcomes[i] = std::move(*found);
      done(++finished);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int thread = 1; thread < threads; ++thread) workers.emplace_back(work);
    work();
  }
  if (failure) return *failure;
  InterventionStudy study;
  for (const Example& example : examples) ++study.n[example.K];
  study.exact_match = rate(examples, [&](size_t i) { return outcomes[i][0].right; });
  for (size_t k = 0; k < interventions.size(); ++k)
    study.effects.push_back({interventions[k].name, rate(examples, [&](size_t i) { return outcomes[i][k + 1].changed; }),
                             rate(examples, [&](size_t i) { return outcomes[i][k + 1].right; })});
  study.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return study;
}

Json to_json(const InterventionStudy& study) {
  Json json;
  for (const auto& [K, n] : study.n) json["n"][std::to_string(K)] = n;
  json["exact_match"] = to_json(study.exact_match);
  json["interventions"] = Json::array();
  for (const Effect& effect : study.effects)
    json["interventions"].push_back({{"name", effect.name},
                                     {"changed", to_json(effect.changed)},
                                     {"exact_match", to_json(effect.exact_match)}});
  return json;
}

std::string tables(const InterventionStudy& study) {
  const auto heading = [&](const char* title) {
    std::string line = title + std::string(std::max(label_width + 2 - static_cast<int>(std::string(title).size()), 1), ' ');
    for (const auto& [K, n] : study.n) line += padded("K = " + std::to_string(K), cell_width);
    return line + padded("all", cell_width) + "\n";
  };
  std::string text = heading("Share of answers that change");
  for (const Effect& effect : study.effects) text += row(effect.name, effect.changed);
  text += "\n" + heading("exact_match") + row("without intervention", study.exact_match);
  for (const Effect& effect : study.effects) text += row(effect.name, effect.exact_match);
  size_t total = 0;
  for (const auto& [K, n] : study.n) total += static_cast<size_t>(n);
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", study.seconds);
  return text + "\nBehind a forced beginning, only the rest of the answer is compared\n" + with_commas(total) +
         " sources of the test split in " + seconds + "\n";
}

}  // namespace softalign
