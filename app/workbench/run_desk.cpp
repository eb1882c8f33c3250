#include "app/workbench/run_desk.hpp"

#include <QElapsedTimer>
#include <QScopedValueRollback>
#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/variants/trace_receiver.hpp"
#include "app/appearance/labels.hpp"
#include "app/recording/saved_run.hpp"
#include "app/workbench/open_run.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/model/difference.hpp"
#include "visualizer/model/missing_values.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope {
namespace {

constexpr int timed_builds = 7;

/// Result of a job on its way to the UI thread; std::function needs it copyable.
template <class T>
std::shared_ptr<Result<T>> shared(Result<T> result) {
  return std::make_shared<Result<T>>(std::move(result));
}

QString recording_words(const RunRequest& spec) {
  const QString data = QString::fromStdString(spec.data);
  if (spec.algorithm.empty()) return RunDesk::tr("Opening %1").arg(data);
  return RunDesk::tr("Recording %1 on %2").arg(QString::fromStdString(spec.algorithm), data);
}

/// Records a run, and passes on the steps that have come while others travel.
auto recorder_of(const RunRequest& spec) {
  return [spec](const RunControl& control, const auto& arrived) { return record_run(spec, control, arrived); };
}

/// Notes at the last step of a run why no more have come.
RecordedRun ended_early(RecordedRun run, const Error& error) {
  auto trace = std::make_shared<Trace>(*run.trace);
  variants::mark_end(*trace, error.what);
  run.trace = std::move(trace);
  return run;
}

bool lacks_values_at(const Trace& trace, std::uint32_t step) {
  return !missing_values(trace, step).empty() || (step > 0 && !missing_values(trace, step - 1).empty());
}

/// Fetches, on the thread of a job, what the window needs to show the step at which a run is opened. Replaces the run
/// by the error if that cannot be had.
void fetch_first_step(Result<RecordedRun>& run, const std::optional<Lesson>& lesson,
                      std::optional<std::uint32_t> first_step) {
  if (!run) return;
  const Trace& trace = *run->trace;
  std::uint32_t step = first_step.value_or(run->first_difference.value_or(0));
  if (!first_step && lesson)
    if (const auto stops = resolve_stops(*lesson, trace); stops && !stops->empty()) step = stops->front();
  step = std::min(step, static_cast<std::uint32_t>(trace.steps.size() - 1));
  if (const auto here = fetch_step(trace, step); !here) run = here.error();
}

}  // namespace

RunDesk::RunDesk(Workbench& workbench) : workbench_(workbench) {}

void RunDesk::open_data(const std::string& data) {
  RunRequest spec = request_;
  spec.data = data;
  spec.points = nullptr;
  spec.thin = false;
  spec.search = {};
  run(spec);
}

void RunDesk::open_trace(const QString& path) {
  start_recording(
      tr("Opening %1").arg(path),
      [text = path.toStdString()](const RunControl&, const Arrived&) { return kdscope::open_trace(text); }, {},
      request_);
}

void RunDesk::open_compared(const QString& path, const QString& other) {
  if (workbench_.jobs().waits_to_open(path, [this, path, other] { open_compared(path, other); })) return;
  start_recording(
      tr("Comparing %1 with %2").arg(path, other),
      [a = path.toStdString(), b = other.toStdString()](const RunControl& control, const Arrived&) {
        return open_traces(a, b, control.stop);
      },
      {}, request_);
}

void RunDesk::compare_with(const QString& path) {
  Playback& playback = workbench_.playback();
  if (!playback.cursor()) return;
  workbench_.jobs().start(
      tr("Comparing with %1").arg(path),
      [this, &playback, path, open = RecordedRun{request_, "", playback.trace(), {}, {}}](const RunControl& control) {
        auto other = open_other(path.toStdString(), *open.trace);
        const auto result = shared(other ? compared(open, std::move(*other), control.stop) : other.error());
        return [this, &playback, result] {
          if (!*result) return workbench_.messages().report(result->error());
          if (playback.trace() != (*result)->trace) return;
          playback.compare_with_run((*result)->other);
          if (!(*result)->first_difference) return;
          playback.seek(*(*result)->first_difference, [&playback] { playback.walk_changes(1); });
        };
      });
}

