#pragma once
// What each step of the two builders shows. This is host code over downloaded state. It runs only while a trace is
// recorded, and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/options.hpp"
#include "algorithms/builders/zhou/small_nodes.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope::zhou {

/// The list of nodes on the host; the fields are those of NodesView.
struct NodeList {
  Checked<std::uint32_t> left_child, split_dim;
  Checked<float> split_value;
  Checked<Box3> volume;
  Checked<std::uint32_t> count, first;
  Checked<std::uint64_t> set;
  Checked<std::uint8_t> depth, bounded;
  std::uint32_t size() const { return static_cast<std::uint32_t>(left_child.size()); }
};

template <class Exec, class Writer>
NodeList read_node_list(const Nodes<Exec>& nodes, Writer& writer, std::uint32_t count) {
  const NodesView v = nodes.view();
  return {writer.read(v.left_child, count), writer.read(v.split_dim, count), writer.read(v.split_value, count),
          writer.read(v.volume, count),     writer.read(v.count, count),     writer.read(v.first, count),
          writer.read(v.set, count),        writer.read(v.depth, count),     writer.read(v.bounded, count)};
}
template <class Exec, class Writer>
NodeList read_node_list(const Nodes<Exec>& nodes, Writer& writer) {
  return read_node_list(nodes, writer, nodes.size());
}

/// The active nodes of a level on the host, their references and the chunks of these.
struct ChunkedLevel {
  Checked<std::uint32_t> active, first, primitive;        ///< [active], [active], [references]
  Checked<Box3> box;                                      ///< [references]
  Checked<std::uint32_t> owner, chunk_first, chunk_size;  ///< [chunks]
};

/// The references on the host once a level has moved them.
struct MovedReferences {
  Checked<std::uint32_t> pending;    ///< nodes that are not known to be leaves
  Checked<std::uint32_t> halved;     ///< [nodes of the level]
  Checked<Box3> tight;               ///< [nodes of the level]
  Checked<std::uint32_t> primitive;  ///< the next level's references; for points, of all lists
  Checked<Box3> box;                 ///< [references of the next level] none for points
  Checked<std::uint32_t> kept;       ///< all references that are kept for small nodes and leaves
  std::uint32_t before, both;        ///< numbers of the level's references and of those that went to both children
};

/// Keeps the state that later steps need and turns downloaded state into steps of the trace.
class StepPresenter {
 public:
  using Ids = Checked<std::uint32_t>;

  /// Takes the input. triangles: three corners each; empty if the tree is over points.
  StepPresenter(PointSet points, Ids triangles, const ZhouOptions& options);

  void boxed(StepWriter& step, const Checked<Box3>& boxes);
  /// Shows the root. radius: R, for points.
  void rooted(StepWriter& step, NodeList nodes, double radius = 0);
  /// Shows the level's active nodes, their references, and the chunks of the references.
  void chunked(StepWriter& step, ChunkedLevel level);
  void boxed_chunks(StepWriter& step, Checked<Box3> boxes);
  /// Shows the state after `passes` passes: the remaining data and the results so far.
  void reduced_boxes(StepWriter& step, std::uint32_t passes, const Checked<Box3>& data, const Checked<Box3>& result);
  void reduced_counts(StepWriter& step, std::uint32_t passes, const Checked<SideCounts>& data,
                      const Checked<SideCounts>& result);
  /// Shows the planned splits. planes: [active x most_planes]; half: 1 if the last of a node's `pairs` planes halves
  /// it.
  void planned(StepWriter& step, Checked<PlannedSplit> planes, Ids pairs, const Ids& half, Checked<Box3> tight);
  /// Returns the number of nodes after the plan is carried out.
  std::uint32_t planned_nodes(std::uint32_t begin) const;
  void created(StepWriter& step, std::uint32_t begin, Ids halved, Ids child, NodeList nodes);
  void marked(StepWriter& step, const Checked<SideRanks>& ranks, Checked<SideCounts> counts);
  void filtered(StepWriter& step, NodeList nodes, Checked<ChildKind> kind);
  /// Shows the level's last step, the only one in a thinned recording.
  void clipped(StepWriter& step, NodeList nodes, const MovedReferences& moved);
  void candidates(StepWriter& step, std::uint32_t of_primitive, const Ids& roots, Ids kept, Checked<Box3> box,
                  Checked<SplitSets> sets);
  /// Shows the costs. level: nodes; costs: [level x cost_row], the split's cost times the node's measure.
  void evaluated(StepWriter& step, NodeList nodes, Ids level, Ids choice, const Checked<double>& costs);
  void split_small(StepWriter& step, NodeList nodes, std::uint32_t begin);
  /// Shows the sizes after a pass. done: the nodes of the pass, empty for the pass over leaves. Sizes above them are
  /// unknown.
  void sized(StepWriter& step, NodeList nodes, const Checked<std::uint64_t>& size, const Ids& done);
  /// Shows the addresses after a pass. done: the nodes of the pass; pairs: the pairs of children below each; both empty
  /// for the root's pass. Addresses further down are unknown.
  void addressed(StepWriter& step, const Checked<std::uint64_t>& address, const Ids& done, const Ids& pairs);
  void stored(StepWriter& step, SplitPlaneTree tree);

