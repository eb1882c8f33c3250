#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/as_floats.hpp"
#include "algorithms/trees/left_balanced/file.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/left_balanced/verify.hpp"
#include "algorithms/trees/trace_arrays.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope {
namespace {

/// Returns round-robin if each split dimension is level mod k, else the widest side.
Split inferred_split(const LeftBalancedTree& tree) {
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (tree.split_dim[i] != static_cast<std::uint32_t>(level_of(NodeId{i})) % tree.points.dim) return Split::widest;
  return Split::round_robin;
}

/// Reads the array "tree", which holds the point of each node. If it is missing, positions are nodes and "index" holds
/// their points. The partition's nodes must be those of the level order.
LeftBalancedTree recorded(const Cursor& end) {
  const PointSet input = trace_arrays::points(end);
  const std::uint64_t n = input.size();
  const auto parents = trace_arrays::elements<std::uint32_t>(end, partition_arrays::parent, n);
  const char* const source = end.trace().find("tree") ? "tree" : "index";
  const auto index = trace_arrays::elements<std::uint32_t>(end, source, n);
  const auto dims = end.array("split_dim") ? trace_arrays::elements<std::uint8_t>(end, "split_dim", n)
                                           : std::span<const std::uint8_t>();
  LeftBalancedTree tree{{input.type, input.dim, 0, {}}, {}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t point = index[i];
    if (point >= n) trace_arrays::no_such_point(source, i, point, n);
    if (parents[i] != (i == 0 ? no_id : parent_of(NodeId{i}).value))
      trace_arrays::no_tree(partition_arrays::parent, "element " + std::to_string(i) + " is not the parent of node " +
                                                          std::to_string(i) + " in level order");
    tree.point_of_node.push_back({point});
    tree.split_dim.push_back(
        dims.empty() ? static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{i})) % input.dim)
                     : dims[i]);
    for (std::uint32_t d = 0; d < input.dim; ++d) tree.points.words.push_back(input.word(point, d));
  }
  return tree;
}

class LeftBalancedKind final : public TreeKindOf<LeftBalancedTree> {
 public:
  std::string_view id() const override { return "left-balanced"; }
  bool begins(const tree_files::CsvRows& rows) const override { return begins_node_rows(rows, false); }
  bool begins(const tree_files::NpyArray& first) const override { return begins_node_rows(first, false); }
  Tree read(tree_files::CsvRows& rows) const override { return left_balanced_tree_of(read_node_rows(rows, false)); }
  Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const override {
    return left_balanced_tree_of(read_node_rows(first, bytes, path, false));
  }
  Tree from_trace(const Cursor& end) const override { return recorded(end); }

 protected:
  std::vector<CheckResult> verify_of(const LeftBalancedTree& tree, const PointSet& input) const override {
    return verify_left_balanced_tree(tree, input, tree.split ? *tree.split : inferred_split(tree));
  }
  bool expect(LeftBalancedTree& tree, Split split) const override {
    tree.split = split;
    return true;
  }
  void each_in_order(const LeftBalancedTree& tree, const std::function<void(std::uint32_t)>& take) const override {
    const std::uint32_t n = tree.size();
    for (std::uint32_t position = 0; position < n; ++position)
      take(tree.point_of_node[node_in_order(position, n).value].value);
  }
  const PointSet& points_of(const LeftBalancedTree& tree) const override { return tree.points; }
  PointSet original_points_of(const LeftBalancedTree& tree) const override {
    PointSet input = tree.points;
    const std::uint32_t stride = input.stride();
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
      const std::uint32_t point = tree.point_of_node[i].value;
      if (point >= tree.size()) continue;
      for (std::uint32_t w = 0; w < stride; ++w)
        input.words[std::size_t(point) * stride + w] = tree.points.words[std::size_t(i) * stride + w];
    }
    return input;
  }
  void make_float_of(LeftBalancedTree& tree) const override { tree.points = as_floats(std::move(tree.points)); }
  void write_of(const LeftBalancedTree& tree, TreeFormat format, std::ostream& out) const override {
    (format == TreeFormat::csv ? tree_files::write_rows_csv : tree_files::write_rows_npy)(tree_files::rows_of(tree),
                                                                                          out);
  }
};

}  // namespace

const TreeKind& LeftBalancedTree::kind() {
  static const LeftBalancedKind kind;
  return kind;
}

std::uint64_t tree_hash(const LeftBalancedTree& tree) {
  const PointsView view = view_of(tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    sum += node_hash(NodeId{i}, tree.point_of_node[i], tree.split_dim[i], view, i);
  return finish_tree_hash(sum, tree.size(), tree.points.dim, tree.points.type);
}

}  // namespace kdscope
