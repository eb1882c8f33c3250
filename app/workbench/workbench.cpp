#include "app/workbench/workbench.hpp"

#include <QElapsedTimer>
#include <algorithm>

#include "app/session/navigation.hpp"
#include "app/workbench/step_motion.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {
namespace {

constexpr int timed_builds = 7;
constexpr int kept_edits = 1000;

/// Result of a job on its way to the UI thread; std::function needs it copyable.
template <class T>
std::shared_ptr<Result<T>> shared(Result<T> result) {
  return std::make_shared<Result<T>>(std::move(result));
}

QString recording_words(const RunRequest& spec) {
  const QString data = QString::fromStdString(spec.data);
  if (spec.algorithm.empty()) return Workbench::tr("Opening %1").arg(data);
  return Workbench::tr("Recording %1 on %2").arg(QString::fromStdString(spec.algorithm), data);
}

}  // namespace

Workbench::Workbench(QObject* parent)
    : QObject(parent),
      devices_(find_devices()),
      catalogue_(read_lessons(lessons_folder())),
      motion_(new StepMotion(playback_, this)) {
  undo_.setUndoLimit(kept_edits);
  connect(&job_, &BackgroundJob::started, this, &Workbench::busy_changed);
  connect(&job_, &BackgroundJob::progressed, this, &Workbench::progressed);
  connect(&job_, &BackgroundJob::finished, this, [this] {
    opening_ = false;
    emit busy_changed(QString());
    // Once what the job found out is shown.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (!busy() && waiting_) std::exchange(waiting_, nullptr)();
        },
        Qt::QueuedConnection);
  });
  // First of all listeners, so that the others find the lesson's stop and its highlights.
  connect(&playback_, &Playback::stepped, this, &Workbench::follow_step);
  connect(&playback_, &Playback::stepped, motion_, &StepMotion::follow_step);
  connect(&player_, &QTimer::timeout, this, [this] {
    forward();
    if (!cursor() || playback_.step() >= playback_.last_step()) set_playing(false);
  });
  editor_ = std::make_unique<LessonEditor>(*this);
}

bool Workbench::refuse_while_busy() {
  if (!busy()) return false;
  report({ErrorKind::bad_usage, "something is running", "", "wait for it or cancel it"}, session_.run);
  return true;
}

bool Workbench::waits_to_open(const QString& what, std::function<void()> open) {
  if (!busy()) return false;
  waiting_ = std::move(open);
  if (opening_)
    job_.cancel();
  else
    report(
        {ErrorKind::bad_usage, what.toStdString() + " opens when what runs has ended", "", "wait for it or cancel it"});
  return true;
}

void Workbench::open(const QString& what) {
  if (waits_to_open(what, [this, what] { open(what); })) return;
  const std::string text = what.toStdString();
  if (is_session_path(text)) return open_session(text);
  if (is_lesson_path(text)) {
    const auto lesson = read_lesson(text);
    return lesson ? open_lesson(*lesson) : report(lesson.error());
  }
  if (is_trace_path(text)) {
    start_recording(
        tr("Opening %1").arg(what), [text](const RunControl&) { return open_trace(text); }, {}, session_.run);
    return;
  }
  RunRequest spec = session_.run;
  spec.data = text;
  spec.points = nullptr;
  spec.thin = false;
  spec.search = {};
  run(spec);
}

void Workbench::open_compared(const QString& path, const QString& other) {
  if (waits_to_open(path, [this, path, other] { open_compared(path, other); })) return;
  start_recording(
      tr("Comparing %1 with %2").arg(path, other),
      [a = path.toStdString(), b = other.toStdString()](const RunControl& control) {
        return open_traces(a, b, control.stop);
      },
      {}, session_.run);
}

void Workbench::compare_with(const QString& path) {
  if (!cursor()) return;
  start_job(tr("Comparing with %1").arg(path),
            [this, path, open = RecordedRun{session_.run, "", trace(), {}, {}}](const RunControl& control) {
              auto other = open_other(path.toStdString(), *open.trace);
              const auto result = shared(other ? compared(open, std::move(*other), control.stop) : other.error());
              return [this, result] {
                if (!*result) return report(result->error());
                if (trace() != (*result)->trace) return;
                playback_.compare_with_run((*result)->other);
                if (!(*result)->first_difference) return;
                seek(*(*result)->first_difference);
                playback_.walk_changes(1);
              };
            });
}

void Workbench::show_run(RecordedRun run) { adopt(std::move(run), {}); }

void Workbench::open_lesson(const std::string& id) {
  const auto& lessons = catalogue_.lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.id == id; });
  if (found == lessons.end()) {
    report(unknown_lesson(id, catalogue_), session_.run);
    return;
  }
  open_lesson(*found);
}

