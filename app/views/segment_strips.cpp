#include "app/views/segment_strips.hpp"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"
#include "app/views/follow_rows.hpp"
#include "app/views/violation_marks.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_strips = 64, most_bars = 48;
constexpr std::uint64_t median_samples = 512;

/// Returns whether a part of a row stands between the head and the lower end.
bool is_in_sight(double top, int row_height, int head_height, int end) {
  return top + row_height > head_height && top < end;
}

QString value_text(double value) { return QString::fromStdString(with_minus_sign(short_number(value, 5))); }

}  // namespace

SegmentStrips::SegmentStrips(QWidget* parent) : QAbstractScrollArea(parent), theme_(&theme(ThemeId::light)) {
  setObjectName(QStringLiteral("strips"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Segments"));
  setAccessibleDescription(
      tr("Segments of the step as strips. Alt and arrow keys choose, Enter opens, Backspace goes back"));
  viewport()->setMouseTracking(true);
}

QSize SegmentStrips::sizeHint() const { return {800, static_cast<int>(interface_font(text_scale_).pointSizeF() * 16)}; }

void SegmentStrips::open(const Cursor& now, const ArrayTable& table, Space space) {
  path_.clear();
  range_ = {0, table.column_count()};
  current_ = 0;
  row_ = 1;
  // Prefer coordinates, skip rows without values at this step, and then prefer the widest strip.
  const auto& rows = table.rows();
  while (row_ + 1 < rows.size() && rows[row_].size == 0) ++row_;
  if (rows[row_ < rows.size() ? row_ : 0].size == 0) row_ = 1;
  for (std::size_t row = rows.size(); row-- > 1;)
    if (rows[row].value_space == Space::coordinate && rows[row].size > 0) row_ = row;
  show_step(now, table, space);
  const auto width = [](const Strip& s) { return s.columns.end - s.columns.begin; };
  const auto widest = std::max_element(strips_.begin(), strips_.end(),
                                       [&](const Strip& a, const Strip& b) { return width(a) < width(b); });
  if (widest != strips_.end()) choose_near(widest->columns.begin);
  if (table.written_rows(false).first == 0) scroll_to_row();  // no work to scroll to
}

void SegmentStrips::show_step(const Cursor& now, const ArrayTable& table, Space space) {
  const std::uint64_t at = current_ < strips_.size() ? strips_[current_].columns.begin : range_.begin;
  now_ = &now;
  table_ = &table;
  space_ = space;
  segments_ = SegmentList(now, table.column_count(), space);
  if (range_.end > table.column_count() || range_.begin >= range_.end) {
    path_.clear();
    range_ = {0, table.column_count()};
  }
  choose_near(at);
  QScrollBar* down = verticalScrollBar();
  down->setValue(scrolled_to_work(table, down->value(), head_height_, row_height_, down->pageStep()));
}

void SegmentStrips::clear() {
  now_ = nullptr;
  table_ = nullptr;
  segments_ = {};
  strips_.clear();
  path_.clear();
  pictures_.clear();
  summary_.reset();
  selected_.clear();
  range_ = {};
  viewport()->update();
}

void SegmentStrips::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  updateGeometry();
  lay_out();
}

void SegmentStrips::set_selected(std::vector<IndexRange> columns) {
  selected_ = std::move(columns);
  viewport()->update();
}

void SegmentStrips::set_violating(std::vector<IndexRange> columns) {
  violating_ = std::move(columns);
  viewport()->update();
}

/// Cuts the columns in sight into strips, and chooses the one that holds a column.
void SegmentStrips::choose_near(std::uint64_t column) {
  strips_ = segments_.strips(range_, most_strips);
  const auto holds = [&](const Strip& s) { return column >= s.columns.begin && column < s.columns.end; };
  const auto found = std::find_if(strips_.begin(), strips_.end(), holds);
  current_ = found == strips_.end() ? 0 : static_cast<std::size_t>(found - strips_.begin());
  if (table_) row_ = std::min(row_, table_->rows().size() - 1);
  lay_out();
  summary_.reset();
  emit strips_changed();
}

const ValueSummary& SegmentStrips::summary() const {
  if (!summary_) {
    summary_.emplace();
    if (table_ && !strips_.empty() && row_ > 0 && row_ < table_->rows().size())
      summary_ = summarise(RowValues(*now_, table_->rows()[row_]), strips_[current_].columns, most_bars);
  }
  return *summary_;
}

void SegmentStrips::lay_out() {
  if (!table_) return;
  const QFontMetricsF text(interface_font(text_scale_));
  double widest = 0;
  for (const TableRow& row : table_->rows()) widest = std::max(widest, text.horizontalAdvance(foreign_text(row.label)));
  label_width_ = static_cast<int>(widest + text.height());
  const int histogram =
      std::clamp(static_cast<int>(18 * text.averageCharWidth()), viewport()->width() / 5, viewport()->width() * 2 / 5);
  strips_width_ = std::max(1, viewport()->width() - label_width_ - histogram);
  head_height_ = static_cast<int>(1.35 * text.height());
  const int rows = std::max(1, static_cast<int>(table_->rows().size()) - 1);
  row_height_ = std::max(static_cast<int>(1.6 * text.height()), (viewport()->height() - head_height_) / rows);
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(row_height_);
  verticalScrollBar()->setRange(0, std::max(0, head_height_ + rows * row_height_ - viewport()->height()));
  sampled_ = false;
  viewport()->update();
}

/// Samples the rows that are painted: O(pixels), independent of the number of columns.
void SegmentStrips::sample() {
  if (!std::exchange(sampled_, true)) {
    pictures_.assign(table_->rows().size(), {});
    medians_.assign(pictures_.size(), {});
  }
  const Theme& t = *theme_;
  std::vector<TableCell> cells;  // one per column of pixels; the same for all rows of one order
  const auto look_at = [&](std::size_t row) {
    cells.clear();
    for (int x = 0; x < strips_width_; ++x) {
      const double share = static_cast<double>(x) / strips_width_;
      cells.push_back(table_->cell(
          row, range_.begin + static_cast<std::uint64_t>(share * static_cast<double>(range_.end - range_.begin))));
    }
  };
  const int height = std::max(4, row_height_ - 4);
  for (std::size_t row = 1; row < table_->rows().size(); ++row) {
    if (!pictures_[row].isNull() || !is_in_sight(top_of(row), row_height_, head_height_, viewport()->height()))
      continue;
    if (cells.empty() || table_->has_orders()) look_at(row);
    const RowValues values(*now_, table_->rows()[row]);
    const auto [low, high] = value_range(values, range_);
    const std::vector<float> density = density_of(values, range_, strips_width_, height, low, high);
    QImage picture(strips_width_, height, QImage::Format_RGB32);
    auto* const lines = reinterpret_cast<QRgb*>(picture.bits());  // without gaps: each pixel has four bytes
    for (int x = 0; x < strips_width_; ++x) {
      const TableCell& cell = cells[static_cast<std::size_t>(x)];
      const Rgb subtree = cell.place ? subtree_colour(t, *cell.place) : t.muted_text;
      const Rgb ground = cell.place ? cell_ground(t, subtree, cell.settled) : t.base;
      const Rgb ink = mix(subtree, text_on(ground), cell.settled ? 0.35 : 0.7);
      for (int y = 0; y < height; ++y) {
        const double dark = std::min(
            1.0, 1.6 * std::sqrt(density[static_cast<std::size_t>(y) * static_cast<std::size_t>(strips_width_) +
                                         static_cast<std::size_t>(x)]));
        lines[y * strips_width_ + x] = colour(mix(ground, ink, dark)).rgb();
      }
    }
    pictures_[row] = std::move(picture);
    for (const Strip& strip : strips_) {
      const ValueSummary summary = summarise(values, strip.columns, 1, median_samples);
      medians_[row].push_back(summary.bins.empty() || high <= low ? std::nan("")
                                                                  : (summary.median - low) / (high - low));
    }
  }
}

void SegmentStrips::scroll_to_row() {
  const int top = head_height_ + static_cast<int>(row_ - 1) * row_height_;
  verticalScrollBar()->setValue(
      std::clamp(verticalScrollBar()->value(), top + row_height_ - viewport()->height(), top - head_height_));
}

void SegmentStrips::choose(std::size_t strip, std::size_t row) {
  if (!table_ || strip >= strips_.size()) return;
  current_ = strip;
  row_ = std::clamp<std::size_t>(row, 1, std::max<std::size_t>(1, table_->rows().size() - 1));
  summary_.reset();
  scroll_to_row();
  viewport()->update();
  emit chosen(strips_[current_].columns);
  emit strips_changed();
}

void SegmentStrips::open_current() {
  if (current_ >= strips_.size()) return;
  const Strip strip = strips_[current_];
  if (strip.members == 1 || strip.columns == range_) {
    emit elements_wanted(strip.columns);
    return;
  }
  path_.push_back(range_);
  range_ = strip.columns;
  choose_near(range_.begin);
}

bool SegmentStrips::go_back() {
  if (path_.empty()) return false;
  const std::uint64_t at = range_.begin;
  range_ = path_.back();
  path_.pop_back();
  choose_near(at);
  return true;
}

QString SegmentStrips::kind(bool several) const {
  switch (segments_.source()) {
    case SegmentList::Source::highlights:
      return several ? tr("segments") : tr("segment");
    case SegmentList::Source::subtrees:
      return several ? tr("subtrees") : tr("subtree");
    case SegmentList::Source::levels:
      return several ? tr("levels") : tr("level");
    case SegmentList::Source::pieces:
      break;
  }
  return several ? tr("pieces") : tr("piece");
}

QString SegmentStrips::where() const {
  if (strips_.empty()) return {};
  std::uint64_t count = 0;
  for (const Strip& strip : strips_) count += strip.members;
  const QString what = thousands(count) + QLatin1Char(' ') + kind(count != 1);
  return path_.empty()
             ? what
             : tr("%1 of %2, columns %3 to %4")
                   .arg(what, thousands(segments_.size()), thousands(range_.begin), thousands(range_.end - 1));
}

QString SegmentStrips::describe(const Strip& strip) const {
  QString words = strip.members > 1  ? tr("%1 %2").arg(thousands(strip.members), kind(true))
                  : strip.level >= 0 ? tr("level %1").arg(strip.level)
                                     : kind(false);
  if (strip.node)
    words += strip.members > 1 ? tr(" under node %1").arg(strip.node->value) : tr(" of node %1").arg(strip.node->value);
  if (strip.settled) words += tr(", settled");
  words += strip.columns.end - strip.columns.begin == 1
               ? tr("\ncolumn %1").arg(thousands(strip.columns.begin))
               : tr("\ncolumns %1 to %2, %3 of them")
                     .arg(thousands(strip.columns.begin), thousands(strip.columns.end - 1),
                          thousands(strip.columns.end - strip.columns.begin));
  return words;
}

double SegmentStrips::x_of(std::uint64_t column) const {
  return label_width_ + strips_width_ * (static_cast<double>(column) - static_cast<double>(range_.begin)) /
                            std::max(1.0, static_cast<double>(range_.end - range_.begin));
}

double SegmentStrips::top_of(std::size_t row) const {
  return row == 0 ? 0 : head_height_ + static_cast<double>(row - 1) * row_height_ - verticalScrollBar()->value();
}

QRectF SegmentStrips::histogram_area() const {
  const double gap = QFontMetricsF(interface_font(text_scale_)).height() * 0.5;
  return QRectF(label_width_ + strips_width_ + gap, 0, viewport()->width() - label_width_ - strips_width_ - 2 * gap,
                viewport()->height());
}

QRect SegmentStrips::strip_rect(std::size_t strip, std::size_t row) const {
  if (strip >= strips_.size()) return {};
  const double left = x_of(strips_[strip].columns.begin), right = x_of(strips_[strip].columns.end);
  return QRectF(left, top_of(row), right - left, row == 0 ? head_height_ : row_height_).toRect();
}

QRect SegmentStrips::bar_rect(std::size_t bar) const {
  if (bar >= summary().bins.size()) return {};
  const QFontMetricsF small(interface_font(text_scale_, 0.85));
  const QRectF area = histogram_area().adjusted(0, 2.5 * small.height(), 0, -1.3 * small.height());
  const double width = area.width() / static_cast<double>(summary().bins.size());
  const auto most = static_cast<double>(*std::max_element(summary().bins.begin(), summary().bins.end()));
  const auto count = static_cast<double>(summary().bins[bar]);
  const double height = count > 0 ? std::max(2.0, area.height() * count / most) : 0;
  return QRectF(area.left() + width * static_cast<double>(bar), area.bottom() - height, width, height).toRect();
}

void SegmentStrips::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colour(theme_->base));
  if (!table_ || strips_.empty()) return;
  sample();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_strips(painter);
  paint_histogram(painter);
}

