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
  Workbench::EarlierRun run;
  Workbench::PointState points;  // as they were edited then
  Workbench::PointState edited;  // the same, if the run was stale; else null
  std::optional<Workbench::EarlierRun> earlier;
  Selection selection;
  std::vector<Bookmark> bookmarks;
};

bool LiveMove::begin() {
  before_.reset();
  moved_ = false;
  slow_ = 0;
  Workbench& w = workbench_;
  if (!w.cursor() || w.busy() || !w.recording_ms_ || limit_ms_ <= 0) return false;
  const bool quick = *w.recording_ms_ < limit_ms_;
  if (!quick && w.trace()->header.n > most_tried_points) return false;
  w.recorded_points();  // the run is compared with its own
  before_ = std::make_shared<Before>(Before{
      {{w.session_.run, w.session_.trace_file, w.trace(), {}, {}, {}}, w.lesson_, w.recorded_, w.playback_.step()},
      w.point_state(),
      w.edited_,
      w.earlier_,
      w.playback_.selection(),
      w.session_.bookmarks});
  return true;
}

bool LiveMove::move(std::uint32_t point, const std::vector<std::uint32_t>& words) {
  Workbench& w = workbench_;
  if (!before_ || w.busy() || slow_ >= most_slow) return false;
  const DataSet& then = *before_->points.data;
  const Workbench::PointState points =
      w.changed_points(before_->points, move_of(then.points, {point}, words), edited_name(then.name));
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
    w.recording_ms_ = took;
    w.set_playing(false);
    // Correspond to the step at the beginning, because steps that were mapped from move to move would drift.
    w.first_step_ = corresponding_step(*before_->run.recording.trace, before_->run.step, *run->trace);
    w.asked_points_ = points;
    w.edited_ = {};
    // Runs with other steps in between have no bookmarks.
    const Trace& start = *before_->run.recording.trace;
    const bool has_steps_again = have_same_steps(start, *run->trace) && !have_same_steps(start, *w.trace());
    w.moving_ = true;
    w.adopt(std::move(*run), {});
    w.moving_ = false;
    if (has_steps_again) w.set_bookmarks(before_->bookmarks);
  } catch (...) {
    w.moving_ = false;
    slow_ = most_slow;
    w.report(error_of_exception());
    return false;
  }
  moved_ = true;
  return true;
}

bool LiveMove::finish(const QString& what) {
  const auto before = std::exchange(before_, nullptr);
  if (!before || !std::exchange(moved_, false)) return false;
  Workbench& w = workbench_;
  if (w.recorded_.data->points.words == before->points.data->points.words) {
    go_back_to(*before);
    return false;
  }
  Workbench::EarlierRun after{
      {w.session_.run, w.session_.trace_file, w.trace(), {}, {}, {}}, {}, w.recorded_, w.playback_.step()};
  auto* command = new OpenRun(w, before->run, before->edited, std::move(after), what);
  command->compare_with(before->earlier, w.earlier_);
  if (!have_same_steps(*before->run.recording.trace, *w.trace())) command->restore_bookmarks(before->bookmarks);
  w.undo_.push(command);
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
  Workbench& w = workbench_;
  const bool carried = have_same_steps(*before.run.recording.trace, *w.trace());
  w.go_back_to(before.run, before.edited, before.earlier);
  w.select(before.selection);
  if (!carried) w.set_bookmarks(before.bookmarks);
}

}  // namespace kdscope
