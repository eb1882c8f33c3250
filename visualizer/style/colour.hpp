#pragma once
// Colours as plain numbers, and how readable they are on one another. Knows neither Qt nor VTK.

#include <cstdint>

namespace kdscope {

/// An sRGB colour, 8 bits a channel.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// 0xRRGGBB as a colour.
constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

/// a for t = 0, b for t = 1, mixed in between (in sRGB, as painting with opacity does).
Rgb mix(Rgb a, Rgb b, double t);

/// Contrast ratio of WCAG 2.1, 1 (same) to 21 (black on white).
double contrast(Rgb a, Rgb b);

/// Black or white, whichever reads better on `background`.
Rgb text_on(Rgb background);

/// OKLab lightness, 0 black to 1 white.
double lightness_of(Rgb colour);

/// The colour with lightness shifted (OKLab, -1 to 1) and hue turned (degrees); chroma is reduced until it is in gamut.
Rgb shade(Rgb colour, double lightness, double turn);

/// Distance of two colours as seen, in OKLab: 0 same, 0.02 just visible, 1 black to white.
double colour_distance(Rgb a, Rgb b);

/// Perceptually uniform sequential ramp (viridis); t from 0 to 1, clamped.
Rgb ramp(double t);

}  // namespace kdscope
