#pragma once
// The dimensions on the axes of views and figures. With more than three dimensions, tables show only the rows of these.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The dimensions drawn along x, y and z, all different. An unused axis is -1; z becomes unused before y.
using Axes = std::array<int, 3>;

/// Returns the default axes: the first three dimensions, or the first two if there are more than three.
Axes first_axes(std::uint32_t dim);
/// Returns whether points of `dim` dimensions can be drawn on these axes.
bool axes_fit(const Axes& axes, std::uint32_t dim);
/// Returns the wanted axes if they fit, else first_axes().
Axes axes_or_first(const std::optional<Axes>& wanted, std::uint32_t dim);
/// Returns the axes with a dimension put on an axis (0 to 2; dimension -1 clears z). If the dimension was on another
/// axis, the two axes exchange their dimensions.
Axes with_axis(Axes axes, int axis, int dimension, std::uint32_t dim);
bool is_on_axis(const Axes& axes, std::uint32_t dimension);

/// Returns whether tables show the rows of a dimension: always if there are at most three dimensions or for no_id, else
/// only if the dimension is on an axis.
bool shows_dimension(const Axes& axes, std::uint32_t dim, std::uint32_t dimension);
/// Returns the names of the dimensions on the axes: "x0, x1".
std::string axes_names(const Axes& axes, std::uint32_t dim);

}  // namespace kdscope
