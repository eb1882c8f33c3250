#include "app/views/histogram_view.hpp"

#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"

namespace kdscope {
namespace {

constexpr double largest_zoom = 16;
// Relative to the interface font; in front of an audience on 1280 x 720, the smallest are 14 pixels.
constexpr double least_for_audience = 0.78, usual_label = 0.9, largest_label = 1.15;
constexpr double thinnest = 1;         // pixels of a cell without a number
constexpr double most_of_gaps = 0.15;  // the share of the room that layers stand apart
constexpr std::uint64_t few_rows = 8;
constexpr double rows_of_histogram = 3;  // as high as these are its bars at least

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

void HistogramView::set_growth(Growth growth) {
  growth.split.clear();
  if (std::exchange(growth_, std::move(growth)) != growth_) viewport()->update();
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

void HistogramView::set_for_audience() {
  for_audience_ = true;
  update_metrics();
}

/// Makes cells as large as fit, but never too small to be hit with a mouse: then scroll bars reach the rest. An
/// audience has no mouse, and rather sees thin cells. Cells show their numbers, in the largest digits that fit.
void HistogramView::choose_cells(QSize room) {
  const CountArray& c = *counts_;
  digits_ = interface_font(text_scale_, largest_label);
  small_ = interface_font(text_scale_, 0.9);
  const QFontMetricsF small(small_);
  const double em = QFontMetricsF(digits_).height(), columns = static_cast<double>(c.slot_count()),
               rows = static_cast<double>(c.row_count());
  const QString last_row = QString::number(c.row_count() - 1);
  const QString above = c.is_histogram() ? QString::fromUtf8(ends_of_bins_label)
                                         : foreign_text(c.rows().name) + QStringLiteral(" \u2193");
  frame_.label_width = std::max({small.horizontalAdvance(above),
                                 small.horizontalAdvance(foreign_text(c.columns().name) + QStringLiteral(" \u2192")),
                                 small.horizontalAdvance(last_row)}) +
                       0.7 * em;
  frame_.head_height = 2.5 * small.height();
  const double layers = static_cast<double>(c.layer_count());
  frame_.gap = std::min(layers <= 1    ? 0.25 * em
                        : layers <= 64 ? 0.5 * em
                                       : std::max(2.0, 0.15 * em),
                        std::max(1.0, most_of_gaps * room.width() / layers));
  const double width = room.width() - frame_.label_width - 0.4 * em - layers * frame_.gap,
               height = room.height() - frame_.head_height - 0.4 * em;
  const double least = for_audience_ ? thinnest : std::max(5.0, 0.4 * em),
               least_row = for_audience_ ? thinnest : std::max(4.0, 0.35 * em);
  const double smallest_label = for_audience_ ? least_for_audience : usual_label;
  const double fitting = width / columns;
  const QString widest = QString::number(largest_, 'f', 0);
  constexpr double few_cells = 64;
  const bool is_small = columns * rows <= few_cells;
  const double larger = is_small ? 1.6 : 1;  // rather than an empty pane
  for (double factor = largest_label * larger;; factor = std::max(smallest_label, factor - 0.05)) {
    digits_ = interface_font(text_scale_, factor);
    const QFontMetricsF digits(digits_);
    const double for_number = digits.horizontalAdvance(widest) + 0.25 * digits.height(), line = 1.05 * digits.height();
    frame_.cell_width = std::clamp(fitting, least, std::max(for_number, 3.2 * em * larger)) * zoom_;
    frame_.cell_height =
        std::clamp(height / rows, least_row, std::max(1.9 * em * larger, is_small ? 0.8 * height / rows : 0)) * zoom_;
    if (c.is_histogram()) frame_.cell_height = std::max(height, rows_of_histogram * small.height()) * zoom_;
    const bool last_try = factor <= smallest_label;
    // Scroll if a few rows, or rows that are only a little too low, have no room for their numbers, instead of leaving
    // the numbers out.
    if (last_try && frame_.cell_width >= for_number && frame_.cell_height < line &&
        (has_few_rows() || frame_.cell_height * 2 > line))
      frame_.cell_height = line;
    numbers_ = frame_.cell_width >= for_number && frame_.cell_height >= line;
    if (numbers_ || last_try) break;
  }
  whole_ = QSizeF(frame_.label_width + columns * frame_.cell_width + layers * frame_.gap + 0.4 * em,
                  frame_.head_height + rows * frame_.cell_height + 0.4 * em);
}

/// Chooses cells and scroll bars together. A bar takes room, in which cells are chosen again. Bars are only added here:
/// cells without numbers in the room beside a bar may need no bar, and without it they would need it again.
void HistogramView::update_metrics() {
  if (!counts_) {
    horizontalScrollBar()->setRange(0, 0);
    verticalScrollBar()->setRange(0, 0);
    return;
  }
  bool may_go_across = horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff,
       may_go_down = verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
  QSize room = maximumViewportSize();
  while (true) {
    choose_cells(room);
    if (whole_.width() > room.width() && std::exchange(may_go_across, false))
      room.rheight() -= horizontalScrollBar()->sizeHint().height();
    else if (whole_.height() > room.height() && std::exchange(may_go_down, false))
      room.rwidth() -= verticalScrollBar()->sizeHint().width();
    else
      break;
  }
  const auto reaches = [](QScrollBar* bar, double whole, int page, double cell) {
    bar->setPageStep(page);
    bar->setSingleStep(static_cast<int>(cell + 1));
    bar->setRange(0, static_cast<int>(std::clamp(std::ceil(whole - page), 0.0, 2e9)));
  };
  reaches(horizontalScrollBar(), whole_.width(), room.width(), frame_.cell_width);
  reaches(verticalScrollBar(), whole_.height(), room.height(), frame_.cell_height);
  emit window_changed();
}

bool HistogramView::has_few_rows() const { return counts_ && counts_->row_count() <= few_rows; }

int HistogramView::height_of_few_rows() const {
  if (!has_few_rows()) return 0;
  const double line =
      1.05 * QFontMetricsF(interface_font(text_scale_, for_audience_ ? least_for_audience : usual_label)).height();
  const double around = frame_.head_height + 0.4 * QFontMetricsF(interface_font(text_scale_, largest_label)).height();
  const double rows = counts_->is_histogram() ? rows_of_histogram : static_cast<double>(counts_->row_count());
  return static_cast<int>(std::ceil(around + rows * line));
}

void HistogramView::set_zoom(double zoom) {
  zoom_ = std::clamp(zoom, 1.0, largest_zoom);
  update_metrics();
  viewport()->update();
}

std::optional<std::uint64_t> HistogramView::cell_at(QPointF at) const {
  return counts_ ? picture().cell_at(at.x(), at.y()) : std::nullopt;
}

CountPicture HistogramView::picture() const {
  CountFrame frame = frame_;
  frame.scrolled_x = horizontalScrollBar()->value(), frame.scrolled_y = verticalScrollBar()->value();
  frame.width = viewport()->width(), frame.height = viewport()->height();
  return {*counts_, frame};
}

QRect HistogramView::cell_rect(std::uint64_t flat) const {
  if (!counts_ || flat >= counts_->size()) return {};
  const auto [left, top, width, height] = picture().place_of(flat);
  const QRect rect = QRectF(left, top, width, height).toRect();
  const bool in_sight =
      left >= frame_.label_width - 1 && top >= frame_.head_height - 1 && viewport()->rect().contains(rect.center());
  return in_sight ? rect : QRect();
}

void HistogramView::scroll_to(std::uint64_t flat) {
  if (!counts_ || flat >= counts_->size() || !cell_rect(flat).isEmpty()) return;
  const CountCell cell = counts_->cell(flat);
  const double x = picture().left_of(counts_->first_slot(cell.layer) + cell.column), y = picture().top_of(cell.row);
  if (x < frame_.label_width || x + frame_.cell_width > viewport()->width())
    horizontalScrollBar()->setValue(
        horizontalScrollBar()->value() +
        static_cast<int>(
            x - std::max(frame_.label_width, (frame_.label_width + viewport()->width() - frame_.cell_width) / 2)));
  if (y < frame_.head_height || y + frame_.cell_height > viewport()->height())
    verticalScrollBar()->setValue(
        verticalScrollBar()->value() +
        static_cast<int>(
            y - std::max(frame_.head_height, (frame_.head_height + viewport()->height() - frame_.cell_height) / 2)));
}

void HistogramView::centre(QPointF place) {
  if (!counts_) return;
  const auto slot = std::min(static_cast<std::uint64_t>(place.x() * static_cast<double>(counts_->slot_count())),
                             counts_->slot_count() - 1);
  const double x = picture().left_of(slot) + horizontalScrollBar()->value(),
               y = frame_.head_height + place.y() * static_cast<double>(counts_->row_count()) * frame_.cell_height;
  horizontalScrollBar()->setValue(static_cast<int>(x - (frame_.label_width + viewport()->width()) / 2));
  verticalScrollBar()->setValue(static_cast<int>(y - (frame_.head_height + viewport()->height()) / 2));
}

QRectF HistogramView::window() const {
  if (!counts_) return {0, 0, 1, 1};
  const auto across = static_cast<double>(counts_->slot_count()), rows = static_cast<double>(counts_->row_count());
  const double left = static_cast<double>(picture().slot_at(frame_.label_width)) / across,
               right = static_cast<double>(picture().slot_at(viewport()->width())) / across;
  const double top = std::clamp((frame_.head_height - picture().top_of(0)) / frame_.cell_height / rows, 0.0, 1.0),
               bottom = std::clamp((viewport()->height() - picture().top_of(0)) / frame_.cell_height / rows, 0.0, 1.0);
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
  return counts_ && flat < counts_->size() ? QString::fromStdString(picture().words_of(flat)) : QString();
}

QString HistogramView::window_text() const {
  if (!counts_) return {};
  QStringList parts;
  if (horizontalScrollBar()->maximum() > 0) {
    const std::uint64_t first = picture().slot_at(frame_.label_width),
                        last = std::min(picture().slot_at(viewport()->width()), counts_->slot_count() - 1);
    parts << tr("columns %1 to %2 of %3")
                 .arg(thousands(first + 1), thousands(last + 1), thousands(counts_->slot_count()));
  }
  if (verticalScrollBar()->maximum() > 0) {
    const auto row_at = [this](double y) {
      return static_cast<std::uint64_t>(std::max(0.0, (y - picture().top_of(0)) / frame_.cell_height));
    };
    parts << tr("rows %1 to %2 of %3")
                 .arg(thousands(row_at(frame_.head_height) + 1),
                      thousands(std::min(row_at(viewport()->height()) + 1, counts_->row_count())),
                      thousands(counts_->row_count()));
  }
  return parts.isEmpty() ? QString() : tr("In sight: %1; scroll for the rest.").arg(parts.join(QStringLiteral(", ")));
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  paint(painter, false);
  if (hasFocus() && counts_) {
    painter.setPen(QPen(colour(theme_->focus), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void HistogramView::paint(QPainter& painter, bool hidden) const {
  painter.fillRect(viewport()->rect(), colour(theme_->base));
  if (!counts_) return;
  const QFontMetricsF small(small_);
  CountLook look;
  look.hidden = hidden;
  look.largest = largest_;
  if (!hidden) look.layers = layer_places_, look.marked = marked_, look.framed = framed_;
  if (!hidden && !changes_.ranges.empty()) look.changed = [this](std::uint64_t cell) { return changed(cell); };
  std::optional<CountArray> old;
  if (look.changed && baseline_ && !of_other_run_ && growth_.under_way() && growth_.from_old)
    if (auto counts = CountArray::at(*baseline_, counts_->info().name); counts && counts->size() == counts_->size())
      old = std::move(*counts);
  look.growth = growth_, look.old = old ? &*old : nullptr;
  look.numbers = numbers_;
  look.small = QFontInfo(small_).pixelSize(), look.line = small.height();
  look.outline = 2 * theme_->outline * text_scale_ / 100.0;
  look.width_of = [&](std::string_view words) {
    return small.horizontalAdvance(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
  };
  painter.setRenderHint(QPainter::TextAntialiasing);
  paint_display_list(painter, picture().draw(look), *theme_, digits_);
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
