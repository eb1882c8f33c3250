// export: writes lessons as web pages.

#include <algorithm>
#include <filesystem>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/session/run.hpp"
#include "app/session/saved_run.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope::cli {
namespace {

/// Records a lesson's run, bakes its page and writes it. Prints the name of the file.
Result<void> write_page(const Lesson& lesson, const PageLinks& links, const std::string& file, Backend backend,
                        Console& console) {
  const auto recorded = record_run(run_of(lesson, backend), control_for(console));
  finish_progress(console);
  if (!recorded) return recorded.error();
  const auto page = lesson_page(lesson, recorded->trace, links, console.stop);
  if (!page) return page.error();
  if (auto written = replace_file(file, *page); !written) return written;
  console.out << printable(file) << "  " << printable(lesson.title) << ", " << bytes_text(page->size()) << "\n";
  console.out.flush();
  return {};
}

Result<ExitCode> export_lesson(const Arguments& arguments, const LessonCatalogue& catalogue, Backend backend,
                               Console& console) {
  const std::string id = arguments.operand(1), file = arguments.text("--web");
  if (id.empty())
    return Error{ErrorKind::bad_usage, "no lesson is named", "", "kdscope-cli list lessons prints the ids"};
  const auto lesson = std::find_if(catalogue.lessons.begin(), catalogue.lessons.end(),
                                   [&](const Lesson& candidate) { return candidate.id == id; });
  if (lesson == catalogue.lessons.end()) return unknown_lesson(id, catalogue);
  if (auto folder = check_folder_of(file); !folder) return folder.error();
  if (auto written = write_page(*lesson, {}, file, backend, console); !written) return written.error();
  return exit_ok;
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
  const std::vector<Lesson>& lessons = catalogue.lessons;
  const auto link_to = [](const Lesson& lesson) { return PageLink{page_file_name(lesson.id), lesson.title}; };
  // A lesson that fails leaves the others whole: they are written, the failure is reported, and the index lists only
  // what is there.
  std::vector<Lesson> written;
  std::size_t failures = 0;
  for (const Error& problem : catalogue.problems)
    console.err << "kdscope-cli: " << printable(problem.message()) << "\n";
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    PageLinks links;
    links.index = {"index.html", "All lessons"};
    if (i > 0) links.previous = link_to(lessons[i - 1]);
    if (i + 1 < lessons.size()) links.next = link_to(lessons[i + 1]);
    const auto page =
        write_page(lessons[i], links, (folder / page_file_name(lessons[i].id)).string(), backend, console);
    if (console.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
    if (page) {
      written.push_back(lessons[i]);
    } else {
      ++failures;
      console.err << "kdscope-cli: " << printable(lessons[i].id + ": " + page.error().message()) << "\n";
    }
  }
  if (written.empty())
    return Error{ErrorKind::bad_input, "no lesson could be exported", folder.string(), "see the messages above"};
  const std::string index = (folder / "index.html").string();
  if (auto kept = replace_file(index, course_page(written)); !kept) return kept.error();
  console.out << printable(index) << "  " << count_text(written.size(), "lesson", "lessons") << "\n";
  return failures + catalogue.problems.size() == 0 ? exit_ok : exit_bad_input;
}

Result<ExitCode> run_export(const Arguments& arguments, Console& console) {
  const std::string what = arguments.operand(0);
  if (what != "lesson" && what != "course")
    return Error{ErrorKind::bad_usage, "'" + what + "' cannot be exported", "", "choose lesson or course"};
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  const LessonCatalogue catalogue = read_lessons(lessons_folder());
  return what == "lesson" ? export_lesson(arguments, catalogue, *backend, console)
                          : export_course(arguments, catalogue, *backend, console);
}

}  // namespace

Command export_command() {
  return {
      {"export",
       "write lessons as web pages",
       "Writes a lesson as one HTML file with its tables, trees and pictures, the narration, and questions that the "
       "page checks. It needs no network and no other file, on a phone as well. course writes every lesson into a "
       "folder, with an index page, for any web server that serves files.",
       {{"WHAT", "lesson or course."}, {"ID", "The lesson, such as wald/ten-points.", false}},
       {{"--web", "PATH", "The HTML file of a lesson, or the folder of a course.", true}, backend_option()},
       {"export lesson wald/ten-points --web ten-points.html", "export course --web course/"}},
      run_export};
}

}  // namespace kdscope::cli
