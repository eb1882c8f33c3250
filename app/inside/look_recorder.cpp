#include "app/inside/look_recorder.hpp"

#include <QPointer>
#include <algorithm>
#include <filesystem>

#include "app/appearance/labels.hpp"
#include "app/variant_trials/step_look.hpp"

namespace kdscope {

LookRecorder::LookRecorder(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
  connect(&workbench.inside(), &Inside::asked, this, &LookRecorder::look_inside);
  connect(&workbench.inside(), &Inside::asked_for_groups, this, &LookRecorder::record_groups);
  connect(&workbench.inside(), &Inside::opened, this, &LookRecorder::go_to_place_of_stop);
  // Queued, because the other listeners have to hear of the step first
  for (const auto signal : {&Playback::stepped, &Playback::concealment_changed})
    connect(
        &workbench.playback(), signal, this,
        [this] {
          if (!place_of_stop()) return;
          workbench_.inside().is_open() ? go_to_place_of_stop() : look_inside();
        },
        Qt::QueuedConnection);
}

void LookRecorder::look_inside() {
  Inside& inside = workbench_.inside();
  const auto trace = workbench_.playback().trace();
  if (!trace || inside.is_open()) return;
  const std::uint32_t step = workbench_.playback().step();
  if (workbench_.jobs().busy() && place_of_stop()) return;  // a stop asks again
  if (workbench_.playback().concealment().hides_values() || workbench_.playback().is_confined())
    return inside.say(tr("Answer the question first: this would show what it asks for."));
  if (inside.look_at(step)) return inside.open();
  // All steps of a search are those of one launch
  if (const auto looks = inside.looks(); !looks.empty() && !trace->header.search.empty()) {
    inside.keep(step, inside.look_at(looks.begin()->first));
    return inside.open();
  }
  const auto kept = access_log::steps_with_looks(*trace);
  if (std::ranges::find(kept, step) == kept.end()) {
    const std::string reason = reason_against_looking(*trace, step);
    return reason.empty() ? record({}) : inside.say(foreign_text(reason));
  }
  if (workbench_.jobs().refuse_while_busy()) return;
  inside.say(tr("Opening the recording of this step\u2026"));
  workbench_.jobs().start(tr("Opening the recording"),
                          [recorder = QPointer(this), trace, step](const RunControl&) -> BackgroundJob::Finish {
                            auto look = access_log::kept_look(*trace, step);
                            if (!look)
                              return [recorder, error = look.error()] {
                                if (recorder) recorder->report(error);
                              };
                            auto ready = prepared(std::move(*look));
                            return [recorder, ready, trace, step] {
                              if (recorder) recorder->adopt(ready, trace, step);
                            };
                          });
}

std::optional<access_log::PlaceInside> LookRecorder::place_of_stop() const {
  const LessonPlayer& lessons = workbench_.lessons();
  if (!lessons.lesson() || lessons.stop_index() < 0) return std::nullopt;
  return access_log::place_inside(lessons.lesson()->stops[static_cast<std::size_t>(lessons.stop_index())].inside);
}

void LookRecorder::go_to_place_of_stop() {
  if (const auto place = place_of_stop()) workbench_.inside().go_to(*place);
}

void LookRecorder::record_groups(access_log::Range groups) {
  workbench_.inside().close();
  record(groups);
}

void LookRecorder::record(access_log::Range groups) {
  if (workbench_.jobs().refuse_while_busy()) return;
  const auto trace = workbench_.playback().trace();
  const std::uint32_t step = workbench_.playback().step();
  // What a lesson brings along opens at once, also without a compiler.
  std::optional<Lesson> lesson;
  if (const Lesson* open = workbench_.lessons().lesson();
      open && groups == access_log::Range{} && std::filesystem::exists(recording_beside(*open)))
    lesson = *open;
  workbench_.inside().say(
      lesson
          ? tr("Opening the recording of this step\u2026")
          : tr("Recording what every lane of this step does\u2026 The first time, a copy of the builder is compiled, "
               "which takes several seconds."));
  const StepLookRequest request{trace, workbench_.desk().request(), step, groups};
  // The window may close before the job ends
  workbench_.jobs().start(
      tr("Looking inside %1").arg(foreign_text(trace->steps[step].name)),
      [recorder = QPointer(this), request, lesson](const RunControl& control) -> BackgroundJob::Finish {
        auto look = lesson ? look_beside(*lesson, *request.trace, request.step) : look_inside_step(request, control);
        if (!look && lesson) look = look_inside_step(request, control);
        if (!look)
          return [recorder, error = look.error()] {
            if (recorder) recorder->report(error);
          };
        auto ready = prepared(std::move(*look));
        return [recorder, ready, request] {
          if (recorder) recorder->adopt(ready, request.trace, request.step);
        };
      },
      [recorder = QPointer(this)](const Error& error) {
        if (recorder) recorder->report(error);
      });
}

void LookRecorder::record_original() {
  const auto trace = workbench_.playback().trace();
  const auto look_of_variant = workbench_.inside().look_at(workbench_.playback().step());
  if (!trace || !look_of_variant || workbench_.jobs().busy()) return;
  StepLookRequest request{trace, workbench_.desk().request(), workbench_.playback().step()};
  request.original = true;
  const auto failed = [recorder = QPointer(this)](const Error& error) {
    if (recorder) recorder->report_original(error);
  };
  workbench_.jobs().start(
      tr("Looking inside the original"),
      [recorder = QPointer(this), request, look_of_variant,
       failed](const RunControl& control) -> BackgroundJob::Finish {
        auto look = look_inside_step(request, control);
        if (!look) return [failed, error = look.error()] { failed(error); };
        auto ready = prepared(std::move(*look));
        const OriginalBeside original{
            {ready, &ready->look.recording},
            access_log::first_different_write(ready->recording(), look_of_variant->recording())};
        return [recorder, original, request] {
          if (recorder && recorder->workbench_.playback().trace() == request.trace)
            recorder->adopt_original(request.step, original);
        };
      },
      failed);
}

void LookRecorder::adopt_original(std::uint32_t step, const OriginalBeside& original) {
  emit original_recorded(step, original);
}

void LookRecorder::report_original(const Error& error) { emit original_failed(foreign_text(error.message())); }

void LookRecorder::report(const Error& error) {
  const bool cancelled = error.kind == ErrorKind::cancelled;
  workbench_.inside().say(cancelled ? tr("Cancelled. Nothing was recorded.") : foreign_text(error.message()),
                          !cancelled);
}

void LookRecorder::adopt(const std::shared_ptr<const InsideLook>& look, const std::shared_ptr<const Trace>& of,
                         std::uint32_t step) {
  Inside& inside = workbench_.inside();
  if (workbench_.playback().trace() != of) return;
  inside.close();
  inside.keep(step, look);
  inside.say({});
  if (workbench_.playback().step() == step) inside.open();
}

}  // namespace kdscope
