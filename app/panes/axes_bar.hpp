#pragma once
// Which dimensions the axes of views, tables and figures show. Hidden while there is nothing to choose.

#include <QComboBox>
#include <QWidget>
#include <array>

#include "app/workbench/workbench.hpp"

namespace kdscope {

class AxesBar : public QWidget {
  Q_OBJECT

 public:
  explicit AxesBar(Workbench& workbench, QWidget* parent = nullptr);
  /// Whether there is a choice: the open run has more than two dimensions.
  static bool is_needed(const Workbench& workbench);
  /// Moves the keyboard focus to the dimension along x.
  void start();

 private:
  void show_axes();

  Workbench& workbench_;
  std::array<QComboBox*, 3> lists_{};
};

}  // namespace kdscope
