#pragma once
// The checks of this step, violated ones first, then the violated checks of the other steps. Each violation is a link
// to its step and element.

#include <QScrollArea>
#include <QVBoxLayout>

#include "app/workbench/workbench.hpp"

namespace kdscope {

class ChecksPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChecksPane(Workbench& workbench, QWidget* parent = nullptr);

 private:
  /// Makes a row of a mark and words, which may hold links "violation:N" with N an index of ViolationWalk::all().
  QWidget* row(bool passed, const QString& words, bool current = false);
  void show_step();

  Workbench& workbench_;
};

}  // namespace kdscope
