#include "app/views/array_table_view.hpp"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "app/views/follow_rows.hpp"

namespace kdscope {
namespace {

constexpr double smallest_digits = 1.15, comfortable_digits = 1.3;  // relative to the interface font
constexpr double smallest_for_audience = 0.9;
// Smaller digits stand closer, where this keeps every column in sight: at least 13 pixels in the window at a text scale
// of 100 %, and 14 in front of an audience on 1280 x 720.
constexpr double narrow_digits = 0.9, narrow_for_audience = 0.78;
// Of an audience, which sees table after table, the largest digits and few others
constexpr double sizes_for_audience[] = {1.4, 1.12, smallest_for_audience, narrow_for_audience};
constexpr double unlike = 1.04;                                  // ratio of sizes that differ
constexpr double list_columns = 2, largest_in_list = 1.25;       // so few read as a list, in text of its usual size
constexpr double few_columns = 8;                                // more are compared row by row, across the whole width
constexpr double widest_beside = 1.4;                            // of columns beside another table, in least widths
constexpr double usual_gap = 0.7, narrow_gap = 0.3;              // between columns, in heights of digits: no closer
constexpr double usual_side_gap = 0.35, narrow_side_gap = 0.15;  // of a text in its cell, in digits
constexpr double usual_rows = 1.3, widest_rows = 1.6, closest_rows = 1.12;  // heights of rows, in heights of digits
constexpr double most_rows = 10;                                            // that a pane has room for at first
constexpr double closest_large_rows = 0.92;                                 // of large text, rather than fewer rows

QFont digit_font(int text_scale, double factor) {
  QFont font = interface_font(text_scale, factor);
  font.setStyleStrategy(QFont::PreferAntialias);
  return font;
}

}  // namespace

ArrayTableView::ArrayTableView(QWidget* parent) : QAbstractScrollArea(parent), theme_(&theme(ThemeId::light)) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Arrays"));
  setAccessibleDescription(
      tr("Rows are arrays, columns are positions, points or nodes. A click selects an element, a click above it its "
         "segment, and Shift+click a range. Alt+arrows move the selection, and Alt+Up widens it to the segment."));
  viewport()->setMouseTracking(true);
}

QSize ArrayTableView::sizeHint() const {
  constexpr std::size_t without_run = 5;
  return {800, height_of(labels_.empty() ? without_run : all_labels_.size())};
}

void ArrayTableView::open(const Cursor& cursor, Space space, const Axes& axes, std::vector<RowName> only) {
  clear();
  space_ = space;
  axes_ = axes;
  only_ = std::move(only);
  const ArrayTable table(cursor, nullptr, space_, axes_, {}, {}, only_);
  const auto measure = [this](const ArrayTable& of, std::size_t row) {
    // An occasional long power of ten is drawn smaller instead of widening every column, but for an audience.
    const std::size_t longest = for_audience_ ? 10 : 7;
    return of.is_real(row) ? std::min(longest, of.text_width(row, true)) : of.text_width(row);
  };
  for (std::size_t row = 0; row < table.rows().size(); ++row) {
    real_.push_back(table.is_real(row));
    widths_.push_back(real_[row] ? std::min(longest_real, table.text_width(row)) : table.text_width(row));
    short_widths_.push_back(measure(table, row));
    labels_.push_back(foreign_text(table.rows()[row].label));
  }
  all_labels_ = labels_, all_widths_ = short_widths_;
  if (!only_.empty()) {
    const ArrayTable all(cursor, nullptr, space_, axes_);
    all_labels_.clear(), all_widths_.clear();
    for (std::size_t row = 0; row < all.rows().size(); ++row) {
      all_labels_.push_back(foreign_text(all.rows()[row].label));
      all_widths_.push_back(measure(all, row));
    }
  }
  horizontalScrollBar()->setValue(0);
  updateGeometry();
}

void ArrayTableView::show_step(const Cursor& now, const Cursor* baseline, std::span<const Highlight> added,
                               const Concealment& concealed) {
  table_.emplace(now, baseline, space_, axes_, added, concealed, only_);
  cursor_ = &now;
  step_ = now.step();
  update_metrics();
  viewport()->update();
}

void ArrayTableView::set_motion(std::shared_ptr<const Motion> motion, double time, Growth growth) {
  if (!motion && !motion_ && !growth.under_way() && !growth_.under_way()) return;
  motion_ = std::move(motion);
  time_ = time;
  growth_ = std::move(growth);
  viewport()->update();
}

