#pragma once
// Colours as plain numbers, and their contrast. Independent of Qt and VTK.

#include <cstdint>

namespace kdscope {

/// An sRGB colour, 8 bits per channel.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Returns 0xRRGGBB as a colour.
constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

/// Mixes two colours in sRGB, as painting with opacity does: a for t = 0, b for t = 1.
Rgb mix(Rgb a, Rgb b, double t);

/// Returns the contrast ratio of WCAG 2.1, from 1 (same colour) to 21 (black on white).
double contrast(Rgb a, Rgb b);

/// Returns black or white, whichever is more readable on `background`.
Rgb text_on(Rgb background);

/// Returns the OKLab lightness, from 0 (black) to 1 (white).
double lightness_of(Rgb colour);

/// Shifts the lightness of a colour (OKLab, -1 to 1) and turns its hue (degrees). Reduces chroma until it is in gamut.
Rgb shade(Rgb colour, double lightness, double turn);

/// Returns the perceived distance of two colours in OKLab: 0 same, 0.02 just visible, 1 black to white.
double colour_distance(Rgb a, Rgb b);

/// Returns the colour at t on a perceptually uniform sequential ramp (viridis); t is clamped to 0 to 1.
Rgb ramp(double t);

}  // namespace kdscope
