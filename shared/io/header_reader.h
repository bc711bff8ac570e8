// Reads the JSON header of a safetensors file strictly, for safetensors.cpp alone; safetensors.h numbers the rules.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/io/safetensors.h"

namespace softalign {

inline constexpr std::string_view metadata_key = "__metadata__";

namespace utf8 {

// Appends one code point.
inline void append(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
}

// Length of the sequence that starts with the byte >= 0x80 at `text`, or 0 when it is broken, overlong or a surrogate.
inline int sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<uint8_t>(text[i]); };
  const int length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < static_cast<size_t>(length)) return 0;
  uint32_t code = byte(0) & (0x7f >> length);
  for (int i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

}  // namespace utf8

// Reads the one shape of JSON that a header may have. Each part returns false after a problem, told in `problem`.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  bool read(Header& header) {
    // The shortest tensor takes 51 characters, so this reserves less than twice the header.
    header.tensors.reserve(std::min(text_.size() / 51, tensor_limit));
    bool metadata_seen = false;
    const bool read = object([&](std::string key) {
      if (key != metadata_key) return tensor(std::move(key), header);
      if (std::exchange(metadata_seen, true)) return twice(key);  // rule 5
      return metadata(header.metadata);
    });
    if (!read) return false;
    skip_space();
    return at_ == text_.size() || wrong("nothing but white space after the last }");  // rule 3
  }

  std::string problem;  // a sentence without its subject, the file

 private:
  bool fail(std::string text) {
    problem = std::move(text);
    return false;
  }
  bool wrong(std::string_view wanted) {
    return fail("its header is damaged: at byte " + std::to_string(8 + at_) + " of the file there should be " +
                std::string(wanted));
  }
  bool twice(std::string_view key) { return fail("its header has the key " + quoted(key) + " twice"); }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool expect(char c) { return take(c) || wrong(std::string_view(&c, 1)); }

  template <class Member>
  bool object(Member&& member) {  // member(key) reads the value
    if (!expect('{')) return false;
    if (take('}')) return true;
    do {
      std::string key;
      if (!string(key) || !expect(':') || !member(std::move(key))) return false;
    } while (take(','));
    return expect('}');
  }

  bool string(std::string& out) {  // rule 7
    if (!expect('"')) return false;
    size_t close = at_;
    while (close < text_.size() && text_[close] != '"') close += text_[close] == '\\' ? 2 : 1;
    if (close >= text_.size()) return wrong("a string that ends");
    out.reserve(close - at_);  // an escape is longer than what it stands for
    while (text_[at_] != '"') {
      const auto c = static_cast<uint8_t>(text_[at_]);
      if (c == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      const int length = c < 0x80 ? 1 : utf8::sequence_length(text_.substr(at_, close - at_));
      if (c < 0x20 || length == 0) return wrong("a character in UTF-8, and control characters as \\u escapes");
      out.append(text_, at_, length);
      at_ += length;
    }
    ++at_;
    return true;
  }

  // Hexadecimal digits of a \u escape at `from`, or no_code.
  static constexpr uint32_t no_code = 0xffffffff;
  uint32_t hex4(size_t from) const {
    uint32_t code = 0;
    for (size_t i = from; i < from + 4; ++i) {
      const size_t digit =
          i < text_.size() ? std::string_view("0123456789abcdefABCDEF").find(text_[i]) : std::string_view::npos;
      if (digit == std::string_view::npos) return no_code;
      code = code << 4 | static_cast<uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return code;
  }

  bool escape(std::string& out) {  // at the backslash, which is never the header's last byte
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const size_t i = letters.find(text_[at_ + 1]); i != std::string_view::npos) {
      out += meanings[i];
      at_ += 2;
      return true;
    }
    uint32_t code = text_[at_ + 1] == 'u' ? hex4(at_ + 2) : no_code;
    size_t length = 6;
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_ + 6, 2) == "\\u") {
      const uint32_t low = hex4(at_ + 8);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        length = 12;
      }
    }
    if (code == no_code || (code >= 0xd800 && code < 0xe000)) return wrong("an escape that JSON knows");
    utf8::append(out, code);
    at_ += length;
    return true;
  }

  bool number(uint64_t& out) {  // rule 8
    skip_space();
    const size_t start = at_;
    const auto digit = [&] { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; };
    for (out = 0; digit(); ++at_) {
      const uint64_t next = static_cast<uint64_t>(text_[at_] - '0');
      if (out > (std::numeric_limits<uint64_t>::max() - next) / 10) return wrong("a number under 2^64");
      out = out * 10 + next;
    }
    if (at_ == start || (text_[start] == '0' && at_ > start + 1)) return wrong("a whole number");
    return true;
  }

  // A list of at most `limit` numbers; vectors are sized once, by what was read.
  bool numbers(std::vector<uint64_t>& out, size_t limit) {
    std::array<uint64_t, rank_limit> read;
    size_t count = 0;
    if (!expect('[')) return false;
    if (!take(']')) {
      do {
        if (count == limit) return wrong("a list of at most " + std::to_string(limit) + " numbers");
        if (!number(read[count++])) return false;
      } while (take(','));
      if (!expect(']')) return false;
    }
    out.assign(read.begin(), read.begin() + count);
    return true;
  }

  bool metadata(Metadata& out) {  // rule 6
    return object([&](std::string key) {
      if (find(out, key)) return twice(key);
      if (out.size() == metadata_limit)
        return fail("it has more than " + std::to_string(metadata_limit) + " entries of metadata");
      out.emplace_back(std::move(key), std::string());
      return string(out.back().second);
    });
  }

  bool tensor(std::string name, Header& header) {  // rule 4
    if (header.find(name)) return twice(name);
    if (header.tensors.size() == tensor_limit)
      return fail("it has more than " + std::to_string(tensor_limit) + " tensors; that is no model of this course");
    TensorView view;
    view.name = std::move(name);
    std::array<bool, 3> seen{};
    const bool read = object([&](const std::string& key) {
      constexpr std::array<std::string_view, 3> fields{"dtype", "shape", "data_offsets"};
      const size_t field = std::find(fields.begin(), fields.end(), key) - fields.begin();
      if (field == fields.size()) return fail("tensor " + quoted(view.name) + " has an unknown field " + quoted(key));
      if (std::exchange(seen[field], true)) return twice(key);
      return field == 0 ? dtype(view) : field == 1 ? numbers(view.shape, rank_limit) : offsets(view);
    });
    if (!read) return false;
    if (!(seen[0] && seen[1] && seen[2]))
      return fail("tensor " + quoted(view.name) + " lacks one of dtype, shape and data_offsets");
    if (!check_size(view)) return false;
    const auto before = [](const TensorView& a, const TensorView& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    };
    auto& tensors = header.tensors;
    tensors.insert(std::upper_bound(tensors.begin(), tensors.end(), view, before), std::move(view));
    return true;
  }

  bool dtype(TensorView& view) {  // rule 9
    std::string text;
    if (!string(text)) return false;
    const size_t i = std::find(dtype_names.begin(), dtype_names.end(), text) - dtype_names.begin();
    if (i == dtype_names.size())
      return fail("tensor " + quoted(view.name) + " has dtype " + quoted(text) +
                  "; softalign reads F32, F16 and BF16 (in Python, save tensor.float())");
    view.dtype = static_cast<DType>(i);
    return true;
  }

  bool offsets(TensorView& view) {
    std::vector<uint64_t> pair;
    if (!numbers(pair, 2)) return false;
    if (pair.size() != 2 || pair[0] > pair[1])
      return fail("tensor " + quoted(view.name) + " needs data_offsets [begin, end] with begin <= end");
    view.begin = pair[0], view.end = pair[1];
    return true;
  }

  bool check_size(const TensorView& view) {  // rules 10 and 11
    uint64_t size = bytes_of(view.dtype);
    for (uint64_t n : view.shape) {
      if (n != 0 && size > std::numeric_limits<uint64_t>::max() / n)
        return fail("tensor " + quoted(view.name) + " of shape " + shape_text(view.shape) + " is larger than any file");
      size *= n;
    }
    if (size == view.end - view.begin) return true;
    return fail("tensor " + quoted(view.name) + " of shape " + shape_text(view.shape) + " and dtype " +
                softalign::name(view.dtype) + " needs " + std::to_string(size) + " bytes, but its data_offsets span " +
                std::to_string(view.end - view.begin));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace softalign
