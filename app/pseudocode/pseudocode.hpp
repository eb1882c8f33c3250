#pragma once
// Short pseudo-code of each algorithm, tied to its steps: algorithms/builders/<id>/pseudocode.txt, embedded by the
// build.
//
// A line of the file is a line of pseudo-code; after " \" at its end it continues on the next one. Two spaces at its
// beginning indent it by one level. Empty lines and lines that begin with # are skipped. `{level = level}` stands for a
// value that is shown in its place while the line runs: what it is called, then one of the values of step_values.hpp. `
// @ wald/update_tags @ wald/radix_sort: final sort` at the end binds the line to source regions, or to the steps of one
// name in them. The build fails if a region does not exist, or if no line names one of the builder's own regions.
//
// A region of a variant binds itself, because the file is embedded: a line `// @ wald/update_tags` or
// `// @ wald/radix_sort: final sort` in its text, one per binding. Its steps then run the lines of that region.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

struct PseudocodeLine {
  /// A text followed by a value. Label and source of the value are empty if the line ends without one.
  struct Piece {
    std::string text, label, source;
  };
  struct Binding {
    std::string region, step;  ///< no step: all steps of the region that no line names
  };
  int number = 0;  ///< from 1, as the pane counts
  int indent = 0;
  int parent = -1;  ///< the line that it is indented under
  std::vector<Piece> pieces;
  std::vector<Binding> bindings;
};

struct Pseudocode {
  std::vector<PseudocodeLine> lines;
};

/// Errors name the line of the file.
Result<Pseudocode> parse_pseudocode(std::string_view text);

/// Returns the pseudo-code that the build embedded for an algorithm; null if its folder has no pseudocode.txt.
const Pseudocode* find_pseudocode(std::string_view algorithm);

/// Returns the embedded texts unchanged.
struct PseudocodeFile {
  std::string_view algorithm, text;
};
std::span<const PseudocodeFile> pseudocode_files();

/// The lines of pseudo-code and the source regions that each step of a trace runs. A region of a variant runs the lines
/// of the regions that its recorded source names.
class CodeOfSteps {
 public:
  /// `pseudocode` may be null; it must outlive this. Work O(steps x lines).
  CodeOfSteps(const Trace& trace, const Pseudocode* pseudocode);

  /// Returns the lines that a step runs, ascending.
  std::vector<int> lines(std::uint32_t step) const;
  /// Returns the steps that run a line, ascending. A line that only groups others stands for the first of them that
  /// runs.
  const std::vector<std::uint32_t>& steps_of_line(int line) const {
    return steps_of_line_[static_cast<std::size_t>(line)];
  }
  /// Returns the steps that run a region or, if it is part of other regions' steps, the steps of the lines that name
  /// it.
  std::vector<std::uint32_t> steps_of_region(std::string_view region) const;
  /// Returns whether a line is one of `lines` or groups one of them.
  bool encloses(int line, const std::vector<int>& lines) const;

 private:
  /// Returns whether a line names a step, by the step's name or by its region alone.
  bool names(const PseudocodeLine& line, const Step& step, bool by_step) const;

  const Trace& trace_;
  const Pseudocode* pseudocode_;
  std::map<std::string, std::vector<PseudocodeLine::Binding>, std::less<>> stands_for_;  ///< by the region of a variant
  std::vector<std::vector<std::uint32_t>> steps_of_line_;
};

/// The step that a click on code leads to.
struct Execution {
  std::uint32_t step = 0;
  bool wrapped = false;  ///< the search passed the end of the run and continued at its other end
};
/// Returns the next of `steps` after `now`, or the previous one; nullopt if there is no other.
std::optional<Execution> execution_after(const std::vector<std::uint32_t>& steps, std::uint32_t now, bool backwards);

}  // namespace kdscope