void Workbench::open_lesson(const Lesson& lesson) {
  const QString title = QString::fromStdString(lesson.title);
  if (waits_to_open(title, [this, lesson] { open_lesson(lesson); })) return;
  const RunRequest spec = run_of(lesson, session_.run.backend);
  start_recording(
      tr("Recording %1").arg(title), [spec](const RunControl& control) { return record_run(spec, control); }, lesson,
      spec);
}

bool Workbench::is_listed(const Lesson& lesson) const {
  return std::any_of(catalogue_.lessons.begin(), catalogue_.lessons.end(),
                     [&](const Lesson& each) { return each.id == lesson.id && each.path == lesson.path; });
}

void Workbench::show_lesson(std::optional<Lesson> lesson, int stop) {
  if (!cursor()) return;
  std::vector<std::uint32_t> stops;
  if (lesson)
    if (auto resolved = resolve_stops(*lesson, *trace())) stops = std::move(*resolved);
  if (stops.empty()) lesson.reset();
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stops);
  name_lesson();
  const auto steps = static_cast<int>(stop_steps_.size());
  if (stop >= 0 && stop < steps && stop_steps_[static_cast<std::size_t>(stop)] == playback_.step()) stop_next_ = stop;
  go_to(playback_.step(), at_introduction_ && lesson_ && stop < 0);
  emit lesson_shown();
}

/// Notes which lesson is open, as a session file names it.
void Workbench::name_lesson() {
  session_.lesson = !lesson_ ? std::string() : is_listed(*lesson_) ? lesson_->id : lesson_->path;
}

void Workbench::run(const RunRequest& spec) {
  start_recording(
      recording_words(spec), [spec](const RunControl& control) { return record_run(spec, control); }, {}, spec);
}

void Workbench::run_again() {
  if (!cursor()) return;
  RunRequest spec = session_.run;
  if (left_ && has_points_of_lesson() && spec.algorithm == left_->run.algorithm &&
      spec.parameters == left_->run.parameters && spec.search == left_->run.search) {
    const RunRequest of_lesson = left_->run;
    start_recording(recording_words(of_lesson),
                    [of_lesson](const RunControl& control) { return record_run(of_lesson, control); }, left_->lesson,
                    of_lesson, {left_->points, point_state().ids});
    return;
  }
  if (edited_.data) {
    spec.points = edited_.data;
    spec.data = edited_.data->name;
  }
  run(spec);
}

void Workbench::retry(const RunRequest& spec) {
  start_recording(
      recording_words(spec), [spec](const RunControl& control) { return record_run(spec, control); }, asked_lesson_,
      spec);
}

void Workbench::start_recording(const QString& what, std::function<Result<RecordedRun>(const RunControl&)> work,
                                std::optional<Lesson> lesson, RunRequest asked, PointState of_lesson) {
  if (refuse_while_busy()) return;
  set_playing(false);
  asked_lesson_ = lesson;
  asked_points_ = asked.points && asked.points == points() ? point_state() : std::move(of_lesson);
  if (asked_points_.data) recorded_points();  // to be compared with
  opening_ = true;
  job_.start(
      what,
      [this, work = std::move(work), lesson = std::move(lesson), asked](const RunControl& control) {
        QElapsedTimer clock;
        clock.start();
        const auto result = shared(work(control));
        return [this, result, lesson, asked, took = static_cast<double>(clock.nsecsElapsed()) * 1e-6] {
          if (waiting_) return;  // another choice has taken its place
          if (*result) recording_ms_ = (*result)->trace_file.empty() ? std::optional(took) : std::nullopt;
          if (*result)
            adopt(std::move(**result), lesson);
          else
            report(result->error(), asked);
        };
      },
      [this, asked](const Error& error) {
        if (!waiting_) report(error, asked);
      });
}

