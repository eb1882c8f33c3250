#pragma once
// The history of one point in a run: its place after each step, what it belongs to, and what each step did to it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The point after one step.
struct BiographyLine {
  std::uint32_t step = 0;
  std::vector<std::string> fields;  ///< one per column of Biography::columns; empty if unknown
  std::vector<bool> changed;        ///< whether the field differs from the line before
  std::vector<double> box;          ///< its cell: k lower, then k upper ends, in the points' units; empty if none
  std::string what;                 ///< what the step did to the point, in words; empty: nothing
};

/// Told by the spaces of the trace's arrays alone: where the point stands (position -> point; where each dimension has
/// an order of its own, in the first three), every shown row by position or point that names what it belongs to (node,
/// chunk, level, dimension, bits), its node and cell (the partition so far).
struct Biography {
  PointId point;
  std::string coordinates;           ///< "(46, 63)"
  std::vector<std::string> columns;  ///< "position" or "position in x", labels of the rows, "node", "cell"
  std::vector<BiographyLine> lines;  ///< one per step

  /// Reads single elements of the recorded versions and searches the order of points where it moved: work O(elements
  /// recorded of that order + steps x depth of deltas), no array is made. `go_on` gets the share done; false stops.
  /// Errors: no such point, cancelled.
  static Result<Biography> of(const Trace& trace, PointId point, const std::function<bool(double)>& go_on = {});
  /// Returns the number of recorded elements that of() may have to read.
  static std::uint64_t work(const Trace& trace);
};

/// Returns comma-separated values (RFC 4180, UTF-8): step, phase, the columns with one column per end of the cell, and
/// the change.
std::string csv_of(const Biography& biography, const Trace& trace);

}  // namespace kdscope
