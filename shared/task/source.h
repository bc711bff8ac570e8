// A source: a typed text as the model reads it, the only thing that an encoder accepts.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/io/error.h"

namespace softalign {

// Code points of the longest text that is read.
inline constexpr int source_limit = 400;

// A character of the text that the model has no id for.
struct UnknownCharacter {
  char32_t character;
  int position;  // code point index in the text
};

// Letters that the model does not know are left out of `ids` and kept in `unknown`. Only make_source makes one, so a
// Source has 1..source_limit ids, and at least one that is not a space.
class Source {
 public:
  // Source ids of the S characters that the model knows.
  const std::vector<int32_t>& ids() const { return ids_; }
  // Where each of them stands in the text: its code point index.
  const std::vector<int>& positions() const { return positions_; }
  // They themselves, one byte each.
  const std::string& text() const { return text_; }
  const std::vector<UnknownCharacter>& unknown() const { return unknown_; }
  // Code points of the whole text.
  int length() const { return static_cast<int>(ids_.size() + unknown_.size()); }

 private:
  Source() = default;
  friend Result<Source> make_source(std::string_view utf8);

  std::vector<int32_t> ids_;
  std::vector<int> positions_;
  std::string text_;
  std::vector<UnknownCharacter> unknown_;
};

// TOO_LONG over source_limit code points; EMPTY when the text holds no character that the model knows but spaces.
// Bytes that are no UTF-8 count as U+FFFD, which the model does not know.
Result<Source> make_source(std::string_view utf8);

}  // namespace softalign
