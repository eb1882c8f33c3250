#pragma once
// The undo command of a run that took the place of another one.

#include <QUndoCommand>
#include <optional>
#include <vector>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A run on other points, already open when the command is made. Undo goes back to the run before, with the edits that
/// it had then; both traces are kept.
class OpenRun : public QUndoCommand {
 public:
  OpenRun(Workbench& workbench, Workbench::EarlierRun before, Workbench::PointState edited_before,
          Workbench::EarlierRun after, const QString& what);
  ~OpenRun() override;
  /// What each of the two runs is compared with; nothing by default.
  void compare_with(std::optional<Workbench::EarlierRun> before, std::optional<Workbench::EarlierRun> after);
  /// The bookmarks of the run before, if they are not carried over: undo restores them, redo those of this run.
  void restore_bookmarks(std::vector<Bookmark> before) { bookmarks_ = std::move(before); }
  void undo() override;
  void redo() override;

 private:
  void open(const Workbench::EarlierRun& run, const Workbench::EarlierRun& left, const Workbench::PointState& edited,
            const std::optional<Workbench::EarlierRun>& earlier);
  Workbench& workbench_;
  Workbench::EarlierRun before_, after_;
  Workbench::PointState edited_before_;
  std::optional<Workbench::EarlierRun> earlier_before_, earlier_after_;
  std::optional<std::vector<Bookmark>> bookmarks_;  // of the run that is not open
  std::uint64_t bytes_;
  bool stands_ = true;
};

/// Returns whether notes on the steps of a run hold for another one: the same algorithm took the same steps.
bool have_same_steps(const Trace& a, const Trace& b);

}  // namespace kdscope
