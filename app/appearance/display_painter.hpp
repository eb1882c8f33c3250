#pragma once
// Paints display lists (visualizer/figure/display_list.hpp) in the window, on paper and on the stage.

#include <QFont>

#include "visualizer/figure/display_list.hpp"

class QPainter;

namespace kdscope {

/// Paints a list in a theme's colours. A text that would reach over an end of the list is moved inside.
void paint_display_list(QPainter& painter, const DisplayList& list, const Theme& theme, const QFont& font);

}  // namespace kdscope
