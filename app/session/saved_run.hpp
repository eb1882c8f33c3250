#pragma once
// Turns a session file into a displayable run: records the run again or opens its trace, and reports the parts of the
// session that do not apply to it.

#include "app/session/run.hpp"
#include "app/session/session_file.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

struct SavedRun {
  SavedSession saved;                  ///< step, marks and selection are of this run
  std::optional<RecordedRun> recording;  ///< none if data or algorithm are unavailable: only the looks can be opened
  std::optional<Lesson> lesson;
  std::vector<std::string> problems;  ///< a clause each
};

/// Long work; may run on any thread. A file that has moved together with the session is found beside it. Errors: no
/// session file at all, or cancelled.
Result<SavedRun> open_saved_run(const std::string& path, const LessonCatalogue& lessons,
                                const RunControl& control = {});

/// One sentence for all problems.
Error sum_up(const std::vector<std::string>& problems, const std::string& path);

/// The error of a lesson that is not in the catalogue: what is wrong with its file where that is damaged.
Error unknown_lesson(const std::string& id, const LessonCatalogue& lessons);
/// The dimensions that a lesson puts on the axes; nothing where it leaves them alone.
std::optional<Axes> axes_of(const Lesson& lesson);

}  // namespace kdscope
