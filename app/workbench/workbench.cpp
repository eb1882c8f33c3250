#include "app/workbench/workbench.hpp"

#include <algorithm>

#include "app/session/navigation.hpp"
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

QString recording_words(const RunSpec& spec) {
  const QString data = QString::fromStdString(spec.data);
  if (spec.algorithm.empty()) return Workbench::tr("Opening %1").arg(data);
  return Workbench::tr("Recording %1 on %2").arg(QString::fromStdString(spec.algorithm), data);
}

}  // namespace

Workbench::Workbench(QObject* parent)
    : QObject(parent), devices_(find_devices()), catalogue_(read_lessons(lessons_folder())) {
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
  connect(&player_, &QTimer::timeout, this, [this] {
    forward();
    if (!cursor_ || session_.step + 1 >= step_count()) set_playing(false);
  });
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
  if (is_trace_path(text)) {
    start_recording(
        tr("Opening %1").arg(what), [text](const RunControl&) { return open_trace(text); }, {}, session_.run);
    return;
  }
  RunSpec spec = session_.run;
  spec.data = text;
  spec.own_points = nullptr;
  spec.thin = false;
  run(spec);
}

void Workbench::open_lesson(const std::string& id) {
  const auto& lessons = catalogue_.lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.id == id; });
  if (found == lessons.end()) {
    report(unknown_lesson(id, catalogue_), session_.run);
    return;
  }
  if (waits_to_open(QString::fromStdString(found->title), [this, id] { open_lesson(id); })) return;
  const RunSpec spec{found->data, found->algorithm, found->parameters, session_.run.backend};
  start_recording(
      tr("Recording %1").arg(QString::fromStdString(found->title)),
      [spec](const RunControl& control) { return record_run(spec, control); }, *found, spec);
}

void Workbench::run(const RunSpec& spec) {
  start_recording(
      recording_words(spec), [spec](const RunControl& control) { return record_run(spec, control); }, {}, spec);
}

void Workbench::run_again() {
  if (!cursor_) return;
  RunSpec spec = session_.run;
  if (edited_.data) {
    spec.own_points = edited_.data;
    spec.data = edited_.data->name;
  }
  run(spec);
}

void Workbench::retry(const RunSpec& spec) {
  start_recording(
      recording_words(spec), [spec](const RunControl& control) { return record_run(spec, control); }, asked_lesson_,
      spec);
}

