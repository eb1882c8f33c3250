#pragma once
// The badge beside that of the back end: how many checks of the open run are violated. A click goes to the first one.

#include <QToolButton>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Hidden while every check holds.
class ViolationBadge : public QToolButton {
  Q_OBJECT

 public:
  explicit ViolationBadge(Workbench& workbench, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void show_run();

  Workbench& workbench_;
};

}  // namespace kdscope
