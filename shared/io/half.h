// Converts between float and the 16-bit floats of weights files, F16 and BF16, rounding to nearest, ties to even.
#pragma once
#include <cstdint>

namespace softalign {

// std::bit_cast, which emscripten 3.1.6 lacks.
inline float float_of_bits(uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline uint32_t bits_of_float(float value) { return __builtin_bit_cast(uint32_t, value); }

// Exact: every F16 value is a float.
inline float float_from_f16(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0)  // zero and subnormals: fraction * 2^-24
    return float_of_bits(sign | bits_of_float(static_cast<float>(fraction) * 0x1p-24f));
  if (exponent == 31) return float_of_bits(sign | 0x7f800000 | fraction << 13);  // infinity, NaN
  return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);          // 112 = 127 - 15, the biases
}

// Numbers of 65520 and more become infinity; a NaN stays one.
inline uint16_t f16_from_float(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x47800000) return sign | 0x7c00;  // 2^16 and more
  if (magnitude < 0x38800000)  // under 2^-14: adding 0.5, whose last place is 2^-24, rounds to whole subnormals
    return static_cast<uint16_t>(sign | (bits_of_float(float_of_bits(magnitude) + 0.5f) - 0x3f000000));
  const uint32_t tie_to_even = magnitude >> 13 & 1;
  return static_cast<uint16_t>(sign | (magnitude - (112u << 23) + 0xfff + tie_to_even) >> 13);
}

inline float float_from_bf16(uint16_t half) { return float_of_bits(static_cast<uint32_t>(half) << 16); }

inline uint16_t bf16_from_float(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>(bits >> 16 | 0x40);  // NaN, kept quiet
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace softalign
