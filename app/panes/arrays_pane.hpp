#pragma once
// The array tables of the open run, one for each index space that has rows.

#include <QTabBar>
#include <QWidget>
#include <vector>

#include "app/panes/array_table_view.hpp"
#include "app/panes/column_overview.hpp"
#include "app/workbench.hpp"

namespace kdscope {

class ArraysPane : public QWidget {
  Q_OBJECT

 public:
  explicit ArraysPane(Workbench& workbench, QWidget* parent = nullptr);
  ArrayTableView& view() { return *view_; }

 private:
  void open_run();
  void show_step();
  void show_selection();
  void show_change();
  void choose_space(int tab);
  void update_overview();

  Workbench& workbench_;
  QTabBar* tabs_;
  ArrayTableView* view_;
  ColumnOverview* overview_;
  std::vector<Space> spaces_;
};

}  // namespace kdscope
