#include <memory>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/as_floats.hpp"
#include "algorithms/trees/level_order/file.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/level_order/verify.hpp"
#include "algorithms/trees/trace_arrays.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope {
namespace {

/// Reads the array "tree", which holds the point of each node.
LevelOrderTree recorded(const Cursor& end) {
  LevelOrderTree tree{std::make_shared<PointSet>(trace_arrays::points(end)), {}, {}};
  const std::uint64_t n = tree.points->size();
  for (const std::uint32_t point : trace_arrays::elements<std::uint32_t>(end, "tree")) {
    if (point >= n && point != no_id) trace_arrays::no_such_point("tree", tree.size(), point, n);
    tree.split_dim.push_back(
        static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{tree.size()})) % tree.points->dim));
    tree.point_of_node.push_back({point});
  }
  return tree;
}

class LevelOrderKind final : public TreeKindOf<LevelOrderTree> {
 public:
  std::string_view id() const override { return "level-order"; }
  bool begins(const tree_files::CsvRows& rows) const override { return begins_node_rows(rows, true); }
  bool begins(const tree_files::NpyArray& first) const override { return begins_node_rows(first, true); }
  Tree read(tree_files::CsvRows& rows) const override { return level_order_tree_of(read_node_rows(rows, true)); }
  Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const override {
    return level_order_tree_of(read_node_rows(first, bytes, path, true));
  }
  Tree from_trace(const Cursor& end) const override { return recorded(end); }

 protected:
  std::vector<CheckResult> verify_of(const LevelOrderTree& tree, const PointSet& input) const override {
    return verify_level_order_tree(tree, input);
  }
  void each_in_order(const LevelOrderTree& tree, const std::function<void(std::uint32_t)>& take) const override {
    for (const PointId point : tree.point_of_node) take(point.value);
  }
  const PointSet& points_of(const LevelOrderTree& tree) const override { return *tree.points; }
  void make_float_of(LevelOrderTree& tree) const override {
    tree.points = std::make_shared<PointSet>(as_floats(*tree.points));
  }
  void write_of(const LevelOrderTree& tree, TreeFormat format, std::ostream& out) const override {
    (format == TreeFormat::csv ? tree_files::write_rows_csv : tree_files::write_rows_npy)(tree_files::rows_of(tree),
                                                                                          out);
  }
};

}  // namespace

const TreeKind& LevelOrderTree::kind() {
  static const LevelOrderKind kind;
  return kind;
}

std::uint64_t tree_hash(const LevelOrderTree& tree) {
  const PointsView view = view_of(*tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (const PointId point = tree.point_of_node[i]; point.value != no_id)
      sum += node_hash(NodeId{i}, point, tree.split_dim[i], view, point.value);
  return finish_tree_hash(sum, view.n, view.dim, view.type);
}

}  // namespace kdscope
