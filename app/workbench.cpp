#include "app/workbench.hpp"

#include <algorithm>

#include "app/session/navigation.hpp"

namespace kdscope {
namespace {

constexpr int timed_builds = 7;

/// Result of a job on its way to the UI thread; std::function needs it copyable.
template <class T>
std::shared_ptr<Result<T>> shared(Result<T> result) {
  return std::make_shared<Result<T>>(std::move(result));
}

}  // namespace

Workbench::Workbench(QObject* parent)
    : QObject(parent), devices_(find_devices()), catalogue_(read_lessons(lessons_folder())) {
  connect(&job_, &BackgroundJob::started, this, &Workbench::busy_changed);
  connect(&job_, &BackgroundJob::progressed, this, &Workbench::progressed);
  connect(&job_, &BackgroundJob::finished, this, [this] { emit busy_changed(QString()); });
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

void Workbench::open(const QString& what) {
  const std::string text = what.toStdString();
  if (is_trace_path(text)) {
    start_recording(
        tr("Opening %1").arg(what), [text](const RunControl&) { return open_trace(text); }, {}, session_.run);
    return;
  }
  RunSpec spec = session_.run;
  if (spec.algorithm.empty() && !algorithms().empty()) spec.algorithm = algorithms().front().id;
  spec.data = text;
  spec.thin = false;
  run(spec);
}

void Workbench::open_lesson(const std::string& id) {
  const auto& lessons = catalogue_.lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.id == id; });
  if (found == lessons.end()) {
    std::string known;
    for (const Lesson& lesson : lessons) known += (known.empty() ? "" : ", ") + lesson.id;
    report({ErrorKind::bad_usage, "there is no lesson '" + id + "'", "",
            known.empty() ? "no lesson is installed" : "lessons are: " + known},
           session_.run);
    return;
  }
  const RunSpec spec{found->data, found->algorithm, found->parameters, session_.run.backend};
  start_recording(
      tr("Recording %1").arg(QString::fromStdString(found->title)),
      [spec](const RunControl& control) { return record_run(spec, control); }, *found, spec);
}

void Workbench::run(const RunSpec& spec) {
  start_recording(
      tr("Recording %1 on %2").arg(QString::fromStdString(spec.algorithm), QString::fromStdString(spec.data)),
      [spec](const RunControl& control) { return record_run(spec, control); }, {}, spec);
}

void Workbench::retry(const RunSpec& spec) {
  start_recording(
      tr("Recording %1 on %2").arg(QString::fromStdString(spec.algorithm), QString::fromStdString(spec.data)),
      [spec](const RunControl& control) { return record_run(spec, control); }, asked_lesson_, spec);
}

void Workbench::start_recording(const QString& what, std::function<Result<Recording>(const RunControl&)> work,
                                std::optional<Lesson> lesson, RunSpec asked) {
  if (refuse_while_busy()) return;
  set_playing(false);
  asked_lesson_ = lesson;
  job_.start(what, [this, work = std::move(work), lesson = std::move(lesson), asked](const RunControl& control) {
    const auto result = shared(work(control));
    return [this, result, lesson, asked] {
      if (*result)
        adopt(std::move(**result), lesson);
      else
        report(result->error(), asked);
    };
  });
}

void Workbench::adopt(Recording recording, std::optional<Lesson> lesson) {
  std::vector<std::uint32_t> stops;
  if (lesson) {
    auto resolved = resolve_stops(*lesson, *recording.trace);
    if (resolved)
      stops = std::move(*resolved);
    else
      report(resolved.error(), recording.run);
  }
  cursor_.emplace(recording.trace);
  baseline_.reset();
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stops);
  timing_.reset();
  session_.run = std::move(recording.run);
  session_.trace_file = std::move(recording.trace_file);
  session_.lesson = lesson_ ? lesson_->id : std::string();
  session_.selection = {};
  session_.step = std::min(first_step_.value_or(0), step_count() - 1);
  if (first_step_.value_or(0) >= step_count())
    report({ErrorKind::bad_usage, "there is no step " + std::to_string(*first_step_), "",
            "this run has steps 0 to " + std::to_string(step_count() - 1)},
           session_.run);
  first_step_.reset();
  emit run_opened();
  emit timing_changed();
  emit selection_changed();
  // seek() ignores the step where we already are.
  const std::uint32_t step = session_.step;
  session_.step = no_id;
  seek(step);
}

void Workbench::time_full_speed() {
  if (!cursor_ || refuse_while_busy()) return;
  const RunSpec spec = session_.run;
  job_.start(tr("Building at full speed"), [this, spec](const RunControl& control) {
    const auto result = shared(time_run(spec, timed_builds, control));
    return [this, result, spec] {
      if (!*result) {
        report(result->error(), spec);
        return;
      }
      timing_ = std::move(**result);
      emit timing_changed();
    };
  });
}

void Workbench::start_job(const QString& what, BackgroundJob::Work work) {
  if (!refuse_while_busy()) job_.start(what, std::move(work));
}

void Workbench::cancel() { job_.cancel(); }

void Workbench::seek(std::uint32_t step) {
  if (!cursor_) return;
  step = std::min(step, step_count() - 1);
  if (step == session_.step) return;
  if (step > 0) {
    if (!baseline_) baseline_.emplace(cursor_->shared_trace());
    baseline_->seek(step - 1);
  } else {
    baseline_.reset();
  }
  cursor_->seek(step);
  session_.step = step;
  const auto stop = std::find(stop_steps_.begin(), stop_steps_.end(), step);
  stop_index_ = stop == stop_steps_.end() ? -1 : static_cast<int>(stop - stop_steps_.begin());
  emit step_changed();
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
    stop_index_ = index;
    emit step_changed();
  }
}

void Workbench::stop_back() {
  int index = stop_index_ - 1;
  if (stop_index_ < 0)
    for (index = static_cast<int>(stop_steps_.size()) - 1; index >= 0 && stop_steps_[index] >= session_.step;) --index;
  go_to_stop(index);
}

void Workbench::stop_forward() {
  int index = stop_index_ + 1;
  if (stop_index_ < 0)
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
}

void Workbench::select(Selection selection) {
  if (cursor_) selection = pin_to_point(*cursor_, selection);
  if (selection == session_.selection) return;
  session_.selection = selection;
  emit selection_changed();
}

void Workbench::set_theme(const std::string& theme) {
  session_.theme = theme;
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
