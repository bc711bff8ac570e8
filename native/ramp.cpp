// Walks along eleven stops of the page's ramps, and measures contrast as WCAG does.
#include "native/ramp.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace softalign {
namespace {

// The page's attention ramps, at weights 0, 0.1, ..., 1.
constexpr std::array<uint32_t, 11> on_dark{0x1a1815, 0x332513, 0x4b330f, 0x644308, 0x7c5402, 0x946705,
                                           0xab7c17, 0xc1922e, 0xd6aa49, 0xeac266, 0xfcda86};
constexpr std::array<uint32_t, 11> on_light{0xfaf8f4, 0xf4e5cc, 0xeed0a7, 0xe7ba84, 0xdea364, 0xd48b48,
                                            0xc77431, 0xb75e1f, 0xa54a13, 0x913810, 0x7b2811};

constexpr std::array<Colour, 4> inks{{{29, 26, 22}, {255, 253, 248}, {0, 0, 0}, {255, 255, 255}}};
constexpr double readable = 4.5;

double luminance(const Colour& colour) {
  constexpr std::array<double, 3> shares{0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (int channel = 0; channel < 3; ++channel) {
    const double x = colour[channel] / 255.0;
    sum += shares[channel] * (x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

Colour ramp_colour(float weight, bool light) {
  const auto& stops = light ? on_light : on_dark;
  const float place = std::min(std::max(weight, 0.0f), 1.0f) * 10;
  const int below = std::min(static_cast<int>(place), 9);
  Colour colour;
  for (int channel = 0; channel < 3; ++channel) {
    const auto byte = [&](uint32_t stop) { return static_cast<float>(stop >> (16 - 8 * channel) & 255); };
    const float low = byte(stops[below]), high = byte(stops[below + 1]);
    colour[channel] = static_cast<int>(std::lround(low + (high - low) * (place - static_cast<float>(below))));
  }
  return colour;
}

double contrast(const Colour& one, const Colour& other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

Colour ink_on(const Colour& ground) {
  for (const Colour& ink : inks)
    if (contrast(ink, ground) >= readable) return ink;
  return *std::max_element(inks.begin(), inks.end(), [&](const Colour& one, const Colour& other) {
    return contrast(one, ground) < contrast(other, ground);
  });
}

std::string hex(const Colour& colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour[0] & 255, colour[1] & 255, colour[2] & 255);
  return text;
}

}  // namespace softalign
