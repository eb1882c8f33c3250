#pragma once
// The undo command of a run that took the place of another one.

#include <QUndoCommand>
#include <optional>
#include <vector>

#include "app/workbench/kept_run.hpp"

namespace kdscope {

class Workbench;

/// A run on other points, already open when the command is made. Undo goes back to the run before, with the edits that
/// it had then; both traces are kept.
class OpenRun : public QUndoCommand {
 public:
  OpenRun(Workbench& workbench, KeptRun before, PointState edited_before, KeptRun after, const QString& what);
  /// What each of the two runs is compared with; nothing by default.
  void compare_with(std::optional<KeptRun> before, std::optional<KeptRun> after);
  /// The bookmarks of the run before, if they are not carried over: undo restores them, redo those of this run.
  void restore_bookmarks(std::vector<Bookmark> before) { bookmarks_ = std::move(before); }
  void undo() override;
  void redo() override;

 private:
  void open(const KeptRun& run, const KeptRun& left, const PointState& edited, const std::optional<KeptRun>& earlier);
  Workbench& workbench_;
  KeptRun before_, after_;
  PointState edited_before_;
  std::optional<KeptRun> earlier_before_, earlier_after_;
  std::optional<std::vector<Bookmark>> bookmarks_;  // of the run that is not open
  KeptBytes kept_;
  bool stands_ = true;
};

/// Returns whether notes on the steps of a run hold for another one: the same algorithm took the same steps.
bool have_same_steps(const Trace& a, const Trace& b);
/// Returns whether a run begins with the steps of another one.
bool first_steps_are(const Trace& whole, const Trace& first);

}  // namespace kdscope
