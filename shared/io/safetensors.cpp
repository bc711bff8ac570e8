// Reads, checks and writes safetensors files; safetensors.h lists the rules by the numbers used here.
#include "shared/io/safetensors.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "shared/io/foreign_format.h"
#include "shared/io/half.h"
#include "shared/io/header_reader.h"
#include "shared/io/message.h"

namespace softalign {
namespace {

uint64_t little_endian(const uint8_t* bytes, int count) {
  uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

void append_little_endian(std::vector<uint8_t>& out, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out.push_back(static_cast<uint8_t>(value >> 8 * i));
}

float number_at(const uint8_t* bytes, DType dtype) {  // rule 13
  const uint64_t bits = little_endian(bytes, bytes_of(dtype));
  if (dtype == DType::F32) return float_of_bits(static_cast<uint32_t>(bits));
  if (dtype == DType::I8) return static_cast<int8_t>(bits);
  const uint16_t half = static_cast<uint16_t>(bits);
  return dtype == DType::F16 ? float_from_f16(half) : float_from_bf16(half);
}

uint32_t bits_of(float value, DType dtype) {
  if (dtype == DType::F32) return bits_of_float(value);
  if (dtype == DType::I8) {
    assert(value == static_cast<int8_t>(value) && "write: I8 takes whole numbers from -128 to 127");
    return static_cast<uint8_t>(static_cast<int8_t>(value));
  }
  return dtype == DType::F16 ? f16_from_float(value) : bf16_from_float(value);
}

// Rules 1 to 3 as far as the first 9 bytes tell; an empty string when the header of `length` bytes may be read.
std::string check_start(std::span<const uint8_t> file, uint64_t& length) {
  const uint64_t size = file.size();
  const bool brace = size > 8 && file[8] == '{';
  length = size < 8 ? 0 : little_endian(file.data(), 8);
  if (!brace || length > header_limit)
    if (const std::string_view what = recognise_foreign_format(file); !what.empty())
      return message("this is %", {what});
  if (length > header_limit)
    return message("this is not a safetensors file: its first 8 bytes state a header of % bytes; the format allows %",
                   {length, header_limit});
  if (size < 8 + length) return message("file ends early: % of at least % bytes; fetch it again", {size, 8 + length});
  if (length == 0 || !brace) return "this is not a safetensors file: its header does not start with {";
  return "";
}

// Rule 12: tensors that do not overlap, end where the data ends, and together are as long as it, cover it exactly.
std::string check_cover(const std::vector<TensorView>& tensors, uint64_t data_begin, uint64_t file_size) {
  uint64_t covered = 0, last = 0;
  for (const TensorView& a : tensors) {
    for (const TensorView* b = tensors.data(); b != &a; ++b)
      if (a.begin < b->end && b->begin < a.end)
        return message("tensors % and % overlap", {quoted(b->name), quoted(a.name)});
    covered += a.end - a.begin;
    last = std::max(last, a.end);
  }
  const uint64_t data_size = file_size - data_begin;
  if (last > data_size) return message("file ends early: % of % bytes; fetch it again", {file_size, data_begin + last});
  if (covered < data_size) return message("% bytes of its data belong to no tensor", {data_size - covered});
  return "";
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (static_cast<uint8_t>(c) < 0x20) {
      out += "\\u00";
      out += "01"[c >> 4];
      out += "0123456789abcdef"[c & 15];
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
    for (uint64_t n : tensor.shape) shape += message(shape.empty() ? "%" : ",%", {n});
    const DType own = tensor.dtype.value_or(dtype);
    const uint64_t end = begin + tensor.values.size() * bytes_of(own);
    json += message(R"(,%:{"dtype":"%","shape":[%],"data_offsets":[%,%]})",
                    {json_string(tensor.name), dtype_names[int(own)], shape, begin, end});
    begin = end;
  }
  json += "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  return json;
}

}  // namespace

Result<Header> read_header(std::span<const uint8_t> file) {
  uint64_t length = 0;
  Header header;
  std::string problem = check_start(file, length);
  if (problem.empty()) {
    HeaderReader reader({reinterpret_cast<const char*>(file.data()) + 8, static_cast<size_t>(length)});
    if (reader.read(header))
      problem = check_cover(header.tensors, 8 + length, file.size());
    else
      problem = std::move(reader.problem);
  }
  if (!problem.empty()) return {ErrorCode::BAD_WEIGHTS, std::move(problem)};
  for (TensorView& view : header.tensors) view.begin += 8 + length, view.end += 8 + length;
  return header;
}

std::vector<float> to_floats(std::span<const uint8_t> file, const TensorView& view) {
  const int step = bytes_of(view.dtype);
  std::vector<float> values((view.end - view.begin) / step);
  for (size_t i = 0; i < values.size(); ++i) values[i] = number_at(&file[view.begin] + i * step, view.dtype);
  return values;
}

bool all_finite(std::span<const uint8_t> file, const TensorView& view) {
  for (uint64_t at = view.begin; at != view.end; at += bytes_of(view.dtype))
    if (!std::isfinite(number_at(&file[at], view.dtype))) return false;
  return true;
}

Result<std::vector<uint8_t>> write(std::span<const TensorValues> tensors, const Metadata& metadata, DType dtype) {
  const std::string json = header_json(tensors, metadata, dtype);
  size_t size = 8 + json.size();
  for (const TensorValues& tensor : tensors) size += tensor.values.size() * bytes_of(tensor.dtype.value_or(dtype));
  std::vector<uint8_t> file;
  file.reserve(size);
  append_little_endian(file, json.size(), 8);
  file.insert(file.end(), json.begin(), json.end());
  for (const TensorValues& tensor : tensors) {
    const DType own = tensor.dtype.value_or(dtype);
    for (float value : tensor.values) append_little_endian(file, bits_of(value, own), bytes_of(own));
  }

  // What is written can be read back: the reader's rules are the writer's.
  const Result<Header> header = read_header(file);
  if (!header) return header.error();
  for (const TensorView& view : header->tensors)
    if (!all_finite(file, view))
      return {ErrorCode::NOT_FINITE,
              message("tensor % holds a number that is NaN, infinite or too large for %; nothing was written",
                      {quoted(view.name), dtype_names[int(view.dtype)]})};
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

}  // namespace softalign
