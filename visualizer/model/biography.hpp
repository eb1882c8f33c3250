#pragma once
// The history of one point through a run: its position and its node after each step, and what the step did to it.

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
  std::vector<double> box;          ///< its cell: k lower, then k upper bounds, in the points' units; empty if none
  std::string what;                 ///< what the step did to the point, in words; empty if nothing
};

/// The history of a point, derived only from the spaces that the trace's arrays declare. Its columns are the point's
/// position (position -> point; in each of the first three dimensions, if each dimension has its own order), every
/// shown row indexed by position or point that names what the point belongs to (node, chunk, level, dimension, bits),
/// and its node and cell (the partition so far).
struct Biography {
  PointId point;
  std::string coordinates;           ///< "(46, 63)"
  std::vector<std::string> columns;  ///< "position" or "position in x", labels of the rows, "node", "cell"
  std::vector<BiographyLine> lines;  ///< one per step

  /// Returns the history of a point. It reads single elements of the recorded versions and searches the order of the
  /// points only where that changed; it builds no arrays. Work O(recorded elements of that order + steps x depth of
  /// deltas). `go_on` receives the completed share; it returns false to stop. Errors: no such point, cancelled.
  static Result<Biography> of(const Trace& trace, PointId point, const std::function<bool(double)>& go_on = {});
  /// Returns the number of recorded elements that of() may have to read.
  static std::uint64_t work(const Trace& trace);
};

/// Returns the history as comma-separated values (RFC 4180, UTF-8): step, phase, the columns (each bound of the cell in
/// its own column), and what changed.
std::string csv_of(const Biography& biography, const Trace& trace);

}  // namespace kdscope
