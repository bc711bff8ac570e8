// F16 and BF16: every value there is, and every rounding between two neighbours.
#include "shared/io/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace softalign {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// What the bits mean, from the format's definition.
double meaning_of_f16(uint16_t half) {
  const int sign = half >> 15 ? -1 : 1, exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31) return fraction ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryF16HasItsMeaningAndComesBack) {
  for (int bits = 0; bits < 65536; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const float value = float_from_f16(half);
    const double meaning = meaning_of_f16(half);
    if (std::isnan(meaning)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_TRUE(std::isnan(float_from_f16(f16_from_float(value)))) << bits;
    } else {
      ASSERT_EQ(value, meaning) << bits;
      ASSERT_EQ(std::signbit(value), bits >> 15 == 1) << bits;
      ASSERT_EQ(f16_from_float(value), half) << bits;
    }
  }
}

TEST(Half, F16RoundsToTheNearestAndTiesToEven) {
  for (uint16_t half = 0; half < 0x7bff; ++half) {  // up to the largest finite number
    const uint16_t next = half + 1, even = half % 2 ? next : half;
    const float tie = (float_from_f16(half) + float_from_f16(next)) / 2;  // exact
    for (uint16_t sign : {0x0000, 0x8000}) {
      const float s = sign ? -1 : 1;
      ASSERT_EQ(f16_from_float(s * tie), sign | even) << half;
      ASSERT_EQ(f16_from_float(s * std::nextafter(tie, 0.0f)), sign | half) << half;
      ASSERT_EQ(f16_from_float(s * std::nextafter(tie, infinity)), sign | next) << half;
    }
  }
}

TEST(Half, F16AtTheEndsOfItsRange) {
  EXPECT_EQ(f16_from_float(65504), 0x7bff);
  EXPECT_EQ(f16_from_float(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  for (float large : {65520.0f, 65536.0f, 1e6f, std::numeric_limits<float>::max(), infinity}) {
    EXPECT_EQ(f16_from_float(large), 0x7c00) << large;
    EXPECT_EQ(f16_from_float(-large), 0xfc00) << large;
  }
  for (float small : {0x1p-25f, 0x1p-26f, std::numeric_limits<float>::denorm_min()}) {  // 2^-25 ties to zero
    EXPECT_EQ(f16_from_float(small), 0) << small;
    EXPECT_EQ(f16_from_float(-small), 0x8000) << small;
  }
  EXPECT_EQ(f16_from_float(std::nextafter(0x1p-25f, 1.0f)), 1);
  EXPECT_TRUE(std::isnan(float_from_f16(f16_from_float(std::nanf("")))));
}

TEST(Half, EveryBf16ComesBackAndTiesGoToEven) {
  for (int bits = 0; bits < 65536; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const float value = float_from_bf16(half);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(float_from_bf16(bf16_from_float(value)))) << bits;
      continue;
    }
    ASSERT_EQ(bits_of_float(value), static_cast<uint32_t>(bits) << 16);
    ASSERT_EQ(bf16_from_float(value), half) << bits;
    if (std::isinf(value)) continue;
    const uint32_t tie = (static_cast<uint32_t>(bits) << 16) + 0x8000;  // halfway to the next of larger magnitude
    ASSERT_EQ(bf16_from_float(float_of_bits(tie)), half % 2 ? half + 1 : half) << bits;
    ASSERT_EQ(bf16_from_float(float_of_bits(tie - 1)), half) << bits;
    ASSERT_EQ(bf16_from_float(float_of_bits(tie + 1)), half + 1) << bits;
  }
}

TEST(Half, Bf16KeepsANanWhoseHighBitsAreZero) {
  EXPECT_TRUE(std::isnan(float_from_bf16(bf16_from_float(float_of_bits(0x7f800001)))));
  EXPECT_TRUE(std::isnan(float_from_bf16(bf16_from_float(float_of_bits(0xffffffff)))));
}

}  // namespace
}  // namespace softalign
