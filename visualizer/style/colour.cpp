#include "visualizer/style/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace kdscope {
namespace {

double to_linear(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }
double to_srgb(double l) { return l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055; }

double luminance(Rgb c) {
  return 0.2126 * to_linear(c.r / 255.0) + 0.7152 * to_linear(c.g / 255.0) + 0.0722 * to_linear(c.b / 255.0);
}

struct Lab {
  double l, a, b;
};

/// Converts a colour to Ottosson's OKLab.
Lab oklab(Rgb c) {
  const double r = to_linear(c.r / 255.0), g = to_linear(c.g / 255.0), b = to_linear(c.b / 255.0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/// Converts a colour to sRGB; returns false if it lies outside sRGB.
bool from_oklab(const Lab& lab, Rgb& out) {
  const double l = std::pow(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  const std::array linear{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
  std::array<std::uint8_t, 3> channel{};
  for (int i = 0; i < 3; ++i) {
    if (linear[i] < -1e-4 || linear[i] > 1 + 1e-4) return false;
    channel[i] = static_cast<std::uint8_t>(std::lround(255 * to_srgb(std::clamp(linear[i], 0.0, 1.0))));
  }
  out = {channel[0], channel[1], channel[2]};
  return true;
}

// Viridis at 17 evenly spaced places.
constexpr std::array<std::uint32_t, 17> viridis{0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                                                0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73,
                                                0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};

}  // namespace

Rgb mix(Rgb a, Rgb b, double t) {
  const auto channel = [t](int x, int y) { return static_cast<std::uint8_t>(std::lround(x + (y - x) * t)); };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

double contrast(Rgb a, Rgb b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Rgb text_on(Rgb background) {
  const Rgb black = rgb(0x000000), white = rgb(0xffffff);
  return contrast(background, black) >= contrast(background, white) ? black : white;
}

double lightness_of(Rgb colour) { return oklab(colour).l; }

Rgb shade(Rgb colour, double lightness, double turn) {
  Lab lab = oklab(colour);
  lab.l = std::clamp(lab.l + lightness, 0.0, 1.0);
  const double angle = turn * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  lab = {lab.l, c * lab.a - s * lab.b, s * lab.a + c * lab.b};
  Rgb shaded = colour;
  while (!from_oklab(lab, shaded)) {
    lab.a *= 0.95;
    lab.b *= 0.95;
  }
  return shaded;
}

double colour_distance(Rgb a, Rgb b) {
  const Lab x = oklab(a), y = oklab(b);
  return std::hypot(x.l - y.l, x.a - y.a, x.b - y.b);
}

Rgb ramp(double t) {
  const double at = std::clamp(t, 0.0, 1.0) * (viridis.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), viridis.size() - 2);
  return mix(rgb(viridis[i]), rgb(viridis[i + 1]), at - static_cast<double>(i));
}

}  // namespace kdscope