void ArrayTableView::clear() {
  table_.reset();
  motion_.reset();
  growth_ = {};
  widths_.clear();
  short_widths_.clear();
  real_.clear();
  labels_.clear();
  selected_ = {{}};
  framed_ = {0, 0};
  viewport()->update();
}

void ArrayTableView::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  updateGeometry();
  update_metrics();
  viewport()->update();
}

void ArrayTableView::set_selected(std::vector<std::vector<IndexRange>> columns) {
  selected_ = std::move(columns);
  if (selected_.empty()) selected_ = {{}};
  viewport()->update();
}

const std::vector<IndexRange>& ArrayTableView::selected(std::size_t row) const {
  return selected_[std::min(row, selected_.size() - 1)];
}

void ArrayTableView::set_framed(std::size_t row, std::uint64_t column) {
  framed_ = {row, column};
  viewport()->update();
  if (row == 0) return;
  scroll_to(column);
  QScrollBar* down = verticalScrollBar();
  const int top = static_cast<int>(row) * metrics_.row_height;  // the index row covers what is scrolled under it
  down->setValue(std::clamp(down->value(), top + metrics_.row_height - down->pageStep(), top - metrics_.row_height));
}

void ArrayTableView::scroll_to(std::uint64_t column) {
  QScrollBar* bar = horizontalScrollBar();
  const auto c = static_cast<int>(std::min<std::uint64_t>(column, 0x7fffffff));
  if (c < bar->value())
    bar->setValue(c);
  else if (c >= bar->value() + bar->pageStep())
    bar->setValue(c - bar->pageStep() / 2);
}

void ArrayTableView::scroll_to_any(const std::vector<IndexRange>& columns) {
  if (columns.empty()) return;
  const std::uint64_t first = first_visible(), end = first + visible_count();
  const auto next =
      std::partition_point(columns.begin(), columns.end(), [&](const IndexRange& r) { return r.end <= first; });
  if (next == columns.end() || next->begin >= end) scroll_to(columns.front().begin);
}

void ArrayTableView::show_columns(std::vector<IndexRange> columns) {
  wanted_columns_ = std::move(columns);
  if (!table_ || wanted_columns_.empty()) return;
  QScrollBar* bar = horizontalScrollBar();
  const auto most = static_cast<std::uint64_t>(bar->maximum() + bar->pageStep());
  const auto last = std::ranges::max_element(wanted_columns_, {}, &IndexRange::end);
  const int begin = static_cast<int>(std::min(wanted_columns_.front().begin, most)),
            end = static_cast<int>(std::min(last->end, most));
  if (begin < bar->value() || end > bar->value() + bar->pageStep())  // with what is around them
    bar->setValue(std::min(begin, (begin + end - bar->pageStep()) / 2));
}

void ArrayTableView::centre(std::uint64_t column) {
  QScrollBar* bar = horizontalScrollBar();
  bar->setValue(static_cast<int>(std::min<std::uint64_t>(column, 0x7fffffff)) - bar->pageStep() / 2);
}

void ArrayTableView::show_from(std::uint64_t column) {
  horizontalScrollBar()->setValue(static_cast<int>(std::min<std::uint64_t>(column, 0x7fffffff)));
}

void ArrayTableView::follow_rows() {
  QScrollBar* down = verticalScrollBar();
  if (down->maximum() > 0)
    down->setValue(
        scrolled_to_work(*table_, down->value(), metrics_.row_height, metrics_.row_height, down->pageStep()));
  followed_ = down->value();
}

void ArrayTableView::follow_work() {
  if (table_) follow_rows();
  if (!table_ || table_->rows().size() < 2 || visible_count() >= table_->column_count()) return;
  const std::uint64_t first = first_visible(), last = std::min(first + visible_count(), table_->column_count()) - 1;
  const auto settled = [this](std::uint64_t column) { return table_->cell(1, column).settled; };
  if (!settled(first) || !settled(last)) return;
  // Any settled columns form a prefix: find where it ends.
  std::uint64_t low = last, high = table_->column_count() - 1;
  if (settled(high)) return;
  while (low + 1 < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    (settled(middle) ? low : high) = middle;
  }
  horizontalScrollBar()->setValue(static_cast<int>(std::min<std::uint64_t>(low, 0x7fffffff)) - 1);
}

