// The JSON library under one name; it serves files and output of the command line, never weights.
#pragma once
#include <nlohmann/json.hpp>

namespace softalign {

// Keys keep the order in which they were set.
using Json = nlohmann::ordered_json;

}  // namespace softalign
