#pragma once
// The upper levels of a tree over a file: finds their pivots by passes over slabs of the file, then writes the points
// of each subtree below them side by side.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/builders/rank/order.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/slabs/disk_file.hpp"
#include "algorithms/slabs/plan.hpp"

namespace kdscope::slabs {

/// The points of an input file, which stay there.
struct PointsOnDisk {
  DiskFile file;
  std::string path;
  std::uint64_t begin = 0;  ///< byte of the first point
  Shape shape;

  void read(std::uint64_t first, std::span<std::uint32_t> words) const {
    file.read(begin + first * shape.point_bytes(), words);
  }
};

/// Stops a build, and reports how far it is. Called on one thread.
struct Watch {
  std::stop_token stop;
  std::function<void(double fraction, const std::string& what)> progress;
  void check() const {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
  }
  void report(double fraction, const std::string& what) const {
    if (progress) progress(fraction, what);
  }
};

/// The points in the order of the subtrees, and in the order of the file within each, so that a point's position in a
/// subtree orders ties like its original index. First all coordinates, dimension `upper` mod k in front so that a
/// subtree is a tree that begins with dimension 0; then all original indices.
class Scratch {
 public:
  Scratch(DiskFile file, const Plan& plan);
  /// Returns the position of a subtree's first point, and behind the last subtree the number of points.
  std::uint64_t begin_of(std::uint32_t subtree) const { return begins_[subtree]; }
  void write(std::uint64_t at, std::span<const std::uint32_t> words, std::span<const PointId> points);
  /// Reads from a position on, by all threads.
  void read_words(std::uint64_t at, std::span<std::uint32_t> words) const;
  void read_points(std::uint64_t at, std::span<PointId> points) const;

 private:
  DiskFile file_;
  std::uint64_t point_bytes_;
  std::vector<std::uint64_t> begins_;
};

/// The nodes of the upper levels.
struct UpperNodes {
  std::vector<rank::Order> pivots;   ///< [2^upper - 1]
  std::vector<std::uint32_t> words;  ///< [2^upper - 1, k] the pivots' coordinates as the file has them
  std::uint64_t passes = 0;          ///< over the file, so far
};

/// Finds all pivots. The first pass checks the coordinates and takes a sample of the points. Each level then takes one
/// pass that counts the points below a bracket of each pivot and keeps the orders of those in it, and more where a
/// bracket misses or is long. Work O(n levels) on all threads. Memory: samples and windows of the plan. Errors:
/// bad_input for coordinates that are not finite; those of DiskFile; cancelled.
UpperNodes find_pivots(const PointsOnDisk& input, const Plan& plan, const Watch& watch);

/// Reads all points once more: writes those of the subtrees to the scratch file, and the pivots' coordinates into
/// `nodes`. Memory: two slabs.
void partition_points(const PointsOnDisk& input, const Plan& plan, UpperNodes& nodes, Scratch& scratch,
                      const Watch& watch);

}  // namespace kdscope::slabs
