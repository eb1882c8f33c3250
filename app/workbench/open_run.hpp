#pragma once
// The undo command of a run that took the place of another one.

#include <QUndoCommand>
#include <optional>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A run on other points, which stands when this is made. Undo goes back to the run before, with the edits that it had
/// then; both traces are kept.
class OpenRun : public QUndoCommand {
 public:
  OpenRun(Workbench& workbench, Workbench::EarlierRun before, Workbench::PointState edited_before,
          Workbench::EarlierRun after, const QString& what);
  ~OpenRun() override;
  /// What each of the two runs is compared with; nothing by default.
  void compare_with(std::optional<Workbench::EarlierRun> before, std::optional<Workbench::EarlierRun> after);
  void undo() override;
  void redo() override;

 private:
  Workbench& workbench_;
  Workbench::EarlierRun before_, after_;
  Workbench::PointState edited_before_;
  std::optional<Workbench::EarlierRun> earlier_before_, earlier_after_;
  std::uint64_t bytes_;
  bool stands_ = true;
};

}  // namespace kdscope
