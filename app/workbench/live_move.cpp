#include "app/workbench/live_move.hpp"

#include <QElapsedTimer>
#include <utility>

#include "app/workbench/guarded_application.hpp"
#include "app/workbench/open_run.hpp"
#include "visualizer/model/difference.hpp"

namespace kdscope {
namespace {

/// A single slow run may be the machine's fault.
constexpr int most_slow = 2;

}  // namespace

/// What stood when the move began.
struct LiveMove::Before {
  KeptRun run;
  PointState points;  // as they were edited then
  PointState edited;  // the same, if the run was stale; else null
  std::optional<KeptRun> earlier;
  Selection selection;
  std::vector<Bookmark> bookmarks;
};

bool LiveMove::begin() {
  before_.reset();
  moved_ = false;
  slow_ = 0;
  const RunDesk& desk = workbench_.desk();
  const PointEdits& edits = workbench_.edits();
  const Playback& playback = workbench_.playback();
  const auto ms = desk.recording_ms();
  if (!playback.cursor() || workbench_.jobs().busy() || !ms || limit_ms_ <= 0) return false;
  if (*ms >= limit_ms_ && playback.trace()->header.n > most_tried_points) return false;
  edits.recorded_points();  // the run is compared with its own
  before_ = std::make_shared<Before>(Before{desk.as_it_stands(), edits.state(), edits.edited(), desk.earlier(),
                                            playback.selection(), workbench_.marks().all()});
  if (const Lesson* lesson = workbench_.lessons().lesson()) before_->run.lesson = *lesson;
  return true;
}

bool LiveMove::move(std::uint32_t point, const std::vector<std::uint32_t>& words) {
  if (!before_ || workbench_.jobs().busy() || slow_ >= most_slow) return false;
  const DataSet& then = *before_->points.data;
  const PointState points =
      changed_points(before_->points, move_of(then.points, {point}, words), edited_name(then.name));
  RunRequest spec = before_->run.recording.run;
  spec.points = points.data;
  spec.data = points.data->name;
  QElapsedTimer clock;
  clock.start();
  try {
    auto run = record_run(spec);
    const double took = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    if (!run || !run->crash.empty()) {
      slow_ = most_slow;
      return false;
    }
    slow_ = took < limit_ms_ ? 0 : slow_ + 1;
    const Trace& start = *before_->run.recording.trace;
    // Correspond to the step at the beginning, because steps that were mapped from move to move would drift.
    const std::uint32_t step = corresponding_step(start, before_->run.step, *run->trace);
    // Runs with other steps in between have no bookmarks.
    const bool has_steps_again =
        have_same_steps(start, *run->trace) && !have_same_steps(start, *workbench_.playback().trace());
    workbench_.desk().show_moved(std::move(*run), points, step, took);
    if (has_steps_again) workbench_.marks().replace(before_->bookmarks);
  } catch (...) {
    slow_ = most_slow;
    workbench_.messages().report(error_of_exception());
    return false;
  }
  moved_ = true;
  return true;
}

bool LiveMove::finish(const QString& what) {
  const auto before = std::exchange(before_, nullptr);
  if (!before || !std::exchange(moved_, false)) return false;
  KeptRun after = workbench_.desk().as_it_stands();
  if (after.points.data->points.words == before->points.data->points.words) {
    go_back_to(*before);
    return false;
  }
  const bool carried = have_same_steps(*before->run.recording.trace, *after.recording.trace);
  auto* command = new OpenRun(workbench_, before->run, before->edited, std::move(after), what);
  command->compare_with(before->earlier, workbench_.desk().earlier());
  if (!carried) command->restore_bookmarks(before->bookmarks);
  workbench_.undo_stack().push(command);
  return true;
}

void LiveMove::take_back() {
  const auto before = std::exchange(before_, nullptr);
  if (!before || !std::exchange(moved_, false)) return;
  go_back_to(*before);
}

void LiveMove::forget() {
  before_.reset();
  moved_ = false;
}

void LiveMove::go_back_to(const Before& before) {
  const bool carried = have_same_steps(*before.run.recording.trace, *workbench_.playback().trace());
  workbench_.desk().go_back_to(before.run, before.edited, before.earlier);
  workbench_.playback().select(before.selection);
  if (!carried) workbench_.marks().replace(before.bookmarks);
}

}  // namespace kdscope
