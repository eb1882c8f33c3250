#pragma once
// An array of counts as a layered heat map: rows down, columns across, layers as sheets back to back (Wehr & Radkowski
// 2018, figure 3). Paints only what is in sight, with numbers where cells have room for them.

#include <QAbstractScrollArea>
#include <QImage>
#include <optional>
#include <vector>

#include "app/session/session.hpp"
#include "visualizer/figure/count_picture.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

class HistogramView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  /// Shows an array. It is valid until the cursor that it was read from moves: then show another one, or clear().
  /// `layer_places`: the subtree of each layer, where known.
  void show_counts(CountArray counts, std::vector<std::optional<TreePlace>> layer_places);
  void clear();
  void set_appearance(const Theme& theme, int text_scale);
  /// Marks the cells that count selected elements, ascending, and the cell that was picked itself.
  void set_marked(std::vector<std::uint64_t> cells, std::optional<std::uint64_t> picked);
  /// Takes what differs from the baseline, which must not move before the next call. Null: no baseline.
  void set_changes(ChangedArray changes, const Cursor* baseline, bool of_other_run = false);
  /// A moment at which changed counts rise, or fall, to their values. See CountLook.
  void set_growth(Growth growth);
  /// Frames the current cell of a walk over the changes, and scrolls to it.
  void set_framed(std::optional<std::uint64_t> cell);
  std::optional<std::uint64_t> framed() const { return framed_; }
  void scroll_to(std::uint64_t cell);
  /// The tool tip of a cell.
  QString cell_tip(std::uint64_t cell) const;
  const ChangedArray& changes() const { return changes_; }
  const std::vector<std::uint64_t>& marked() const { return marked_; }
  /// Scrolls a place, given as shares of all columns and rows, to the middle.
  void centre(QPointF place);
  /// The part in sight, and the place of a cell, as shares of all columns and rows.
  QRectF window() const;
  QRectF place_of(std::uint64_t cell) const;
  /// Paints what is in sight; `hidden`: places of counts, which read "?", and nothing that depends on them.
  void paint(QPainter& painter, bool hidden) const;
  /// A small picture of the whole array. Each pixel shows the largest of a sample of the counts under it.
  QImage overview(int width, int height) const;

  const CountArray* counts() const { return counts_ ? &*counts_ : nullptr; }
  /// Where a cell is painted, in viewport coordinates; empty when out of sight.
  QRect cell_rect(std::uint64_t cell) const;
  bool shows_numbers() const { return numbers_; }
  /// Writes smaller numbers rather than none: the usual text is large already.
  void set_for_audience();
  /// Whether there are so few rows that each can be in sight, and the height that shows them with their numbers; 0 for
  /// more rows.
  bool has_few_rows() const;
  int height_of_few_rows() const;
  double largest() const { return largest_; }
  /// "chunk 1, digit 3, block 2".
  QString place_text(std::uint64_t cell) const;
  /// Which rows and columns are in sight; empty when all are.
  QString window_text() const;
  QSize sizeHint() const override { return {420, 220}; }

 signals:
  /// A cell of counts(); beside all of them, an empty selection.
  void picked(const kdscope::Selection& selection);
  /// Other cells are in sight.
  void window_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void choose_cells(QSize room);
  void update_metrics();
  void set_zoom(double zoom);
  CountPicture picture() const;
  std::optional<std::uint64_t> cell_at(QPointF at) const;
  void move_picked(int key);
  bool changed(std::uint64_t cell) const;

  std::optional<CountArray> counts_;
  double largest_ = 0;
  std::vector<std::optional<TreePlace>> layer_places_;
  std::vector<std::uint64_t> marked_;
  std::optional<std::uint64_t> picked_, framed_;
  ChangedArray changes_;
  Growth growth_;
  const Cursor* baseline_ = nullptr;
  bool of_other_run_ = false;  ///< baseline_
  const Theme* theme_;
  int text_scale_ = 100;
  double zoom_ = 1;
  bool for_audience_ = false, numbers_ = false;
  QFont digits_, small_;
  CountFrame frame_;  // not scrolled yet
  QSizeF whole_;      // all cells and their labels
};

}  // namespace kdscope
