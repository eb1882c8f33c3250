#pragma once
// Arrows over a table of arrays, from the lane of the place inside a launch to the cells that it touches.

#include <QWidget>
#include <vector>

#include "app/views/array_table_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A cell that lanes touch in the interval at hand.
struct TouchedCell {
  std::size_t row = 0;
  std::uint64_t column = 0;
  bool reads = false, writes = false;  ///< an atomic operation does both
  bool current = false;                ///< by the access at the place
  bool operator==(const TouchedCell&) const = default;
};

/// Lies over a table and takes no clicks. At a lane or an access, an arrow leads from a mark of the lane to each cell
/// that it writes, and from each that it reads to the mark. At an interval, the cells that its lanes touch are framed.
class TouchArrows : public QWidget {
  Q_OBJECT

 public:
  TouchArrows(ArrayTableView& table, Workbench& workbench);

  /// The cells of the table that the lane of the place touches, or all lanes of the interval; by row and column. Of
  /// many accesses, the first most_drawn count. Empty while nothing is open inside a step.
  std::vector<TouchedCell> touched() const;
  static constexpr std::size_t most_drawn = 10'000;
  /// Where the mark of the lane is painted; empty without a lane.
  QRectF mark() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  ArrayTableView& table_;
  Workbench& workbench_;
};

}  // namespace kdscope
