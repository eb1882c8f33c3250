#include "app/views/violation_marks.hpp"

#include <algorithm>

#include "app/appearance/appearance.hpp"

namespace kdscope {

void paint_violation(QPainter& painter, const Theme& theme, QPointF centre, double arm) {
  const double line = std::max(1.6, arm * 0.45);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [ink, width] : {std::pair{theme.base, 2.2 * line}, std::pair{theme.failed, line}}) {
    painter.setPen(QPen(colour(ink), width, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre - QPointF(arm, arm), centre + QPointF(arm, arm));
    painter.drawLine(centre + QPointF(-arm, arm), centre + QPointF(arm, -arm));
  }
  painter.restore();
}

void paint_violations(QPainter& painter, const Theme& theme, const std::vector<IndexRange>& columns,
                      const QRectF& strip, const std::function<double(std::uint64_t)>& x_of) {
  constexpr double arm = 4;
  double free_from = strip.left();
  for (const IndexRange& r : columns) {
    const double left = x_of(r.begin), width = std::max(2.0, x_of(r.end) - left), middle = left + width / 2;
    painter.fillRect(QRectF(left, strip.top(), width, 3), colour(theme.failed));
    painter.fillRect(QRectF(left, strip.bottom() - 3, width, 3), colour(theme.failed));
    if (middle - 1.5 * arm < free_from && free_from > strip.left()) continue;
    painter.fillRect(QRectF(middle - 1, strip.top(), 2, strip.height()), colour(theme.failed));
    paint_violation(painter, theme, {middle, strip.top() + 2 * arm}, arm);
    free_from = middle + 3 * arm;
  }
}

}  // namespace kdscope
