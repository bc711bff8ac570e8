// Which row is edited how, and what cannot be edited.
#include "shared/decoding/edits.h"

#include <cmath>

#include "shared/io/message.h"
#include "shared/task/vocabulary.h"

namespace softalign {
namespace {

Error refused(std::string sentence) { return {ErrorCode::BAD_VALUE, std::move(sentence)}; }

Status check_row(const RowEdit& edit, int S) {
  switch (edit.kind) {
    case RowEdit::Kind::one_hot:
      if (edit.position != RowEdit::largest && (edit.position < 0 || edit.position >= S))
        return refused(message("the weight can be put on one of the % characters that the model read, on no other", {S}));
      break;
    case RowEdit::Kind::temperature:
      if (!(edit.temperature >= least_temperature && edit.temperature <= most_temperature))
        return refused("a temperature is a number from 0.01 to 100");
      break;
    case RowEdit::Kind::row: {
      float sum = 0;
      bool weights = edit.row.size() <= static_cast<size_t>(S);
      for (const float weight : edit.row) weights = weights && weight >= 0, sum += weight;
      if (!weights || !(sum > 0) || !std::isfinite(sum))
        return refused(message("a free row holds at most a weight for each of the % characters that the model read, "
                               "none of them negative and one of them above 0", {S}));
      break;
    }
    default:
      break;
  }
  return success();
}

}  // namespace

Result<std::vector<int32_t>> prefix_ids(std::string_view text) {
  if (text.find_first_not_of(target_characters) != text.npos)
    return refused(message("answers are written in digits, - and spaces, so none begins with %", {quoted(text)}));
  return target_ids(text);
}

const RowEdit* Edits::row(int t) const {
  for (size_t i = rows.size(); i-- > 0;)
    if (rows[i].first <= t && t <= rows[i].last) return &rows[i].edit;
  return nullptr;
}

Status check(const Edits& edits, const Config& config, int S, int max_len) {
  if (!edits.rows.empty() && !config.attends())
    return refused("the plain model has no rows of weights to edit; only the beginning of its answer can be forced");
  for (const Edits::Rows& rows : edits.rows) {
    if (rows.first < 0 || rows.last < rows.first)
      return refused("edited rows go from one token of the answer to the same or a later one");
    if (auto legal = check_row(rows.edit, S); !legal) return legal;
  }
  if (edits.prefix.size() > static_cast<size_t>(max_len))
    return refused(message("the forced beginning is longer than the longest answer, % tokens", {max_len}));
  for (const int32_t id : edits.prefix)
    if (id < first_target_character || id >= config.V_tgt)
      return refused("the beginning of an answer is made of the characters that answers are written in");
  return success();
}

}  // namespace softalign
