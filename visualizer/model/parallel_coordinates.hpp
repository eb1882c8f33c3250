#pragma once
// Parallel coordinates: one vertical axis per dimension, one line per point. This model decides what is shown of a
// trace at a step, and finds the lines near a place; widgets and figures only paint.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// An axis, with the smallest and greatest coordinate of all points in its dimension.
struct CoordinateAxis {
  std::uint32_t dim = 0;
  double lo = 0, hi = 0;
};

/// One point of the sample.
struct CoordinateLine {
  PointId point;
  std::optional<NodeId> node;  ///< node to which it belongs
  TreePlace place;             ///< of that node
  bool settled = false;
  bool chosen = false;    ///< is selected, or lies below a selected node
  bool left_out = false;  ///< the tree holds another point with the same coordinates instead
};

/// A node that the step works on or that is selected: the ends of its box, and its split.
struct CoordinateBox {
  NodeId node;
  TreePlace place;
  std::vector<double> lo, hi;  ///< one value per dimension; empty if the trace has no box for the node
  bool tight = false;          ///< it is the smallest box of the node's points, not its cell
  int split_dim = -1;          ///< -1 while not split
  double split_value = 0;
  bool fresh = false;  ///< split by the current step
};

/// The place of the axes in pixels, y downwards. Axis i is at left + i * spacing; its values run from top + height up
/// to top.
struct CoordinateFrame {
  double left = 0, spacing = 1, top = 0, height = 1;
  double x(std::size_t axis) const { return left + static_cast<double>(axis) * spacing; }
  double y(double share) const { return top + (1 - share) * height; }
};

class ParallelCoordinates {
 public:
  /// Reads the ranges of the points, work O(n k), and chooses the sample. Points rank by a hash of their index, so
  /// every prefix of the sample is a sample too, and no order of the points shows as a pattern.
  explicit ParallelCoordinates(std::shared_ptr<const Trace> trace, std::size_t most_lines = 2000);
  ParallelCoordinates() = default;

  /// Adopts a step and its selection: `points` in ascending order, and `nodes`. If no nodes are selected, the boxes are
  /// those of the nodes that the step's highlights name, or otherwise that of the root. Work O(lines * depth +
  /// highlighted ranges).
  void show(const Cursor& cursor, std::span<const PointId> points, std::span<const NodeId> nodes);

  std::uint32_t dim() const { return dim_; }
  std::uint64_t point_count() const { return points_ && dim_ ? points_->size() / dim_ : 0; }
  double coordinate(PointId point, std::uint32_t dim) const {
    return points_->number(std::size_t(point.value) * dim_ + dim);
  }

  /// Selects the dimensions to show: only those that some node of the finished tree splits, or all. Ascending.
  void show_split_only(bool split_only);
  bool split_only() const { return split_only_; }
  /// Returns the number of dimensions that the finished tree splits.
  std::size_t split_count() const { return split_dims_.size(); }
  const std::vector<CoordinateAxis>& axes() const { return split_only_ ? split_axes_ : all_axes_; }
  /// Returns the axis of a dimension, or nullopt if it is not shown.
  std::optional<std::size_t> axis_of(std::uint32_t dim) const;

  /// Selects the scale of the axes. With the same unit, a unit of length is equal on all axes, each axis starts at its
  /// own smallest value, and the widest dimension is the longest. Otherwise every axis fills the available length.
  void show_same_unit(bool same_unit) { same_unit_ = same_unit; }
  bool same_unit() const { return same_unit_; }
  /// Returns how far up an axis a value lies, from 0 to 1; 0.5 if all values are equal.
  double share(std::size_t axis, double value) const;
  /// Returns the length of an axis: 1, or less with the same unit.
  double length(std::size_t axis) const;

  const std::vector<CoordinateLine>& lines() const { return lines_; }
  /// Returns any point as a line, including points outside the sample.
  CoordinateLine line_of(const Cursor& cursor, PointId point) const;
  /// Returns whether something is selected, so that the other lines are drawn less prominently.
  bool chooses() const { return chooses_; }
  /// Returns the boxes in ascending order of their nodes. If there are more than most_boxes, all of them have only
  /// their splits, without lo and hi.
  const std::vector<CoordinateBox>& boxes() const { return boxes_; }
  static constexpr std::size_t most_boxes = 8, most_splits = 256;
  /// Returns one sentence about what boxes() leaves out; empty if it is complete.
  const std::string& left_out() const { return left_out_; }

  /// Returns the points whose lines pass within `reach` pixels of a place, nearest first, among the first `drawn` lines
  /// and `more`.
  std::vector<PointId> points_near(const CoordinateFrame& frame, double x, double y, double reach, std::size_t drawn,
                                   std::span<const PointId> more = {}) const;
  /// Returns the point with the next greater coordinate in a dimension among the first `drawn` lines, or with the next
  /// smaller one (direction -1). Ties are ordered by index. Without `point`, returns the smallest or the greatest.
  /// Returns nullopt at the end.
  std::optional<PointId> neighbour(std::uint32_t dim, std::optional<PointId> point, int direction,
                                   std::size_t drawn) const;

 private:
  double distance(const CoordinateFrame& frame, PointId point, double x, double y) const;
  void find_boxes(const Cursor& cursor, std::span<const NodeId> selected);

  std::shared_ptr<const Trace> trace_;
  const TypedArray* points_ = nullptr;  // of the trace
  std::uint32_t dim_ = 0;
  std::vector<CoordinateAxis> all_axes_, split_axes_;
  std::vector<std::uint32_t> split_dims_;
  double widest_ = 0;
  bool split_only_ = false, same_unit_ = false, chooses_ = false;
  std::vector<CoordinateLine> lines_;
  std::vector<CoordinateBox> boxes_;
  std::string left_out_;
};

}  // namespace kdscope
