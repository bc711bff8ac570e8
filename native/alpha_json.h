// Rows of attention weights as JSON.
#pragma once
#include "native/json.h"
#include "shared/task/metrics.h"

namespace softalign {

// A list a token; null where there are no weights. Every number prints as the shortest text of its float.
Json alpha_rows(const Alpha& alpha);

}  // namespace softalign