void ArrayTableView::show_rows(std::vector<std::string> names) {
  wanted_rows_ = std::move(names);
  QScrollBar* down = verticalScrollBar();
  if (!table_ || wanted_rows_.empty() || down->maximum() <= 0) return;
  std::vector<int> tops;  // of the rows, below the index row, in the order of the names
  for (const std::string& name : wanted_rows_)
    for (std::size_t row = 1; row < table_->rows().size(); ++row)
      if (table_->rows()[row].name == name) tops.push_back((static_cast<int>(row) - 1) * metrics_.row_height);
  const int page = down->pageStep() - metrics_.row_height;
  const auto in_sight = [&](int value, int top) { return top >= value && top + metrics_.row_height <= value + page; };
  // Try where each row is the first or the last in sight; stay if nothing is better.
  const auto worth = [&](int value) {
    const auto seen = std::count_if(tops.begin(), tops.end(), [&](int top) { return in_sight(value, top); });
    return std::pair(!tops.empty() && in_sight(value, tops.front()), seen);
  };
  int best = down->value();
  for (const int top : tops)
    for (const int value : {top, top + metrics_.row_height - page}) {
      const int possible = std::clamp(value, 0, down->maximum());
      if (worth(possible) > worth(best)) best = possible;
    }
  down->setValue(best);
}

std::vector<RowName> ArrayTableView::rows_in_sight() const {
  std::vector<RowName> names;
  if (!table_) return names;
  for (std::size_t row = 1; row < table_->rows().size(); ++row)
    if (const int page = rect_in_band(0).height() - metrics_.row_height,
        down = (static_cast<int>(row) - 1) * metrics_.row_height - vertical_offset() - band_of(row) * page;
        down >= 0 && down + metrics_.row_height <= page)
      names.push_back({table_->rows()[row].name, table_->rows()[row].component});
  return names;
}

QString ArrayTableView::frame() const {
  QString words = QStringLiteral("%1 %2 %3 %4 %5")
                      .arg(metrics_.label_width)
                      .arg(metrics_.row_height)
                      .arg(metrics_.column_width)
                      .arg(metrics_.bands)
                      .arg(first_visible());
  for (const RowName& row : rows_in_sight())
    words += QStringLiteral(" %1.%2").arg(QString::fromStdString(row.array)).arg(row.component);
  for (std::size_t row = 1; table_ && row < table_->rows().size(); ++row)
    if (table_->rows()[row].concealed) words += QStringLiteral(" ?%1").arg(row);  // other texts in the same cells
  return words;
}

std::uint64_t ArrayTableView::first_visible() const {
  return static_cast<std::uint64_t>(horizontalScrollBar()->value());
}

std::uint64_t ArrayTableView::visible_count() const {
  return static_cast<std::uint64_t>(horizontalScrollBar()->pageStep());
}

void ArrayTableView::set_largest_digits(double factor) {
  if (std::exchange(largest_for_audience_, factor) == factor) return;
  update_metrics();
  viewport()->update();
  emit resized();
}

void ArrayTableView::set_for_audience() {
  for_audience_ = true;
  update_metrics();
  viewport()->update();
}

void ArrayTableView::scrollContentsBy(int, int) {
  viewport()->update();
  emit window_changed();
}

/// Measures labels and rows with digits of a size, relative to the interface font.
void ArrayTableView::set_digits(double factor) {
  metrics_.factor = factor;
  metrics_.side_gap = usual_side_gap;
  metrics_.digits = digit_font(text_scale_, factor);
  const double label = 0.85 * std::clamp(factor, smallest_digits, 1.5 / 0.85);
  metrics_.labels = interface_font(text_scale_, for_audience_ ? std::min(label, largest_for_audience_) : label);
  const QFontMetricsF labels(metrics_.labels);
  double label_width = 0;
  for (const QString& label : labels_) label_width = std::max(label_width, labels.horizontalAdvance(label));
  metrics_.label_width = static_cast<int>(label_width + labels.height());
  metrics_.row_height = static_cast<int>(QFontMetricsF(metrics_.digits).height() * usual_rows);
}

/// Returns the size of digits to try behind another one: smaller by a step, or the next that an audience sees.
double ArrayTableView::next_digits(double factor, double step) const {
  if (!for_audience_) return factor - step;
  const auto* next = std::ranges::find_if(sizes_for_audience, [&](double size) { return factor > unlike * size; });
  return next == std::end(sizes_for_audience) ? 0 : *next;
}

