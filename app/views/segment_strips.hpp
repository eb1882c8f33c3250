#pragma once
// Millions of columns as strips: one for each segment of the step, in its subtree's colour, with the density of its
// values row by row; beside them is the histogram of the chosen strip. A strip opens into its own segments or elements.

#include <QAbstractScrollArea>
#include <QImage>
#include <optional>
#include <vector>

#include "visualizer/model/segments.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A click or Alt+arrows choose a strip and a row; Enter or another click opens the strip. A click on a bar of the
/// histogram goes to the first elements that it counts. Backspace and Esc go back. Paints from samples, so the cost
/// does not depend on the number of columns.
class SegmentStrips : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit SegmentStrips(QWidget* parent = nullptr);

  /// Shows all columns of another table.
  void open(const Cursor& now, const ArrayTable& table, Space space);
  /// Shows the same columns at another step. The cursor and the table must live until the next call or clear().
  void show_step(const Cursor& now, const ArrayTable& table, Space space);
  void clear();
  void set_appearance(const Theme& theme, int text_scale);
  void set_selected(std::vector<IndexRange> columns);
  /// Columns with elements that violate a check.
  void set_violating(std::vector<IndexRange> columns);

  const std::vector<Strip>& strips() const { return strips_; }
  std::size_t current() const { return current_; }
  std::size_t current_row() const { return row_; }
  /// The columns in sight.
  IndexRange range() const { return range_; }
  /// Of the chosen strip and row.
  const ValueSummary& summary() const;
  /// Chooses a strip, as a click does.
  void choose(std::size_t strip, std::size_t row);
  /// Opens the chosen strip: its segments, or its elements if it is a single segment.
  void open_current();
  /// Goes back to more columns; false when all columns are in sight already.
  bool go_back();
  bool can_go_back() const { return !path_.empty(); }
  /// "32 segments of 65,536, columns 0 to 4,095", for a heading.
  QString where() const;
  /// "segment of node 5", and on a second line "columns 12 to 24, 13 of them".
  QString describe(const Strip& strip) const;
  QRect strip_rect(std::size_t strip, std::size_t row) const;
  QRect bar_rect(std::size_t bar) const;
  QSize sizeHint() const override;

 signals:
  /// Columns to be shown as elements.
  void elements_wanted(kdscope::IndexRange columns);
  void chosen(kdscope::IndexRange columns);
  /// The strips or the chosen one changed: by choosing, opening, going back or a step.
  void strips_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void lay_out();
  void sample();
  void scroll_to_row();
  void choose_near(std::uint64_t column);
  void paint_strips(QPainter& painter) const;
  void paint_histogram(QPainter& painter) const;
  double x_of(std::uint64_t column) const;
  double top_of(std::size_t row) const;
  QRectF histogram_area() const;
  QString kind(bool several) const;
  std::optional<std::size_t> strip_at(double x) const;

  const Cursor* now_ = nullptr;
  const ArrayTable* table_ = nullptr;
  Space space_ = Space::position;
  const Theme* theme_;
  int text_scale_ = 100;
  SegmentList segments_;
  IndexRange range_;
  std::vector<IndexRange> path_;  // what was in sight before each opening
  std::vector<Strip> strips_;
  std::size_t current_ = 0, row_ = 1;
  mutable std::optional<ValueSummary> summary_;  // once it was wanted
  bool sampled_ = false;                         // pictures_ and medians_ are those of the layout
  std::vector<QImage> pictures_;                 // of each row
  std::vector<std::vector<double>> medians_;     // by row and strip; NaN without values
  std::vector<IndexRange> selected_, violating_;
  int label_width_ = 0, strips_width_ = 1, row_height_ = 1, head_height_ = 1;
};

}  // namespace kdscope
