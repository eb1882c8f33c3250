#pragma once
// The dimensions on the axes of views and figures. Tables of many dimensions show only their rows.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The dimensions drawn along x, y and z, all different. -1: the axis is not used; only y and z may be unused, z first.
using Axes = std::array<int, 3>;

/// Returns the default axes: the first three dimensions, or the first two if there are more than three.
Axes first_axes(std::uint32_t dim);
/// Returns whether points of `dim` dimensions can be drawn on these axes.
bool axes_fit(const Axes& axes, std::uint32_t dim);
/// Returns the wanted axes if they fit, otherwise the default ones.
Axes axes_or_first(const std::optional<Axes>& wanted, std::uint32_t dim);
/// Puts a dimension on an axis (0 to 2; -1 removes the one on z). If it was on another axis, the two change places.
Axes with_axis(Axes axes, int axis, int dimension, std::uint32_t dim);
bool is_on_axis(const Axes& axes, std::uint32_t dimension);

/// Returns whether tables show the rows of a dimension: always with up to three dimensions and for no_id, otherwise
/// only if it is on an axis.
bool shows_dimension(const Axes& axes, std::uint32_t dim, std::uint32_t dimension);
/// "x0, x1"
std::string axes_names(const Axes& axes, std::uint32_t dim);

}  // namespace kdscope
