#pragma once
// The life of one point through a run: its position after each step, the groups to which it belongs, and what each step
// did to it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The point after one step.
struct BiographyLine {
  std::uint32_t step = 0;
  std::vector<std::string> fields;  ///< one per column of Biography::columns: "3", "p7" of a point; empty if unknown
  std::vector<bool> changed;        ///< whether the field differs from the line before
  std::vector<double>
      box;           ///< the point's cell: k lower, then k upper ends, in the points' units; empty if it has none
  std::string what;  ///< what the step did to the point, in words; empty if nothing
};

/// The biography uses only the spaces of the trace's arrays. It lists the point's position (in the first three orders
/// if each dimension has its own order), every shown row by position or point that names a group of the point (node,
/// chunk, level, dimension, bits), and its node and cell in the partition so far.
struct Biography {
  PointId point;
  std::string coordinates;           ///< "(46, 63)"
  std::vector<std::string> columns;  ///< "position" or "position in x", the labels of the rows, "node", "cell"
  std::vector<BiographyLine> lines;  ///< one per step

  /// Reads single elements of the recorded versions and searches the order of points wherever the point moved. Work
  /// O(elements recorded of that order + steps x depth of deltas); no array is built. `go_on` receives the fraction
  /// done and cancels by returning false. Errors: no such point, cancelled.
  static Result<Biography> of(const Trace& trace, PointId point, const std::function<bool(double)>& go_on = {});
  /// Returns an upper bound on the number of recorded elements that of() looks at.
  static std::uint64_t work(const Trace& trace);
};

/// Returns the biography as comma-separated values (RFC 4180, UTF-8): step, phase, the columns with one field per end
/// of the cell, and what changed. Points are plain numbers, for programs that read them.
std::string csv_of(const Biography& biography, const Trace& trace);

}  // namespace kdscope