/// Returns the width of a column of the longest texts, with a gap in heights of digits.
double ArrayTableView::column_needed(const std::vector<std::size_t>& widths, double gap) const {
  QFont widest = metrics_.digits;
  widest.setBold(true);  // as changed cells are
  const QFontMetricsF digits(widest);
  const auto characters =
      static_cast<double>(std::max<std::size_t>(2, *std::max_element(widths.begin(), widths.end())));
  return digits.horizontalAdvance(QLatin1Char('0')) * characters + digits.height() * gap;
}

/// Chooses the largest digits, below the usual ones, that keep every column in sight. Returns whether there are any.
bool ArrayTableView::shrink_to_columns(double width, double columns) {
  const double least = for_audience_ ? narrow_for_audience : narrow_digits;
  for (double factor = std::min(smallest_digits, metrics_.factor); factor > least - 0.005;
       factor = next_digits(factor, 0.01)) {
    set_digits(factor);
    const double room = width - metrics_.label_width;
    if (column_needed(short_widths_, narrow_gap) * columns > room) continue;
    metrics_.column_width = room / columns;
    metrics_.side_gap = narrow_side_gap;
    metrics_.shortened = true;
    return true;
  }
  return false;
}

/// A table without columns has one line: a sentence.
int ArrayTableView::row_count() const { return table_->column_count() > 0 ? static_cast<int>(labels_.size()) : 1; }

/// Chooses the largest digits that keep every column and row in sight. If none do, the smallest, with scroll bars.
void ArrayTableView::choose_digits(double width, double height) {
  const double columns = static_cast<double>(std::max<std::uint64_t>(1, table_->column_count()));
  const auto rows_of = [rows = row_count()](int bands) { return (rows - 1 + bands - 1) / bands + 1; };
  const auto fits_closely = [&](double factor, int bands) {
    set_digits(factor);
    return QFontMetricsF(metrics_.digits).height() * closest_rows * rows_of(bands) <= height;
  };
  // A list that has no room for the bands of usual digits has smaller ones.
  const auto bands_of_list = [&](double factor) {
    int bands = 1;
    while (columns <= list_columns && continues_beside_ && rows_of(bands) > 2 && !fits_closely(factor, bands)) ++bands;
    set_digits(factor);
    return bands * (metrics_.label_width + column_needed(widths_, usual_gap) * columns) <= width ? bands : 0;
  };
  const int usual_bands = bands_of_list(smallest_digits),
            least_bands = usual_bands > 0 ? usual_bands : std::max(1, bands_of_list(narrow_digits));
  const bool list = columns <= list_columns && !for_audience_ && fits_closely(narrow_digits, least_bands) &&
                    least_bands * (metrics_.label_width + column_needed(widths_, usual_gap) * columns) <= width;
  const double least = list ? narrow_digits : smallest_digits, least_down = for_audience_       ? narrow_for_audience
                                                                            : text_scale_ > 150 ? narrow_digits
                                                                                                : least;
  for (double factor = list            ? largest_in_list
                       : for_audience_ ? largest_for_audience_
                                       : comfortable_digits;
       ; factor = next_digits(factor, 0.05)) {
    set_digits(factor);
    metrics_.bands = list ? least_bands : 1;
    const double needed = column_needed(for_audience_ ? short_widths_ : widths_, usual_gap);
    const double room = width - metrics_.label_width;
    const bool fits_across = metrics_.bands * (metrics_.label_width + needed * columns) <= width;
    bool fits_down = metrics_.row_height * rows_of(metrics_.bands) <= height;
    const bool fits_close = !fits_down && factor < smallest_digits && fits_closely(factor, metrics_.bands);
    if (fits_across && !fits_down && continues_beside_ && columns <= few_columns && !list) {
      const int each = static_cast<int>(height) / metrics_.row_height - 1,
                wanted = each > 0 ? (row_count() - 1 + each - 1) / each : 1,
                most = static_cast<int>(width / (metrics_.label_width + needed * columns));
      fits_down = each > 0 && wanted <= most;
      metrics_.bands = fits_close && !fits_down ? 1 : std::max(1, std::min(wanted, most));
    }
    fits_down = fits_down || fits_close;  // rather beside one another than close
    if ((!fits_across && factor > least + 0.01) || (!fits_down && factor > least_down + 0.01)) continue;
    metrics_.shortened = for_audience_ || !fits_across;
    const bool is_wide = for_audience_ && columns > few_columns;  // without a blank strip beside it
    const double heights = for_audience_            ? 4
                           : columns <= few_columns ? 5
                                                    : 10,  // of digits
        most = is_wide ? width : std::max(needed, heights * QFontMetricsF(metrics_.digits).height());
    if (fits_across) {
      metrics_.column_width = std::min((width / metrics_.bands - metrics_.label_width) / columns, most);
    } else if (const double narrow = column_needed(short_widths_, usual_gap); narrow * columns <= room) {
      metrics_.column_width = std::min(needed, room / columns);
    } else if (!shrink_to_columns(width, columns)) {
      set_digits(factor);
      metrics_.column_width = room / std::max(1.0, std::floor(room / narrow));  // whole columns
    }
    break;
  }
  metrics_.band_width = metrics_.label_width + metrics_.column_width * columns;
  const double digits = QFontMetricsF(metrics_.digits).height();
  const int rows = rows_of(metrics_.bands);
  if (metrics_.row_height * rows <= height)
    metrics_.row_height = static_cast<int>(std::min(height / rows, digits * widest_rows));
  else if (for_audience_ || height / rows >= digits * closest_rows)  // rather closer rows than one that is cut
    metrics_.row_height = static_cast<int>(std::max(height / rows, digits * closest_rows));
  else if (const double whole = std::floor(height / digits / (text_scale_ > 150 ? closest_large_rows : closest_rows));
           whole >= 2)
    metrics_.row_height = static_cast<int>(height / whole);  // as many whole rows as there is room for
}