void Workbench::adopt(RecordedRun recording, std::optional<Lesson> lesson, bool afresh) {
  std::vector<std::uint32_t> stops;
  if (lesson) {
    auto resolved = resolve_stops(*lesson, *recording.trace);
    if (resolved)
      stops = std::move(*resolved);
    else
      report(resolved.error(), recording.run);
  }
  // What takes much memory comes first: without it the run before stands.
  Cursor cursor(recording.trace);
  std::vector<Violation> violations = violations_of(*recording.trace);
  const PointState recorded_before = recorded_;
  // A lesson whose points came back by undo continues what is open.
  const bool to_lesson = !afresh && lesson && asked_points_.data;
  const bool same_points = take_points(recording, afresh || (lesson && !to_lesson), to_lesson);
  if (lesson || !same_points)
    left_.reset();
  else if (lesson_)
    left_ = LeftLesson{*lesson_, session_.run, recorded_before.data ? recorded_before.data : points_of(*trace())};
  keep_earlier(recording, same_points, recorded_before);
  // Notes on the same steps of the same algorithm stay true, those on other steps do not.
  const auto same_step = [](const Step& a, const Step& b) { return a.path == b.path; };
  const bool same_steps = this->cursor() && same_points && recording.run.algorithm == session_.run.algorithm &&
                          std::equal(trace()->steps.begin(), trace()->steps.end(), recording.trace->steps.begin(),
                                     recording.trace->steps.end(), same_step);
  violations_ = std::move(violations);
  violation_.reset();
  if (!same_steps) session_.bookmarks.clear();
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stops);
  stop_index_ = -1;  // of the lesson before
  at_introduction_ = !first_step_ && !stop_steps_.empty();
  timing_.reset();
  session_.run = std::move(recording.run);
  session_.trace_file = std::move(recording.trace_file);
  name_lesson();
  Place place;
  place.step = first_step_.value_or(at_introduction_ ? stop_steps_.front() : recording.first_difference.value_or(0));
  if (same_steps) place.baseline = playback_.place().baseline;
  if (lesson_)
    place.axes = axes_of(*lesson_);
  else if (!afresh)
    place.axes = playback_.place().axes;
  if (place.step >= cursor.step_count())
    report({ErrorKind::bad_usage, "there is no step " + std::to_string(place.step), "",
            "this run has steps 0 to " + std::to_string(cursor.step_count() - 1)},
           session_.run);
  first_step_.reset();
  const TraceHeader& next = cursor.trace().header;
  const bool as_large = this->cursor() && trace()->header.n == next.n && trace()->header.dim == next.dim &&
                        trace()->header.algorithm == next.algorithm;
  playback_.open(std::move(cursor), place, as_large && (moving_ || going_back_));
  if (recording.other) playback_.compare_with_run(std::move(recording.other));
  emit timing_changed();
  emit points_changed();  // whoever marks points forgets those of the earlier run, then hears what is selected
  emit bookmarks_changed();
  emit earlier_run_changed();
  go_to(playback_.step(), at_introduction_);
  if (recording.first_difference == playback_.step()) playback_.walk_changes(1);
  if (!recording.crash.empty())
    report({ErrorKind::device_failure, recording.crash, "",
            "the steps before it are open; run again, or on the other back end"},
           session_.run);
}

void Workbench::open_session(const std::string& path) {
  if (refuse_while_busy()) return;
  set_playing(false);
  opening_ = true;
  job_.start(
      tr("Opening %1").arg(QString::fromStdString(path)),
      [this, path](const RunControl& control) {
        const auto result = shared(open_saved_run(path, catalogue_, control));
        return [this, result, path] {
          if (waiting_) return;
          if (*result)
            adopt_session(std::move(**result), path);
          else
            report(result->error());
        };
      },
      [this](const Error& error) {
        if (!waiting_) report(error);
      });
}

void Workbench::adopt_session(SavedRun opened, const std::string& path) {
  const Session& wanted = opened.saved.session;
  if (theme_named(wanted.theme))
    session_.theme = wanted.theme;
  else
    opened.problems.push_back("its theme '" + wanted.theme + "' is unknown here");
  session_.smallest_boxes = wanted.smallest_boxes;
  session_.surface = wanted.surface;
  session_.equal_scales = wanted.equal_scales;
  session_.colouring = wanted.colouring;
  set_text_scale(wanted.text_scale);
  const bool has_run = opened.recording.has_value();
  if (has_run) {
    const Place& place = opened.saved.place;
    if (!first_step_) first_step_ = place.step;
    adopt(std::move(*opened.recording), std::move(opened.lesson), true);
    set_bookmarks(wanted.bookmarks);
    playback_.compare_with(place.baseline);
    if (playback_.step() == place.step) select(place.selection);
    if (place.axes) set_axes(place.axes);
    session_.camera = wanted.camera;
    if (opened.saved.edited_points) edit_points(opened.saved.edited_points, tr("edits of the session"));
  }
  const Opening opening = opened.problems.empty() ? Opening::whole : has_run ? Opening::in_part : Opening::looks_alone;
  emit session_opened(QString::fromStdString(path), opened.saved, opening);
  if (!opened.problems.empty()) report(sum_up(opened.problems, path));
}

SavedSession Workbench::saved_session() const {
  SavedSession saved{session_, playback_.place(), edited_.data, "", cursor() ? trace()->header.tree_hash : 0, ""};
  saved.draft = editor_->draft();
  saved.draft_file = editor_->file();
  return saved;
}

