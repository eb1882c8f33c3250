#pragma once
// The bar above the view. It shows the dimensions of the axes, whether points are being edited and how, and whether the
// run is older than the points.

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/appearance/cut_label.hpp"
#include "app/panes/axes_bar.hpp"
#include "app/point_editing/point_editor.hpp"
#include "app/point_editing/what_if.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class EditBar : public QWidget {
  Q_OBJECT

 public:
  EditBar(Workbench& workbench, PointEditor& editor, WhatIf& what_if, QWidget* parent = nullptr);
  AxesBar& axes() { return *axes_; }
  /// Adds a button to the bar for an action of the menu.
  void add_action(QAction* action);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_words();
  void show_state();

  Workbench& workbench_;
  PointEditor& editor_;
  WhatIf& what_if_;
  QWidget* row_;
  AxesBar* axes_;
  QLabel *title_, *mark_;
  CutLabel* words_;
  QString place_;  // of the mouse
  QPushButton *run_again_, *accept_, *take_back_;
};

}  // namespace kdscope
