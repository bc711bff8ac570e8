// exp, log, sigmoid and tanh in single precision, from additions and multiplications alone.
//
// The standard library's differ between platforms in their last bit; these give the same bits natively, in WebAssembly,
// and in SIMD lanes, as long as the compiler does not fuse multiply and add (-ffp-contract=off). They have no branches,
// so that a loop over an array vectorises. Polynomials: Cephes (Moshier), single precision.
#pragma once
#include <cstdint>

#include "shared/io/half.h"

namespace softalign {

// e^x, relative error below 2e-7; clamped to e^-87 .. e^88, inside the normal floats. NaN stays NaN.
inline float exp_float(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float to_integer = 12582912.0f;  // 1.5 * 2^23: adding it rounds to the nearest integer
  const float n = (x * 1.44269504088896341f + to_integer) - to_integer;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // x - n ln 2, in two steps
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * r) * r + r + 1.0f;
  // 2^n from its exponent bits; n + to_integer holds n in its low mantissa bits.
  const uint32_t exponent = (bits_of_float(n + to_integer) - bits_of_float(to_integer) + 127) << 23;
  return p * float_of_bits(exponent);
}

// Natural logarithm of a positive, normal float, relative error below 2e-7.
inline float log_float(float x) {
  const int32_t bits = static_cast<int32_t>(bits_of_float(x));
  float e = static_cast<float>((bits >> 23) - 126);
  float m = float_of_bits((bits & 0x007fffff) | 0x3f000000);  // in [0.5, 1)
  const bool low = m < 0.707106781186547524f;
  e = low ? e - 1.0f : e;
  m = (low ? m + m : m) - 1.0f;
  const float square = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  float y = (p * m) * square;
  y = y + e * -2.12194440e-4f;
  y = y - 0.5f * square;
  return (m + y) + e * 0.693359375f;
}

// 1 / (1 + e^-x), absolute error below 2e-7.
inline float sigmoid_float(float x) { return 1.0f / (1.0f + exp_float(-x)); }

// tanh x, absolute error below 2e-7: near 0 an odd polynomial, elsewhere by e^2x, which never overflows here.
inline float tanh_float(float x) {
  const float square = x * x;
  float p = -5.70498872745e-3f;
  p = p * square + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const float small = x + (p * square) * x;
  const float large = 1.0f - 2.0f / (exp_float(x + x) + 1.0f);
  return square < 0.390625f ? small : large;  // |x| < 0.625
}

}  // namespace softalign
