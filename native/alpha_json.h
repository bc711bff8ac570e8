// Rows of attention weights, and a text that was refused, as JSON.
#pragma once
#include "native/json.h"
#include "shared/io/error.h"
#include "shared/task/metrics.h"

namespace softalign {

// A list a token; null where there are no weights. Every number prints as the shortest text of its float.
Json alpha_rows(const Alpha& alpha);

// {source, error: {code, message}}, with no more of a long text than tells which it was.
Json refusal_json(const std::string& text, const Error& error);

}  // namespace softalign
