#pragma once
// The violated checks of the run, each a link to its step and element, and what must hold after this step. Violated
// ones come first.

#include <QScrollArea>
#include <QVBoxLayout>

#include "app/workbench/workbench.hpp"

namespace kdscope {

class ChecksPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChecksPane(Workbench& workbench, QWidget* parent = nullptr);

 private:
  /// A mark and words, which may hold links of the form "violation:N" (Workbench::violations()).
  QWidget* row(bool passed, const QString& words, bool current = false);
  void show_step();

  Workbench& workbench_;
};

}  // namespace kdscope
