#include "app/views/histogram_view.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t most_marks = 5000;
constexpr double largest_zoom = 16;
constexpr double smallest_label = 0.9, largest_label = 1.15;  // relative to the interface font
constexpr std::uint64_t few_rows = 8;

/// Returns n such that every n-th label can be written without touching the next one.
std::uint64_t stride_for(double needed, double room) {
  std::uint64_t stride = 1;
  for (const double factor : {2.0, 2.5, 2.0})
    if (static_cast<double>(stride) * room < needed)
      stride = static_cast<std::uint64_t>(std::lround(static_cast<double>(stride) * factor));
  while (static_cast<double>(stride) * room < needed) stride *= 10;
  return stride;
}

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QAbstractScrollArea(parent), theme_(&theme(ThemeId::light)) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Histogram"));
  setAccessibleDescription(
      tr("Counts as layers of rows and columns. Alt+arrows move from cell to cell, plus and minus zoom."));
  describe_keys(
      *this, tr("Histogram"),
      {{tr("Alt+arrows"), tr("From cell to cell")}, {tr("+ and -"), tr("Zoom, while the histogram has the focus")}});
  viewport()->setMouseTracking(true);
  digits_ = small_ = font();
}

void HistogramView::show_counts(CountArray counts, std::vector<std::optional<TreePlace>> layer_places) {
  counts_ = std::move(counts);
  largest_ = counts_->largest();
  layer_places_ = std::move(layer_places);
  update_metrics();
  viewport()->update();
}

void HistogramView::clear() {
  counts_.reset();
  marked_.clear();
  picked_.reset();
  set_changes({}, nullptr);
  update_metrics();
  viewport()->update();
}

void HistogramView::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  update_metrics();
  viewport()->update();
}

void HistogramView::set_marked(std::vector<std::uint64_t> cells, std::optional<std::uint64_t> picked) {
  marked_ = std::move(cells);
  picked_ = picked;
  viewport()->update();
}

void HistogramView::set_changes(ChangedArray changes, const Cursor* baseline, bool of_other_run) {
  changes_ = std::move(changes);
  baseline_ = baseline;
  of_other_run_ = of_other_run;
  framed_.reset();
  viewport()->update();
}

void HistogramView::set_framed(std::optional<std::uint64_t> cell) {
  framed_ = cell;
  if (cell) scroll_to(*cell);
  viewport()->update();
}

bool HistogramView::changed(std::uint64_t cell) const {
  const auto after = std::upper_bound(changes_.ranges.begin(), changes_.ranges.end(), cell,
                                      [](std::uint64_t c, const IndexRange& r) { return c < r.begin; });
  return after != changes_.ranges.begin() && cell < std::prev(after)->end;
}

/// Makes cells as large as fit, but never too small to be hit with a mouse: then scroll bars reach the rest. Cells show
/// their numbers, in the largest digits that fit.
void HistogramView::update_metrics() {
  digits_ = interface_font(text_scale_, largest_label);
  small_ = interface_font(text_scale_, 0.9);
  const QFontMetricsF small(small_);
  if (!counts_) {
    horizontalScrollBar()->setRange(0, 0);
    verticalScrollBar()->setRange(0, 0);
    return;
  }
  const CountArray& c = *counts_;
  const double em = QFontMetricsF(digits_).height(), columns = static_cast<double>(c.slot_count()),
               rows = static_cast<double>(c.row_count());
  const QString last_row = QString::number(c.row_count() - 1);
  label_width_ = std::max({small.horizontalAdvance(foreign_text(c.rows().name) + QStringLiteral(" \u2193")),
                           small.horizontalAdvance(foreign_text(c.columns().name) + QStringLiteral(" \u2192")),
                           small.horizontalAdvance(last_row)}) +
                 0.7 * em;
  head_height_ = 2.5 * small.height();
  const double layers = static_cast<double>(c.layer_count());
  gap_ = layers <= 1 ? 0.25 * em : layers <= 64 ? 0.5 * em : std::max(2.0, 0.15 * em);
  const double room = viewport()->width() - label_width_ - 0.4 * em - layers * gap_,
               height = viewport()->height() - head_height_ - 0.4 * em;
  const double least = std::max(5.0, 0.4 * em);
  const double fitting = room / columns;
  const QString widest = QString::number(largest_, 'f', 0);
  constexpr double few_cells = 64;
  const double larger = columns * rows <= few_cells ? 1.6 : 1;  // rather than an empty pane
  for (double factor = largest_label * larger;; factor -= 0.05) {
    digits_ = interface_font(text_scale_, factor);
    const QFontMetricsF digits(digits_);
    const double for_number = digits.horizontalAdvance(widest) + 0.5 * digits.height(), line = 1.05 * digits.height();
    cell_width_ = std::clamp(fitting, least, std::max(for_number, 3.2 * em * larger)) * zoom_;
    cell_height_ = std::clamp(height / rows, std::max(4.0, 0.35 * em), 1.9 * em * larger) * zoom_;
    const bool last_try = factor <= smallest_label;
    // Scroll if a few rows, or rows that are only a little too low, have no room for their numbers, instead of leaving
    // the numbers out.
    if (last_try && cell_width_ >= for_number && cell_height_ < line && (has_few_rows() || cell_height_ * 2 > line))
      cell_height_ = line;
    numbers_ = cell_width_ >= for_number && cell_height_ >= line;
    if (numbers_ || last_try) break;
  }

  const double across = label_width_ + columns * cell_width_ + layers * gap_ + 0.4 * em - viewport()->width();
  const double down = head_height_ + rows * cell_height_ + 0.4 * em - viewport()->height();
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(static_cast<int>(cell_width_ + 1));
  horizontalScrollBar()->setRange(0, static_cast<int>(std::clamp(std::ceil(across), 0.0, 2e9)));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(cell_height_ + 1));
  verticalScrollBar()->setRange(0, static_cast<int>(std::clamp(std::ceil(down), 0.0, 2e9)));
  emit window_changed();
}

