// Builds sentences from a pattern and its parts, all in one place, so that each sentence costs few bytes of code.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

// A borrowed piece of a message: words, a number, a name in quotes, or a shape such as (15, 128).
struct MessagePart {
  enum class Kind { words, number, quoted, shape } kind;
  const void* data = nullptr;  // characters or sizes
  uint64_t n;                  // how many of them, or the number

  MessagePart(std::string_view words, Kind as = Kind::words) : kind(as), data(words.data()), n(words.size()) {}
  MessagePart(const char* words) : MessagePart(std::string_view(words)) {}
  MessagePart(const std::string& words) : MessagePart(std::string_view(words)) {}
  MessagePart(std::integral auto number) : kind(Kind::number), n(static_cast<uint64_t>(number)) {}  // not negative
  MessagePart(const std::vector<uint64_t>& shape) : kind(Kind::shape), data(shape.data()), n(shape.size()) {}
};

// A name that came from outside: shown without control characters, and cut when it is long.
inline MessagePart quoted(std::string_view name) { return {name, MessagePart::Kind::quoted}; }

// The pattern with its first % replaced by the first part, and so on.
std::string message(const char* pattern, std::initializer_list<MessagePart> parts);

}  // namespace softalign
