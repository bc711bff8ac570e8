// From typed text to a Source, or to the reason why there is nothing to read.
#include "shared/task/source.h"

#include <algorithm>

#include "shared/io/message.h"
#include "shared/io/utf8.h"
#include "shared/task/named.h"
#include "shared/task/vocabulary.h"

namespace softalign {
namespace {

// Looks at no more than the limit's worth of text, however long the text is.
bool too_long(std::string_view text) {
  if (text.size() > size_t{4} * source_limit) return true;  // no code point has more than 4 bytes
  for (int i = 0; i < source_limit && !text.empty(); ++i) take_code_point(text);
  return !text.empty();
}

Error nothing_to_read(const std::vector<UnknownCharacter>& unknown, bool has_spaces) {
  if (unknown.empty())
    return {ErrorCode::EMPTY, message("nothing to read: the text %; type a date such as 3 March 2021",
                                      {has_spaces ? "holds only spaces" : "is empty"})};
  std::vector<std::string> names;  // of the first few, each once
  for (const UnknownCharacter& letter : unknown) {
    const std::string name = named(letter.character);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (names.size() > 3) break;
  }
  std::string list = names[0];
  for (size_t i = 1; i < names.size(); ++i) list += i < 3 ? message(", no %", {names[i]}) : " and so on";
  return {ErrorCode::EMPTY,
          message("nothing to read: the model knows no character of this text (no %); type a date such as 3 March 2021",
                  {list})};
}

}  // namespace

Result<Source> make_source(std::string_view utf8) {
  if (too_long(utf8))
    return {ErrorCode::TOO_LONG,
            message("the text is longer than % characters, the most that is read; shorten it", {source_limit})};
  Source source;
  bool has_ink = false;
  for (int position = 0; !utf8.empty(); ++position) {
    const char32_t code_point = take_code_point(utf8);
    const int id = source_id(code_point);
    if (id < 0) {
      source.unknown_.push_back({code_point, position});
      continue;
    }
    source.ids_.push_back(id);
    source.positions_.push_back(position);
    source.text_ += static_cast<char>(code_point);
    has_ink = has_ink || code_point != ' ';
  }
  if (!has_ink) return nothing_to_read(source.unknown_, !source.ids_.empty());
  return source;
}

}  // namespace softalign
