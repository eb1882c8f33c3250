#pragma once
// Colours as plain numbers, and their contrasts and distances. Independent of Qt and VTK.

#include <cstdint>

namespace kdscope {

/// An sRGB colour, 8 bits per channel.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Returns the colour 0xRRGGBB.
constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

/// Returns the mixture of a (t = 0) and b (t = 1), interpolated in sRGB as painting with opacity does.
Rgb mix(Rgb a, Rgb b, double t);

/// Returns the contrast ratio of WCAG 2.1, from 1 (equal colours) to 21 (black on white).
double contrast(Rgb a, Rgb b);

/// Returns black or white, whichever is easier to read on `background`.
Rgb text_on(Rgb background);

/// Returns the OKLab lightness, from 0 (black) to 1 (white).
double lightness_of(Rgb colour);

/// Returns the colour with its OKLab lightness shifted by `lightness` (-1 to 1) and its hue turned by `turn` degrees.
/// Chroma is reduced until the colour is in gamut.
Rgb shade(Rgb colour, double lightness, double turn);

/// Returns the perceived distance of two colours in OKLab: 0 for equal colours, 0.02 for a difference that is just
/// visible, 1 for black and white.
double colour_distance(Rgb a, Rgb b);

/// Returns the colour at t on a perceptually uniform sequential ramp (viridis); t is clamped to 0 to 1.
Rgb ramp(double t);

}  // namespace kdscope
