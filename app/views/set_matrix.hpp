#pragma once
// Sets of primitives as a matrix of bits (visualizer/figure/set_picture.hpp) that scrolls, with keys and clicks.

#include <QAbstractScrollArea>
#include <QFont>
#include <optional>
#include <vector>

#include "visualizer/figure/set_picture.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

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
  SetPicture picture() const;

  std::vector<SetRow> rows_;
  std::vector<std::uint32_t> primitives_;
  Space space_;
  std::vector<std::size_t> selected_;
  std::optional<std::size_t> picked_;
  const Theme* theme_;
  int text_scale_ = 100;
  QFont small_, bold_;
};

}  // namespace kdscope
