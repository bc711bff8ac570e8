// What a manifest states that can be computed again: `train` writes it, `verify` checks it.
#pragma once
#include "native/json.h"
#include "shared/model/config.h"

namespace softalign {

Json to_json(const Config& config);

// SHA-256 of the data: "test_split" and "train_split" over lines `source TAB target`, "batch_order" over a line for each
// step of the full budget, its 128 indices separated by spaces. Lines are joined by LF, without a last LF.
// Computed once in a process.
const Json& data_hashes();

}  // namespace softalign
