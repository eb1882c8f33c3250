#pragma once
// All columns of an array table as one strip: the colours of the subtrees, marks where something changed, and a frame
// around the part that the table shows. Pressing the strip asks for that column.

#include <QImage>
#include <QWidget>

#include "visualizer/model/array_table.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

class ColumnOverview : public QWidget {
  Q_OBJECT

 public:
  explicit ColumnOverview(QWidget* parent = nullptr);
  /// Samples at most `most_samples` columns, and keeps nothing of the table.
  void show_table(const ArrayTable& table, const Theme& theme);
  void clear();
  void set_window(std::uint64_t first, std::uint64_t count);
  void set_selected(std::vector<IndexRange> columns);
  /// Columns with elements that violate a check.
  void set_violating(std::vector<IndexRange> columns);
  const std::vector<IndexRange>& selected() const { return selected_; }
  /// Nobody presses the strip: it shows where the part is in as little room as that takes.
  void set_thin() { is_thin_ = true; }
  QSize sizeHint() const override { return {200, fontMetrics().height() * (is_thin_ ? 3 : 6) / 5}; }

 signals:
  void pressed(std::uint64_t column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  static constexpr std::uint64_t most_samples = 1024;  // one per pixel or two

  double x_of(std::uint64_t column) const;

  const Theme* theme_;
  bool is_thin_ = false;
  QImage strip_;  // one row of subtree colours, one of marks
  std::uint64_t columns_ = 0, first_ = 0, count_ = 0;
  std::vector<IndexRange> selected_, violating_;
};

}  // namespace kdscope