void Workbench::time_full_speed() {
  if (!cursor() || refuse_while_busy()) return;
  const RunRequest spec = session_.run;
  job_.start(
      tr("Building at full speed"),
      [this, spec](const RunControl& control) {
        const auto result = shared(time_run(spec, timed_builds, control));
        return [this, result, spec] {
          if (!*result) {
            report(result->error(), spec);
            return;
          }
          timing_ = std::move(**result);
          emit timing_changed();
        };
      },
      [this, spec](const Error& error) { report(error, spec); });
}

void Workbench::start_job(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed) {
  if (refuse_while_busy()) return;
  if (!failed) failed = [this](const Error& error) { report(error); };
  job_.start(what, std::move(work), std::move(failed));
}

void Workbench::cancel() {
  waiting_ = nullptr;
  job_.cancel();
}

void Workbench::go_to(std::uint32_t step, bool introduction) {
  introduction_next_ = introduction;
  playback_.go_to(step);
}

void Workbench::follow_step() {
  violation_.reset();
  const auto stop = std::find(stop_steps_.begin(), stop_steps_.end(), playback_.step());
  at_introduction_ = std::exchange(introduction_next_, false);
  stop_index_ = at_introduction_ || stop == stop_steps_.end() ? -1 : static_cast<int>(stop - stop_steps_.begin());
  // Several stops may share a step.
  if (const int wanted = std::exchange(stop_next_, -1); wanted >= 0) stop_index_ = wanted;
  playback_.add_highlights(lesson_highlights(playback_.step()));
  ask_questions();
}

void Workbench::ask_questions() {
  if ((stop_index_ < 0 && !at_introduction_) || !editor_->asks()) return questions_.ask({}, {}, {});
  // The introduction shows the step of the first stop, and must not give its answers away.
  const Stop& stop = lesson_->stops[static_cast<std::size_t>(std::max(0, stop_index_))];
  at_introduction_ ? questions_.announce(lesson_->id, stop.title, stop.questions)
                   : questions_.ask(lesson_->id, stop.title, stop.questions);
}

void Workbench::go_to_violation(std::size_t violation) {
  if (!cursor() || violation >= violations_.size()) return;
  const Violation& to = violations_[violation];
  if (!playback_.allows(to.step)) return;
  seek(to.step);
  violation_ = violation;
  const auto first = selection_of_violation(*trace(), cursor()->current().checks[to.check]);
  select(first.value_or(Selection{}));
  emit violation_walked();
}

void Workbench::walk_violations(int direction) {
  if (violations_.empty()) return;
  const auto at_or_after = [this](std::uint32_t step) {
    return static_cast<std::size_t>(std::partition_point(violations_.begin(), violations_.end(),
                                                         [&](const Violation& v) { return v.step < step; }) -
                                    violations_.begin());
  };
  // From a place between violations, those of the step itself are the next ones in either direction.
  const std::size_t end = violations_.size();
  std::size_t next = end;
  if (direction > 0)
    next = violation_ ? *violation_ + 1 : at_or_after(playback_.step());
  else if (const std::size_t after = violation_ ? *violation_ : at_or_after(playback_.step() + 1); after > 0)
    next = after - 1;
  if (next < end) go_to_violation(next);
}

void Workbench::set_bookmarks(std::vector<Bookmark> bookmarks) {
  session_.bookmarks = std::move(bookmarks);
  emit bookmarks_changed();
}

void Workbench::set_bookmark(std::uint32_t step, const std::string& note) {
  auto& marks = session_.bookmarks;
  const auto place = std::lower_bound(marks.begin(), marks.end(), step,
                                      [](const Bookmark& mark, std::uint32_t s) { return mark.step < s; });
  if (place != marks.end() && place->step == step)
    place->note = note;
  else
    marks.insert(place, {step, note});
  emit bookmarks_changed();
}

void Workbench::remove_bookmark(std::uint32_t step) {
  std::erase_if(session_.bookmarks, [step](const Bookmark& mark) { return mark.step == step; });
  if (playback_.place().baseline == Baseline{ComparedWith::bookmark, step}) playback_.compare_with({});
  emit bookmarks_changed();
}

const Bookmark* Workbench::bookmark_at(std::uint32_t step) const {
  const auto& marks = session_.bookmarks;
  const auto found =
      std::find_if(marks.begin(), marks.end(), [step](const Bookmark& mark) { return mark.step == step; });
  return found == marks.end() ? nullptr : &*found;
}

