#pragma once
// Compares measured rows with kept ones of the same work on the same device.

#include <string>
#include <vector>

#include "app/measure/measured_row.hpp"

namespace kdscope {

enum class TimeVerdict { no_difference, faster, slower, unknown };
const char* name_of(TimeVerdict verdict);  ///< "no difference", "faster", "slower", "unknown"

/// Judges the medians of two rows. They differ if they are more than 3 % and more than the noise of both together
/// apart. Unknown if one has fewer than three repetitions, and thus no spread. A row that went over the time limit is
/// slower than one that did not; unknown if either is left out for another reason.
TimeVerdict judge(const MeasuredRow& now, const MeasuredRow& before);

/// A row beside the newest kept one of another commit, or of its own if no other has one.
struct ComparedRow {
  const MeasuredRow* now;
  const MeasuredTable* on;
  const MeasuredRow* before;  ///< null if none is kept
  const MeasuredTable* on_before;
  const MeasuredRun* run_before;
  TimeVerdict verdict = TimeVerdict::unknown;
  bool same_result = true;  ///< whether both found the same tree or distances; true if either is left out
  bool confirmed = true;    ///< false if a second measurement contradicted, and the verdict is no difference therefore
};

/// Compares a row of `on`, measured by a program of `commit`. The times of one program can vary more between runs
/// than within a run, so every kept run of either commit must agree that the row is slower or faster. The pointers are
/// into the arguments. Work O(kept rows + runs of one commit x runs of the other).
ComparedRow compare(const MeasuredRow& now, const MeasuredTable& on, const std::string& commit,
                    const std::vector<MeasuredRun>& kept);

/// Returns the newest kept run with the same devices and rows. Their order, and whether a row was measured, do not
/// matter. Errors of kind bad_input name `path`, the file of the kept runs, and the first difference from the
/// newest run.
Result<const MeasuredRun*> comparable_run(const std::vector<MeasuredTable>& now, const std::vector<MeasuredRun>& kept,
                                          const std::string& path);

}  // namespace kdscope
