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

// What a model writes, free running, for the sentence `showcase`, and where it looks.
struct Showcase {
  std::vector<int32_t> tokens;
  double log_prob = 0;  // of the tokens, in nats, to six decimals
  // By row of alpha; nothing for a model without attention.
  struct Looks {
    int one_hot_rows = 0;
    std::vector<int> largest_at;  // the position of each row's largest weight, counted from 1
  };
  std::optional<Looks> looks;
};

// How well the model foretells each token of the targets, <eos> among them, from the right tokens before it: no measure
// of what it writes on its own, where one wrong token leads to the next.
struct TeacherForced {
  Rate loss;            // nats per token, to six decimals: other machines compute other last digits
  Rate token_accuracy;  // share of the tokens that are the most probable ones
};

struct Evaluation {
  std::string split;  // of split_names
  std::string judge;
  Metrics metrics;
  TeacherForced teacher_forced;
  Showcase showcase;
  double seconds = 0;
};

// How many threads this machine runs at once.
int all_cores();

// The first `limit` examples of each K of a split; all of them when `limit` is 0.
std::vector<Example> examples_of(const std::string& split, int limit);

// Outputs come from greedy decoding (free running, at most lab_max_len tokens), weights and losses from teacher forcing.
// `go_on(done)` is asked after every source, by one thread at a time; nothing comes back when it says no.
// The numbers are the same for any number of threads; a judge without twins works alone.
std::optional<Evaluation> evaluate(Judge& judge, bool attends, const std::string& split,
                                   std::span<const Example> examples, const std::function<bool(int done)>& go_on,
                                   int threads = all_cores());

Json to_json(const Evaluation& evaluation);
std::string tables(const Evaluation& evaluation);

}  // namespace softalign