void Workbench::start_recording(const QString& what, std::function<Result<Recording>(const RunControl&)> work,
                                std::optional<Lesson> lesson, RunSpec asked) {
  if (refuse_while_busy()) return;
  set_playing(false);
  asked_lesson_ = lesson;
  asked_points_ = asked.own_points && asked.own_points == points() ? point_state() : PointState{};
  if (asked_points_.data) recorded_points();  // to be compared with
  opening_ = true;
  job_.start(
      what,
      [this, work = std::move(work), lesson = std::move(lesson), asked](const RunControl& control) {
        const auto result = shared(work(control));
        return [this, result, lesson, asked] {
          if (waiting_) return;  // another choice has taken its place
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

void Workbench::adopt(Recording recording, std::optional<Lesson> lesson, bool afresh) {
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
  const bool same_points = take_points(recording, afresh || lesson.has_value());
  keep_earlier(recording, same_points, recorded_before);
  // Notes on the same steps of the same algorithm stay true, those on other steps do not.
  const auto same_step = [](const Step& a, const Step& b) { return a.path == b.path; };
  const bool same_steps = cursor_ && same_points && recording.run.algorithm == session_.run.algorithm &&
                          std::equal(cursor_->trace().steps.begin(), cursor_->trace().steps.end(),
                                     recording.trace->steps.begin(), recording.trace->steps.end(), same_step);
  cursor_ = std::move(cursor);
  violations_ = std::move(violations);
  violation_.reset();
  baseline_.reset();
  linked_.reset();
  leave_change();
  if (!same_steps) {
    session_.bookmarks.clear();
    session_.baseline = {};
  }
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stops);
  stop_index_ = -1;  // of the lesson before
  at_introduction_ = !first_step_ && !stop_steps_.empty();
  timing_.reset();
  session_.run = std::move(recording.run);
  session_.trace_file = std::move(recording.trace_file);
  session_.lesson = lesson_ ? lesson_->id : std::string();
  session_.selection = {};
  if (lesson_) session_.axes = axes_of(*lesson_);
  if ((afresh && !lesson_) || (session_.axes && !axes_fit(*session_.axes, cursor_->trace().header.dim)))
    session_.axes.reset();
  session_.step = std::min(first_step_.value_or(at_introduction_ ? stop_steps_.front() : 0), step_count() - 1);
  if (first_step_.value_or(0) >= step_count())
    report({ErrorKind::bad_usage, "there is no step " + std::to_string(*first_step_), "",
            "this run has steps 0 to " + std::to_string(step_count() - 1)},
           session_.run);
  first_step_.reset();
  emit run_opened();
  emit timing_changed();
  emit points_changed();  // who marks points forgets those of the run before, then hears what is selected
  emit selection_changed();
  emit bookmarks_changed();
  emit earlier_run_changed();
  go_to(session_.step, at_introduction_);
  emit axes_changed();
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
  session_.colouring = wanted.colouring;
  set_text_scale(wanted.text_scale);
  const bool has_run = opened.recording.has_value();
  if (has_run) {
    if (!first_step_) first_step_ = wanted.step;
    adopt(std::move(*opened.recording), std::move(opened.lesson), true);
    session_.bookmarks = wanted.bookmarks;
    emit bookmarks_changed();
    compare_with(wanted.baseline);
    if (session_.step == wanted.step) select(wanted.selection);
    if (wanted.axes) set_axes(wanted.axes);
    session_.camera = wanted.camera;
    if (opened.saved.edited_points) edit_points(opened.saved.edited_points, tr("edits of the session"));
  }
  const Opening opening = opened.problems.empty() ? Opening::whole : has_run ? Opening::in_part : Opening::looks_alone;
  emit session_opened(QString::fromStdString(path), opened.saved, opening);
  if (!opened.problems.empty()) report(sum_up(opened.problems, path));
}

SavedSession Workbench::saved_session() const {
  return {session_, edited_.data, "", cursor_ ? cursor_->trace().header.tree_hash : 0, ""};
}

void Workbench::time_full_speed() {
  if (!cursor_ || refuse_while_busy()) return;
  const RunSpec spec = session_.run;
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

void Workbench::seek(std::uint32_t step) {
  if (cursor_ && std::min(step, step_count() - 1) != session_.step) go_to(std::min(step, step_count() - 1), false);
}

void Workbench::go_to(std::uint32_t step, bool introduction) {
  const Selection held = held_over(*cursor_, session_.selection, step);
  const bool another = held != session_.selection;
  session_.selection = held;
  cursor_->seek(step);
  session_.step = step;
  violation_.reset();
  linked_.reset();
  leave_change();
  place_baseline();
  const auto stop = std::find(stop_steps_.begin(), stop_steps_.end(), step);
  at_introduction_ = introduction;
  stop_index_ = introduction || stop == stop_steps_.end() ? -1 : static_cast<int>(stop - stop_steps_.begin());
  emit step_changed();
  if (another) emit selection_changed();
}

void Workbench::place_baseline() {
  const std::uint32_t step = session_.step;
  std::optional<std::uint32_t> before;
  switch (session_.baseline.with) {
    case ComparedWith::previous_step:
      if (step > 0) before = step - 1;
      break;
    case ComparedWith::previous_level: {
      // A level's start belongs to it: what it is compared with is the step before the start.
      const auto starts = level_starts(cursor_->trace());
      const auto next = std::upper_bound(starts.begin(), starts.end(), step);
      if (next != starts.begin() && *(next - 1) > 0) before = *(next - 1) - 1;
      break;
    }
    case ComparedWith::bookmark:
      if (session_.baseline.step != step) before = session_.baseline.step;
      break;
  }
  if (!before) {
    baseline_.reset();
    return;
  }
  if (!baseline_) baseline_.emplace(cursor_->shared_trace());
  baseline_->seek(*before);
}

void Workbench::compare_with(Baseline baseline) {
  if (baseline == session_.baseline) return;
  session_.baseline = baseline;
  leave_change();
  if (cursor_) place_baseline();
  emit baseline_changed();
}

QString Workbench::baseline_text() const {
  const Baseline& b = session_.baseline;
  const QString what = b.with == ComparedWith::previous_step    ? tr("the step before")
                       : b.with == ComparedWith::previous_level ? tr("the level before")
                                                                : tr("the bookmark");
  if (baseline_) return tr("%1: step %2").arg(what).arg(baseline_->step());
  return b.with == ComparedWith::bookmark ? tr("the bookmark: this step itself") : tr("%1: there is none").arg(what);
}

const ChangeList& Workbench::changes() const {
  if (!changes_) changes_ = cursor_ && baseline_ ? ChangeList(*baseline_, *cursor_, axes()) : ChangeList();
  return *changes_;
}

void Workbench::leave_change() {
  changes_.reset();
  change_.reset();
  change_end_ = 0;
}

void Workbench::stand_at_change(std::uint64_t number) {
  const Change change = changes().at(number);
  const bool selectable = change.index_space == Space::position || change.index_space == Space::point ||
                          change.index_space == Space::node || change.seen_in == SeenIn::counts;
  const bool in_array = change.seen_in == SeenIn::counts ||
                        (change.index_space == Space::position && has_orders_by_dimension(cursor_->trace()));
  select(selectable ? Selection{change.index_space, change.index, in_array ? change.array : std::string()}
                    : Selection{});
  change_ = number;
  change_end_ = 0;
  emit change_walked();
}

void Workbench::walk_changes(int direction) {
  if (!cursor_) return;
  const auto end = [&] { return direction > 0 ? changes().size() - 1 : 0; };
  if (changes().size() > 0) {
    if (!change_) return stand_at_change(direction > 0 ? 0 : changes().size() - 1);
    if (*change_ != end()) return stand_at_change(direction > 0 ? *change_ + 1 : *change_ - 1);
    if (change_end_ != direction) {
      change_end_ = direction;
      emit change_walked();
      return;
    }
  }
  if (session_.baseline.with != ComparedWith::previous_step) {
    if (changes().size() > 0) stand_at_change(changes().size() - 1 - end());
    return;
  }
  if (const auto step = step_with_changes(direction)) {
    seek(*step);
    stand_at_change(changes().size() - 1 - end());
  }
}

std::optional<std::uint32_t> Workbench::step_with_changes(int direction) const {
  if (!cursor_) return std::nullopt;
  Cursor now = *cursor_;
  while (direction > 0 ? now.step() + 1 < step_count() : now.step() > 1) {
    now.seek(direction > 0 ? now.step() + 1 : now.step() - 1);
    Cursor before = now;
    before.seek(now.step() - 1);
    if (ChangeList(before, now, axes()).size() > 0) return now.step();
  }
  return std::nullopt;
}

void Workbench::go_to_violation(std::size_t violation) {
  if (!cursor_ || violation >= violations_.size()) return;
  const Violation& to = violations_[violation];
  seek(to.step);
  violation_ = violation;
  const auto first = selection_of_violation(cursor_->trace(), cursor_->current().checks[to.check]);
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
    next = violation_ ? *violation_ + 1 : at_or_after(session_.step);
  else if (const std::size_t after = violation_ ? *violation_ : at_or_after(session_.step + 1); after > 0)
    next = after - 1;
  if (next < end) go_to_violation(next);
}

const LinkedSelection& Workbench::linked() const {
  if (!linked_) linked_ = cursor_ && session_.selection ? link(*cursor_, session_.selection) : LinkedSelection{};
  return *linked_;
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
  if (session_.baseline.with == ComparedWith::bookmark && session_.baseline.step == step) compare_with({});
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
  if (session_.step > 0) seek(session_.step - 1);
}

void Workbench::forward() { seek(session_.step + 1); }

void Workbench::last() {
  if (cursor_) seek(step_count() - 1);
}

void Workbench::level_back() {
  if (cursor_) seek(previous_level(cursor_->trace(), session_.step));
}

void Workbench::level_forward() {
  if (cursor_) seek(next_level(cursor_->trace(), session_.step));
}

void Workbench::go_to_stop(int index) {
  if (index < 0 || index >= static_cast<int>(stop_steps_.size())) return;
  if (stop_steps_[index] != session_.step) seek(stop_steps_[index]);
  // Several stops may share a step, and seek() finds the first of them.
  if (stop_index_ != index) {
    at_introduction_ = false;
    stop_index_ = index;
    emit step_changed();
  }
}

void Workbench::go_to_introduction() {
  if (!stop_steps_.empty() && !at_introduction_) go_to(stop_steps_.front(), true);
}

const std::vector<Highlight>& Workbench::lesson_highlights(std::uint32_t step) const {
  static const std::vector<Highlight> none;
  const bool here = step == session_.step;
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
    for (index = static_cast<int>(stop_steps_.size()) - 1; index >= 0 && stop_steps_[index] >= session_.step;) --index;
  index < 0 ? go_to_introduction() : go_to_stop(index);
}

void Workbench::stop_forward() {
  int index = stop_index_ + 1;
  if (stop_index_ < 0 && !at_introduction_)
    while (index < static_cast<int>(stop_steps_.size()) && stop_steps_[index] <= session_.step) ++index;
  go_to_stop(index);
}

void Workbench::set_playing(bool playing) {
  if (playing == this->playing() || (playing && !cursor_)) return;
  if (playing) {
    // Playing from the end starts again, as players do.
    if (session_.step + 1 >= step_count()) first();
    player_.start(static_cast<int>(1000 / steps_per_second_));
  } else {
    player_.stop();
  }
  emit playing_changed();
}

void Workbench::set_speed(double steps_per_second) {
  steps_per_second_ = steps_per_second;
  player_.setInterval(static_cast<int>(1000 / steps_per_second));
  emit speed_changed();
}

void Workbench::change_speed(int direction) {
  const auto at = std::lower_bound(playing_speeds.begin(), playing_speeds.end(), steps_per_second_);
  if (direction > 0 ? at + 1 < playing_speeds.end() : at > playing_speeds.begin())
    set_speed(direction > 0 ? *(at + 1) : *(at - 1));
}

void Workbench::select(Selection selection) {
  if (cursor_) selection = pin_to_point(*cursor_, selection);
  if (!selection && change_) {  // nothing is marked any more, the change that was walked to included
    change_.reset();
    change_end_ = 0;
    emit change_walked();
  }
  if (selection == session_.selection) return;
  session_.selection = selection;
  linked_.reset();
  emit selection_changed();
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

void Workbench::set_colouring(Colouring colouring) {
  session_.colouring = colouring;
  emit appearance_changed();
}

void Workbench::set_text_scale(int percent) {
  session_.text_scale = std::clamp(percent, min_text_scale, max_text_scale);
  emit appearance_changed();
}

void Workbench::report(const Error& error) { emit failed(error, Offer::none, session_.run); }

void Workbench::report(const Error& error, const RunSpec& run) {
  emit failed(error, offer_for(error, run, devices_), run);
}

}  // namespace kdscope
