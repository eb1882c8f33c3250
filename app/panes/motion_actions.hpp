#pragma once
// The keys that animate the moves of elements, scrub them and show them again: one set for the menu, the window and a
// presentation.

#include <QAction>
#include <QList>

#include "app/workbench/workbench.hpp"

namespace kdscope {

struct MotionActions {
  MotionActions(Workbench& workbench, QObject* parent);
  QAction *animate, *replay, *pause, *back, *on;
  QList<QAction*> all() const { return {animate, replay, pause, back, on}; }
};

}  // namespace kdscope
