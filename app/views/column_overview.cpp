#include "app/views/column_overview.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/views/violation_marks.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {

ColumnOverview::ColumnOverview(QWidget* parent) : QWidget(parent), theme_(&theme(ThemeId::light)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setToolTip(tr("All columns: subtrees, what changed, and the part that the table shows"));
  setAccessibleName(tr("Overview of all columns"));
}

void ColumnOverview::show_table(const ArrayTable& table, const Theme& theme) {
  theme_ = &theme;
  columns_ = table.column_count();
  const std::uint64_t samples = std::min(columns_, most_samples);
  strip_ = QImage(static_cast<int>(samples), 2, QImage::Format_RGB32);
  for (std::uint64_t x = 0; x < samples; ++x) {
    const std::uint64_t column = columns_ * x / samples;
    const TableCell cell = table.cell(1, column);
    const Rgb ground = cell.place ? cell_ground(theme, subtree_colour(theme, *cell.place), cell.settled) : theme.button;
    bool changed = false;
    for (std::size_t row = 1; row < table.rows().size() && !changed; ++row) changed = table.is_changed(row, column);
    strip_.setPixelColor(static_cast<int>(x), 0, colour(ground));
    strip_.setPixelColor(static_cast<int>(x), 1, colour(changed ? theme.changed : theme.base));
  }
  update();
}

void ColumnOverview::clear() {
  strip_ = {};
  update();
}

void ColumnOverview::set_window(std::uint64_t first, std::uint64_t count) {
  first_ = first;
  count_ = count;
  update();
}

void ColumnOverview::set_selected(std::vector<IndexRange> columns) {
  selected_ = std::move(columns);
  update();
}

void ColumnOverview::set_violating(std::vector<IndexRange> columns) {
  violating_ = std::move(columns);
  update();
}

double ColumnOverview::x_of(std::uint64_t column) const {
  return columns_ == 0 ? 0 : static_cast<double>(column) / static_cast<double>(columns_) * width();
}

void ColumnOverview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colour(theme_->base));
  if (strip_.isNull()) return;
  const int marks = std::max(3, height() / 5);
  painter.drawImage(QRect(0, 2, width(), height() - marks - 4), strip_, QRect(0, 0, strip_.width(), 1));
  painter.drawImage(QRect(0, height() - marks - 1, width(), marks), strip_, QRect(0, 1, strip_.width(), 1));
  for (const IndexRange& r : selected_) {
    const QRectF mark(x_of(r.begin) - 1, 0, std::max(3.0, x_of(r.end) - x_of(r.begin)), height());
    if (mark.width() < 8) {
      painter.fillRect(mark, colour(theme_->selection));
      continue;
    }
    painter.setPen(QPen(colour(theme_->selection), 3));  // an outline, which hides no column
    painter.drawRect(mark.adjusted(1.5, 1.5, -1.5, -1.5));
  }
  paint_violations(painter, *theme_, violating_, rect(), [this](std::uint64_t column) { return x_of(column); });
  // The part that the table shows: a border, on a rim that sets it off from every colour
  const QRectF window(x_of(first_), 1, std::max(6.0, x_of(first_ + count_) - x_of(first_)), height() - 2);
  painter.setPen(QPen(colour(theme_->base), 3 * tokens::border));
  painter.drawRect(window);
  painter.setPen(QPen(colour(theme_->muted_text), tokens::border));
  painter.drawRect(window);
}

void ColumnOverview::mousePressEvent(QMouseEvent* event) {
  const double share = std::clamp(event->position().x() / std::max(1, width()), 0.0, 1.0);
  if (columns_ > 0)
    emit pressed(std::min(columns_ - 1, static_cast<std::uint64_t>(share * static_cast<double>(columns_))));
}

void ColumnOverview::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) mousePressEvent(event);
}

}  // namespace kdscope
