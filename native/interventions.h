// Interventions over a set of sources: how many answers each of them changes, and how many are right after it.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "native/json.h"
#include "shared/decoding/edits.h"
#include "shared/io/checkpoint.h"
#include "shared/task/metrics.h"

namespace softalign {

struct Intervention {
  std::string name;
  std::function<Edits(const Example&)> edits;
};

// In words: "uniform", "shift by -1", "one-hot at the largest".
std::string described(const RowEdit& edit);
// The same edit of these rows for every source.
Intervention of_rows(const RowEdit& edit, int first, int last);
// A first token that is wrong: 1 where the target begins with 2, and 2 where it begins with 1.
Intervention wrong_first_token();
// Those that `softalign intervene` compares: edits of the rows first..last where the model has rows, and the wrong token.
std::vector<Intervention> usual_interventions(bool attends, int first, int last);

// Answers are compared with those without intervention, and with the targets, behind a forced beginning.
struct Effect {
  std::string name;
  Rate changed;      // share of the answers that differ from those without intervention
  Rate exact_match;  // share of the answers that equal their targets
};
struct InterventionStudy {
  std::map<int, int> n;  // sources of each K
  Rate exact_match;      // without intervention
  std::vector<Effect> effects;
  double seconds = 0;
};

// `done(sources)` is told after each source, by one thread at a time. The numbers are the same for any number of threads.
// BAD_VALUE when an intervention cannot be applied to the model or to one of the sources.
Result<InterventionStudy> study(const Checkpoint& checkpoint, std::span<const Intervention> interventions,
                                std::span<const Example> examples, const std::function<void(int done)>& done, int threads);

Json to_json(const InterventionStudy& study);
std::string tables(const InterventionStudy& study);

}  // namespace softalign