void RunDesk::show_run(RecordedRun run) { adopt(std::move(run), {}); }

void RunDesk::show_saved_run(RecordedRun run, std::optional<Lesson> lesson, std::uint32_t step) {
  if (!first_step_) first_step_ = step;
  adopt(std::move(run), std::move(lesson), true);
}

void RunDesk::open_lesson(const std::string& id) {
  const LessonCatalogue& catalogue = workbench_.lessons().catalogue();
  const auto found = std::find_if(catalogue.lessons.begin(), catalogue.lessons.end(),
                                  [&](const Lesson& lesson) { return lesson.id == id; });
  if (found == catalogue.lessons.end()) return workbench_.messages().report_of_run(unknown_lesson(id, catalogue));
  open_lesson(*found);
}

void RunDesk::open_lesson(const Lesson& lesson) {
  const QString title = QString::fromStdString(lesson.title);
  if (workbench_.jobs().waits_to_open(title, [this, lesson] { open_lesson(lesson); })) return;
  const RunRequest spec = run_of(lesson, request_.backend);
  start_recording(tr("Recording %1").arg(title), recorder_of(spec), lesson, spec);
}

void RunDesk::run(const RunRequest& spec) { start_recording(recording_words(spec), recorder_of(spec), {}, spec); }

void RunDesk::run_again() {
  if (!workbench_.playback().cursor()) return;
  const PointEdits& edits = workbench_.edits();
  RunRequest spec = request_;
  // A lesson whose points are as they were stays open, at its step.
  if (const Lesson* lesson = workbench_.lessons().lesson(); lesson && has_points_of_lesson()) {
    if (!workbench_.jobs().busy() && !workbench_.lessons().at_introduction())
      first_step_ = workbench_.playback().step();
    PointState recorded = edits.recorded();
    if (!recorded.data) recorded.data = points_of(*workbench_.playback().trace());
    start_recording(recording_words(spec), recorder_of(spec), *lesson, spec, std::move(recorded));
    return;
  }
  if (left_ && has_points_of_lesson() && spec.algorithm == left_->run.algorithm &&
      spec.parameters == left_->run.parameters && spec.search == left_->run.search) {
    const RunRequest of_lesson = left_->run;
    start_recording(recording_words(of_lesson), recorder_of(of_lesson), left_->lesson, of_lesson,
                    {left_->points, edits.state().ids});
    return;
  }
  if (const auto& edited = edits.edited().data) {
    spec.points = edited;
    spec.data = edited->name;
  }
  run(spec);
}

void RunDesk::retry(const RunRequest& spec) {
  start_recording(recording_words(spec), recorder_of(spec), asked_lesson_, spec);
}

