// Reads, checks and writes safetensors files; safetensors.h lists the rules by the numbers used here.
#include "shared/io/safetensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shared/io/foreign_format.h"
#include "shared/io/half.h"
#include "shared/io/header_reader.h"

namespace softalign {
namespace {

// Rule 12, over tensors sorted by offset; their offsets then count from the file's start.
std::string cover_data(std::vector<TensorView>& tensors, uint64_t data_begin, uint64_t file_size) {
  uint64_t covered = 0;
  for (const TensorView& view : tensors) {
    if (view.begin < covered) return "tensor " + quoted(view.name) + " overlaps the tensor before it";
    if (view.begin > covered)
      return "there is a hole of " + std::to_string(view.begin - covered) + " bytes before tensor " + quoted(view.name);
    covered = view.end;
  }
  const uint64_t data_size = file_size - data_begin;
  if (covered > data_size)
    return "file ends early: " + std::to_string(file_size) + " of " +
           (covered > std::numeric_limits<uint64_t>::max() - data_begin ? "more than " + std::to_string(covered)
                                                                        : std::to_string(data_begin + covered)) +
           " bytes; fetch it again";
  if (covered < data_size)
    return std::to_string(data_size - covered) + " bytes after the last tensor belong to no tensor";
  for (TensorView& view : tensors) view.begin += data_begin, view.end += data_begin;
  return "";
}

// The numbers of `view` in order, as floats, until visit(float) returns false.
template <class Visitor>
void each_number(std::span<const uint8_t> file, const TensorView& view, Visitor&& visit) {
  const uint8_t* const end = file.data() + view.end;
  const uint8_t* at = file.data() + view.begin;
  const auto half = [&] { return static_cast<uint16_t>(at[0] | at[1] << 8); };
  switch (view.dtype) {
    case DType::F32:
      for (; at != end; at += 4)
        if (!visit(float_of_bits(half() | static_cast<uint32_t>(at[2] | at[3] << 8) << 16))) return;
      return;
    case DType::F16:
      for (; at != end; at += 2)
        if (!visit(float_from_f16(half()))) return;
      return;
    case DType::BF16:
      for (; at != end; at += 2)
        if (!visit(float_from_bf16(half()))) return;
      return;
  }
}

void append_number(std::vector<uint8_t>& out, float value, DType dtype) {
  const uint32_t bits = dtype == DType::F32   ? bits_of_float(value)
                        : dtype == DType::F16 ? f16_from_float(value)
                                              : bf16_from_float(value);
  for (int i = 0; i < bytes_of(dtype); ++i) out.push_back(static_cast<uint8_t>(bits >> 8 * i));
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (static_cast<uint8_t>(c) < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// The header's JSON, padded with spaces so that the data starts at a multiple of 8.
std::string header_json(std::span<const TensorValues> tensors, const Metadata& metadata, DType dtype) {
  std::string json = "{" + json_string(metadata_key) + ":{";
  for (const auto& [key, value] : metadata)
    json += (json.back() == '{' ? "" : ",") + json_string(key) + ":" + json_string(value);
  json += "}";
  uint64_t begin = 0;
  for (const TensorValues& tensor : tensors) {
    std::string shape;
    for (uint64_t n : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(n);
    const uint64_t end = begin + tensor.values.size() * bytes_of(dtype);
    json += "," + json_string(tensor.name) + ":{\"dtype\":\"" + name(dtype) + "\",\"shape\":[" + shape +
            "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    begin = end;
  }
  json += "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  return json;
}

}  // namespace

Result<Header> read_header(std::span<const uint8_t> file) {
  const auto bad = [](std::string why) { return Error{ErrorCode::BAD_WEIGHTS, std::move(why)}; };
  const uint64_t size = file.size();
  const bool brace = size > 8 && file[8] == '{';
  if (!brace)
    if (const std::string what = recognise_foreign_format(file); !what.empty()) return bad("this is " + what);
  uint64_t length = 8;  // rules 1 and 2
  if (size >= 8) {
    length = 0;
    for (int i = 7; i >= 0; --i) length = length << 8 | file[i];
    if (length > header_limit)
      return bad("this is not a safetensors file: its first 8 bytes state a header of " + std::to_string(length) +
                 " bytes, and the format allows " + std::to_string(header_limit));
  }
  if (size < 8 || length > size - 8)
    return bad("file ends early: " + std::to_string(size) + " of at least " +
               std::to_string(size < 8 ? 8 : 8 + length) + " bytes; fetch it again");
  if (length == 0 || !brace) return bad("this is not a safetensors file: its header does not start with {");

  Header header;
  HeaderReader reader({reinterpret_cast<const char*>(file.data()) + 8, static_cast<size_t>(length)});
  if (!reader.read(header)) return bad(std::move(reader.problem));
  if (std::string why = cover_data(header.tensors, 8 + length, size); !why.empty()) return bad(std::move(why));
  return header;
}

std::vector<float> to_floats(std::span<const uint8_t> file, const TensorView& view) {
  std::vector<float> values;
  values.reserve((view.end - view.begin) / bytes_of(view.dtype));
  each_number(file, view, [&](float value) {
    values.push_back(value);
    return true;
  });
  return values;
}

bool all_finite(std::span<const uint8_t> file, const TensorView& view) {
  bool finite = true;
  each_number(file, view, [&](float value) { return finite = std::isfinite(value); });
  return finite;
}

Result<std::vector<uint8_t>> write(std::span<const TensorValues> tensors, const Metadata& metadata, DType dtype) {
  const std::string json = header_json(tensors, metadata, dtype);
  size_t count = 0;
  for (const TensorValues& tensor : tensors) count += tensor.values.size();
  std::vector<uint8_t> file;
  file.reserve(8 + json.size() + count * bytes_of(dtype));
  for (int i = 0; i < 8; ++i) file.push_back(static_cast<uint8_t>(static_cast<uint64_t>(json.size()) >> 8 * i));
  file.insert(file.end(), json.begin(), json.end());
  for (const TensorValues& tensor : tensors)
    for (float value : tensor.values) append_number(file, value, dtype);

  // What is written can be read back: the reader's rules are the writer's.
  const Result<Header> header = read_header(file);
  if (!header) return header.error();
  for (const TensorView& view : header->tensors)
    if (!all_finite(file, view))
      return {ErrorCode::NOT_FINITE, "tensor " + quoted(view.name) + " holds a number that is NaN, infinite or too " +
                                         "large for " + name(dtype) + "; nothing was written"};
  return file;
}

const std::string* find(const Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata)
    if (name == key) return &value;
  return nullptr;
}

const TensorView* Header::find(std::string_view name) const {
  for (const TensorView& view : tensors)
    if (view.name == name) return &view;
  return nullptr;
}

std::string quoted(std::string_view text) {
  constexpr size_t limit = 60;
  size_t shown = std::min(text.size(), limit);
  if (shown < text.size())
    while (shown > 0 && (text[shown] & 0xc0) == 0x80) --shown;  // not inside a character
  std::string out = "\"";
  for (char c : text.substr(0, shown)) out += static_cast<uint8_t>(c) < 0x20 || c == 0x7f ? '?' : c;
  return out + (shown < text.size() ? "...\"" : "\"");
}

std::string shape_text(std::span<const uint64_t> shape) {
  std::string out;
  for (uint64_t n : shape) out += (out.empty() ? "(" : ", ") + std::to_string(n);
  return out.empty() ? "()" : out + ")";
}

}  // namespace softalign
