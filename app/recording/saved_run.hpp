#pragma once
// Turns a session file into a displayable run: records the run again or opens its trace, and reports the parts of the
// session that do not apply to it.

#include "app/recording/run.hpp"
#include "app/session/session_file.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

struct SavedRun {
  SavedSession saved;                    ///< step, marks and selection are of this run
  std::optional<RecordedRun> recording;  ///< none if data or algorithm are unavailable: only the looks can be opened
  std::optional<Lesson> lesson;
  std::vector<std::string> problems;  ///< one clause each
};

/// Takes long; may run on any thread. Finds a file that was moved together with the session beside it. Errors: no
/// session file, or cancelled.
Result<SavedRun> open_saved_run(const std::string& path, const LessonCatalogue& lessons,
                                const RunControl& control = {});

/// Returns one error for all problems.
Error sum_up(const std::vector<std::string>& problems, const std::string& path);

/// Returns the error for a lesson that is not in the catalogue. If its file is damaged, the error gives the reason.
Error unknown_lesson(const std::string& id, const LessonCatalogue& lessons);
/// Returns the dimensions that a lesson puts on the axes; nullopt if it does not choose them.
std::optional<Axes> axes_of(const Lesson& lesson);

}  // namespace kdscope
