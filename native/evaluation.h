// Measures a model on examples: the lab's metrics, as JSON and as tables for people.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/json.h"
#include "native/judge.h"
#include "shared/task/metrics.h"

namespace softalign {

inline constexpr std::array<std::string_view, 2> split_names{"test", "train"};

struct Evaluation {
  std::string split;  // of split_names
  std::string judge;
  Metrics metrics;
  double seconds = 0;
};

// The first `limit` examples of each K of a split; all of them when `limit` is 0.
std::vector<Example> examples_of(const std::string& split, int limit);

// Outputs come from greedy decoding (free running, at most lab_max_len tokens), weights from teacher forcing.
// `go_on(done)` is asked after every source; nothing comes back when it says no.
std::optional<Evaluation> evaluate(Judge& judge, bool attends, const std::string& split,
                                   std::span<const Example> examples, const std::function<bool(int done)>& go_on);

Json to_json(const Evaluation& evaluation);
std::string tables(const Evaluation& evaluation);

}  // namespace softalign
