#pragma once
// Paints display lists (visualizer/figure/display_list.hpp) in the window, on paper and on the stage.

#include <QFont>

#include "visualizer/figure/display_list.hpp"

class QPainter;

namespace kdscope {

/// Returns what measures texts as the painter sets them in a font.
TextWidth text_width_in(const QFont& font);

/// Paints a list in a theme's colours. A text that would reach over an end of the list is moved inside.
void paint_display_list(QPainter& painter, const DisplayList& list, const Theme& theme, const QFont& font);

}  // namespace kdscope