int ArrayTableView::comfortable_height(std::size_t rows, int width) {
  return trying([&] {
    if (table_ && !labels_.empty()) choose_digits(width, 1e6);
    set_digits(std::min(metrics_.factor, comfortable_digits));
    return static_cast<int>(rows) * metrics_.row_height + 2 * frameWidth();
  });
}

/// Returns the height of so many rows, or of as many as a pane has room for at first.
int ArrayTableView::height_of(std::size_t rows) const {
  const QFontMetricsF digits(digit_font(text_scale_, comfortable_digits));
  return static_cast<int>(std::min(static_cast<double>(rows), most_rows) * digits.height() * usual_rows) + 4;
}

int ArrayTableView::usual_height(std::size_t rows, std::uint64_t columns, int width) {
  return trying([&] {
    set_digits(comfortable_digits);
    const auto block = [&] {
      return metrics_.label_width + column_needed(all_widths_, usual_gap) * static_cast<double>(columns);
    };
    const bool beside =
        continues_beside_ && !labels_.empty() && rows > 1 && columns <= few_columns && 2 * block() <= width;
    return height_of(beside ? 1 + rows / 2 : rows);
  });
}

int ArrayTableView::width_in(QSize room) {
  if (!table_ || labels_.empty()) return 0;
  return trying([&] {
    choose_digits(room.width(), room.height());
    const double columns = static_cast<double>(table_->column_count()),
                 width = metrics_.bands * (metrics_.label_width + metrics_.column_width * columns);
    return metrics_.side_gap == usual_side_gap && width < room.width() + 1 ? static_cast<int>(width) : 1 << 20;
  });
}

double ArrayTableView::digits_in(QSize room) {
  if (!table_ || labels_.empty()) return 0;
  return trying([&] {
    choose_digits(room.width(), room.height());
    return metrics_.factor;
  });
}

int ArrayTableView::width_needed(QSize room) {
  if (!table_ || labels_.empty() || room.width() <= 0) return QWIDGETSIZE_MAX;
  return trying([&] {
    choose_digits(room.width(), room.height());
    const double columns = static_cast<double>(table_->column_count()),
                 column =
                     std::min(metrics_.column_width,
                              widest_beside * column_needed(metrics_.shortened ? short_widths_ : widths_, usual_gap));
    return static_cast<int>(std::ceil(metrics_.bands * (metrics_.label_width + column * columns))) + 1;
  });
}

