#include <memory>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/as_floats.hpp"
#include "algorithms/trees/median_stores/file.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/median_stores/verify.hpp"
#include "algorithms/trees/trace_arrays.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope {
namespace {

/// Reads the array "median_store" with the point of each node, "removed" and, if they were recorded, the references
/// "less" and "greater" by point.
MedianStoreTree recorded(const Cursor& end) {
  MedianStoreTree tree{std::make_shared<PointSet>(trace_arrays::points(end)), {}, {}, {}, {}};
  const std::size_t n = tree.points->size();
  if (n > 0)
    for (const char* name : {"median_store", "removed"})
      if (!end.array(name)) trace_arrays::no_tree(name, "no step wrote it");
  for (const std::uint32_t point : trace_arrays::elements<std::uint32_t>(end, "median_store")) {
    if (point >= n && point != no_id) trace_arrays::no_such_point("median_store", tree.stores.size(), point, n);
    tree.stores.push_back({point});
  }
  for (const std::uint32_t point : trace_arrays::elements<std::uint32_t>(end, "removed"))
    tree.removed.push_back({point});
  tree.less = trace_arrays::indices(end, "less");
  tree.greater = trace_arrays::indices(end, "greater");
  return tree;
}

class MedianStoresKind final : public TreeKindOf<MedianStoreTree> {
 public:
  std::string_view id() const override { return "median-stores"; }
  bool begins(const tree_files::CsvRows& rows) const override { return tree_files::is_median_store_tree(rows); }
  bool begins(const tree_files::NpyArray& first) const override { return tree_files::is_median_store_tree(first); }
  Tree read(tree_files::CsvRows& rows) const override { return tree_files::read_median_store_csv(rows); }
  Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const override {
    return tree_files::read_median_store_npy(first, bytes, path);
  }
  Tree from_trace(const Cursor& end) const override { return recorded(end); }

 protected:
  std::vector<CheckResult> verify_of(const MedianStoreTree& tree, const PointSet& input) const override {
    return verify_median_store_tree(tree, input);
  }
  void each_in_order(const MedianStoreTree& tree, const std::function<void(std::uint32_t)>& take) const override {
    for (const PointId point : tree.stores) take(point.value);
  }
  std::vector<std::uint32_t> left_out_of(const MedianStoreTree& tree) const override {
    std::vector<std::uint32_t> points;
    for (const PointId point : tree.removed) points.push_back(point.value);
    return points;
  }
  const PointSet& points_of(const MedianStoreTree& tree) const override { return *tree.points; }
  void make_float_of(MedianStoreTree& tree) const override {
    tree.points = std::make_shared<PointSet>(as_floats(*tree.points));
  }
  void write_of(const MedianStoreTree& tree, TreeFormat format, std::ostream& out) const override {
    (format == TreeFormat::csv ? tree_files::write_median_store_csv : tree_files::write_median_store_npy)(tree, out);
  }
};

}  // namespace

const TreeKind& MedianStoreTree::kind() {
  static const MedianStoresKind kind;
  return kind;
}

std::uint64_t tree_hash(const MedianStoreTree& tree) {
  const PointsView view = view_of(*tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (const PointId point = tree.stores[i]; point.value != no_id)
      sum += node_hash(NodeId{i}, point, static_cast<std::uint32_t>(level_of(NodeId{i})) % view.dim, view, point.value);
  return finish_tree_hash(sum, view.n, view.dim, view.type);
}

}  // namespace kdscope
