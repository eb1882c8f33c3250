#pragma once
// A lesson as one HTML file that needs no program, no network and no other file: tables, trees and pictures of its
// steps as the window shows them, the narration, and questions that the page checks.

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// A neighbouring page of a course.
struct PageLink {
  std::string file;   ///< relative address
  std::string title;  ///< of the lesson
};

/// The links of a page that belongs to a course; empty for a page of its own.
struct PageLinks {
  PageLink index, previous, next;
};

/// With more steps, a page shows only the stops of its lesson.
inline constexpr std::size_t most_page_steps = 200;

/// Returns the page of a lesson on its run. It allows scripts and styles of its own alone and no connection, by a
/// policy in its head. Large arrays show the columns around the place of the work, and say how many are left out.
/// Errors: those of resolve_stops(); cancelled. Work as for the models of every step shown.
Result<std::string> lesson_page(const Lesson& lesson, std::shared_ptr<const Trace> trace, const PageLinks& links = {},
                                std::stop_token stop = {});

/// Returns the file name of a lesson's page: "wald-ten-points.html".
std::string page_file_name(const std::string& lesson_id);

/// Returns the page that lists the lessons of a course by folder, in their order, with links to page_file_name().
std::string course_page(std::span<const Lesson> lessons);

}  // namespace kdscope
