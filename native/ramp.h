// The colours of attention weights, on a light and on a dark ground: the page's own ramps.
#pragma once
#include <array>
#include <string>

namespace softalign {

using Colour = std::array<int, 3>;  // red, green, blue, each 0..255

// Weights outside 0..1 take the colour of the nearer end; 0 is the ground's own colour.
Colour ramp_colour(float weight, bool light);
// WCAG's contrast ratio, 1..21.
double contrast(const Colour& one, const Colour& other);
// For a number printed on that colour: the first of four inks that reaches 4.5, else the best of them.
Colour ink_on(const Colour& ground);
// "#faf8f4"
std::string hex(const Colour& colour);

}  // namespace softalign
