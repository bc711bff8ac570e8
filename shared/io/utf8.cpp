// The UTF-8 decoder of the Unicode standard's table 3-7, and an encoder.
#include "shared/io/utf8.h"

#include <cassert>

namespace softalign {
namespace {

// What a lead byte announces: how many bytes follow, its own payload, and the allowed range of the byte after it.
// The ranges keep out overlong forms, surrogates and all above U+10FFFF. `following` is -1 for no lead byte.
struct Lead {
  int following;
  char32_t payload;
  unsigned low = 0x80, high = 0xBF;
};

Lead lead(unsigned byte) {
  if (byte < 0x80) return {0, byte};
  if (byte < 0xC2 || byte > 0xF4) return {-1, replacement_character};
  if (byte < 0xE0) return {1, byte & 0x1F};
  if (byte < 0xF0) return {2, byte & 0x0F, byte == 0xE0 ? 0xA0u : 0x80u, byte == 0xED ? 0x9Fu : 0xBFu};
  return {3, byte & 0x07, byte == 0xF0 ? 0x90u : 0x80u, byte == 0xF4 ? 0x8Fu : 0xBFu};
}

}  // namespace

char32_t take_code_point(std::string_view& text) {
  assert(!text.empty() && "take_code_point: text is left");
  auto [following, code_point, low, high] = lead(static_cast<unsigned char>(text.front()));
  text.remove_prefix(1);
  for (; following > 0; --following) {
    if (text.empty()) return replacement_character;
    const unsigned byte = static_cast<unsigned char>(text.front());
    if (byte < low || byte > high) return replacement_character;  // the byte may start the next code point: it stays
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

}  // namespace softalign
