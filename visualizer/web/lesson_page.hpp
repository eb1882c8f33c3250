#pragma once
// A lesson as one HTML file that needs no program, no network and no other file: tables, trees and pictures of its
// steps as the window shows them, the narration, and questions that the page checks.

#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/figure/display_list.hpp"
#include "visualizer/web/page_code.hpp"
#include "visualizer/web/page_engine.hpp"
#include "visualizer/web/page_sheets.hpp"
#include "walkthroughs/reader/course.hpp"

namespace kdscope {

/// Another page of a course.
struct PageLink {
  std::string file;   ///< relative address
  std::string title;  ///< of the lesson
};

/// The links of a page that belongs to a course; empty for a page of its own.
struct PageLinks {
  PageLink index, previous, next;
  std::map<std::string, PageLink> builds_on;  ///< by id: those of Lesson::builds_on that have a page
};

/// With more steps, a page shows only the stops of its lesson.
inline constexpr std::size_t most_page_steps = 200;

/// Returns a run as a lesson without a text. Of a longer run than a page shows, its stops are evenly spread steps.
Lesson run_as_lesson(const Trace& trace);

/// Checks that this build makes pages. An error of kind bad_usage names the library that it lacks.
Result<void> check_pages_available();

/// A lesson as a page without its links, which depend on which other lessons have a page.
class BakedLesson {
 public:
  /// Bakes a lesson on its run. Large arrays show the columns around the place of the work, and say how many are left
  /// out. `code`: the pseudo-code of its algorithm. `sheets`: of the stops inside launches. Errors: those of
  /// check_pages_available() and resolve_stops(); cancelled. Work as for the models of every step shown, once for each
  /// combination of open questions that hide something.
  static Result<BakedLesson> bake(const Lesson& lesson, std::shared_ptr<const Trace> trace, const PageCode& code = {},
                                  const PageSheetsByStop& sheets = {}, std::stop_token stop = {});
  /// Returns the page. It allows scripts and styles of its own alone and no connection, by a policy in its head.
  std::string page(const PageLinks& links = {}, const PageEngine& engine = {}) const;

 private:
  std::string title_, css_, data_;
};

/// Returns the file name of a lesson's page: "wald-ten-points.html".
std::string page_file_name(const std::string& lesson_id);

/// A lesson without a page, and why.
struct MissingPage {
  std::string lesson;  ///< its title, or the file that is no lesson
  std::string reason;
};

/// Returns the page that lists the lessons of a course part by part, with links to page_file_name(), and below them the
/// lessons that have no page. Lessons that the course does not name follow in a part of their own.
std::string course_page(const Course& course, std::span<const Lesson> lessons,
                        std::span<const MissingPage> missing = {});

/// A measurement as a page: its charts, and the same values as a table.
struct ChartPage {
  std::string title, notes;
  std::vector<DisplayList> charts;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};
std::string chart_page(const ChartPage& shown);

}  // namespace kdscope
