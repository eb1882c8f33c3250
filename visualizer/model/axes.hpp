#pragma once
// The dimensions that the user looks at: those on the axes of views and figures. Tables of many dimensions show the
// rows of these dimensions.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Dimensions drawn along x, y and z, all different. An unused axis is -1; z becomes unused before y.
using Axes = std::array<int, 3>;

/// Returns the axes until the user chooses others: the first three dimensions, or the first two of more than three.
Axes first_axes(std::uint32_t dim);
/// Returns whether points with `dim` dimensions can be drawn on these axes.
bool axes_fit(const Axes& axes, std::uint32_t dim);
/// Returns the wanted axes if they fit, otherwise the first ones.
Axes axes_or_first(const std::optional<Axes>& wanted, std::uint32_t dim);
/// Puts a dimension on an axis (0 to 2; dimension -1 takes z out of use). If the dimension was on another axis, the two
/// axes swap.
Axes with_axis(Axes axes, int axis, int dimension, std::uint32_t dim);
bool is_on_axis(const Axes& axes, std::uint32_t dimension);

/// Returns whether tables show the rows of a dimension. Up to three dimensions, all rows are shown; beyond that, only
/// the rows of dimensions on the axes. Rows of no dimension (no_id) are always shown.
bool shows_dimension(const Axes& axes, std::uint32_t dim, std::uint32_t dimension);
/// Returns the names of the dimensions on the axes: "x0, x1".
std::string axes_names(const Axes& axes, std::uint32_t dim);

}  // namespace kdscope
