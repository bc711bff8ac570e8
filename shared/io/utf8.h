// The UTF-8 that a header's strings need: writing a code point, and telling a good sequence from a broken one.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace softalign::utf8 {

inline void append(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
}

// Length of the sequence that `text` starts with, or 0 when it is broken, overlong, a surrogate or beyond U+10FFFF.
inline int sequence_length(std::string_view text) {
  const auto byte = [&](int i) -> uint32_t { return static_cast<uint8_t>(text[i]); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < static_cast<size_t>(length)) return 0;
  uint32_t code = lead & (0x7f >> length);
  for (int i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  return overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : length;
}

}  // namespace softalign::utf8
