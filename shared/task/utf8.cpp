// The UTF-8 decoder of the Unicode standard's table 3-7, an encoder, and characters as a sentence names them.
#include "shared/task/utf8.h"

#include <array>
#include <cassert>

namespace softalign {
namespace {

constexpr char32_t replacement = 0xFFFD;

// What a lead byte announces: how many bytes follow, its own payload, and the allowed range of the byte after it.
// The ranges keep out overlong forms, surrogates and all above U+10FFFF. `following` is -1 for no lead byte.
struct Lead {
  int following;
  char32_t payload;
  unsigned low = 0x80, high = 0xBF;
};

Lead lead(unsigned byte) {
  if (byte < 0x80) return {0, byte};
  if (byte < 0xC2 || byte > 0xF4) return {-1, replacement};
  if (byte < 0xE0) return {1, byte & 0x1F};
  if (byte < 0xF0) return {2, byte & 0x0F, byte == 0xE0 ? 0xA0u : 0x80u, byte == 0xED ? 0x9Fu : 0xBFu};
  return {3, byte & 0x07, byte == 0xF0 ? 0x90u : 0x80u, byte == 0xF4 ? 0x8Fu : 0xBFu};
}

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
  return c >= 0xC0 && (c < 0x2000 || c > 0x303F) && c < 0x1F000 && c != replacement && !is_invisible(c);
}

}  // namespace

char32_t take_code_point(std::string_view& text) {
  assert(!text.empty() && "take_code_point: text is left");
  auto [following, code_point, low, high] = lead(static_cast<unsigned char>(text.front()));
  text.remove_prefix(1);
  for (; following > 0; --following) {
    if (text.empty()) return replacement;
    const unsigned byte = static_cast<unsigned char>(text.front());
    if (byte < low || byte > high) return replacement;  // the byte may start the next code point: it stays
    code_point = (code_point << 6) | (byte & 0x3F);
    low = 0x80, high = 0xBF;
    text.remove_prefix(1);
  }
  return code_point;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  const auto tail = [&](int shift) { byte(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | (code_point >> 6)), tail(0);
  } else if (code_point < 0x10000) {
    byte(0xE0 | (code_point >> 12)), tail(6), tail(0);
  } else {
    byte(0xF0 | (code_point >> 18)), tail(12), tail(6), tail(0);
  }
}

std::string named(std::string_view character) {
  std::string_view rest = character;
  const char32_t code_point = take_code_point(rest);
  if (is_letter(code_point)) return "letter \"" + std::string(character) + '"';
  if (!is_invisible(code_point)) return "character \"" + std::string(character) + '"';
  std::string number;
  for (int shift = 20; shift >= 0; shift -= 4)
    if (shift < 16 || code_point >> shift) number += "0123456789ABCDEF"[(code_point >> shift) & 0xF];
  return "character U+" + number;
}

}  // namespace softalign
