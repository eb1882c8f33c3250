#pragma once
// Synthetic point sets. Point i depends on the parameters and on i alone, and the bytes are the same on every machine:
// integer hashes, +, -, *, / and square roots of doubles, nothing else.

#include <cstdint>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// What every generator takes. Float coordinates lie in [0, 1]; int coordinates are the same numbers times `range`,
/// rounded down, so in [0, range - 1].
struct GeneratorParameters {
  std::uint32_t n = 0;
  std::uint32_t dim = 3;  ///< 1 to 512
  std::uint64_t seed = 1;
  ScalarType type = ScalarType::float32;
  std::int32_t range = 1'000'000;
  std::uint32_t part = 0,
                parts = 1;  ///< which of `parts` shares of the n points is made: those from n * part / parts on
};

/// Independent, uniform coordinates.
PointSet uniform_points(const GeneratorParameters& parameters);
/// `clusters` bell-shaped clouds of different widths.
PointSet clustered_points(const GeneratorParameters& parameters, std::uint32_t clusters);
/// On the surface of the sphere inscribed in the unit cube, nearly uniform.
PointSet sphere_points(const GeneratorParameters& parameters);
/// On one slanted line segment.
PointSet line_points(const GeneratorParameters& parameters);
/// On the lattice {0, ..., side - 1}^dim, so that many coordinates and some points are equal; `range` plays no part.
PointSet grid_points(const GeneratorParameters& parameters, std::uint32_t side);
/// n copies of one point.
PointSet equal_points(const GeneratorParameters& parameters);
/// Sorted by the first coordinate, uniform in the others.
PointSet presorted_points(const GeneratorParameters& parameters);

}  // namespace kdscope