void SegmentStrips::paint_strips(QPainter& painter) const {
  const Theme& t = *theme_;
  const double scale = text_scale_ / 100.0;
  painter.save();
  painter.setClipRect(QRectF(0, head_height_, viewport()->width(), viewport()->height()));
  for (std::size_t row = 1; row < table_->rows().size(); ++row) {
    if (!is_in_sight(top_of(row), row_height_, head_height_, viewport()->height())) continue;
    const QRectF band(label_width_, top_of(row) + 2, strips_width_, row_height_ - 4);
    painter.drawImage(band, pictures_[row]);
    painter.setFont(interface_font(text_scale_));
    painter.setPen(colour(row == row_ ? t.text : t.muted_text));
    painter.drawText(QRectF(0, band.top(), label_width_ - 0.4 * head_height_, band.height()),
                     Qt::AlignRight | Qt::AlignVCenter, foreign_text(table_->rows()[row].label));
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      const double left = x_of(strips_[s].columns.begin), right = x_of(strips_[s].columns.end),
                   median = medians_[row][s];
      if (std::isnan(median) || right - left < 4) continue;
      const double y = band.bottom() - 1 - median * (band.height() - 2);
      for (const auto& [ink, width] : {std::pair{t.base, 3.2 * scale}, std::pair{t.text, 1.4 * scale}}) {
        painter.setPen(QPen(colour(ink), width));
        painter.drawLine(QLineF(left + 1, y, right - 1, y));
      }
    }
  }
  painter.setPen(QPen(colour(t.text), strips_.size() > 40 ? 1 : 1.6 * scale));
  const double bottom = top_of(table_->rows().size() - 1) + row_height_;
  for (const Strip& strip : strips_)
    if (strip.columns.begin > range_.begin)
      painter.drawLine(QLineF(x_of(strip.columns.begin), head_height_, x_of(strip.columns.begin), bottom));
  for (const IndexRange& r : selected_) {
    if (r.end <= range_.begin || r.begin >= range_.end) continue;
    const double left = x_of(std::max(r.begin, range_.begin)),
                 right = std::max(left + 3 * scale, x_of(std::min(r.end, range_.end)));
    QColor mark = colour(t.selection);
    painter.fillRect(QRectF(left, bottom - 5 * scale, right - left, 5 * scale), mark);
    painter.fillRect(QRectF(left, head_height_, right - left, 5 * scale), mark);
  }
  std::vector<IndexRange> violating;
  for (const IndexRange& r : violating_)
    if (r.begin < range_.end && r.end > range_.begin)
      violating.push_back({std::max(r.begin, range_.begin), std::min(r.end, range_.end)});
  paint_violations(painter, t, violating, QRectF(label_width_, head_height_, strips_width_, bottom - head_height_),
                   [this](std::uint64_t column) { return x_of(column); });
  const QRectF whole(x_of(strips_[current_].columns.begin), head_height_,
                     x_of(strips_[current_].columns.end) - x_of(strips_[current_].columns.begin),
                     bottom - head_height_);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour(t.focus), (hasFocus() ? 3 : 2) * scale));
  painter.drawRect(whole.adjusted(1, 1, -1, -1));
  if (row_ < table_->rows().size()) {
    painter.setPen(QPen(colour(t.focus), 1.2 * scale, Qt::DashLine));
    painter.drawRect(QRectF(label_width_, top_of(row_) + 1, strips_width_, row_height_ - 2));
  }
  painter.restore();

  // Names, where they have room; the head stays in place while rows scroll under it.
  painter.setFont(interface_font(text_scale_, 0.85));
  const QFontMetricsF small(painter.font());
  for (const Strip& strip : strips_) {
    const QRectF head(x_of(strip.columns.begin) + 2, 0, x_of(strip.columns.end) - x_of(strip.columns.begin) - 4,
                      head_height_);
    // A settled stretch is no subtree. The bare number of a node names only its own segment, never several segments
    // below it.
    const bool stretch = strip.settled && strip.columns.end - strip.columns.begin > 1;
    const QString name = stretch                                  ? tr("settled")
                         : strip.level >= 0 && strip.members == 1 ? tr("level %1").arg(strip.level)
                         : strip.node                             ? tr("node %1").arg(strip.node->value)
                                                                  : QString();
    const QString count = QStringLiteral("\u00d7") + thousands(strip.members);
    const QString several = name.isEmpty() ? count : name + QLatin1Char(' ') + count;
    const QString own = strip.node && !stretch ? QString::number(strip.node->value) : QString();
    painter.setPen(colour(strip.settled ? t.muted_text : t.text));
    for (const QString& text : strip.members > 1 ? QStringList{several, count} : QStringList{name, own})
      if (!text.isEmpty() && small.horizontalAdvance(text) <= head.width()) {
        painter.drawText(head, Qt::AlignCenter, text);
        break;
      }
  }
}

