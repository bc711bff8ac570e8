// The safetensors format: named tensors in one file, read strictly (every rule before the first number) and written.
//
// The rules, each with a test of its number in tests/cpp/io_safetensors_test.cpp:
//   1  A file is 8 bytes that state a length N (unsigned, little-endian), then N bytes of header, then the data.
//   2  N is at most 100,000,000, and the header lies inside the file.
//   3  The header is one JSON object: it starts with '{' at byte 8, and only white space may follow its '}'.
//   4  Each key names a tensor, an object of exactly dtype, shape and data_offsets in any order.
//   5  No key stands twice in its object.
//   6  The key __metadata__ is special and optional: an object, maybe empty, of strings to strings and nothing deeper.
//   7  Strings are UTF-8 with JSON's escapes; \u surrogates come in pairs, and no control character stands unescaped.
//   8  Numbers are whole, without sign, fraction, exponent or leading zero, and fit 64 bits.
//   9  dtype is one of a list; of that list this reader takes F32, F16, BF16 and I8, and names any other in its error.
//  10  shape lists the sizes of a row-major tensor: [] is a single number, a size of 0 an empty tensor; the product
//      fits 64 bits.
//  11  data_offsets is [begin, end), counted from the start of the data, and end - begin is the product of the shape
//      times the size of the dtype.
//  12  The tensors cover the data exactly, in any order of keys: no hole, no overlap, nothing after the last.
//  13  The data's numbers are little-endian, and may be NaN or infinite (write and read_checkpoint refuse those).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/io/error.h"

namespace softalign {

enum class DType { F32, F16, BF16, I8 };
inline constexpr std::array<std::string_view, 4> dtype_names{"F32", "F16", "BF16", "I8"};
inline std::string name(DType dtype) { return std::string(dtype_names[static_cast<int>(dtype)]); }
inline int bytes_of(DType dtype) { return dtype == DType::F32 ? 4 : dtype == DType::I8 ? 1 : 2; }

// Limits beside the format's own, so that a hostile header can ask for little more memory than its file is long.
inline constexpr uint64_t header_limit = 100'000'000;  // the format's
inline constexpr size_t tensor_limit = 1024, metadata_limit = 256, rank_limit = 8;

struct TensorView {
  std::string name;
  DType dtype = DType::F32;
  std::vector<uint64_t> shape;
  uint64_t begin = 0, end = 0;  // bytes of the file, counted from its start
};

using Metadata = std::vector<std::pair<std::string, std::string>>;
const std::string* find(const Metadata& metadata, std::string_view key);  // null when absent

struct Header {
  std::vector<TensorView> tensors;  // in the header's order
  Metadata metadata;
  const TensorView* find(std::string_view name) const;  // null when absent
};

// Checks every rule above; the error is BAD_WEIGHTS and says what to do about it where something can be done.
Result<Header> read_header(std::span<const uint8_t> file);

// For views that read_header gave for this very file.
std::vector<float> to_floats(std::span<const uint8_t> file, const TensorView& view);
bool all_finite(std::span<const uint8_t> file, const TensorView& view);

struct TensorValues {
  std::string name;
  std::vector<uint64_t> shape;
  std::span<const float> values;   // row-major, borrowed; for I8 whole numbers from -128 to 127
  std::optional<DType> dtype = {};  // its own, where that is not the file's
};

// A file of these tensors, in this order, every number rounded to `dtype`, or to the tensor's own.
// NOT_FINITE when one is NaN, infinite or too large for `dtype`; BAD_WEIGHTS when a rule is broken (a name twice).
Result<std::vector<uint8_t>> write(std::span<const TensorValues> tensors, const Metadata& metadata, DType dtype);

}  // namespace softalign