void RunDesk::start_recording(const QString& what, Recorder work, std::optional<Lesson> lesson, RunRequest asked,
                              PointState of_lesson) {
  Jobs& jobs = workbench_.jobs();
  if (jobs.refuse_while_busy()) return;
  workbench_.transport().set_playing(false);
  const PointEdits& edits = workbench_.edits();
  asked_lesson_ = lesson;
  arrived_.reset();
  asked_points_ = asked.points && asked.points == edits.points() ? edits.state() : std::move(of_lesson);
  if (asked_points_.data) edits.recorded_points();  // to be compared with
  const auto over = std::make_shared<bool>(false);
  // What came stays, marked as incomplete; the run it took the place of can be brought back.
  const auto keep_arrived = [this, over](const Error& error) {
    *over = true;
    if (shows_arrived()) add_steps(ended_early(as_it_stands().recording, error));
    arrived_.reset();
  };
  jobs.start_opening(
      what,
      [this, &jobs, over, keep_arrived, work = std::move(work), lesson = std::move(lesson), asked,
       first_step = first_step_](const RunControl& control) {
        QElapsedTimer clock;
        clock.start();
        const auto result = shared(work(control, [this, &jobs, over](RecordedRun so_far) {
          QMetaObject::invokeMethod(
              &jobs,
              [this, over, so_far = std::move(so_far)]() mutable {
                if (!*over) show_arrived(std::move(so_far));
              },
              Qt::QueuedConnection);
        }));
        fetch_first_step(*result, lesson, first_step);
        return [this, &jobs, over, keep_arrived, result, lesson, asked,
                took = static_cast<double>(clock.nsecsElapsed()) * 1e-6] {
          if (!*result) {
            keep_arrived(result->error());
            if (!jobs.is_overtaken()) workbench_.messages().report(result->error(), asked);
            return;
          }
          *over = true;
          const bool adds = shows_arrived();
          if (jobs.is_overtaken() && !adds) return;
          recording_ms_ = (*result)->trace_file.empty() ? std::optional(took) : std::nullopt;
          if (adds)
            add_steps(std::move(**result));
          else
            adopt(std::move(**result), lesson);
          arrived_.reset();
        };
      },
      [this, &jobs, keep_arrived, asked](const Error& error) {
        keep_arrived(error);
        if (!jobs.is_overtaken()) workbench_.messages().report(error, asked);
      });
}

bool RunDesk::shows_arrived() const { return arrived_ && workbench_.playback().trace() == arrived_; }

void RunDesk::show_arrived(RecordedRun so_far) {
  if (arrived_ ? !shows_arrived() : (asked_lesson_ || asked_points_.data || first_step_)) return;
  const std::shared_ptr<const Trace> trace = so_far.trace;
  if (arrived_)
    add_steps(std::move(so_far));
  else
    adopt(std::move(so_far), {});
  arrived_ = trace;
}

void RunDesk::add_steps(RecordedRun longer) {
  if (!longer.first_difference) first_step_ = workbench_.playback().step();
  adopt(std::move(longer), {});
}

void RunDesk::adopt(RecordedRun recording, std::optional<Lesson> lesson, bool afresh) {
  Playback& playback = workbench_.playback();
  LessonPlayer& lessons = workbench_.lessons();
  Messages& messages = workbench_.messages();
  PointEdits& edits = workbench_.edits();
  std::vector<std::uint32_t> stops;
  if (lesson) {
    auto resolved = resolve_stops(*lesson, *recording.trace);
    if (resolved)
      stops = std::move(*resolved);
    else
      messages.report(resolved.error(), recording.run);
  }
  // What takes much memory comes first: without it the run before stands.
  Cursor cursor(recording.trace);
  std::vector<Violation> violations = violations_of(*recording.trace);
  const std::shared_ptr<const Trace> trace = playback.trace();
  const PointState recorded_before = edits.recorded();
  // A lesson whose points came back by undo continues what is open.
  const bool to_lesson = !afresh && lesson && asked_points_.data;
  const bool same_points = take_points(recording, afresh || (lesson && !to_lesson), to_lesson);
  if (lesson || !same_points)
    left_.reset();
  else if (const Lesson* open = lessons.lesson())
    left_ = LeftLesson{*open, request_, recorded_before.data ? recorded_before.data : points_of(*trace),
                       lessons.at_introduction() ? std::nullopt : std::optional(playback.step())};
  keep_earlier(recording, same_points, recorded_before);
  // Notes on the same steps of the same algorithm stay true, those on other steps do not.
  const bool same_run = trace && same_points && recording.run.algorithm == request_.algorithm;
  const bool adds = same_run && shows_arrived() && first_steps_are(*recording.trace, *trace);
  const bool same_steps = adds || (same_run && have_same_steps(*trace, *recording.trace));
  workbench_.violations().take(std::move(violations));
  if (!same_steps) workbench_.marks().forget();
  const bool introduction = !first_step_ && !stops.empty();
  Place place;
  place.step = first_step_.value_or(introduction ? stops.front() : recording.first_difference.value_or(0));
  if (place.step == std::numeric_limits<std::uint32_t>::max()) place.step = cursor.step_count() - 1;
  if (same_steps) place.baseline = playback.place().baseline;
  if (lesson)
    place.axes = axes_of(*lesson);
  else if (!afresh)
    place.axes = playback.place().axes;
  lessons.take(std::move(lesson), std::move(stops), introduction);
  timing_.reset();
  request_ = std::move(recording.run);
  trace_file_ = std::move(recording.trace_file);
  device_ = std::move(recording.device);
  if (place.step >= cursor.step_count())
    messages.report_of_run({ErrorKind::bad_usage, "there is no step " + std::to_string(place.step), "",
                            "this run has steps 0 to " + std::to_string(cursor.step_count() - 1)});
  first_step_.reset();
  // The first step is here, another one may have to come; a lesson's introduction is not left for it.
  const std::uint32_t wanted = std::min(place.step, cursor.step_count() - 1);
  if (!introduction && lacks_values_at(*recording.trace, wanted)) place.step = 0;
  const TraceHeader& next = cursor.trace().header;
  const bool as_large =
      trace && trace->header.n == next.n && trace->header.dim == next.dim && trace->header.algorithm == next.algorithm;
  playback.open(std::move(cursor), place, as_large && (moving_ || going_back_ || adds));
  if (recording.other) playback.compare_with_run(std::move(recording.other));
  emit timing_changed();
  edits.follow_run();  // whoever marks points forgets those of the earlier run, then hears what is selected
  workbench_.marks().follow_run();
  emit earlier_run_changed();
  lessons.follow_run();
  const auto walk = [&playback, to = recording.first_difference] {
    if (to == playback.step()) playback.walk_changes(1);
  };
  place.step < wanted ? playback.seek(wanted, walk) : walk();
  if (!recording.crash.empty())
    messages.report_of_run({ErrorKind::device_failure, recording.crash, "",
                            "the steps before it are open; run again, or on the other back end"});
}

