#pragma once
// The mark of a violated check, the same in the tables, their overviews, the tree and the slider: a cross in addition
// to the colour, for eyes that cannot distinguish red from other colours.

#include <QPainter>
#include <functional>
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A cross with arms of `arm` pixels along each axis, on a rim in the colour of the background.
void paint_violation(QPainter& painter, const Theme& theme, QPointF centre, double arm);

/// Marks violating columns in a strip that shows many columns: a bar for each range, with a cross at the top of the
/// strip if there is room for one.
void paint_violations(QPainter& painter, const Theme& theme, const std::vector<IndexRange>& columns,
                      const QRectF& strip, const std::function<double(std::uint64_t)>& x_of);

}  // namespace kdscope
