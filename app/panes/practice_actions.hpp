#pragma once
// Answering and generating questions as actions, shared by the window's menu, a presentation and the keys.

#include <QAction>
#include <vector>

#include "app/workbench/workbench.hpp"

namespace kdscope {

struct PracticeActions {
  explicit PracticeActions(Workbench& workbench, QObject* parent);
  /// `check` goes on to the next open question if this one is settled.
  QAction *check, *hint, *reveal, *skip, *type, *try_again, *next, *previous, *ask, *repeat;
  QAction* hide;  ///< checkable: whether open questions hide what answers them
  /// In the order of a menu; null: a separator.
  std::vector<QAction*> all() const {
    return {check, hint, reveal, skip, type, nullptr, next, previous, try_again, nullptr, ask, repeat, nullptr, hide};
  }
};

}  // namespace kdscope
