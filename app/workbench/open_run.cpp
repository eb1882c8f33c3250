#include "app/workbench/open_run.hpp"

#include <algorithm>
#include <utility>

#include "app/workbench/workbench.hpp"

namespace kdscope {

OpenRun::OpenRun(Workbench& workbench, KeptRun before, PointState edited_before, KeptRun after, const QString& what)
    : QUndoCommand(what),
      workbench_(workbench),
      before_(std::move(before)),
      after_(std::move(after)),
      edited_before_(std::move(edited_before)),
      kept_(before_.recording.trace->stored_bytes()) {}

void OpenRun::compare_with(std::optional<KeptRun> before, std::optional<KeptRun> after) {
  earlier_before_ = std::move(before);
  earlier_after_ = std::move(after);
}

void OpenRun::open(const KeptRun& run, const KeptRun& left, const PointState& edited,
                   const std::optional<KeptRun>& earlier) {
  const bool as_left = have_same_steps(*workbench_.playback().trace(), *left.recording.trace);
  std::vector<Bookmark> here = as_left ? workbench_.marks().all() : std::vector<Bookmark>();
  workbench_.desk().go_back_to(run, edited, earlier);
  if (!bookmarks_) return;
  workbench_.marks().replace(std::exchange(*bookmarks_, std::move(here)));
}

void OpenRun::undo() {
  // Steps of a run that came after it was opened belong to it.
  RecordedRun now = workbench_.desk().as_it_stands().recording;
  const RecordedRun& opened = after_.recording;
  if (now.run.points == opened.run.points && now.run.data == opened.run.data &&
      now.run.parameters == opened.run.parameters && now.run.search == opened.run.search &&
      now.device == opened.device && first_steps_are(*now.trace, *opened.trace))
    after_.recording = std::move(now);
  open(before_, after_, edited_before_, earlier_before_);
}

void OpenRun::redo() {
  if (!std::exchange(stands_, false)) open(after_, before_, {}, earlier_after_);
}

bool have_same_steps(const Trace& a, const Trace& b) {
  return a.steps.size() == b.steps.size() && first_steps_are(a, b);
}

bool first_steps_are(const Trace& whole, const Trace& first) {
  return whole.header.algorithm == first.header.algorithm && whole.steps.size() >= first.steps.size() &&
         std::equal(first.steps.begin(), first.steps.end(), whole.steps.begin(),
                    [](const Step& x, const Step& y) { return x.path == y.path; });
}

}  // namespace kdscope
