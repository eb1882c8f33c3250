#pragma once
// What each step of the two builders shows. Host code over downloaded state; it runs only while a trace is recorded,
// and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/options.hpp"
#include "algorithms/builders/zhou/small_nodes.hpp"
#include "algorithms/record/step_report.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope::zhou {

/// The list of nodes on the host; fields as those of NodesView.
struct NodeList {
  std::vector<std::uint32_t> left_child, split_dim;
  std::vector<float> split_value;
  std::vector<Box3> volume;
  std::vector<std::uint32_t> count, first;
  std::vector<std::uint64_t> set;
  std::vector<std::uint8_t> depth, bounded;
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

/// Keeps what later steps need and turns downloaded state into reports.
class Recording {
 public:
  using Ids = std::vector<std::uint32_t>;

  /// triangles: three corners each; none where points are sorted.
  Recording(PointSet points, Ids triangles, const ZhouOptions& options);

  StepReport boxed(const std::vector<Box3>& boxes);
  /// radius: R, of points.
  StepReport rooted(NodeList nodes, double radius = 0);
  /// The level's active nodes, their references, and the chunks of these.
  StepReport chunked(Ids active, Ids first, Ids primitive, std::vector<Box3> box, Ids owner, Ids chunk_first,
                     Ids chunk_size);
  StepReport boxed_chunks(std::vector<Box3> boxes);
  /// After `passes` passes: what is left of the data, and the results so far.
  StepReport reduced_boxes(std::uint32_t passes, const std::vector<Box3>& data, const std::vector<Box3>& result);
  StepReport reduced_counts(std::uint32_t passes, const std::vector<SideCounts>& data,
                            const std::vector<SideCounts>& result);
  /// planes: [active x most_planes]; half: whether the last of a node's `pairs` planes halves it.
  StepReport planned(std::vector<PlannedSplit> planes, Ids pairs, const Ids& half, std::vector<Box3> tight);
  /// Nodes that there will be once the plan is carried out.
  std::uint32_t planned_nodes(std::uint32_t begin) const;
  StepReport created(std::uint32_t begin, Ids halved, Ids child, NodeList nodes);
  StepReport marked(const std::vector<SideRanks>& ranks, std::vector<SideCounts> counts);
  StepReport filtered(NodeList nodes, std::vector<ChildKind> kind);
  /// The level's last step, the only one of a thinned recording. pending: nodes that are not known to be leaves;
  /// halved, tight: of the level's nodes; the next level's references (of points all lists), and all that are kept for
  /// small nodes and leaves; before, both: references of the level.
  StepReport clipped(NodeList nodes, const Ids& pending, const Ids& halved, const std::vector<Box3>& tight,
                     const Ids& primitive, const std::vector<Box3>& box, const Ids& kept, std::uint32_t before,
                     std::uint32_t both);
  StepReport candidates(std::uint32_t of_primitive, const Ids& roots, Ids kept, std::vector<Box3> box,
                        std::vector<SplitSets> sets);
  /// level: nodes; costs: [level x cost_row], the split's cost times the node's measure.
  StepReport evaluated(NodeList nodes, Ids level, Ids choice, const std::vector<double>& costs);
  StepReport split_small(NodeList nodes, std::uint32_t begin);
  /// done: the nodes of the pass, none for that of the leaves; sizes above are unknown.
  StepReport sized(NodeList nodes, const std::vector<std::uint64_t>& size, const Ids& done);
  /// done: the nodes of the pass, and the pairs of children below each; none for the root's. Addresses further down are
  /// unknown.
  StepReport addressed(const std::vector<std::uint64_t>& address, const Ids& done, const Ids& pairs);
  StepReport stored(SplitPlaneTree tree);

  // Of points alone, whose lists stand one after the other, [lists x m], the one by index last.
  StepReport sorted(const Ids& lists);
  StepReport bounded(Ids active, Ids first, Ids lists, const std::vector<Box3>& tight);
  /// side: [n] by point.
  StepReport sided(const std::vector<std::uint8_t>& side);
  /// left_before: [lists x m], summed up over all of them.
  StepReport summed(const Ids& left_before);

  static Ids range(std::uint32_t begin, std::uint32_t count);
  /// The arrays that a trace of these builders holds.
  static std::vector<ArrayInfo> arrays(const TraceHeader& header, Primitive primitive);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(points_.size()); }
  std::string primitives(std::size_t count) const;
  SplitPlane plane_of(std::size_t candidate) const;
  double measure_of(const Box3& volume) const;
  void add_lists(StepReport& report) const;
  void add_nodes(StepReport& report) const;
  void add_references(StepReport& report) const;
  void move_references(StepReport& report, const Ids& pending, const Ids& lists, const std::vector<Box3>& box);
  void add_kept(StepReport& report, const Ids& kept) const;
  void add_chunk_segments(StepReport& report) const;
  void add_pass(StepReport& report, std::uint32_t passes) const;
  void add_extents(StepReport& report, const char* nodes, const char* references,
                   const std::vector<std::uint64_t>& extents) const;
  void add_partition(StepReport& report);

  PointSet points_;
  Ids triangles_;
  ZhouOptions options_;
  NodeList nodes_;
  Ids active_, first_, primitive_;        ///< of the level
  std::vector<Box3> box_;                 ///< [references of the level]
  Ids owner_, chunk_first_, chunk_size_;  ///< [chunks]
  std::vector<Box3> chunk_box_;           ///< [chunks]
  std::vector<SideCounts> chunk_counts_;  ///< [chunks]
  std::vector<PlannedSplit> planes_;      ///< [active x most_planes]
  Ids pairs_, child_;                     ///< [active], [2 x active]
  std::vector<Box3> tight_of_node_;       ///< [nodes] empty while not known
  std::vector<std::uint8_t> leaf_;        ///< [nodes] 1 for leaves for good
  Ids node_of_point_;                     ///< [n]
  Ids lists_, left_;                      ///< [lists x m]; [n] by point, 1 for those that go left
  double radius_ = 0;
  std::uint32_t of_primitive_ = 6;
  Ids kept_;
  std::vector<Box3> kept_box_;
  std::vector<SplitSets> sets_;
  std::vector<std::uint64_t> size_, address_;  ///< [nodes]
  std::vector<bool> known_;                    ///< [nodes] whose size, then whose address is known
};

}  // namespace kdscope::zhou
