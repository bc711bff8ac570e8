// Escapes text and formats numbers for markup.
#include "native/markup.h"

#include <cmath>
#include <cstdio>

#include "native/terminal.h"

namespace softalign {

std::string escaped(std::string_view text) {
  std::string markup;
  for (const char byte : harmless(text)) switch (byte) {
      case '&': markup += "&amp;"; break;
      case '<': markup += "&lt;"; break;
      case '>': markup += "&gt;"; break;
      case '"': markup += "&quot;"; break;
      case '\'': markup += "&#39;"; break;
      default: markup += byte;
    }
  return markup;
}

std::string fixed(double number, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, number);
  return text;
}

std::string px(double length) {
  std::string text = fixed(std::round(length * 10) / 10 + 0.0, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

const std::string_view colour_roles = R"(:root{--paper:#faf8f4;--ink:#1d1a16;--muted:#665f55;--line:#e6e0d5;--edge:#8f877a;--source:#1c4f9c;--target:#0c5a4b;--target-tint:#d3ebe3;--attention:#7b2811;--error:#a3124f}
@media screen and (prefers-color-scheme:dark){:root{--paper:#1a1815;--ink:#ece7de;--muted:#a79f92;--line:#322e28;--edge:#7d766a;--source:#9dc1ff;--target:#8fe3c8;--target-tint:#1a3b33;--attention:#fcda86;--error:#ff9dbd}}
)";

}  // namespace softalign