  // For points only. Their lists are stored one after another, [lists x m]; the list by index is the last.
  void sorted(StepWriter& step, const Ids& lists);
  void bounded(StepWriter& step, Ids active, Ids first, Ids lists, const Checked<Box3>& tight);
  /// Shows the sides. side: [n] by point.
  void sided(StepWriter& step, const Checked<std::uint8_t>& side);
  /// Shows the sums. left_before: [lists x m], summed over all of them.
  void summed(StepWriter& step, const Ids& left_before);

  static Ids range(std::uint32_t begin, std::uint32_t count);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(points_.size()); }
  std::string primitives(std::size_t count) const;
  SplitPlane plane_of(std::size_t candidate) const;
  double measure_of(const Box3& volume) const;
  /// Returns the left child of a split node. Throws BrokenState unless the child is listed after its parent.
  std::uint32_t child_of(std::uint32_t node) const {
    const std::uint32_t left = nodes_.left_child[node];
    if (left <= node) throw BrokenState("the child of node " + std::to_string(node) + " is not listed behind it");
    return left;
  }
  void add_lists(StepWriter& step) const;
  void add_nodes(StepWriter& step) const;
  void add_references(StepWriter& step) const;
  void move_references(StepWriter& step, const Ids& pending, const Ids& lists, const Checked<Box3>& box);
  void add_kept(StepWriter& step, const Ids& kept) const;
  void add_chunk_segments(StepWriter& step) const;
  void add_pass(StepWriter& step, std::uint32_t passes) const;
  void add_extents(StepWriter& step, const ArrayDef<std::uint32_t>& nodes, const ArrayDef<std::uint32_t>& references,
                   const Checked<std::uint64_t>& extents) const;
  void add_partition(StepWriter& step);

  PointSet points_;
  Ids triangles_;
  ZhouOptions options_;
  NodeList nodes_;
  ChunkedLevel level_;
  Checked<Box3> chunk_box_;               ///< [chunks]
  Checked<SideCounts> chunk_counts_;      ///< [chunks]
  Checked<PlannedSplit> planes_;          ///< [active x most_planes]
  Ids pairs_, child_;                     ///< [active], [2 x active]
  Checked<Box3> tight_of_node_;           ///< [nodes] empty while unknown
  Checked<std::uint8_t> leaf_;            ///< [nodes] 1 for final leaves
  Ids node_of_point_;                     ///< [n]
  Ids lists_, left_;                      ///< [lists x m]; [n] by point, 1 for points that go left
  double radius_ = 0;
  std::uint32_t of_primitive_ = 6;
  Ids kept_;
  Checked<Box3> kept_box_;
  Checked<SplitSets> sets_;
  Checked<std::uint64_t> size_, address_;  ///< [nodes]
  Checked<bool> known_;                    ///< [nodes] whether the size (later, the address) is known
};

}  // namespace kdscope::zhou
