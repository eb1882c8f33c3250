#pragma once
// Lists beside the sheet of lanes: the intervals of the block, the lines by what they cost, what is wrong, and who
// accessed an element. A click leads to the accesses.

#include <QListWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <optional>
#include <string>
#include <utility>

#include "app/inside/element_history.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class InsideLists : public QTabWidget {
  Q_OBJECT

 public:
  explicit InsideLists(Workbench& workbench, QWidget* parent = nullptr);
  /// Lists the lines and faults of the look that is open now.
  void show_look();
  /// Lists the intervals of the block of the place, and marks the one that is shown.
  void show_intervals();
  /// Shows the faults in the theme's colours.
  void show_faults();
  /// Brings the accesses to an element in sight.
  void show_history();
  ElementHistory& history() { return *history_; }

 signals:
  void line_chosen(const std::string& line);

 private:
  void show_lines();
  void choose_line(int row);
  void choose_fault(int row);

  Workbench& workbench_;
  QTableWidget *intervals_, *lines_;
  QListWidget* faults_;
  ElementHistory* history_;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> listed_group_;  ///< launch and group of the list of intervals
};

}  // namespace kdscope
