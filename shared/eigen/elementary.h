// exp, log, sigmoid and tanh in single precision, from additions and multiplications alone, for one number or many at a time.
//
// The standard library's differ between platforms in their last bit; these give the same bits natively, in WebAssembly,
// and in SIMD lanes, as long as the compiler does not fuse multiply and add (-ffp-contract=off). They have no branches,
// so that a loop over an array vectorises. Polynomials: Cephes (Moshier), single precision.
#pragma once
#include <Eigen/Core>

#include <cstdint>
#include <cstring>

#include "shared/io/half.h"

namespace softalign {

// Numbers that go through the functions below side by side. Four registers of them: engines for WebAssembly make a
// constant anew wherever it is used, which then serves all four.
inline constexpr int lanes = 16;
using Lanes = Eigen::Array<float, lanes, 1>;

namespace elementary {

// 1.5 * 2^23: adding it to a small float rounds that to an integer, which the sum then holds in its low mantissa bits.
inline constexpr float to_integer = 12582912.0f;
inline constexpr int32_t to_exponent = 127 - 0x4b400000;  // from the bits of such a sum to the exponent bits of 2^n

inline float clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
inline Lanes clamp(const Lanes& x, float low, float high) { return x.max(low).min(high); }

// 2^n from n + to_integer.
inline float power_of_two(float sum) {
  return float_of_bits((bits_of_float(sum) + static_cast<uint32_t>(to_exponent)) << 23);
}
inline Lanes power_of_two(const Lanes& sum) {
  Eigen::Array<int32_t, lanes, 1> bits;
  std::memcpy(bits.data(), sum.data(), sizeof bits);
  bits = (bits + to_exponent).shiftLeft<23>();
  Lanes power;
  std::memcpy(power.data(), bits.data(), sizeof bits);
  return power;
}

}  // namespace elementary

// e^x, relative error below 2e-7; clamped to e^-87 .. e^88, inside the normal floats. NaN stays NaN.
// Floats: float or Lanes, here and below.
template <class Floats>
inline Floats exp_float(const Floats& any) {
  const Floats x = elementary::clamp(any, -87.0f, 88.0f);
  const Floats sum = x * 1.44269504088896341f + elementary::to_integer;
  const Floats n = sum - elementary::to_integer;
  const Floats r = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // x - n ln 2, in two steps
  Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * r) * r + r + 1.0f;
  return p * elementary::power_of_two(sum);
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
template <class Floats>
inline Floats sigmoid_float(const Floats& x) {
  return 1.0f / (exp_float(Floats(-x)) + 1.0f);
}

// tanh x, absolute error below 2e-7. e^2x never overflows here.
template <class Floats>
inline Floats tanh_float(const Floats& x) {
  const Floats power = exp_float(Floats(x + x));
  return (power - 1.0f) / (power + 1.0f);
}

}  // namespace softalign
