#include "app/export/render.hpp"

#include <QEventLoop>
#include <cstdio>

#include "algorithms/text/printable_text.hpp"
#include "app/export/exporter.hpp"
#include "app/recording/saved_run.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {
namespace {

Result<Lesson> find_lesson(const std::string& id) {
  LessonCatalogue catalogue = read_lessons(lessons_folder());
  for (Lesson& lesson : catalogue.lessons)
    if (lesson.id == id) return std::move(lesson);
  return unknown_lesson(id, catalogue);
}

/// Opens a session's run with its stops and selection, and sets `session`. Reports what is not available.
Result<ExportSource> source_of_session(const CommandLine& line, std::optional<SavedSession>& session) {
  const auto opened = open_saved_run(line.open, read_lessons(lessons_folder()));
  if (!opened) return opened.error();
  if (!opened->recording) return sum_up(opened->problems, line.open);
  if (!opened->problems.empty())
    std::fprintf(stderr, "kdscope: %s\n", printable(sum_up(opened->problems, line.open).message()).c_str());
  session = opened->saved;
  ExportSource source{opened->recording->trace, {}, session->place.selection};
  if (opened->lesson) source.stops = *resolve_stops(*opened->lesson, *source.trace);
  source.lesson = opened->lesson;
  return source;
}

/// Opens or records the run of the command line: of a session, a trace, given data, or a lesson. Sets `session` for a
/// session, and `axes` to the axes of a lesson.
Result<ExportSource> source_of(const CommandLine& line, std::optional<SavedSession>& session,
                               std::optional<Axes>& axes) {
  if (is_session_path(line.open)) return source_of_session(line, session);
  ExportSource source;
  if (!line.open.empty()) {
    const RunRequest run{line.open, line.algorithm, line.parameters, line.backend};
    const auto recording = is_trace_path(line.open) ? open_trace(line.open) : record_run(run);
    if (!recording) return recording.error();
    source.trace = recording->trace;
    return source;
  }
  const auto lesson = find_lesson(line.lesson.empty() ? start_lesson : line.lesson);
  if (!lesson) return lesson.error();
  axes = axes_of(*lesson);
  const auto recording = record_run(run_of(*lesson, line.backend));
  if (!recording) return recording.error();
  source.trace = recording->trace;
  source.lesson = *lesson;
  auto stops = resolve_stops(*lesson, *source.trace);
  if (!stops) return stops.error();
  source.stops = std::move(*stops);
  return source;
}

}  // namespace

Result<void> render_steps(const CommandLine& line) {
  std::optional<SavedSession> saved;
  std::optional<Axes> axes;
  const auto source = source_of(line, saved, axes);
  if (!source) return source.error();
  const Trace& trace = *source->trace;
  const std::optional<std::uint32_t> saved_step = saved ? std::optional(saved->place.step) : std::nullopt;
  ExportRequest request = completed(line.exported, line.render, trace, saved_step);
  request.axes = axes;
  if (line.step) request.first = request.last = *line.step;
  if (line.width > 0) request.width = line.width, request.height = line.height;
  if (saved) {
    const Appearance& looks = saved->session.looks;
    request.axes = saved->place.axes;
    request.theme = looks.theme;
    request.text_scale = looks.text_scale;
    request.smallest_boxes = looks.smallest_boxes;
    request.surface = looks.surface;
    request.all_planes = looks.all_planes;
    request.equal_scales = looks.equal_scales;
    request.colouring = looks.colouring;
  }
  if (!line.theme.empty()) request.theme = line.theme;
  if (line.equal_scales) request.equal_scales = *line.equal_scales;
  if (line.text_scale > 0) request.text_scale = line.text_scale;

  Exporter exporter;
  QEventLoop loop;
  std::optional<Error> problem;
  QObject::connect(&exporter, &Exporter::wrote, [&](const QString& path, std::uint32_t step) {
    const bool one_step =
        !is_film(request.format) && (request.format != ExportFormat::pdf || request.first == request.last);
    const std::string what = is_of_lesson(request.what) ? source->lesson ? source->lesson->title : trace.header.title
                             : one_step
                                 ? path_text(trace.steps[step])
                                 : "steps " + std::to_string(request.first) + " to " + std::to_string(request.last);
    std::printf("%s  %s\n", printable(path.toStdString()).c_str(), printable(what).c_str());
    std::fflush(stdout);
  });
  QObject::connect(&exporter, &Exporter::finished, &loop, [&](const std::optional<Error>& error) {
    problem = error;
    loop.exit();
  });
  exporter.start(request, *source);
  if (exporter.running()) loop.exec();
  return problem ? Result<void>(*problem) : Result<void>();
}

}  // namespace kdscope