std::size_t ArrayTableView::rows_that_fit(std::uint64_t column_count, bool closely) {
  const double columns = static_cast<double>(std::max<std::uint64_t>(1, column_count));
  const auto rows = [&](double factor, int most_bands) {
    std::swap(labels_, all_labels_);
    set_digits(factor);
    std::swap(labels_, all_labels_);
    const double band = metrics_.label_width + column_needed(all_widths_, usual_gap) * columns,
                 row = QFontMetricsF(metrics_.digits).height() * closest_rows;
    const bool has_bands = most_bands > 1 && columns <= few_columns;
    const int bands = has_bands ? std::clamp(static_cast<int>(viewport()->width() / band), 1, most_bands) : 1;
    return static_cast<std::size_t>(bands * std::max(1, viewport()->height() / (static_cast<int>(row) + 1) - 1));
  };
  return trying([&] {
    if (closely) return rows(narrow_for_audience, 1 << 10);
    return std::max(rows(smallest_for_audience, 1), rows(std::min(comfortable_digits, largest_for_audience_), 2));
  });
}

/// Chooses digits and scroll bars together. A bar takes room, in which digits are chosen again. Bars are only added
/// here: smaller digits in the room beside a bar may need no bar, and without it they would be large and need it again.
void ArrayTableView::update_metrics() {
  if (!table_ || labels_.empty()) return;
  const double columns = static_cast<double>(std::max<std::uint64_t>(1, table_->column_count()));
  const int rows = row_count();
  QScrollBar *across = horizontalScrollBar(), *down = verticalScrollBar();
  bool may_go_across = horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff,
       may_go_down = verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
  QSize room = maximumViewportSize();
  int shown = 1, page = 0;
  while (true) {
    choose_digits(room.width(), room.height());
    page = room.height();
    if (metrics_.bands > 1 || rows * metrics_.row_height > page)
      page = metrics_.row_height + metrics_.bands * (band_height(page) - metrics_.row_height);
    shown = std::max(1, static_cast<int>((room.width() - metrics_.label_width) / metrics_.column_width + 1e-6));
    if (columns > shown && std::exchange(may_go_across, false))
      room.rheight() -= across->sizeHint().height();
    else if (rows * metrics_.row_height > page && std::exchange(may_go_down, false))
      room.rwidth() -= down->sizeHint().width();
    else
      break;
  }
  across->setPageStep(shown);
  across->setSingleStep(1);
  across->setRange(0, static_cast<int>(std::max(0.0, columns - shown)));
  down->setPageStep(page);
  down->setSingleStep(metrics_.row_height);
  down->setRange(0, std::max(0, rows * metrics_.row_height - page));
  emit window_changed();
}

/// Rows are scrolled as a whole.
int ArrayTableView::vertical_offset() const {
  const int value = verticalScrollBar()->value();
  return value - value % std::max(1, metrics_.row_height);
}

/// Returns how much of a height bands use: whole rows, if there is room for one below the index row.
int ArrayTableView::band_height(int height) const {
  const int row = std::max(1, metrics_.row_height);
  return height < 2 * row ? height : height - height % row;
}

int ArrayTableView::band_of(std::size_t row) const {
  if (metrics_.bands == 1 || row == 0) return 0;
  const int each = std::max(metrics_.row_height, rect_in_band(0).height() - metrics_.row_height);
  return std::clamp(((static_cast<int>(row) - 1) * metrics_.row_height - vertical_offset()) / each, 0,
                    metrics_.bands - 1);
}

/// Returns the part of the viewport that a band covers.
QRect ArrayTableView::rect_in_band(int band) const {
  if (metrics_.bands == 1 && verticalScrollBar()->maximum() == 0) return viewport()->rect();
  if (metrics_.bands == 1) return {0, 0, viewport()->width(), band_height(viewport()->height())};
  const int left = static_cast<int>(band * metrics_.band_width);
  return {left, 0, static_cast<int>((band + 1) * metrics_.band_width) - left, band_height(viewport()->height())};
}

/// Returns the column after the last one in sight, which may be cut off.
std::uint64_t ArrayTableView::end_of_sight() const {
  return std::min<std::uint64_t>(
      table_->column_count(),
      first_visible() + static_cast<std::uint64_t>(viewport()->width() / metrics_.column_width) + 2);
}

/// A band shows the table scrolled further than the one on its left.
TablePicture ArrayTableView::picture(int band) const {
  TableFrame frame;
  frame.label_width = metrics_.label_width;
  frame.row_height = metrics_.row_height, frame.column_width = metrics_.column_width;
  frame.columns = {{first_visible(), std::max(first_visible(), end_of_sight())}};
  const QRect rect = rect_in_band(band);
  frame.scrolled = vertical_offset() + band * (rect.height() - metrics_.row_height);
  frame.width = rect.width(), frame.height = rect.height();
  return {*table_, std::move(frame), motion_.get(), time_};
}