void Workbench::go_to_bookmark(std::size_t n) {
  if (n < session_.bookmarks.size()) seek(session_.bookmarks[n].step);
}

void Workbench::back() {
  if (playback_.step() > 0) seek(playback_.step() - 1);
}

void Workbench::forward() { seek(playback_.step() + 1); }

void Workbench::last() {
  if (cursor()) seek(step_count() - 1);
}

void Workbench::level_back() {
  if (cursor()) seek(previous_level(*trace(), playback_.step()));
}

void Workbench::level_forward() {
  if (cursor()) seek(next_level(*trace(), playback_.step()));
}

void Workbench::go_to_stop(int index) {
  if (index == -1) return go_to_introduction();
  if (index < 0 || index >= static_cast<int>(stop_steps_.size())) return;
  if (!playback_.allows(stop_steps_[index])) return;
  stop_next_ = index;
  playback_.go_to(stop_steps_[index]);
}

void Workbench::go_to_introduction() {
  if (!stop_steps_.empty() && !at_introduction_ && playback_.allows(stop_steps_.front()))
    go_to(stop_steps_.front(), true);
}

const std::vector<Highlight>& Workbench::lesson_highlights(std::uint32_t step) const {
  static const std::vector<Highlight> none;
  const bool here = step == playback_.step();
  if (here && at_introduction_) return none;
  const auto first = std::find(stop_steps_.begin(), stop_steps_.end(), step);
  if (first == stop_steps_.end()) return none;
  // Several stops may share a step: here the one that is shown, elsewhere the first.
  const auto index = here && stop_index_ >= 0 ? static_cast<std::size_t>(stop_index_)
                                              : static_cast<std::size_t>(first - stop_steps_.begin());
  return lesson_->stops[index].highlights;
}

void Workbench::stop_back() {
  int index = stop_index_ - 1;
  if (stop_index_ < 0)
    for (index = static_cast<int>(stop_steps_.size()) - 1; index >= 0 && stop_steps_[index] >= playback_.step();)
      --index;
  go_to_stop(index);
}

void Workbench::stop_forward() {
  int index = stop_index_ + 1;
  if (stop_index_ < 0 && !at_introduction_)
    while (index < static_cast<int>(stop_steps_.size()) && stop_steps_[index] <= playback_.step()) ++index;
  go_to_stop(index);
}

void Workbench::set_playing(bool playing) {
  if (playing == this->playing() || (playing && !cursor())) return;
  if (playing) {
    // Playing from the end starts again, as media players do.
    if (playback_.step() >= playback_.last_step()) first();
    player_.start(static_cast<int>(1000 / steps_per_second_));
  } else {
    player_.stop();
  }
  limit_motion();
  emit playing_changed();
}

/// While steps follow one another, elements arrive before the next step, with time left to look at them.
void Workbench::limit_motion() { motion_->limit(playing() ? player_.interval() * 3 / 4 : StepMotion::usual_ms); }

void Workbench::set_speed(double steps_per_second) {
  steps_per_second_ = steps_per_second;
  player_.setInterval(static_cast<int>(1000 / steps_per_second));
  limit_motion();
  emit speed_changed();
}

void Workbench::change_speed(int direction) {
  const auto at = std::lower_bound(playing_speeds.begin(), playing_speeds.end(), steps_per_second_);
  if (direction > 0 ? at + 1 < playing_speeds.end() : at > playing_speeds.begin())
    set_speed(direction > 0 ? *(at + 1) : *(at - 1));
}

void Workbench::set_theme(const std::string& theme) {
  session_.theme = theme;
  emit appearance_changed();
}

void Workbench::set_smallest_boxes(bool shown) {
  session_.smallest_boxes = shown;
  emit appearance_changed();
}

void Workbench::set_surface(bool shown) {
  session_.surface = shown;
  emit appearance_changed();
}

void Workbench::set_equal_scales(bool equal) {
  if (equal != session_.equal_scales) session_.camera.reset();
  session_.equal_scales = equal;
  emit appearance_changed();
}

void Workbench::set_colouring(Colouring colouring) {
  session_.colouring = colouring;
  emit appearance_changed();
}

void Workbench::set_text_scale(int percent) {
  session_.text_scale = std::clamp(percent, min_text_scale, max_text_scale);
  emit appearance_changed();
}

void Workbench::report(const Error& error) { emit failed(error, Offer::none, session_.run); }

bool Workbench::conclude(const Result<void>& done) {
  if (done)
    emit succeeded();
  else
    report(done.error());
  return done.has_value();
}

void Workbench::report(const Error& error, const RunRequest& run) {
  emit failed(error, offer_for(error, run, devices_), run);
}

}  // namespace kdscope
