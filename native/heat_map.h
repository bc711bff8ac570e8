// Attention weights as text for a terminal: source characters as columns, output tokens as rows.
#pragma once
#include <string>

#include "native/terminal.h"
#include "shared/decoding/greedy.h"
#include "shared/task/source.h"

namespace softalign {

// Coloured cells, or without colour the weights' tenths; cut into blocks of columns where the width does not hold all.
// The column p is the probability of each row's token. Only p for a model without attention.
std::string heat_map(const Source& source, const Decoded& decoded, const TerminalStyle& style);

}  // namespace softalign
