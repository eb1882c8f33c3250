#pragma once
// The dimensions that a person looks at: those on the axes of views and figures, whose rows tables of many dimensions
// show.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Dimensions drawn along x, y and z, all different; -1 where an axis is not used, z before y.
using Axes = std::array<int, 3>;

/// The axes until a person chooses others: the first three dimensions, of more than three the first two.
Axes first_axes(std::uint32_t dim);
/// Whether points of so many dimensions can be drawn so.
bool axes_fit(const Axes& axes, std::uint32_t dim);
/// What was wanted where it fits, else the first ones.
Axes axes_or_first(const std::optional<Axes>& wanted, std::uint32_t dim);
/// Puts a dimension on an axis (0 to 2; -1 takes it off z). Where that was on another axis, the two change places.
Axes with_axis(Axes axes, int axis, int dimension, std::uint32_t dim);
bool is_on_axis(const Axes& axes, std::uint32_t dimension);

/// Whether tables show the rows of a dimension: of three dimensions all, of more those on the axes; no_id: always.
bool shows_dimension(const Axes& axes, std::uint32_t dim, std::uint32_t dimension);
/// "x0, x1"
std::string axes_names(const Axes& axes, std::uint32_t dim);

}  // namespace kdscope
