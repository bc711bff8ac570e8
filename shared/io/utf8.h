// UTF-8 to code points and back; bytes that are no UTF-8 become U+FFFD, so that any text can be read.
#pragma once
#include <string>
#include <string_view>

namespace softalign {

inline constexpr char32_t replacement_character = 0xFFFD;

// Takes the first code point off `text`, which is not empty. A bad sequence counts as one U+FFFD for its longest
// part that could still have become a code point, as in browsers (surrogates and overlong forms are bad).
char32_t take_code_point(std::string_view& text);

void append_utf8(std::string& text, char32_t code_point);

}  // namespace softalign
