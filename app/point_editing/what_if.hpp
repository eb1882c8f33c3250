#pragma once
// Compares the open run with another one: with the run before an edit, which "What if" starts at once, or with the run
// that the playback compares with.

#include <QObject>
#include <optional>

#include "app/point_editing/point_editor.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/model/difference.hpp"

namespace kdscope {

class TreeView;

/// "So far, 5 splits, 4 cells and 7 nodes differ from the run before.", with what differs at all. name: of the
/// run that is compared with. finished: the finished trees are compared.
QString words_of(const Difference& difference, const QString& name, bool finished);

class WhatIf : public QObject {
  Q_OBJECT

 public:
  WhatIf(Workbench& workbench, PointEditor& editor, SceneView& view, TreeView& tree, QObject* parent);

  /// While on, points are editable and each edit in the view starts a run, which is compared with that before. Off: the
  /// points and the run are those of before the edits, unless these were accepted; while a job runs, they stay pending.
  void set_on(bool on);
  bool on() const { return on_; }
  /// Compares the finished trees, or the last ones that can be shown, instead of the states after the current step.
  void set_finished(bool finished);
  bool finished() const { return finished_; }
  /// The difference between the other run and the open one; null if there is none to compare, or not yet.
  const Difference* difference() const { return shown_ ? &*shown_ : nullptr; }
  /// The difference in words. Precondition: there is one.
  QString words() const { return words_of(*shown_, name(), finished_); }
  /// What the other run is called: "the run before".
  QString name() const;
  /// The other run at the compared step. Null without a difference.
  const Cursor* before() const { return before_ ? &*before_ : nullptr; }
  const Cursor* after() const { return after_ ? &*after_ : nullptr; }

 signals:
  void changed();
  void switched(bool on);

 private:
  struct Compared;
  std::shared_ptr<const Trace> other_trace() const;
  std::uint32_t compared_step() const;
  void compare();
  void show(std::shared_ptr<Compared> compared);
  void run_if_stale();

  Workbench& workbench_;
  PointEditor& editor_;
  SceneView& view_;
  TreeView& tree_;
  bool on_ = false, finished_ = false, outdated_ = false;
  std::optional<Difference> shown_;
  std::optional<Cursor> before_, after_;
  BackgroundJob job_;
};

}  // namespace kdscope
