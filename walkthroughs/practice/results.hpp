#pragma once
// Result files: what one student answered, as JSON with a seal. No Qt here.
//
//   {"file": "kdscope results", "version": 1, "student": "Ann", "attempts": [
//    {"lesson": "wald/ten-points",      empty for a run outside lessons
//     "stop": "The root is found by counting", "question": 0, "asked": "Which point will be the root?",
//     "outcome": "wrong",               or "right", "revealed", "skipped"; the last two have no "given"
//     "given": {"kind": "positions", "elements": [5]},
//     "hinted": false, "seconds": 1764000000}],
//    "seal": "0x0123456789abcdef"}
//
// "given" has the members that its kind uses: elements of positions, points and nodes; row and elements of a cell;
// dimension and number of a split; number; text of words; choice, counted from 0. A number that is not finite is left
// out.

#include <cstddef>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "walkthroughs/practice/answer.hpp"

namespace kdscope {

/// The work of one student, in the order in which it was done.
struct Results {
  std::string student;  ///< as check_student() accepts it
  std::vector<Attempt> attempts;
};

/// What a result file may hold. The window keeps the newest attempts; nobody answers this many questions.
inline constexpr std::size_t most_result_bytes = 16 << 20;
inline constexpr std::size_t most_attempts = 50'000;
inline constexpr std::size_t longest_student = 200;
/// The longest text of an attempt, in bytes. results_text() cuts longer ones after a character.
inline constexpr std::size_t longest_result_text = 4'000;
inline constexpr std::size_t most_answered_elements = 4'096;
inline constexpr const char* results_ending = ".kdresults";

/// Checks a student's name: 1 to longest_student bytes of UTF-8 on one line, not only spaces. Errors: bad_usage.
Result<void> check_student(const std::string& name);

/// Returns the text of a result file. Its last member is a seal: a 64-bit hash of everything before it in canonical
/// form. The seal detects accidents, such as a lost half or an edit in a spreadsheet; whoever wants to forge a file can
/// compute it. Texts and lists beyond the limits are cut. Work O(text). Requires a student that check_student()
/// accepts.
std::string results_text(const Results& results);

/// Returns an attempt as it stands in a result file.
std::string attempt_text(const Attempt& attempt);

/// Whether read_results() compares the seal. Only tests ignore it: nearly every damage breaks the seal, and they look
/// behind it.
enum class SealCheck { compare, ignore };

/// Reads a result file. White space between its parts does not matter, everything else does. Errors of kind bad_input,
/// at `path`: the text is cut short, was edited (its seal does not match), is another kind of file, comes from a newer
/// kdscope, or exceeds a limit. Work O(text).
Result<Results> read_results(const std::string& text, const std::string& path, SealCheck seal = SealCheck::compare);

}  // namespace kdscope