void SegmentStrips::paint_histogram(QPainter& painter) const {
  const Theme& t = *theme_;
  const Strip& strip = strips_[current_];
  const QRectF area = histogram_area();
  const QString label = row_ < table_->rows().size() ? foreign_text(table_->rows()[row_].label) : QString();
  painter.setFont(interface_font(text_scale_, 0.85));
  const QFontMetricsF small(painter.font());
  const QString title = strip.node ? tr("%1 in node %2").arg(label).arg(strip.node->value) : label;
  painter.setPen(colour(t.text));
  painter.drawText(QRectF(area.left(), 0, area.width(), 1.2 * small.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   small.elidedText(title, Qt::ElideRight, area.width()));
  if (summary().bins.empty()) {
    painter.setPen(colour(t.muted_text));
    painter.drawText(area.adjusted(0, 1.2 * small.height(), 0, 0), Qt::AlignLeft | Qt::AlignTop, tr("no values"));
    return;
  }
  QString facts = summary().columns == 1
                      ? tr("1 element")
                      : tr("%1 elements, median %2").arg(thousands(summary().columns), value_text(summary().median));
  if (summary().read < summary().columns) facts += tr(", %1 read").arg(thousands(summary().read));
  if (summary().ascending && summary().columns > 1) facts += tr(", ascending");
  painter.setPen(colour(t.muted_text));
  painter.drawText(QRectF(area.left(), 1.2 * small.height(), area.width(), 1.2 * small.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, small.elidedText(facts, Qt::ElideRight, area.width()));
  const Rgb fill = strip.place ? subtree_colour(t, *strip.place) : t.plane;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t bar = 0; bar < summary().bins.size(); ++bar) {
    QRect rect = bar_rect(bar);
    if (rect.width() > 4) rect.adjust(0, 0, -1, 0);
    painter.fillRect(rect, colour(fill));
  }
  const double base = area.bottom() - 1.3 * small.height();
  painter.setPen(QPen(colour(t.line), 1));
  painter.drawLine(QLineF(area.left(), base, area.right(), base));
  painter.setPen(colour(t.text));
  const QRectF ends(area.left(), base, area.width(), 1.3 * small.height());
  painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, value_text(summary().least));
  if (summary().greatest > summary().least)
    painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, value_text(summary().greatest));
}

