// Which characters are letters, and which cannot be seen, as far as a sentence that names them must know.
#include "shared/task/named.h"

#include <array>

#include "shared/io/message.h"
#include "shared/io/utf8.h"

namespace softalign {
namespace {

// Code points without ink of their own: controls, spaces, combining marks, fillers, joiners, direction marks,
// private use.
bool is_invisible(char32_t c) {
  constexpr std::array<std::array<char32_t, 2>, 17> ranges{{{0x00, 0x20},
                                                            {0x7F, 0xA0},
                                                            {0xAD, 0xAD},
                                                            {0x300, 0x36F},
                                                            {0x61C, 0x61C},
                                                            {0x115F, 0x1160},
                                                            {0x1680, 0x1680},
                                                            {0x180B, 0x180F},
                                                            {0x2000, 0x200F},
                                                            {0x2028, 0x202F},
                                                            {0x205F, 0x206F},
                                                            {0x3000, 0x3000},
                                                            {0x3164, 0x3164},
                                                            {0xE000, 0xF8FF},
                                                            {0xFE00, 0xFE0F},
                                                            {0xFFA0, 0xFFA0},
                                                            {0xE0000, 0x10FFFF}}};
  for (const auto& [first, last] : ranges)
    if (first <= c && c <= last) return true;
  return c == 0xFEFF;
}

// The letters of all scripts, roughly: between and above these ranges lie punctuation, symbols and emoji.
bool is_letter(char32_t c) {
  if (c < 0x80) return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z');
  return c >= 0xC0 && (c < 0x2000 || c > 0x303F) && c < 0x1F000 && c != replacement_character && !is_invisible(c);
}

}  // namespace

std::string named(char32_t character) {
  if (!is_invisible(character)) {
    std::string text;
    append_utf8(text, character);
    return message(is_letter(character) ? "letter \"%\"" : "character \"%\"", {text});
  }
  std::string number;
  for (int shift = 20; shift >= 0; shift -= 4)
    if (shift < 16 || character >> shift) number += "0123456789ABCDEF"[(character >> shift) & 0xF];
  return message("character U+%", {number});
}

}  // namespace softalign