QRect ArrayTableView::cell_rect(std::size_t row, std::uint64_t column) const {
  if (!table_ || row >= table_->rows().size() || column >= table_->column_count()) return {};
  const int band = band_of(row);
  const QRect in_sight = rect_in_band(band);
  const auto [left, top, width, height] = picture(band).place_of(row, column);
  const QRect rect = QRectF(in_sight.left() + left, top, width, height).toRect();
  return left >= metrics_.label_width && rect.intersects(in_sight) ? rect : QRect();
}

std::optional<ArrayTableView::Place> ArrayTableView::place_at(QPoint at) const {
  if (!table_) return std::nullopt;
  const int band = metrics_.bands == 1 ? 0 : static_cast<int>(at.x() / metrics_.band_width);
  const QRect in_sight = rect_in_band(band);
  if (band >= metrics_.bands || at.x() - in_sight.left() < metrics_.label_width || at.y() > in_sight.bottom())
    return std::nullopt;
  const double column =
      horizontalScrollBar()->value() + (at.x() - in_sight.left() - metrics_.label_width) / metrics_.column_width;
  const int further = vertical_offset() + band * (in_sight.height() - metrics_.row_height),
            row = at.y() < metrics_.row_height ? 0 : (at.y() + further) / metrics_.row_height;
  if (column >= static_cast<double>(table_->column_count()) || row >= static_cast<int>(table_->rows().size()))
    return std::nullopt;
  return Place{static_cast<std::size_t>(row), static_cast<std::uint64_t>(column)};
}

QString ArrayTableView::shown_text(std::size_t row, std::uint64_t column) const {
  return table_ ? QString::fromStdString(
                      kdscope::shown_text(table_->cell(row, column).text, real_[row], metrics_.shortened))
                : QString();
}

QSizeF ArrayTableView::page_size() const {
  if (!table_) return {};
  if (table_->column_count() == 0) return viewport()->size();
  const double columns = static_cast<double>(std::min(table_->column_count() - first_visible(), visible_count()));
  return {metrics_.label_width + columns * metrics_.column_width, static_cast<double>(height_of_rows())};
}

void ArrayTableView::paint_to(QPainter& painter) const {
  if (!table_) return;
  painter.save();
  painter.setClipRect(QRectF(QPointF(), page_size() + QSizeF(2, 2)));
  draw(painter);
  painter.restore();
}

void ArrayTableView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  draw(painter);
}

void ArrayTableView::draw(QPainter& painter) const {
  const Theme& t = *theme_;
  painter.fillRect(viewport()->rect(), colour(t.base));
  if (!table_) return;
  const QFontMetricsF labels(metrics_.labels);
  QFont bold = metrics_.digits;
  bold.setBold(true);
  const QFontMetricsF usual_digits(metrics_.digits), bold_digits(bold);
  const double pixels = logicalDpiY() / 72.0;  // per point
  TableLook look;
  look.digits = metrics_.digits.pointSizeF() * pixels, look.labels = metrics_.labels.pointSizeF() * pixels;
  look.indices = std::min(look.labels, look.digits);
  look.label_gap = labels.height() / 2;
  look.side_gap = metrics_.side_gap;
  look.scale = text_scale_ / 100.0, look.outline = t.outline * look.scale;
  look.shortened = metrics_.shortened;
  look.selected = selected_;
  look.growth = growth_;
  look.framed_row = framed_.row, look.framed_column = framed_.column;
  look.width_of = [&](std::string_view words, bool is_bold) {
    return (is_bold ? bold_digits : usual_digits)
        .horizontalAdvance(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
  };
  painter.setRenderHint(QPainter::TextAntialiasing);
  for (int band = 0; band < metrics_.bands; ++band) {
    const TablePicture drawn = picture(band);
    const QRect rect = rect_in_band(band);
    painter.save();
    if (metrics_.bands > 1) painter.setClipRect(rect, Qt::IntersectClip);
    painter.translate(rect.topLeft());
    paint_display_list(painter, drawn.cells(look), t, metrics_.digits);
    paint_display_list(painter, drawn.labels(look), t, metrics_.digits);
    painter.restore();
  }
}

void ArrayTableView::resizeEvent(QResizeEvent*) {
  // A pane that was out of sight gets its new size before it shows the step, and the table of another step is not read.
  if (table_ && !table()) return;
  const bool follows = verticalScrollBar()->value() == followed_;  // and no person has scrolled since
  update_metrics();
  if (table_ && follows) follow_rows();
  show_rows(wanted_rows_);
  show_columns(wanted_columns_);
  emit resized();
}

void ArrayTableView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto place = place_at(event->pos());
  if (!place) {
    emit picked_nothing();
  } else if (event->modifiers() & Qt::ShiftModifier) {
    const auto [first, last] = std::minmax(picked_.column, place->column);
    emit range_picked(place->row, first, last - first + 1);
  } else {
    picked_ = *place;
    if (place->row == 0)
      emit segment_picked(place->column);
    else
      emit cell_picked(place->row, place->column);
  }
}

