// export: writes lessons and runs as web pages.

#include <algorithm>
#include <filesystem>
#include <span>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/pseudocode/page_code.hpp"
#include "app/recording/run.hpp"
#include "app/recording/saved_run.hpp"
#include "app/variant_trials/page_sheets.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope::cli {
namespace {

/// Records a lesson's run and bakes its page.
Result<BakedLesson> baked_lesson(const Lesson& lesson, Backend backend, Console& console) {
  const auto recorded = record_run(run_of(lesson, backend), control_for(console));
  finish_progress(console);
  if (!recorded) return recorded.error();
  return BakedLesson::bake(lesson, recorded->trace, page_code(recorded->trace, axes_of(lesson)),
                           page_sheets(lesson, *recorded->trace), console.stop);
}

/// Returns the engine that pages get; none if they are to be static, or if there is none, which is printed.
std::string engine_of(const Arguments& arguments, Console& console) {
  if (arguments.has("--static")) return {};
  auto engine = read_engine();
  if (engine) return std::move(*engine);
  console.err << "kdscope-cli: the pages are static: " << printable(engine.error().message()) << "\n";
  return {};
}

/// Writes a page and prints the name of its file.
Result<void> write_page(const std::string& title, const std::string& page, const std::string& file, Console& console) {
  ensure(replace_file(file, page));
  console.out << printable(file) << "  " << printable(title) << ", " << bytes_text(page.size()) << "\n";
  console.out.flush();
  return {};
}

/// Writes a page that belongs to no course.
Result<ExitCode> write_alone(const Result<BakedLesson>& baked, const std::string& title, const Arguments& arguments,
                             Console& console) {
  if (!baked) return baked.error();
  const std::string page = baked->page({}, {.script = engine_of(arguments, console)});
  ensure(write_page(title, page, arguments.text("--web"), console));
  return exit_ok;
}

Result<ExitCode> export_lesson(const Arguments& arguments, const LessonCatalogue& catalogue, Backend backend,
                               Console& console) {
  const std::string id = arguments.operand(1), file = arguments.text("--web");
  if (id.empty())
    return Error{ErrorKind::bad_usage, "no lesson is named", "", "kdscope-cli list lessons prints the ids"};
  const auto lesson = std::find_if(catalogue.lessons.begin(), catalogue.lessons.end(),
                                   [&](const Lesson& candidate) { return candidate.id == id; });
  if (lesson == catalogue.lessons.end()) return unknown_lesson(id, catalogue);
  ensure(check_folder_of(file));
  return write_alone(baked_lesson(*lesson, backend, console), lesson->title, arguments, console);
}

/// Makes a page of a recorded run, which another machine may have recorded.
Result<ExitCode> export_trace(const Arguments& arguments, Console& console) {
  if (arguments.operand(1).empty())
    return Error{ErrorKind::bad_usage, "no trace is named", "", "record one with kdscope-cli record"};
  ensure(check_folder_of(arguments.text("--web")));
  const auto trace = value_of(load_trace(arguments.operand(1)));
  return write_alone(BakedLesson::bake(run_as_lesson(*trace), trace, page_code(trace, std::nullopt), {}, console.stop),
                     trace->header.title, arguments, console);
}

/// The lessons in teaching order: as the course names them, then the others.
std::vector<Lesson> in_order(const Course& course, const LessonCatalogue& catalogue) {
  std::vector<Lesson> lessons;
  for (const CoursePart& part : with_all_lessons(course, catalogue).parts)
    for (const std::string& id : part.lessons)
      for (const Lesson& lesson : catalogue.lessons)
        if (lesson.id == id) lessons.push_back(lesson);
  return lessons;
}

/// The links of the n-th of the lessons that have a page.
PageLinks links_of(std::span<const Lesson> lessons, std::size_t n) {
  const auto link_to = [](const Lesson& lesson) { return PageLink{page_file_name(lesson.id), lesson.title}; };
  PageLinks links;
  links.index = {"index.html", "All lessons"};
  if (n > 0) links.previous = link_to(lessons[n - 1]);
  if (n + 1 < lessons.size()) links.next = link_to(lessons[n + 1]);
  for (const std::string& id : lessons[n].builds_on)
    for (const Lesson& lesson : lessons)
      if (lesson.id == id) links.builds_on[id] = link_to(lesson);
  return links;
}

Result<ExitCode> export_course(const Arguments& arguments, const LessonCatalogue& catalogue, Backend backend,
                               Console& console) {
  if (!arguments.operand(1).empty())
    return Error{ErrorKind::bad_usage, "a course has no id, but '" + arguments.operand(1) + "' is given", "",
                 "leave it out, or export lesson " + arguments.operand(1)};
  const std::filesystem::path folder = arguments.text("--web");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorKind::io_failure, "the folder cannot be created: " + failed.message(), folder.string(),
                 "choose a folder in which you may write"};
  if (catalogue.lessons.empty())
    return Error{ErrorKind::bad_input, "there are no lessons", lessons_folder(), "set KDSCOPE_LESSONS to their folder"};
  const auto course = value_of(read_course(lessons_folder()));