void SegmentStrips::resizeEvent(QResizeEvent*) { lay_out(); }

std::optional<std::size_t> SegmentStrips::strip_at(double x) const {
  if (x < label_width_ || x >= label_width_ + strips_width_) return std::nullopt;
  for (std::size_t s = 0; s < strips_.size(); ++s)
    if (x < x_of(strips_[s].columns.end)) return s;
  return std::nullopt;
}

void SegmentStrips::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !table_) return;
  const QPointF at = event->position();
  const auto row =
      at.y() < head_height_
          ? row_
          : 1 + static_cast<std::size_t>((at.y() - head_height_ + verticalScrollBar()->value()) / row_height_);
  if (const auto strip = strip_at(at.x())) {
    if (*strip == current_ && row == row_)
      open_current();
    else
      choose(*strip, row);
  } else if (at.x() < label_width_) {
    choose(current_, row);
  } else if (!strips_.empty() && !summary().bins.empty()) {
    for (std::size_t bar = 0; bar < summary().bins.size(); ++bar)
      if (const QRect rect = bar_rect(bar);
          at.x() >= rect.left() && at.x() <= rect.right() && summary().bins[bar] > 0) {
        const auto run = run_in_bin(RowValues(*now_, table_->rows()[row_]), strips_[current_].columns, summary(), bar);
        if (run) emit elements_wanted(*run);
        return;
      }
  }
}

