// SHA-256, by which manifests and tests name files and splits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace softalign {

// Takes bytes in pieces of any size; `hex` ends the message.
class Sha256 {
 public:
  void add(std::string_view bytes);
  // 64 lower-case hexadecimal digits. Call it once, last.
  std::string hex();

 private:
  void digest_block();

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  size_t filled_ = 0;     // bytes in block_
  uint64_t length_ = 0;   // bytes in all
};

std::string sha256(std::string_view bytes);

}  // namespace softalign
