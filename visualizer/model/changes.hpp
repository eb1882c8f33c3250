#pragma once
// What differs between two states of a run: elements of every array and nodes of the tree, in one order for walking
// through them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"

namespace kdscope {

/// Where the user sees an element.
enum class SeenIn : std::uint8_t {
  table,   ///< a row of the tables by index space
  counts,  ///< a cell of an array of counts
  tree,    ///< a node of the tree so far
  nowhere  ///< an array that no pane draws element by element
};

/// The changed elements of one array, or of one component if components have rows of their own; or the changed nodes.
struct ChangedArray {
  SeenIn seen_in = SeenIn::table;
  std::string name;   ///< name of the array; empty for the tree
  std::string label;  ///< as the source prints it; "node" for the tree
  Space index_space = Space::position;
  std::uint32_t component = 0, components = 1;
  std::vector<IndexRange> ranges;  ///< ranges of indices, or of cells for counts; ascending
  bool reshaped = false;           ///< the counts have another shape, so all of them count as changed
  std::uint64_t first = 0;         ///< number of the array's first change in the list
  std::uint64_t count = 0;
};

/// One change in the list.
struct Change {
  SeenIn seen_in = SeenIn::table;
  std::string array, label;
  Space index_space = Space::position;
  std::uint32_t component = 0;
  std::uint64_t index = 0;
  std::string before, after;  ///< `before` is empty if the element is new
};

/// A node of the tree that is new, or whose split, point, boxes or status as a leaf differ.
struct NodeChange {
  NodeId node;
  bool is_new = false;
};

/// What differs at a node, in words: "open", "x = 46, point 6". `before` is empty if the node is new.
struct NodeWords {
  std::string before, after;
};
NodeWords node_words(const Cursor& baseline, const Cursor& now, NodeId node);

/// Returns whether an array (derived arrays included) has the same version at two steps, so that nothing in it changed.
/// Work O(log versions).
bool same_version(const Trace& trace, std::string_view array, std::uint32_t a, std::uint32_t b);
/// Returns the same for the states of two cursors. Versions of different traces are never the same.
bool same_version(const Cursor& baseline, const Cursor& now, std::string_view array);

/// Returns the nodes that differ, in ascending order. Work O(nodes), or O(1) if the tree was not written in between.
std::vector<NodeChange> changed_nodes(const Cursor& baseline, const Cursor& now);

/// Returns the cells of an array of counts that differ; all of them if the array was reshaped. Work O(size), or O(1) if
/// it was not written in between.
ChangedArray changed_counts(const Cursor& baseline, const Cursor& now, const std::string& array);

/// The changes between two steps of one trace as panes draw them: the rows of the tables in their order, then counts
/// and nodes. Between two traces also the differences of arrays that are not drawn. Valid until either cursor moves.
/// Work O(elements of the arrays written in between).
class ChangeList {
 public:
  ChangeList() = default;
  /// `axes` limits data of many dimensions to the rows of these dimensions.
  ChangeList(const Cursor& baseline, const Cursor& now, const std::optional<Axes>& axes = {});
  std::uint64_t size() const { return size_; }
  /// Returns whether rows of dimensions that are not on the axes were also written. The list leaves them out.
  bool leaves_out_dimensions() const { return leaves_out_; }
  const std::vector<ChangedArray>& arrays() const { return arrays_; }
  /// Returns the change with a given number below size(). Work O(ranges of its array).
  Change at(std::uint64_t number) const;

 private:
  void add(ChangedArray changed);
  const Cursor *before_ = nullptr, *now_ = nullptr;
  std::optional<Axes> axes_;
  std::vector<ChangedArray> arrays_;
  std::vector<NodeChange> nodes_;
  std::uint64_t size_ = 0;
  bool leaves_out_ = false;
};

}  // namespace kdscope
