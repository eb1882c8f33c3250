#include "app/render.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "app/session/run.hpp"
#include "visualizer/scene/scene.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

Result<RunSpec> asked_run(const CommandLine& line) {
  if (!line.open.empty())
    return RunSpec{line.open, algorithms().empty() ? "" : algorithms().front().id, {}, line.backend};
  const std::string id = line.lesson.empty() ? start_lesson : line.lesson;
  for (const Lesson& lesson : read_lessons(lessons_folder()).lessons)
    if (lesson.id == id) return RunSpec{lesson.data, lesson.algorithm, lesson.parameters, line.backend};
  return Error{ErrorKind::bad_usage, "there is no lesson '" + id + "'", "", "kdscope-cli list lessons prints the ids"};
}

Result<void> render_steps(const CommandLine& line) {
  const auto run = asked_run(line);
  if (!run) return run.error();
  const auto recording = is_trace_path(run->data) ? open_trace(run->data) : record_run(*run);
  if (!recording) return recording.error();
  std::error_code failed;
  std::filesystem::create_directories(line.render, failed);
  if (failed)
    return Error{ErrorKind::io_failure, "the folder cannot be made: " + failed.message(), line.render,
                 "choose another one"};

  PngOptions options;
  if (line.width > 0) options.width = line.width, options.height = line.height;
  options.theme = theme_named(line.theme).value_or(ThemeId::light);
  options.text_scale = line.text_scale / 100.0;
  Cursor cursor(recording->trace);
  if (line.step.value_or(0) >= cursor.step_count())
    return Error{ErrorKind::bad_usage, "there is no step " + std::to_string(*line.step), "",
                 "this run has steps 0 to " + std::to_string(cursor.step_count() - 1)};
  const std::uint32_t first = line.step.value_or(0), last = line.step.value_or(cursor.step_count() - 1);
  for (std::uint32_t step = first; step <= last; ++step) {
    cursor.seek(step);
    char name[32];
    std::snprintf(name, sizeof name, "step-%03u.png", cursor.step());
    const std::string path = (std::filesystem::path(line.render) / name).string();
    if (auto written = render_to_png(cursor, options, path); !written) return written.error();
    std::printf("%s  %s\n", path.c_str(), path_text(cursor.current()).c_str());
    std::fflush(stdout);
  }
  return {};
}

}  // namespace kdscope
