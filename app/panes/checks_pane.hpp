#pragma once
// What must hold after this step, and whether it does: a mark, the statement, and the first violation.

#include <QScrollArea>
#include <QVBoxLayout>

#include "app/workbench.hpp"

namespace kdscope {

class ChecksPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChecksPane(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void show_step();

  Workbench& workbench_;
};

}  // namespace kdscope
