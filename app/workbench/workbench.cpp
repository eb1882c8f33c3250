#include "app/workbench/workbench.hpp"

#include <utility>

#include "app/recording/saved_run.hpp"
#include "app/workbench/axes_choice.hpp"

namespace kdscope {
namespace {

constexpr int kept_edits = 1000;

}  // namespace

Workbench::Workbench(QObject* parent) : QObject(parent) {
  undo_.setUndoLimit(kept_edits);
  playback_.fetch_by(&coming_values_);
  connect(&coming_values_, &ComingValues::lost, &messages_, [this](const Error& error) { messages_.report(error); });
  connect(&playback_, &Playback::stepped, &motion_, &StepMotion::follow_step);
  connect(&playback_, &Playback::step_shown, &transport_, [this] {
    if (questions_.is_open()) transport_.set_playing(false);
  });
  connect(&device_choice_, &DeviceChoice::failed, &messages_, [this](const Error& error) { messages_.report(error); });
  editor_ = std::make_unique<LessonEditor>(*this);
}

void Workbench::open(const QString& what) {
  if (jobs_.waits_to_open(what, [this, what] { open(what); })) return;
  const std::string path = what.toStdString();
  if (is_session_path(path)) return open_session(path);
  if (is_lesson_path(path)) {
    const auto lesson = read_lesson(path);
    return lesson ? desk_.open_lesson(*lesson) : messages_.report(lesson.error());
  }
  is_trace_path(path) ? desk_.open_trace(what) : desk_.open_data(path);
}

void Workbench::open_session(const std::string& path) {
  if (jobs_.refuse_while_busy()) return;
  transport_.set_playing(false);
  jobs_.start_opening(
      tr("Opening %1").arg(QString::fromStdString(path)),
      [this, path](const RunControl& control) {
        const auto result = std::make_shared<Result<SavedRun>>(open_saved_run(path, lessons_.catalogue(), control));
        return [this, result, path] {
          if (jobs_.is_overtaken()) return;
          if (*result)
            adopt_session(std::move(**result), path);
          else
            messages_.report(result->error());
        };
      },
      [this](const Error& error) {
        if (!jobs_.is_overtaken()) messages_.report(error);
      });
}

void Workbench::adopt_session(SavedRun opened, const std::string& path) {
  const Session& wanted = opened.saved.session;
  if (!looks_.restore(wanted.looks))
    opened.problems.push_back("its theme '" + wanted.looks.theme + "' is unknown here");
  const bool has_run = opened.recording.has_value();
  if (has_run) {
    const Place& place = opened.saved.place;
    desk_.show_saved_run(std::move(*opened.recording), std::move(opened.lesson), place.step);
    marks_.replace(wanted.bookmarks);
    playback_.compare_with(place.baseline);
    if (playback_.step() == place.step) playback_.select(place.selection);
    if (place.axes) set_axes(*this, place.axes);
    looks_.set_camera(wanted.looks.camera);
    if (opened.saved.edited_points) edits_.edit(opened.saved.edited_points, tr("edits of the session"));
  }
  const Opening opening = opened.problems.empty() ? Opening::whole : has_run ? Opening::in_part : Opening::looks_alone;
  emit session_opened(QString::fromStdString(path), opened.saved, opening);
  if (!opened.problems.empty()) messages_.report(sum_up(opened.problems, path));
}

Session Workbench::session() const {
  return {desk_.request(), desk_.trace_file(), lessons_.name(), marks_.all(), looks_.appearance()};
}

SavedSession Workbench::saved_session() const {
  const auto trace = playback_.trace();
  SavedSession saved{session(), playback_.place(), edits_.edited().data, "", trace ? trace->header.tree_hash : 0, ""};
  saved.draft = editor_->draft();
  saved.draft_file = editor_->file();
  return saved;
}

}  // namespace kdscope
