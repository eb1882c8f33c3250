#pragma once
// Parallel coordinates: a vertical axis per dimension and a line per point. This model determines what they show of a
// trace at a step and which points lie at a place; widgets and figures only paint.

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

/// An axis and the least and greatest coordinate of all points in its dimension.
struct CoordinateAxis {
  std::uint32_t dim = 0;
  double lo = 0, hi = 0;
};

/// One point of the sample.
struct CoordinateLine {
  PointId point;
  std::optional<NodeId> node;  ///< to which it belongs
  TreePlace place;             ///< of that node
  bool settled = false;
  bool chosen = false;    ///< selected, or below a selected node
  bool left_out = false;  ///< the tree has another point with the same coordinates instead
};

/// A node that the step works on or that is selected: the bounds of its box, and its split.
struct CoordinateBox {
  NodeId node;
  TreePlace place;
  std::vector<double> lo, hi;  ///< one value per dimension; empty if the trace has no box for it
  bool tight = false;          ///< lo and hi are the smallest box of its points, not its cell
  int split_dim = -1;          ///< -1 while not split
  double split_value = 0;
  bool fresh = false;  ///< split by the current step
};

/// The places of the axes in pixels, y downwards: axis i is at left + i * spacing; its values run from top + height up
/// to top.
struct CoordinateFrame {
  double left = 0, spacing = 1, top = 0, height = 1;
  double x(std::size_t axis) const { return left + static_cast<double>(axis) * spacing; }
  double y(double share) const { return top + (1 - share) * height; }
};

class ParallelCoordinates {
 public:
  /// Reads the points' ranges and chooses a sample of at most `most_lines` points. The sample is ordered by a hash of
  /// the point's index, so that every prefix of it is a sample too and no order of the points shows as a pattern. Work
  /// O(n k).
  explicit ParallelCoordinates(std::shared_ptr<const Trace> trace, std::size_t most_lines = 2000);
  ParallelCoordinates() = default;

  /// Shows a step and the selection there: points (ascending) and nodes. Without selected nodes, the boxes are those of
  /// the nodes that the step's highlights name, or else of the root. Work O(lines * depth + highlighted ranges).
  void show(const Cursor& cursor, std::span<const PointId> points, std::span<const NodeId> nodes);

  std::uint32_t dim() const { return dim_; }
  std::uint64_t point_count() const { return points_ && dim_ ? points_->size() / dim_ : 0; }
  double coordinate(PointId point, std::uint32_t dim) const {
    return points_->number(std::size_t(point.value) * dim_ + dim);
  }

  /// Shows only the dimensions that some node of the finished tree splits, or all dimensions; ascending.
  void show_split_only(bool split_only);
  bool split_only() const { return split_only_; }
  /// Returns the number of dimensions that the finished tree splits.
  std::size_t split_count() const { return split_dims_.size(); }
  const std::vector<CoordinateAxis>& axes() const { return split_only_ ? split_axes_ : all_axes_; }
  /// Returns the axis of a dimension; nullopt if it is not shown.
  std::optional<std::size_t> axis_of(std::uint32_t dim) const;

  /// Uses one unit of length on all axes, each from its own least value, so that the widest dimension has the longest
  /// axis; otherwise every axis is as long as there is room.
  void show_same_unit(bool same_unit) { same_unit_ = same_unit; }
  bool same_unit() const { return same_unit_; }
  /// Returns the height of a value on an axis, from 0 to 1; 0.5 if all values are equal.
  double share(std::size_t axis, double value) const;
  /// Returns the length of an axis: 1, or less with the same unit.
  double length(std::size_t axis) const;

  const std::vector<CoordinateLine>& lines() const { return lines_; }
  /// Returns the line of any point, even of one that the sample leaves out.
  CoordinateLine line_of(const Cursor& cursor, PointId point) const;
  /// Returns whether anything is selected, so that the other lines recede.
  bool chooses() const { return chooses_; }
  /// Returns the nodes' boxes, ascending by node. With more than most_boxes nodes, no box has lo and hi; only the
  /// splits are given.
  const std::vector<CoordinateBox>& boxes() const { return boxes_; }
  static constexpr std::size_t most_boxes = 8, most_splits = 256;
  /// Returns a sentence about what boxes() leaves out; empty if nothing.
  const std::string& left_out() const { return left_out_; }

  /// Returns the points whose lines pass within `reach` pixels of (x, y), nearest first, among the first `drawn` lines
  /// and `more`.
  std::vector<PointId> points_near(const CoordinateFrame& frame, double x, double y, double reach, std::size_t drawn,
                                   std::span<const PointId> more = {}) const;
  /// Returns the point with the next greater coordinate in a dimension than `point` among the first `drawn` lines, or
  /// with the next smaller one (direction -1). Equal coordinates are ordered by index. Without `point`, returns the
  /// least point, or the greatest (direction -1). nullopt at the end.
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