  // Bake every lesson before the first page is written, because links lead only to lessons that have a page. A lesson
  // that fails leaves the others whole.
  std::vector<Lesson> lessons;
  std::vector<BakedLesson> pages;
  std::vector<MissingPage> missing;
  const auto leave_out = [&](const std::string& lesson, const std::string& name, const Error& error) {
    missing.push_back({name, error.message()});
    console.err << "kdscope-cli: " << printable((lesson.empty() ? "" : lesson + ": ") + error.message()) << "\n";
  };
  for (const Error& problem : catalogue.problems) leave_out({}, "A damaged lesson", problem);
  for (const Lesson& lesson : in_order(course, catalogue)) {
    auto baked = baked_lesson(lesson, backend, console);
    if (console.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
    if (!baked) {
      leave_out(lesson.id, lesson.title, baked.error());
      continue;
    }
    lessons.push_back(lesson);
    pages.push_back(std::move(*baked));
  }
  if (lessons.empty())
    return Error{ErrorKind::bad_input, "no lesson could be exported", folder.string(), "see the messages above"};
  const std::string engine = engine_of(arguments, console);
  if (!engine.empty()) ensure(replace_file((folder / engine_file_name).string(), engine));
  const PageEngine shared{.file = engine.empty() ? "" : engine_file_name};
  for (std::size_t n = 0; n < lessons.size(); ++n)
    if (auto written = write_page(lessons[n].title, pages[n].page(links_of(lessons, n), shared),
                                  (folder / page_file_name(lessons[n].id)).string(), console);
        !written)
      return written.error();
  const std::string index = (folder / "index.html").string();
  ensure(replace_file(index, course_page(course, lessons, missing)));
  console.out << printable(index) << "  " << count_text(lessons.size(), "lesson", "lessons") << "\n";
  if (missing.empty()) return exit_ok;
  console.err << "kdscope-cli: " << count_text(missing.size(), "lesson has", "lessons have")
              << " no page, see above; the index lists them, and no link leads to them\n";
  return exit_bad_input;
}

Result<ExitCode> run_export(const Arguments& arguments, Console& console) {
  const std::string what = arguments.operand(0);
  if (what != "lesson" && what != "course" && what != "trace")
    return Error{ErrorKind::bad_usage, "'" + what + "' cannot be exported", "", "choose lesson, course or trace"};
  ensure(check_pages_available());
  if (what == "trace") return export_trace(arguments, console);
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  const LessonCatalogue catalogue = read_lessons(lessons_folder());
  return what == "lesson" ? export_lesson(arguments, catalogue, backend, console)
                          : export_course(arguments, catalogue, backend, console);
}

}  // namespace

Command export_command() {
  return {
      {"export",
       "write lessons and runs as web pages",
       "Writes a lesson as one HTML file with its tables, trees and pictures, the narration, and questions that the "
       "page checks. It needs no network and no other file, on a phone as well. course writes every lesson into a "
       "folder, with an index page, for any web server that serves files. trace writes a recorded run, such as that of "
       "a GPU server. Where the engine of pages was built "
       "(visualizer/web/engine/build.sh), a page also runs every algorithm on its reader's own points.",
       {{"WHAT", "lesson, course or trace."}, {"ID", "The lesson, such as wald/ten-points, or the trace file.", false}},
       {{"--web", "PATH", "The HTML file, or the folder of a course.", true},
        {"--static", "", "Leave the engine out."},
        backend_option()},
       {"export lesson wald/ten-points --web ten-points.html", "export course --web course/",
        "export trace run.kdtrace --web run.html"}},
      run_export};
}

}  // namespace kdscope::cli