void RunDesk::time_full_speed() {
  Jobs& jobs = workbench_.jobs();
  if (!workbench_.playback().cursor() || jobs.refuse_while_busy()) return;
  const RunRequest spec = request_;
  jobs.start(
      tr("Building at full speed"),
      [this, spec](const RunControl& control) {
        const auto result = shared(time_run(spec, timed_builds, control));
        return [this, result, spec] {
          if (!*result) {
            workbench_.messages().report(result->error(), spec);
            return;
          }
          timing_ = std::move(**result);
          emit timing_changed();
        };
      },
      [this, spec](const Error& error) { workbench_.messages().report(error, spec); });
}

KeptRun RunDesk::as_it_stands() const {
  const Playback& playback = workbench_.playback();
  return {{request_, trace_file_, playback.trace(), {}, {}, {}, device_},
          {},
          workbench_.edits().recorded(),
          playback.step()};
}

bool RunDesk::has_points_of_lesson() const {
  const PointEdits& edits = workbench_.edits();
  if (workbench_.lessons().lesson()) return !edits.stale() && !request_.points;
  const auto now = edits.points();
  return left_ && now && equal_points(*now, *left_->points);
}

void RunDesk::return_to_lesson() {
  if (!left_) return;
  if (!workbench_.jobs().busy()) first_step_ = left_->step;
  open_lesson(Lesson(left_->lesson));
}

