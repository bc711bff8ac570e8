// Floats to the doubles that JSON prints shortly.
#include "native/alpha_json.h"

#include <charconv>

#include "shared/task/source.h"

namespace softalign {
namespace {

// The double that prints as the shortest text of a float, and rounds to that very float.
double shortest(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double number = value;
  std::from_chars(text, end, number);
  return number;
}

}  // namespace

Json alpha_rows(const Alpha& alpha) {
  if (alpha.S == 0) return {};
  Json rows = Json::array();
  for (int t = 0; t < alpha.T; ++t) {
    Json row = Json::array();
    for (const float weight : alpha.row(t)) row.push_back(shortest(weight));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json refusal_json(const std::string& text, const Error& error) {
  return {{"source", text.substr(0, 4 * source_limit)},
          {"error", {{"code", name(error.code)}, {"message", error.message}}}};
}

}  // namespace softalign
