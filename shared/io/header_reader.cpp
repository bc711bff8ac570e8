// The header's grammar, read from left to right with the limits checked before anything is stored.
#include "shared/io/header_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "shared/io/utf8.h"

namespace softalign {

bool HeaderReader::read(Header& header) {
  // The shortest tensor takes 51 characters, so this reserves less than twice the header.
  header.tensors.reserve(std::min(text_.size() / 51, tensor_limit));
  bool metadata_seen = false, first = true;
  if (!expect('{')) return false;
  for (std::string key; member(key, first);) {
    if (key != metadata_key) {
      if (!tensor(std::move(key), header)) return false;
    } else {
      if (std::exchange(metadata_seen, true)) return twice(key);  // rule 5
      if (!metadata(header.metadata)) return false;
    }
  }
  if (!problem.empty()) return false;
  skip_space();
  return at_ == text_.size() || wrong("nothing but white space after the last }");  // rule 3
}

bool HeaderReader::fail(const char* pattern, std::initializer_list<MessagePart> parts) {
  problem = message(pattern, parts);
  return false;
}

bool HeaderReader::wrong(const char* wanted) {
  return fail("its header is damaged: byte % of the file should be %", {8 + at_, wanted});
}

bool HeaderReader::twice(std::string_view key) { return fail("its header has the key % twice", {quoted(key)}); }

void HeaderReader::skip_space() {
  constexpr std::string_view white = " \t\n\r";
  while (at_ < text_.size() && white.find(text_[at_]) != std::string_view::npos) ++at_;
}

bool HeaderReader::take(char c) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool HeaderReader::expect(char c) {
  const char wanted[] = {c, '\0'};
  return take(c) || wrong(wanted);
}

bool HeaderReader::member(std::string& key, bool& first) {
  if (first && take('}')) return false;
  if (!first && !take(',')) {
    expect('}');
    return false;
  }
  first = false;
  return string(key) && expect(':');
}

bool HeaderReader::string(std::string& out) {  // rule 7
  if (!expect('"')) return false;
  size_t close = at_;
  while (close < text_.size() && text_[close] != '"') close += text_[close] == '\\' ? 2 : 1;
  if (close >= text_.size()) return wrong("a string that ends");
  out.clear();
  out.reserve(close - at_);  // an escape is longer than what it stands for
  while (text_[at_] != '"') {
    if (text_[at_] == '\\') {
      if (!escape(out)) return wrong("an escape that JSON knows");
      continue;
    }
    std::string_view rest = text_.substr(at_, close - at_);
    const char32_t code_point = take_code_point(rest);
    const std::string_view bytes = text_.substr(at_, close - at_ - rest.size());
    const bool broken = code_point == replacement_character && bytes != "\uFFFD";
    if (broken || code_point < 0x20) return wrong("a character in UTF-8");
    out += bytes;
    at_ += bytes.size();
  }
  ++at_;
  return true;
}

// The value of four hexadecimal digits, or no_code.
constexpr uint32_t no_code = 0xffffffff;
uint32_t HeaderReader::hex4(size_t from) const {
  uint32_t code = 0;
  for (size_t i = from; i < from + 4; ++i) {
    const char c = i < text_.size() ? text_[i] : '"', small = c | 0x20;
    if (c >= '0' && c <= '9')
      code = code << 4 | (c - '0');
    else if (small >= 'a' && small <= 'f')
      code = code << 4 | (small - 'a' + 10);
    else
      return no_code;
  }
  return code;
}

bool HeaderReader::escape(std::string& out) {  // at a backslash, which is never the header's last character
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const size_t letter = letters.find(text_[at_ + 1]);
  if (letter != std::string_view::npos) {
    out += meanings[letter];
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
  if (code == no_code || (code >= 0xd800 && code < 0xe000)) return false;
  append_utf8(out, code);
  at_ += length;
  return true;
}

bool HeaderReader::number(uint64_t& out) {  // rule 8
  skip_space();
  const size_t start = at_;
  for (out = 0; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    const uint64_t digit = text_[at_] - '0';
    if (out > (std::numeric_limits<uint64_t>::max() - digit) / 10) return wrong("a number under 2^64");
    out = out * 10 + digit;
  }
  return (at_ > start && (text_[start] != '0' || at_ == start + 1)) || wrong("a whole number");
}

// A list of at most `limit` numbers; the vector is sized once, by what was read.
bool HeaderReader::numbers(std::vector<uint64_t>& out, size_t limit) {
  std::array<uint64_t, rank_limit> read;
  size_t count = 0;
  if (!expect('[')) return false;
  if (!take(']')) {
    do {
      if (count == limit) return wrong("the end of the list, which is longer than this reader takes");
      if (!number(read[count++])) return false;
    } while (take(','));
    if (!expect(']')) return false;
  }
  out.assign(read.data(), read.data() + count);
  return true;
}

bool HeaderReader::metadata(Metadata& out) {  // rule 6
  bool first = true;
  if (!expect('{')) return false;
  for (std::string key; member(key, first);) {
    if (find(out, key)) return twice(key);
    if (out.size() == metadata_limit) return fail("it has more than % entries of metadata", {metadata_limit});
    out.emplace_back(std::move(key), std::string());
    if (!string(out.back().second)) return false;
  }
  return problem.empty();
}

constexpr std::array<std::string_view, 3> fields{"dtype", "shape", "data_offsets"};

bool HeaderReader::tensor(std::string name, Header& header) {  // rule 4
  auto& tensors = header.tensors;
  if (header.find(name)) return twice(name);
  if (tensors.size() == tensor_limit) return fail("it has more than % tensors", {tensor_limit});
  TensorView view;
  view.name = std::move(name);
  bool first = true;
  unsigned seen = 0;
  if (!expect('{')) return false;
  for (std::string key; member(key, first);)
    if (!field(key, view, seen)) return false;
  if (!problem.empty()) return false;
  for (size_t i = 0; i < fields.size(); ++i)
    if (!(seen >> i & 1)) return fail("tensor % lacks its %", {quoted(view.name), fields[i]});
  if (!check_size(view)) return false;
  tensors.push_back(std::move(view));
  return true;
}

bool HeaderReader::field(std::string_view key, TensorView& view, unsigned& seen) {
  const size_t i = std::find(fields.begin(), fields.end(), key) - fields.begin();
  if (i == fields.size()) return fail("tensor % has an unknown field %", {quoted(view.name), quoted(key)});
  if (seen >> i & 1) return twice(key);
  seen |= 1u << i;
  return i == 0 ? dtype(view) : i == 1 ? numbers(view.shape, rank_limit) : offsets(view);
}

bool HeaderReader::dtype(TensorView& view) {  // rule 9
  std::string text;
  if (!string(text)) return false;
  const size_t i = std::find(dtype_names.begin(), dtype_names.end(), text) - dtype_names.begin();
  if (i == dtype_names.size())
    return fail("tensor % has dtype %; this reader takes F32, F16, BF16 and I8 (in Python, save tensor.float())",
                {quoted(view.name), quoted(text)});
  view.dtype = static_cast<DType>(i);
  return true;
}

bool HeaderReader::offsets(TensorView& view) {
  std::vector<uint64_t> pair;
  if (!numbers(pair, 2)) return false;
  if (pair.size() != 2 || pair[0] > pair[1] || pair[1] >> 62)
    return fail("tensor % needs data_offsets [begin, end] with begin <= end < 2^62", {quoted(view.name)});
  view.begin = pair[0], view.end = pair[1];
  return true;
}

bool HeaderReader::check_size(const TensorView& view) {  // rules 10 and 11
  uint64_t size = bytes_of(view.dtype);
  for (uint64_t n : view.shape) {
    if (n != 0 && size > std::numeric_limits<uint64_t>::max() / n)
      return fail("tensor % of shape % is larger than any file", {quoted(view.name), view.shape});
    size *= n;
  }
  return size == view.end - view.begin ||
         fail("tensor % of shape % and dtype % needs % bytes, but its data_offsets span %",
              {quoted(view.name), view.shape, dtype_names[int(view.dtype)], size, view.end - view.begin});
}

}  // namespace softalign
