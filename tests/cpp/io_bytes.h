// Weights files built byte by byte, for the tests of shared/io.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

using Bytes = std::vector<uint8_t>;

inline Bytes bytes(std::string_view text) { return Bytes(text.begin(), text.end()); }

// A file with this header, exactly, and so many bytes of data.
inline Bytes file_of(std::string_view header, size_t data_size, uint8_t fill = 0) {
  Bytes file;
  for (int i = 0; i < 8; ++i) file.push_back(static_cast<uint8_t>(static_cast<uint64_t>(header.size()) >> 8 * i));
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), data_size, fill);
  return file;
}

inline std::string entry(std::string_view name, std::string_view dtype, std::string_view shape, size_t begin,
                         size_t end) {
  return '"' + std::string(name) + "\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[" + std::string(shape) +
         "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

}  // namespace softalign
