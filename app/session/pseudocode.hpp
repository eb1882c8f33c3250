#pragma once
// Short pseudo-code of each algorithm, tied to its steps: algorithms/builders/<id>/pseudocode.txt, embedded by the
// build.
//
// A line of the file is a line of pseudo-code; behind " \" at its end it goes on in the next one. Two spaces in front
// indent it by one, empty lines and those that begin with # are left out. `{level = level}` stands for a value that is
// shown in its place while the line runs: what it is called, then one of the values of step_values.hpp. ` @
// wald/update_tags @ wald/radix_sort: final sort` at the end binds the line to source regions, or to the steps of one
// name in them; the build fails on a region that there is not, and on one of the builder's own that no line names.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

struct PseudocodeLine {
  /// Text, and after it a value: label and source, both empty where the line ends without one.
  struct Piece {
    std::string text, label, source;
  };
  struct Binding {
    std::string region, step;  ///< no step: all of the region that no line names by itself
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

/// What the build embedded for an algorithm; null where its folder has no pseudocode.txt.
const Pseudocode* find_pseudocode(std::string_view algorithm);

/// The texts that the build embedded, as they are.
struct PseudocodeFile {
  std::string_view algorithm, text;
};
std::span<const PseudocodeFile> pseudocode_files();

/// Which lines of pseudo-code and which regions the steps of a trace run.
class CodeOfSteps {
 public:
  /// `pseudocode` may be null; it must outlive this. Work O(steps x lines).
  CodeOfSteps(const Trace& trace, const Pseudocode* pseudocode);

  /// Lines that a step runs; ascending.
  std::vector<int> lines(std::uint32_t step) const;
  /// Steps that run a line, ascending. A line that only holds others together stands for the first of them that runs.
  const std::vector<std::uint32_t>& steps_of_line(int line) const {
    return steps_of_line_[static_cast<std::size_t>(line)];
  }
  /// Steps that run a region or, if it is part of others' steps, those of the lines that name it.
  std::vector<std::uint32_t> steps_of_region(std::string_view region) const;
  /// Whether a line is one of `lines` or holds one of them.
  bool encloses(int line, const std::vector<int>& lines) const;

 private:
  const Trace& trace_;
  const Pseudocode* pseudocode_;
  std::vector<std::vector<std::uint32_t>> steps_of_line_;
};

/// Where a click on code leads.
struct Execution {
  std::uint32_t step = 0;
  bool wrapped = false;  ///< past the end of the run, so from its other end again
};
/// The next of `steps` after `now`, or the one before it; none when there is none but `now` itself.
std::optional<Execution> execution_after(const std::vector<std::uint32_t>& steps, std::uint32_t now, bool backwards);

}  // namespace kdscope