bool HistogramView::has_few_rows() const { return counts_ && counts_->row_count() <= few_rows; }

int HistogramView::height_of_few_rows() const {
  if (!has_few_rows()) return 0;
  const double line = 1.05 * QFontMetricsF(interface_font(text_scale_, smallest_label)).height();
  const double around = head_height_ + 0.4 * QFontMetricsF(interface_font(text_scale_, largest_label)).height();
  return static_cast<int>(std::ceil(around + static_cast<double>(counts_->row_count()) * line));
}

void HistogramView::set_zoom(double zoom) {
  zoom_ = std::clamp(zoom, 1.0, largest_zoom);
  update_metrics();
  viewport()->update();
}

double HistogramView::left_of(std::uint64_t slot) const {
  return label_width_ + static_cast<double>(slot) * cell_width_ +
         static_cast<double>(counts_->layer_of_slot(slot)) * gap_ - horizontalScrollBar()->value();
}

double HistogramView::top_of(std::uint64_t row) const {
  return head_height_ + static_cast<double>(row) * cell_height_ - verticalScrollBar()->value();
}

std::uint64_t HistogramView::slot_at(double x) const {
  std::uint64_t low = 0, high = counts_->slot_count();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (left_of(middle) + cell_width_ <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<std::uint64_t> HistogramView::cell_at(QPointF at) const {
  if (!counts_ || at.x() < label_width_ || at.y() < head_height_) return std::nullopt;
  const std::uint64_t slot = slot_at(at.x());
  const double row = (at.y() - top_of(0)) / cell_height_;
  if (slot >= counts_->slot_count() || left_of(slot) > at.x() || row < 0 ||
      row >= static_cast<double>(counts_->row_count()))
    return std::nullopt;
  const std::uint64_t layer = counts_->layer_of_slot(slot);
  return counts_->flat({layer, static_cast<std::uint64_t>(row), slot - counts_->first_slot(layer)});
}

QRect HistogramView::cell_rect(std::uint64_t flat) const {
  if (!counts_ || flat >= counts_->size()) return {};
  const CountCell cell = counts_->cell(flat);
  const std::uint64_t slot = counts_->first_slot(cell.layer) + cell.column;
  const int left = static_cast<int>(std::lround(left_of(slot))), top = static_cast<int>(std::lround(top_of(cell.row)));
  const QRect rect(left, top, static_cast<int>(std::lround(left_of(slot) + cell_width_)) - left,
                   static_cast<int>(std::lround(top_of(cell.row + 1))) - top);
  const bool in_sight =
      left >= label_width_ - 1 && top >= head_height_ - 1 && viewport()->rect().contains(rect.center());
  return in_sight ? rect : QRect();
}

void HistogramView::scroll_to(std::uint64_t flat) {
  if (!counts_ || flat >= counts_->size() || !cell_rect(flat).isEmpty()) return;
  const CountCell cell = counts_->cell(flat);
  const double x = left_of(counts_->first_slot(cell.layer) + cell.column), y = top_of(cell.row);
  if (x < label_width_ || x + cell_width_ > viewport()->width())
    horizontalScrollBar()->setValue(
        horizontalScrollBar()->value() +
        static_cast<int>(x - std::max(label_width_, (label_width_ + viewport()->width() - cell_width_) / 2)));
  if (y < head_height_ || y + cell_height_ > viewport()->height())
    verticalScrollBar()->setValue(
        verticalScrollBar()->value() +
        static_cast<int>(y - std::max(head_height_, (head_height_ + viewport()->height() - cell_height_) / 2)));
}

void HistogramView::centre(QPointF place) {
  if (!counts_) return;
  const auto slot = std::min(static_cast<std::uint64_t>(place.x() * static_cast<double>(counts_->slot_count())),
                             counts_->slot_count() - 1);
  const double x = left_of(slot) + horizontalScrollBar()->value(),
               y = head_height_ + place.y() * static_cast<double>(counts_->row_count()) * cell_height_;
  horizontalScrollBar()->setValue(static_cast<int>(x - (label_width_ + viewport()->width()) / 2));
  verticalScrollBar()->setValue(static_cast<int>(y - (head_height_ + viewport()->height()) / 2));
}

QRectF HistogramView::window() const {
  if (!counts_) return {0, 0, 1, 1};
  const auto across = static_cast<double>(counts_->slot_count()), rows = static_cast<double>(counts_->row_count());
  const double left = static_cast<double>(slot_at(label_width_)) / across,
               right = static_cast<double>(slot_at(viewport()->width())) / across;
  const double top = std::clamp((head_height_ - top_of(0)) / cell_height_ / rows, 0.0, 1.0),
               bottom = std::clamp((viewport()->height() - top_of(0)) / cell_height_ / rows, 0.0, 1.0);
  return {left, top, right - left, bottom - top};
}

QRectF HistogramView::place_of(std::uint64_t flat) const {
  const CountCell cell = counts_->cell(flat);
  const auto across = static_cast<double>(counts_->slot_count()), rows = static_cast<double>(counts_->row_count());
  return {static_cast<double>(counts_->first_slot(cell.layer) + cell.column) / across,
          static_cast<double>(cell.row) / rows, 1 / across, 1 / rows};
}

QImage HistogramView::overview(int width, int height) const {
  if (!counts_) return {};
  constexpr std::uint64_t samples = 4;
  const std::uint64_t across = counts_->slot_count(), rows = counts_->row_count();
  const auto wide = static_cast<std::uint64_t>(std::max(1, width)),
             high = std::min<std::uint64_t>(std::max(1, height), rows);
  QImage picture(static_cast<int>(wide), static_cast<int>(high), QImage::Format_RGB32);
  for (std::uint64_t x = 0; x < wide; ++x) {
    const std::uint64_t first = across * x / wide, last = std::max(first + 1, across * (x + 1) / wide);
    for (std::uint64_t y = 0; y < high; ++y) {
      double most = 0;
      for (std::uint64_t slot = first; slot < last; slot += std::max<std::uint64_t>(1, (last - first) / samples)) {
        const std::uint64_t layer = counts_->layer_of_slot(slot);
        for (std::uint64_t row = rows * y / high; row < rows * (y + 1) / high;
             row += std::max<std::uint64_t>(1, rows / high / samples))
          most = std::max(most, counts_->value(counts_->flat({layer, row, slot - counts_->first_slot(layer)})));
      }
      picture.setPixelColor(static_cast<int>(x), static_cast<int>(y),
                            colour(most > 0 ? ramp(most / largest_) : theme_->base));
    }
  }
  return picture;
}

QString HistogramView::place_text(std::uint64_t flat) const {
  if (!counts_ || flat >= counts_->size()) return {};
  const CountCell cell = counts_->cell(flat);
  QString words = QStringLiteral("%1 %2, %3 %4")
                      .arg(foreign_text(counts_->rows().name))
                      .arg(cell.row)
                      .arg(foreign_text(counts_->columns().name))
                      .arg(counts_->first_column(cell.layer) + cell.column);
  if (counts_->has_layers())
    words = QStringLiteral("%1 %2, ").arg(foreign_text(counts_->layers().name)).arg(cell.layer) + words;
  return words;
}

QString HistogramView::window_text() const {
  if (!counts_) return {};
  QStringList parts;
  if (horizontalScrollBar()->maximum() > 0) {
    const std::uint64_t first = slot_at(label_width_),
                        last = std::min(slot_at(viewport()->width()), counts_->slot_count() - 1);
    parts << tr("columns %1 to %2 of %3")
                 .arg(thousands(first + 1), thousands(last + 1), thousands(counts_->slot_count()));
  }
  if (verticalScrollBar()->maximum() > 0) {
    const auto row_at = [this](double y) {
      return static_cast<std::uint64_t>(std::max(0.0, (y - top_of(0)) / cell_height_));
    };
    parts << tr("rows %1 to %2 of %3")
                 .arg(thousands(row_at(head_height_) + 1),
                      thousands(std::min(row_at(viewport()->height()) + 1, counts_->row_count())),
                      thousands(counts_->row_count()));
  }
  return parts.isEmpty() ? QString() : tr("In sight: %1; scroll for the rest.").arg(parts.join(QStringLiteral(", ")));
}

QRectF HistogramView::sheet(std::uint64_t layer) const {
  const double left = left_of(counts_->first_slot(layer));
  const double width = static_cast<double>(counts_->first_slot(layer + 1) - counts_->first_slot(layer)) * cell_width_;
  return {left, top_of(0), width, static_cast<double>(counts_->row_count()) * cell_height_};
}

void HistogramView::paint_cells(QPainter& painter, std::uint64_t first, std::uint64_t last) const {
  const Theme& t = *theme_;
  const CountArray& c = *counts_;
  const double scale = largest_ > 0 ? 1 / largest_ : 0;
  const auto first_row = static_cast<std::uint64_t>(std::max(0.0, (head_height_ - top_of(0)) / cell_height_));
  const std::uint64_t last_row =
      std::min(c.row_count(), first_row + static_cast<std::uint64_t>(viewport()->height() / cell_height_) + 2);
  painter.setFont(digits_);
  for (std::uint64_t slot = first; slot < last; ++slot) {
    const std::uint64_t layer = c.layer_of_slot(slot);
    const double left = left_of(slot);
    for (std::uint64_t row = first_row; row < last_row; ++row) {
      const std::uint64_t flat = c.flat({layer, row, slot - c.first_slot(layer)});
      const double value = c.value(flat);
      const Rgb ground = value > 0 ? ramp(value * scale) : t.base;
      const QRectF cell(std::lround(left), std::lround(top_of(row)),
                        std::lround(left + cell_width_) - std::lround(left),
                        std::lround(top_of(row + 1)) - std::lround(top_of(row)));
      painter.fillRect(cell, colour(ground));
      if (changed(flat) && cell.height() >= 3) {  // an underline, on a rim that sets it off from any colour of the ramp
        const double thick = std::clamp(cell_height_ / 9, 1.0, 4.0), inset = std::min(cell.width() * 0.18, 6.0);
        const QRectF line(cell.left() + inset, cell.bottom() - 2 * thick, cell.width() - 2 * inset, thick);
        if (thick >= 2) painter.fillRect(line.adjusted(-1, -1, 1, 1), colour(t.base));
        painter.fillRect(line, colour(t.changed));
      }
      if (!numbers_) continue;
      painter.setPen(colour(value > 0 ? text_on(ground) : t.muted_text));
      painter.drawText(cell, Qt::AlignCenter, QString::fromStdString(c.text(flat)));
    }
  }
  // Draw a rim around each sheet, and lines between cells that are large enough not to be hidden by them.
  const bool lines = std::min(cell_width_, cell_height_) >= 9;
  for (std::uint64_t layer = c.layer_of_slot(first); first < last && layer <= c.layer_of_slot(last - 1); ++layer) {
    const QRectF rim = sheet(layer);
    painter.setPen(QPen(colour(mix(t.line, t.base, 0.2)), 1));
    for (std::uint64_t slot = c.first_slot(layer) + 1; lines && slot < c.first_slot(layer + 1); ++slot)
      if (slot >= first && slot <= last)
        painter.drawLine(QPointF(std::lround(left_of(slot)), rim.top()),
                         QPointF(std::lround(left_of(slot)), rim.bottom()));
    for (std::uint64_t row = first_row; lines && row < last_row; ++row)
      painter.drawLine(QPointF(rim.left(), std::lround(top_of(row))), QPointF(rim.right(), std::lround(top_of(row))));
    painter.setPen(QPen(colour(t.axis), gap_ >= 4 ? 1.5 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(std::lround(rim.left()), std::lround(rim.top()), std::lround(rim.width()), std::lround(rim.height())));
  }
}

/// Draws above each sheet the number of its layer, in the colour of its subtree, and the indices of its columns.
void HistogramView::paint_heads(QPainter& painter, std::uint64_t first, std::uint64_t last) const {
  const Theme& t = *theme_;
  const CountArray& c = *counts_;
  const QFontMetricsF small(small_);
  const double line = small.height(), bottom = head_height_;
  painter.fillRect(QRectF(0, 0, viewport()->width(), head_height_), colour(t.base));
  painter.setFont(small_);
  const double number_width = small.horizontalAdvance(QString::number(c.columns().size)) + 0.5 * line;
  const std::uint64_t stride = stride_for(number_width, cell_width_);
  painter.setPen(colour(t.muted_text));
  for (std::uint64_t slot = first; slot < last; ++slot) {
    const std::uint64_t layer = c.layer_of_slot(slot), column = c.first_column(layer) + slot - c.first_slot(layer);
    // Skip labels where they would run into one another: on sheets narrower than a number.
    if (column % stride != 0 || (stride > 1 && sheet(layer).width() < number_width)) continue;
    const double middle = left_of(slot) + cell_width_ / 2;
    painter.drawText(QRectF(middle - number_width, bottom - 1.15 * line, 2 * number_width, 1.1 * line), Qt::AlignCenter,
                     QString::number(column));
  }
  for (std::uint64_t layer = c.layer_of_slot(first);
       c.has_layers() && first < last && layer <= c.layer_of_slot(last - 1); ++layer) {
    const QRectF rim = sheet(layer);
    const QRectF band(rim.left(), 0.08 * line, rim.width(), 1.15 * line);
    const bool known = layer < layer_places_.size() && layer_places_[layer];
    const Rgb ground = known ? cell_ground(t, subtree_colour(t, *layer_places_[layer]), false) : t.button;
    painter.fillRect(band, colour(ground));
    const QRectF seen = band.intersected(QRectF(label_width_, 0, viewport()->width() - label_width_, head_height_));
    const QString name = foreign_text(c.layers().name);
    for (const QString& words : {name + QLatin1Char(' ') + QString::number(layer), QString::number(layer)}) {
      if (small.horizontalAdvance(words) + 4 > seen.width()) continue;
      painter.setPen(colour(text_on(ground)));
      painter.drawText(seen, Qt::AlignCenter, words);
      break;
    }
  }
}

void HistogramView::paint_row_labels(QPainter& painter) const {
  const Theme& t = *theme_;
  const CountArray& c = *counts_;
  painter.fillRect(QRectF(0, 0, label_width_, viewport()->height()), colour(t.base));
  painter.setFont(small_);
  const double line = QFontMetricsF(small_).height(), inset = 0.35 * line;
  painter.setPen(colour(t.muted_text));
  const std::uint64_t stride = stride_for(line, cell_height_);
  for (std::uint64_t row = 0; row < c.row_count(); row += stride) {
    const double middle = top_of(row) + cell_height_ / 2;
    if (middle < head_height_ || middle > viewport()->height() + line) continue;
    painter.drawText(QRectF(0, middle - line / 2, label_width_ - inset, line), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(row));
  }
  painter.fillRect(QRectF(0, 0, label_width_, head_height_), colour(t.base));
  painter.setPen(colour(t.text));
  const QRectF corner(0, 0.1 * line, label_width_ - inset, head_height_ - 0.15 * line);
  painter.drawText(corner, Qt::AlignRight | Qt::AlignTop, foreign_text(c.rows().name) + QStringLiteral(" \u2193"));
  painter.drawText(corner, Qt::AlignRight | Qt::AlignBottom,
                   foreign_text(c.columns().name) + QStringLiteral(" \u2192"));
}

void HistogramView::paint_marks(QPainter& painter) const {
  const Theme& t = *theme_;
  painter.setBrush(Qt::NoBrush);
  const double width = 2 * t.outline * text_scale_ / 100.0;
  for (std::size_t i = 0; i < std::min<std::size_t>(marked_.size(), most_marks); ++i) {
    const QRectF rect = cell_rect(marked_[i]);
    if (rect.isEmpty()) continue;
    const double thick = std::clamp(width, 1.0, std::max(2.0, rect.width() / 3));
    painter.setPen(QPen(colour(t.base), thick + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.setPen(QPen(colour(t.selection), thick, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
  }
  const QRectF framed = framed_ ? QRectF(cell_rect(*framed_)) : QRectF();
  if (framed.isEmpty()) return;
  painter.setPen(QPen(colour(t.changed), std::max(2.0, width), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.drawRect(framed.adjusted(-width, -width, width, width));
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colour(theme_->base));
  if (!counts_) return;
  painter.setRenderHint(QPainter::TextAntialiasing);
  const std::uint64_t first = slot_at(label_width_),
                      last = std::min(slot_at(viewport()->width()) + 1, counts_->slot_count());
  painter.save();
  painter.setClipRect(
      QRectF(label_width_, head_height_, viewport()->width(), viewport()->height()).adjusted(-2, -2, 0, 0));
  paint_cells(painter, first, last);
  paint_marks(painter);
  painter.restore();
  paint_heads(painter, first, last);
  paint_row_labels(painter);
  if (hasFocus()) {
    painter.setPen(QPen(colour(theme_->focus), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void HistogramView::resizeEvent(QResizeEvent*) { update_metrics(); }

void HistogramView::scrollContentsBy(int, int) {
  viewport()->update();
  emit window_changed();
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto cell = cell_at(event->position());
  emit picked(cell ? Selection{Space::count, *cell, counts_->info().name} : Selection());
}

void HistogramView::wheelEvent(QWheelEvent* event) {
  const QPoint turn = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    set_zoom(zoom_ * std::pow(1.0015, turn.y()));
  } else {
    // A plain wheel scrolls down if rows are out of sight, otherwise along the columns.
    const bool along = turn.x() != 0 || verticalScrollBar()->maximum() == 0 || (event->modifiers() & Qt::ShiftModifier);
    QScrollBar* bar = along ? horizontalScrollBar() : verticalScrollBar();
    bar->setValue(bar->value() - (turn.x() != 0 ? turn.x() : turn.y()) / 2);
  }
  event->accept();
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
      return set_zoom(zoom_ * 1.5);
    case Qt::Key_Minus:
      return set_zoom(zoom_ / 1.5);
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (counts_ && event->modifiers() == Qt::AltModifier) return move_picked(event->key());
      break;
    default:
      break;
  }
  event->ignore();
}

void HistogramView::move_picked(int key) {
  const CountArray& c = *counts_;
  std::optional<std::uint64_t> from = picked_;
  if (!from && !marked_.empty()) from = marked_.front();
  CountCell cell = from && *from < c.size() ? c.cell(*from) : CountCell{};
  if (from) {
    std::uint64_t slot = c.first_slot(cell.layer) + cell.column;
    if (key == Qt::Key_Up && cell.row > 0) --cell.row;
    if (key == Qt::Key_Down && cell.row + 1 < c.row_count()) ++cell.row;
    if (key == Qt::Key_Left && slot > 0) --slot;
    if (key == Qt::Key_Right && slot + 1 < c.slot_count()) ++slot;
    cell.layer = c.layer_of_slot(slot);
    cell.column = slot - c.first_slot(cell.layer);
  }
  emit picked({Space::count, c.flat(cell), c.info().name});
}

QString HistogramView::cell_tip(std::uint64_t cell) const {
  QString value = QString::fromStdString(counts_->text(cell));
  if (changed(cell)) {
    const QString since = QString::number(baseline_->step());
    if (!changes_.reshaped)
      value = QStringLiteral("%1 \u2192 %2").arg(QString::fromStdString(baseline_->text(changes_.name, cell)), value);
    value += of_other_run_       ? tr("\ndiffers from the other run")
             : changes_.reshaped ? tr("\nnew since step %1").arg(since)
                                 : tr("\nchanged since step %1").arg(since);
  }
  return QStringLiteral("%1: %2").arg(place_text(cell), value);
}

bool HistogramView::event(QEvent* event) {
  // Plus and minus zoom here; elsewhere they set the playing speed.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
      event->accept();
      return true;
    }
  }
  return QAbstractScrollArea::event(event);
}

bool HistogramView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto cell = cell_at(help->pos()))
    show_plain_tip(help->globalPos(), cell_tip(*cell), viewport(), cell_rect(*cell));
  else
    QToolTip::hideText();
  return true;
}

}  // namespace kdscope