void ArrayTableView::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (event->modifiers() != Qt::AltModifier || !table_ || table_->column_count() == 0 ||
      (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down)) {
    QAbstractScrollArea::keyPressEvent(event);
    event->ignore();
    return;
  }
  // Move along the row picked last: each row may have its own order.
  const std::uint64_t last = table_->column_count() - 1;
  picked_.row = std::clamp<std::size_t>(picked_.row, 1, std::max<std::size_t>(1, table_->rows().size() - 1));
  const std::vector<IndexRange>& columns = selected(picked_.row);
  std::uint64_t& column = picked_.column;
  if (columns.empty())
    column = first_visible();
  else if (key == Qt::Key_Left && columns.front().begin > 0)
    column = columns.front().begin - 1;
  else if (key == Qt::Key_Right)
    column = columns.back().end;
  else
    column = columns.front().begin;
  column = std::min(column, last);
  if (key == Qt::Key_Up)
    emit segment_picked(column);
  else
    emit cell_picked(picked_.row, column);
}

void ArrayTableView::wheelEvent(QWheelEvent* event) {
  // A plain wheel scrolls down if rows are out of sight, otherwise along the arrays.
  const QPoint turn = event->angleDelta();
  const int steps = turn.x() != 0 ? turn.x() : turn.y();
  if (verticalScrollBar()->maximum() > 0 && turn.x() == 0 && !(event->modifiers() & Qt::ShiftModifier))
    verticalScrollBar()->setValue(verticalScrollBar()->value() - turn.y() / 2);
  else
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - steps / 40);
  event->accept();
}

QString ArrayTableView::cell_tip(std::size_t row, std::uint64_t column) const {
  const TableCell cell = table_->cell(row, column);
  if (cell.text.empty()) return {};
  if (table_->rows()[row].concealed)
    return QStringLiteral("%1 [%2]\n%3").arg(foreign_text(table_->rows()[row].label)).arg(column).arg(hidden_words());
  QString tip = QStringLiteral("%1 [%2]: ").arg(foreign_text(table_->rows()[row].label)).arg(column);
  if (!cell.old_text.empty()) tip += QString::fromStdString(cell.old_text) + QStringLiteral(" \u2192 ");
  tip += QString::fromStdString(cell.text);
  if (cell.changed && table_->compares_runs())
    tip += tr("\ndiffers from the other run");
  else if (cell.changed)
    tip += (cell.old_text.empty() ? tr("\nnew since step %1") : tr("\nchanged since step %1"))
               .arg(table_->baseline()->step());
  if (table_->has_orders())
    if (const auto point = table_->point_at(row, column)) tip += tr("\npoint %1").arg(point_label(point->value));
  if (cell.node) tip += tr("\nsubtree of node %1").arg(cell.node->value);
  if (cell.violating) tip += row == 0 ? tr("\nan element here violates a check") : tr("\nviolates a check");
  if (cell.pivot) tip += tr("\npivot");
  if (cell.settled) tip += tr("\nsettled");
  if (cell.read) tip += tr("\nread by this step");
  if (cell.written) tip += tr("\nwritten by this step");
  if (cell.compared) tip += tr("\ncompared");
  if (row == 0 && cell.segment) tip += tr("\nclick: select its segment");
  return tip;
}

bool ArrayTableView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = place_at(help->pos());
    if (place)
      show_plain_tip(help->globalPos(), cell_tip(place->row, place->column), viewport(),
                     cell_rect(place->row, place->column));
    else
      QToolTip::hideText();
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace kdscope
