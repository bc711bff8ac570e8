// The models that are trained for good, with their settings: what `train --all` trains, and how a model gets its name.
#pragma once
#include <cstdint>
#include <string_view>

namespace softalign {

struct PinnedModel {
  std::string_view name, score, ordering, encoder;
  uint64_t seed;
  std::string_view gru;
  bool snapshots = false;
};

// The first five are shown in the page, which also needs their snapshots. The others are for the table alone: what the
// ordering does without the bi encoder, what a reversed source does for the model without attention, and how far two seeds
// are apart.
inline constexpr PinnedModel pinned_models[] = {
    {"dot", "dot", "luong", "uni", 0, "own", true},
    {"general", "general", "luong", "uni", 0, "own", true},
    {"additive", "additive", "luong", "uni", 0, "own", true},
    {"plain", "none", "luong", "uni", 0, "torch", true},
    {"bahdanau", "additive", "bahdanau", "bi", 0, "own", true},
    {"bahdanau-uni", "additive", "bahdanau", "uni", 0, "own"},
    {"plain-reversed", "none", "luong", "reversed", 0, "torch"},
    {"plain-seed-1", "none", "luong", "uni", 1, "torch"},
    {"dot-seed-1", "dot", "luong", "uni", 1, "own"},
};

}  // namespace softalign
