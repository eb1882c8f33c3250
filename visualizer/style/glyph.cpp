#include "visualizer/style/glyph.hpp"

#include <cmath>
#include <numbers>

namespace kdscope {
namespace {

using Corners = std::vector<std::array<double, 2>>;

// Distances of the sides from the centre, in radii.
constexpr double square_side = 0.9, triangle_side = 0.72, diamond_side = 0.9, hexagon_side = 0.95, star_side = 0.7;
constexpr double plus_length = 1.12, plus_half_width = 0.52;

/// Returns the corners of a regular polygon, clockwise from the one at `first` degrees from the top. `side` is the
/// distance of its sides from the centre.
Corners regular(int corners, double side, double first) {
  Corners made;
  const double reach = side / std::cos(std::numbers::pi / corners);
  for (int i = 0; i < corners; ++i) {
    const double angle = (first + 360.0 * i / corners) * std::numbers::pi / 180;
    made.push_back({reach * std::sin(angle), -reach * std::cos(angle)});
  }
  return made;
}

Corners outline(Glyph glyph) {
  switch (glyph) {
    case Glyph::circle:
      return regular(48, 1, 0);
    case Glyph::square:
      return regular(4, square_side, 45);
    case Glyph::triangle:
      return regular(3, triangle_side, 0);
    case Glyph::diamond:
      return regular(4, diamond_side, 0);
    case Glyph::inverted_triangle:
      return regular(3, triangle_side, 180);
    case Glyph::hexagon:
      return regular(6, hexagon_side, 0);
    case Glyph::plus: {
      constexpr double l = plus_length, w = plus_half_width;
      return {{-w, -l}, {w, -l}, {w, -w}, {l, -w}, {l, w},   {w, w},
              {w, l},   {-w, l}, {-w, w}, {-l, w}, {-l, -w}, {-w, -w}};
    }
    case Glyph::star:
      break;
  }
  // A star is two triangles, one of them upside down: its corners are their corners and the crossings of their sides.
  Corners star;
  const double tip = 2 * star_side, notch = star_side / std::cos(std::numbers::pi / 6);
  for (int i = 0; i < 12; ++i) {
    const double angle = i * std::numbers::pi / 6, reach = i % 2 == 0 ? tip : notch;
    star.push_back({reach * std::sin(angle), -reach * std::cos(angle)});
  }
  return star;
}

}  // namespace

const Corners& glyph_outline(Glyph glyph) {
  static const auto outlines = [] {
    std::array<Corners, glyph_count> made;
    for (int i = 0; i < glyph_count; ++i) made[static_cast<std::size_t>(i)] = outline(static_cast<Glyph>(i));
    return made;
  }();
  return outlines[static_cast<std::size_t>(glyph)];
}

std::string glyph_distance_glsl() {
  const auto number = [](double v) { return std::to_string(v) + " * radius"; };
  return "  vec2 q = abs(p);\n"
         "  float edge = length(p) - radius;\n"
         "  if (glyph == 1) edge = max(q.x, q.y) - " +
         number(square_side) +
         ";\n"
         "  if (glyph == 2) edge = max(0.866025 * q.x - 0.5 * p.y, p.y) - " +
         number(triangle_side) +
         ";\n"
         "  if (glyph == 3) edge = (q.x + q.y) * 0.707107 - " +
         number(diamond_side) +
         ";\n"
         "  if (glyph == 4) edge = max(0.866025 * q.x + 0.5 * p.y, -p.y) - " +
         number(triangle_side) +
         ";\n"
         "  if (glyph == 5) edge = max(q.x, 0.5 * q.x + 0.866025 * q.y) - " +
         number(hexagon_side) +
         ";\n"
         "  if (glyph == 6) edge = min(max(q.x - " +
         number(plus_length) + ", q.y - " + number(plus_half_width) + "), max(q.y - " + number(plus_length) +
         ", q.x - " + number(plus_half_width) +
         "));\n"
         "  if (glyph == 7) edge = min(max(0.866025 * q.x - 0.5 * p.y, p.y), max(0.866025 * q.x + 0.5 * p.y, -p.y)) "
         "- " +
         number(star_side) + ";\n";
}

const char* name_of(Glyph glyph) {
  constexpr std::array names{"circle", "square", "triangle", "diamond", "inverted triangle", "hexagon", "plus", "star"};
  return names[static_cast<std::size_t>(glyph)];
}

}  // namespace kdscope
