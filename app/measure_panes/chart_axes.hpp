#pragma once
// The frame of a chart: grid, ticks, their labels, and the titles of both axes.

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <functional>
#include <vector>

#include "visualizer/style/axis.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// What the frame shows. The axes end at places within `plot`.
struct ChartFrame {
  QRectF plot;
  const PlotAxis &x, &y;
  std::function<QString(double)> x_text, y_text;  ///< the texts of ticks
  QString x_title, y_title;                       ///< y_title is not drawn where y has no labels
  bool labels_y = true;
};

/// Draws the frame with the painter's font. Labels without room are left out.
void draw_axes(QPainter& painter, const ChartFrame& frame, const Theme& theme);

/// Returns the width of the widest label of an axis.
double label_width(const QFontMetrics& metrics, const PlotAxis& axis, const std::function<QString(double)>& text);

/// A place of a chart with a tool tip.
struct ChartSpot {
  QPointF place;
  QString text;
};
/// Returns the index of the spot nearest to a place, at most `reach` pixels from it; -1 if there is none.
int spot_at(const std::vector<ChartSpot>& spots, QPointF place, double reach);

}  // namespace kdscope
