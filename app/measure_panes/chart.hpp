#pragma once
// Charts are display lists: a widget that shows one, and the frame of a plot with grid, ticks, labels and titles.

#include <QFont>
#include <QFontMetricsF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {

/// Shows a display list in its font, with what is said of an item as its tip.
class Chart : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  /// Returns the list for the widget's size; it is painted once a theme is set.
  virtual DisplayList draw() const = 0;
  void set_theme(const Theme& theme);
  /// Returns the id of the item near a place.
  std::optional<std::uint32_t> id_at(QPointF place) const;
  /// Returns the item with an id as last painted, or null.
  const DisplayItem* item_of(std::uint32_t id) const;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_ = nullptr;
  DisplayList drawing_;
};

/// What the frame shows. The axes end at places within `plot`.
struct ChartFrame {
  QRectF plot;
  const PlotAxis &x, &y;
  std::function<QString(double)> x_text, y_text;  ///< the texts of ticks
  QString x_title, y_title;                       ///< y_title is not drawn where y has no labels
  bool labels_y = true;
};

/// Draws the frame. Labels without room are left out.
void draw_axes(DisplayList& list, const ChartFrame& frame, const QFontMetricsF& metrics);

/// Returns a chart's font for what stands out.
QFont bold_of(QFont font);

/// Returns the width of the widest label of an axis.
double label_width(const QFontMetricsF& metrics, const PlotAxis& axis, const std::function<QString(double)>& text);

/// Draws a mark with a rim.
DisplayItem& draw_mark(DisplayList& list, QPointF at, Glyph glyph, double radius, DisplayInk fill, DisplayInk rim,
                       double width);
/// Draws a text whose anchor stands at the middle of its height.
DisplayItem& draw_words(DisplayList& list, QPointF at, const QString& text, DisplayInk ink = of_theme(&Theme::text),
                        DisplayItem::Anchor anchor = DisplayItem::Anchor::left);

}  // namespace kdscope
