// The one place where pieces of a sentence become text.
#include "shared/io/message.h"

namespace softalign {
namespace {

void append_quoted(std::string& out, std::string_view name) {
  constexpr size_t limit = 60;
  size_t shown = name.size();
  if (shown > limit)
    for (shown = limit; (name[shown] & 0xc0) == 0x80 && shown > 0;) --shown;  // not inside a UTF-8 sequence
  out += '"';
  for (char c : name.substr(0, shown)) out += static_cast<uint8_t>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (shown < name.size()) out += "...";
  out += '"';
}

void append_number(std::string& out, uint64_t number) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* begin = end;
  do *--begin = static_cast<char>('0' + number % 10);
  while (number /= 10);
  out += std::string_view(begin, static_cast<size_t>(end - begin));
}

void append(std::string& out, const MessagePart& part) {
  using Kind = MessagePart::Kind;
  if (part.kind == Kind::number) {
    append_number(out, part.n);
  } else if (part.kind == Kind::shape) {
    const auto* sizes = static_cast<const uint64_t*>(part.data);
    out += '(';
    for (uint64_t i = 0; i < part.n; ++i) {
      if (i > 0) out += ", ";
      append_number(out, sizes[i]);
    }
    out += ')';
  } else {
    const std::string_view text(static_cast<const char*>(part.data), static_cast<size_t>(part.n));
    if (part.kind == Kind::quoted)
      append_quoted(out, text);
    else
      out += text;
  }
}

}  // namespace

std::string message(const char* pattern, std::initializer_list<MessagePart> parts) {
  std::string out;
  const MessagePart* part = parts.begin();
  for (; *pattern; ++pattern) {
    if (*pattern == '%' && part != parts.end())
      append(out, *part++);
    else
      out += *pattern;
  }
  return out;
}

}  // namespace softalign
