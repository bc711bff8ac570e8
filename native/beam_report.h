// What a beam search found and tried, as text for a terminal and as JSON.
#pragma once
#include <string>

#include "native/json.h"
#include "native/terminal.h"
#include "shared/decoding/beam_search.h"

namespace softalign {

// The best outputs, best first, one a line.
std::string best_outputs(const BeamSearch& found, const BeamSettings& settings);
// Step by step what was kept and the best of what was dropped, with the way to the best output marked.
std::string explored_tree(const BeamSearch& found, const TerminalStyle& style);

// [{output, tokens, log_prob, length, value_per_length, finished, node}]
Json best_json(const BeamSearch& found);
// One list a member, an entry a node: token, value, parent (-1 follows <bos>), length, kept, finished.
Json tree_json(const BeamSearch& found);

}  // namespace softalign
