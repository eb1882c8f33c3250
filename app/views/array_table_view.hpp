#pragma once
// The arrays of a step as the source prints them: rows are arrays, columns are indices. Paints only what is in sight,
// so the cost does not depend on the number of columns.

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "app/select/selection.hpp"
#include "visualizer/figure/table_picture.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

class ArrayTableView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit ArrayTableView(QWidget* parent = nullptr);

  /// Opens another trace, or rows of other dimensions. Cell sizes fit the values of the whole run, so that nothing
  /// jumps while stepping. `only` names the rows that are shown; if it is empty, all are.
  void open(const Cursor& cursor, Space space, const Axes& axes, std::vector<RowName> only = {});
  const std::vector<RowName>& only() const { return only_; }
  /// Shows the step of `now`, except for what is hidden. The cursors must live until the next call or clear(). `added`:
  /// highlights in addition to those of the step.
  void show_step(const Cursor& now, const Cursor* baseline, std::span<const Highlight> added = {},
                 const Concealment& concealed = {});
  /// Paints elements that travel to this step after a share of the time, from 0 to 1; null: all are where they belong.
  /// `growth`: see TableLook.
  void set_motion(std::shared_ptr<const Motion> motion, double time, Growth growth = {});
  void clear();
  void set_appearance(const Theme& theme, int text_scale);
  /// Frames these columns: one list for all rows, or one list per row.
  void set_selected(std::vector<std::vector<IndexRange>> columns);
  /// Frames one cell, such as the current one of a walk over the changes, and scrolls to it. Row 0: no cell.
  void set_framed(std::size_t row, std::uint64_t column);
  const std::vector<IndexRange>& selected(std::size_t row = 0) const;
  std::pair<std::size_t, std::uint64_t> framed() const { return {framed_.row, framed_.column}; }
  void scroll_to(std::uint64_t column);
  /// Scrolls to the first of these columns unless one of them is in sight.
  void scroll_to_any(const std::vector<IndexRange>& columns);
  /// Scrolls so that all of these columns are in sight or, if there are too many, the first ones; no further than
  /// needed. They stay so when the size changes.
  void show_columns(std::vector<IndexRange> columns);
  /// Puts a column in the middle.
  void centre(std::uint64_t column);
  /// Puts a column on the left.
  void show_from(std::uint64_t column);
  /// Scrolls to the rows that the step writes and, if all columns in sight are settled, to the end of the settled ones.
  void follow_work();
  /// Paints what is in sight to another painter, such as a figure's; a unit of the painter is a pixel of the viewport.
  void paint_to(QPainter& painter) const;
  /// Returns the part of the viewport that the table covers.
  QSizeF page_size() const;
  /// Returns the height that all rows need with digits of the smallest size.
  int height_of_rows() const { return static_cast<int>(labels_.size()) * metrics_.row_height; }
  /// Scrolls so that as many rows as possible of these arrays are in sight, the first ones in any case. They stay so
  /// when the size changes.
  void show_rows(std::vector<std::string> names);
  /// The names of the rows that are wholly in sight, from top to bottom.
  std::vector<RowName> rows_in_sight() const;
  /// Names the rows in sight and where they and the columns stand.
  QString frame() const;
  std::uint64_t first_visible() const;
  std::uint64_t visible_count() const;

  const Axes& axes() const { return axes_; }
  Space space() const { return space_; }
  /// Null before the first step, and while the cursor is at another step than the one that was shown.
  const ArrayTable* table() const { return table_ && cursor_->step() == step_ ? &*table_ : nullptr; }
  /// Where a cell is painted, in viewport coordinates, on its way if it travels; empty when out of sight.
  QRect cell_rect(std::size_t row, std::uint64_t column) const;
  /// The text that a cell shows. Real numbers have four digits if the columns do not fit otherwise.
  QString shown_text(std::size_t row, std::uint64_t column) const;
  /// The tool tip of a cell.
  QString cell_tip(std::size_t row, std::uint64_t column) const;
  QSize sizeHint() const override;
  /// Where columns are few and rows do not fit, the rows continue beside themselves.
  void let_rows_continue_beside() { continues_beside_ = true; }
  /// Writes as an audience reads, with larger texts on a screen of its own: real numbers have fewer digits even where
  /// all would fit, and digits shrink further where this keeps all columns in sight.
  void set_for_audience();
  /// The size of an audience's digits, relative to the interface font, that no table exceeds: a lesson's words.
  void set_largest_digits(double factor);
  const QFont& digits() const { return metrics_.digits; }
  /// A comfortable height of so many rows, including the index row, in a view of this width.
  int comfortable_height(std::size_t rows, int width);
  /// The height that a pane of this width has at first for a table of so many rows, including the index row. Half of
  /// the rows of few columns stand beside the others, where there is room.
  int usual_height(std::size_t rows, std::uint64_t columns, int width);
  /// The width that the table takes of a room; no end where its columns have none without smaller digits than usual.
  int width_in(QSize room);
  /// The size of digits there, relative to the interface font.
  double digits_in(QSize room);
  /// The least width in which the table has the digits that it has in this room.
  int width_needed(QSize room);
  /// How many rows, of all that the table has, fit below the index row if it has so many columns, in the smallest
  /// digits. Of an audience, in large digits if they stand in two blocks; `closely`: in the smallest ones, in as many
  /// blocks as fit.
  std::size_t rows_that_fit(std::uint64_t columns, bool closely = false);

 signals:
  /// Other columns are in sight, after scrolling or a change of size.
  void window_changed();
  /// The view, or the size of its digits, has changed: other rows may fit.
  void resized();
  void cell_picked(std::size_t row, std::uint64_t column);
  /// Shift+click: the columns from the one picked last.
  void range_picked(std::size_t row, std::uint64_t first, std::uint64_t count);
  /// A click on the index of a column, above the arrays, picks the segment around it.
  void segment_picked(std::uint64_t column);
  void picked_nothing();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;

 private:
  struct Place {
    std::size_t row;
    std::uint64_t column;
  };
  struct Metrics {
    QFont digits, labels;
    int label_width = 0, row_height = 0;
    double column_width = 1, factor = 1;  // of the digits, relative to the interface font
    double side_gap = 0;                  // of a text in its cell, in digits
    bool shortened = false;               // more columns than fit: real numbers have fewer digits
    int bands = 1;                        // beside one another: each has as many of the rows as fit below the indices
    double band_width = 0;
  };
  int row_count() const;
  int height_of(std::size_t rows) const;
  void choose_digits(double width, double height);
  void update_metrics();
  void set_digits(double factor);
  double next_digits(double factor, double step) const;
  /// Returns what a function measures with metrics of its own.
  template <class Measure>
  auto trying(const Measure& measure) {
    const Metrics shown = metrics_;
    const auto measured = measure();
    metrics_ = shown;
    return measured;
  }
  double column_needed(const std::vector<std::size_t>& widths, double gap) const;
  bool shrink_to_columns(double room, double columns);
  void draw(QPainter& painter) const;
  void follow_rows();
  std::optional<Place> place_at(QPoint at) const;
  int vertical_offset() const;
  int band_height(int height) const;
  TablePicture picture(int band) const;
  int band_of(std::size_t row) const;
  QRect rect_in_band(int band) const;
  std::uint64_t end_of_sight() const;

  Space space_ = Space::position;
  Axes axes_{0, -1, -1};
  std::optional<ArrayTable> table_;
  const Cursor* cursor_ = nullptr;  ///< of the table, at this step
  std::uint32_t step_ = 0;
  const Theme* theme_;
  int text_scale_ = 100;
  bool for_audience_ = false, continues_beside_ = false;
  double largest_for_audience_ = 1.12;
  std::vector<std::size_t> widths_, short_widths_;  // characters of the widest text of each row, over the run
  std::vector<bool> real_;                          // rows whose numbers may be written shorter
  std::vector<QString> labels_;
  std::vector<RowName> only_;
  std::vector<QString> all_labels_;  // of these, with the rows that are left out
  std::vector<std::size_t> all_widths_;
  std::vector<std::vector<IndexRange>> selected_{{}};
  std::vector<std::string> wanted_rows_;
  std::vector<IndexRange> wanted_columns_;
  int followed_ = 0;    ///< where follow_rows() has scrolled to
  Place framed_{0, 0};  // row 0: none
  Place picked_{0, 0};  // where a range starts
  Metrics metrics_;
  std::shared_ptr<const Motion> motion_;
  double time_ = 1;  // of the motion
  Growth growth_;
};

}  // namespace kdscope