bool RunDesk::take_points(const RecordedRun& recording, bool afresh, bool to_lesson) {
  PointEdits& edits = workbench_.edits();
  QUndoStack& undo = workbench_.undo_stack();
  const std::shared_ptr<const Trace> trace = workbench_.playback().trace();
  const bool asked = asked_points_.data && (going_back_ || to_lesson || recording.run.points == asked_points_.data);
  const bool same = trace && (going_back_ || (!afresh && recording.trace_file.empty())) &&
                    (asked || (recording.run.data == request_.data && recording.run.points == request_.points));
  if (same) {
    // What was edited while this ran stays, and what may be taken back too.
    edits.go_on(asked ? std::exchange(asked_points_, {}) : PointState{}, !going_back_ && !moving_);
    return true;
  }
  const std::uint64_t n = recording.trace->header.n;
  if (afresh || !trace || !recording.trace_file.empty()) {
    edits.begin(recording.run.points, n);
    undo.clear();
    return false;
  }
  KeptRun run_before = as_it_stands();
  if (const Lesson* lesson = workbench_.lessons().lesson()) run_before.lesson = *lesson;
  if (!run_before.points.data) run_before.points.data = points_of(*trace);
  const PointState edited_before = edits.edited();
  edits.begin(recording.run.points ? recording.run.points : points_of(*recording.trace), n);
  if (KeptBytes::all() + trace->stored_bytes() > KeptBytes::most) undo.clear();
  if (trace->stored_bytes() <= KeptBytes::most) {
    auto* command = new OpenRun(workbench_, std::move(run_before), edited_before, {recording, {}, edits.recorded(), 0},
                                tr("open %1").arg(as_label(edits.recorded().data->name)));
    command->restore_bookmarks(workbench_.marks().all());
    undo.push(command);
  }
  return false;
}

void RunDesk::keep_earlier(const RecordedRun& next, bool same_points, PointState points) {
  if (going_back_ || !same_points) {
    earlier_.reset();
    if (going_back_) earlier_ = std::move(earlier_then_);
    earlier_then_.reset();
    return;
  }
  const auto is_next = [&next](const RunRequest& run) {
    return next.run.algorithm == run.algorithm && next.run.parameters == run.parameters &&
           next.run.search == run.search;
  };
  const PointState& recorded = workbench_.edits().recorded();
  KeptRun now = as_it_stands();
  const bool same_run = is_next(request_);
  if (same_run && !first_step_ && !next.first_difference)
    first_step_ = corresponding_step(*now.recording.trace, now.step, *next.trace);
  // Further edits are still compared with the run before the first.
  if (!earlier_ && points.data && points.data != recorded.data &&
      now.recording.trace->stored_bytes() < KeptBytes::most) {
    if (const Lesson* lesson = workbench_.lessons().lesson()) now.lesson = *lesson;
    now.points = std::move(points);
    earlier_ = std::move(now);
  }
  if (earlier_ && earlier_->points.data->points.words == recorded.data->points.words) earlier_.reset();
  if (same_run) return;
  if (earlier_then_ && is_next(earlier_then_->recording.run)) return std::swap(earlier_, earlier_then_);
  if (!earlier_then_) earlier_then_ = std::move(earlier_);
  earlier_.reset();
}

std::vector<std::uint32_t> RunDesk::earlier_points() const {
  return earlier_ ? earlier_indices(*earlier_->points.ids, *workbench_.edits().recorded().ids)
                  : std::vector<std::uint32_t>();
}

void RunDesk::accept_edits() {
  earlier_.reset();
  earlier_then_.reset();
  emit earlier_run_changed();
}

void RunDesk::revert_edits() {
  std::optional<KeptRun>& before = earlier_ ? earlier_ : earlier_then_;
  if (!before || workbench_.jobs().refuse_while_busy()) return;
  KeptRun back = std::move(*before);
  const Playback& playback = workbench_.playback();
  workbench_.edits().replace(back.points, tr("take the edits back"));
  back.step = corresponding_step(*playback.trace(), playback.step(), *back.recording.trace);
  go_back_to(back, {});
}

void RunDesk::go_back_to(const KeptRun& run, const PointState& edited, std::optional<KeptRun> earlier) {
  earlier_then_ = std::move(earlier);
  asked_points_ = run.points;
  first_step_ = run.step;
  const QScopedValueRollback<bool> going_back(going_back_, true);
  adopt(run.recording, run.lesson);
  if (edited.data) workbench_.edits().set(edited);
}

void RunDesk::show_moved(RecordedRun run, PointState points, std::uint32_t step, double ms) {
  recording_ms_ = ms;
  workbench_.transport().set_playing(false);
  first_step_ = step;
  asked_points_ = std::move(points);
  const QScopedValueRollback<bool> moving(moving_, true);
  adopt(std::move(run), {});
}

}  // namespace kdscope