void SegmentStrips::keyPressEvent(QKeyEvent* event) {
  const bool alt = event->modifiers() & Qt::AltModifier;
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return open_current();
    case Qt::Key_Left:
      if (alt && current_ > 0) return choose(current_ - 1, row_);
      break;
    case Qt::Key_Right:
      if (alt) return choose(std::min(current_ + 1, strips_.empty() ? 0 : strips_.size() - 1), row_);
      break;
    case Qt::Key_Up:
      if (alt) return choose(current_, std::max<std::size_t>(2, row_) - 1);
      break;
    case Qt::Key_Down:
      if (alt) return choose(current_, row_ + 1);
      break;
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
      if (go_back()) return;
      break;
    default:
      break;
  }
  QAbstractScrollArea::keyPressEvent(event);
}

bool SegmentStrips::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !table_) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto strip = strip_at(help->pos().x());
  if (strip) {
    show_plain_tip(help->globalPos(), describe(strips_[*strip]) + tr("\nA click chooses it, another opens it."),
                   viewport());
    return true;
  }
  for (std::size_t bar = 0; bar < summary().bins.size(); ++bar)
    if (const QRect rect = bar_rect(bar);
        help->pos().x() >= rect.left() && help->pos().x() <= rect.right() && !histogram_area().isEmpty()) {
      const double low = summary().least + summary().bin_width * static_cast<double>(bar);
      show_plain_tip(help->globalPos(),
                     tr("%1 from %2 to %3\nA click shows the first of them.")
                         .arg(thousands(summary().bins[bar]), value_text(low), value_text(low + summary().bin_width)),
                     viewport());
      return true;
    }
  QToolTip::hideText();
  return true;
}

}  // namespace kdscope
