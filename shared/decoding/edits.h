// Interventions on one decoding: edited rows of attention weights, and an answer whose beginning is forced.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "shared/io/error.h"
#include "shared/model/config.h"
#include "shared/model/edits.h"

namespace softalign {

struct Edits {
  struct Rows {
    int first = 0, last = 0;  // the tokens whose rows are edited, counted from 0
    RowEdit edit;
  };
  std::vector<Rows> rows{};       // where two meet, the later one counts
  std::vector<int32_t> prefix{};  // written in place of the first tokens; the model goes on from them

  // How row t is edited, or null.
  const RowEdit* row(int t) const;
};

// The names of RowEdit::Kind, in its order.
inline constexpr std::array<std::string_view, 6> edit_kind_names{"one_hot", "uniform", "shift", "temperature", "row", "none"};

// The beginning of an answer as tokens; BAD_VALUE unless it is made of the characters that answers are written in.
Result<std::vector<int32_t>> prefix_ids(std::string_view text);

// The sharpest and the softest temperature.
inline constexpr float least_temperature = 0.01f, most_temperature = 100;

// BAD_VALUE, with the reason, unless a model of this config can apply the edits to a source of S characters.
Status check(const Edits& edits, const Config& config, int S, int max_len);

}  // namespace softalign
