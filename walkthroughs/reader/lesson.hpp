#pragma once
// Lessons: a Markdown text with YAML front matter that names data, algorithm and parameters, and stops at steps of the
// recorded run. No Qt here.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"
#include "walkthroughs/reader/lesson_mark.hpp"
#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// A value that a stop claims; a test holds it against the trace: row "tags" reads "1 1 1 1 1 1 0 2 2 2".
struct ClaimedRow {
  std::string row;                  ///< array name, or a derived row's name
  std::vector<std::string> values;  ///< as printed
  bool whole = true;                ///< false when the lesson ends the row with "...": the rest is not claimed
  int line = 0;                     ///< in the lesson file, for error messages
};

/// One place where a lesson stops.
struct Stop {
  std::string title;
  std::string select;            ///< phase path: "level 1 / sort"
  std::uint32_t occurrence = 0;  ///< which of several matches, 1-based; 0: there must be exactly one
  std::string narration;         ///< Markdown: what, then why
  std::vector<ClaimedRow> shows;
  std::vector<Highlight> highlights;  ///< beside those that the step itself has
  std::vector<LessonMark> marks;      ///< drawn into the view
  std::vector<Question> questions;
  std::vector<std::string> panes;  ///< of lesson_panes(), the most important first; empty: the usual panes
  std::string inside;              ///< a place inside the step's kernels: "block 0 / interval 2 / lane 5"; empty: none
  std::vector<std::string> rows;   ///< rows that are brought into view beside those of `shows`
  std::string notes;               ///< Markdown for the lecturer alone; may be empty
  int line = 0;                    ///< in the lesson file, for error messages
};

/// A lesson as its file gives it.
struct Lesson {
  std::string id;  ///< folder and file name: "wald/ten-points"
  std::string title;
  std::string source;  ///< citation
  std::string data;    ///< data specification; with points of its own, their name
  std::shared_ptr<const DataSet> points;  ///< its own points, which its file holds; null: those that `data` names
  std::string algorithm;
  std::map<std::string, std::string> parameters;
  std::map<std::string, std::string> search;  ///< as in RunRequest; empty: the lesson is on the build
  std::vector<std::uint32_t> axes;            ///< dimensions that views begin with, two or three; empty: the first ones
  int order = 100;                            ///< place among the lessons of its folder; ties by id
  std::string aim;                            ///< one sentence: what the class can do afterwards; may be empty
  int minutes = 0;                            ///< time in class; 0: not stated
  std::vector<std::string> builds_on;         ///< ids of the lessons to take before
  std::string introduction;                   ///< Markdown before the first stop
  std::vector<Stop> stops;
  std::string path;
};

inline constexpr const char* lesson_ending = ".md";
inline bool is_lesson_path(const std::string& path) { return path.ends_with(lesson_ending); }

/// False in a build without yaml-cpp, where every lesson is refused and the error names the package to install.
bool lessons_available();

/// Reads a lesson from its text (the format: walkthroughs/AUTHORING.md). Strict: an unknown key, a wrong type or a
/// missing field is refused, and the error names file and line. Any bytes may be given.
Result<Lesson> parse_lesson(const std::string& text, const std::string& path);
Result<Lesson> read_lesson(const std::string& path);

/// The lessons in the folders under `folder`, in teaching order (order of the folder's first lesson, folder, order,
/// id); a damaged one is reported in `problems` and left out.
struct LessonCatalogue {
  std::vector<Lesson> lessons;
  std::vector<Error> problems;
};
LessonCatalogue read_lessons(const std::string& folder);

/// The folder of shipped lessons: KDSCOPE_LESSONS where that is set, beside the program when installed, in the source
/// tree otherwise.
std::string lessons_folder();

/// The lesson's data specification as open_data_set() takes it: a file beside the lesson comes before a shipped set.
std::string data_of(const Lesson& lesson);

/// The step ordinal of every stop. An error names the first stop that matches no step, or several, or an axis that the
/// points do not have.
Result<std::vector<std::uint32_t>> resolve_stops(const Lesson& lesson, const Trace& trace);
/// The step ordinal of one stop; errors as above.
Result<std::uint32_t> resolve_stop(const Lesson& lesson, const Stop& stop, const Trace& trace);
/// Holds every row that a stop claims against the trace. An error names stop, line, row, index, what is claimed and
/// what was found. Floats are compared as numbers, so "0.50" claims 0.5.
Result<void> check_claims(const Lesson& lesson, std::shared_ptr<const Trace> trace);

}  // namespace kdscope
