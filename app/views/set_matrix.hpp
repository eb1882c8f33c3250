#pragma once
// Sets of primitives as a matrix of bits. The columns are the primitives of a small root. The rows are the set of a
// node, the sets on the sides of a candidate, and their intersections. Below them are the sets of every candidate.

#include <QAbstractScrollArea>
#include <QFont>
#include <optional>
#include <vector>

#include "visualizer/model/split_candidates.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A row of the matrix. Bits that are not in `within` do not count: they are hatched, or hollow in small cells.
struct SetRow {
  QString label;
  std::uint64_t mask = 0, within = ~0ull;
  Rgb ink;
  bool strong = false;                   ///< a result
  double gap_above = 0;                  ///< in rows
  std::optional<std::size_t> candidate;  ///< index of the candidate that the row belongs to
};

class SetMatrix : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit SetMatrix(QWidget* parent = nullptr);

  /// `primitives`: the points or triangles of the columns, by their space.
  void show_rows(std::vector<SetRow> rows, std::vector<std::uint32_t> primitives, const Space& space);
  void clear();
  void set_appearance(const Theme& theme, int text_scale);
  /// Columns that are selected, ascending.
  void set_selected(std::vector<std::size_t> columns);
  void set_picked(std::optional<std::size_t> candidate);
  const std::vector<SetRow>& rows() const { return rows_; }
  /// Where a cell is painted, in viewport coordinates; empty when out of sight.
  QRect cell_rect(std::size_t row, std::size_t column) const;
  QString cell_tip(std::size_t row, std::size_t column) const;
  QSize sizeHint() const override { return {520, 240}; }

 signals:
  void primitive_picked(std::uint32_t primitive);
  void candidate_picked(std::size_t place);
  void picked_nothing();
  /// Alt+Up or Alt+Down was pressed: -1 or 1.
  void candidate_walked(int direction);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int, int) override { viewport()->update(); }
  bool viewportEvent(QEvent* event) override;

 private:
  void update_metrics();
  double top_of(std::size_t row) const;
  double left_of(std::size_t column) const;
  struct Place {
    std::size_t row = 0;
    std::optional<std::size_t> column;  // none: on the label or to the right of the bits
  };
  std::optional<Place> place_at(QPointF at) const;
  void paint_row(QPainter& painter, std::size_t row) const;
  void paint_heads(QPainter& painter) const;
  QString name_of_column(std::size_t column) const;

  std::vector<SetRow> rows_;
  std::vector<double> tops_;  // [rows + 1] without scrolling
  std::vector<std::uint32_t> primitives_;
  Space space_;
  std::vector<std::size_t> selected_;
  std::optional<std::size_t> picked_;
  const Theme* theme_;
  int text_scale_ = 100;
  QFont small_, bold_;
  double label_width_ = 0, head_height_ = 0, cell_ = 1, row_height_ = 1, count_width_ = 0;
};

}  // namespace kdscope
