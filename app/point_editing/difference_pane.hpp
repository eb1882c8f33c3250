#pragma once
// Lists every node, split and cell that differs between the run of the edited points and the run before.

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QWidget>

#include "app/point_editing/what_if.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class DifferencePane : public QWidget {
  Q_OBJECT

 public:
  DifferencePane(Workbench& workbench, WhatIf& what_if, QWidget* parent = nullptr);
  /// The states that are compared, for the title bar.
  QWidget* choice() const { return when_; }

 private:
  void show_difference();

  Workbench& workbench_;
  WhatIf& what_if_;
  QComboBox* when_;
  QLabel* words_;
  QListWidget* list_;
};

}  // namespace kdscope
