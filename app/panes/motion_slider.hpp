#pragma once
// A slider that holds the elements of a step anywhere between their old and their new places.

#include <QLabel>
#include <QSlider>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// In sight while steps are animated, and while a motion is under way. On the left, elements are at their old places.
class MotionSlider : public QSlider {
  Q_OBJECT

 public:
  explicit MotionSlider(Workbench& workbench, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// Its name, in sight while it is; for the row in which it stands.
  QLabel* label() const { return label_; }

 private:
  void show_motion();

  Workbench& workbench_;
  QLabel* label_;
};

}  // namespace kdscope
