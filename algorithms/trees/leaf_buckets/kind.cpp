#include <memory>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/as_floats.hpp"
#include "algorithms/trees/leaf_buckets/file.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/leaf_buckets/verify.hpp"
#include "algorithms/trees/trace_arrays.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope {
namespace {

/// Reads a list of nodes, and the array "bucket" with the point at each position.
BucketTree recorded(const Cursor& end) {
  BucketTree tree;
  tree.points = std::make_shared<PointSet>(trace_arrays::points(end));
  tree.parent = trace_arrays::indices(end, "parent");
  const std::size_t m = tree.parent.size(), k = tree.points->dim;
  for (const std::uint32_t point : trace_arrays::indices(end, "bucket", tree.points->size()))
    tree.point_of_position.push_back({point});
  tree.split_dim = trace_arrays::indices(end, "split_dim", m);
  tree.first = trace_arrays::indices(end, "first", m);
  tree.count = trace_arrays::indices(end, "count", m);
  const auto child = trace_arrays::elements<std::uint32_t>(end, "child", 2 * m);
  std::vector<bool> is_leaf(m);
  for (std::size_t i = 0; i < m; ++i) {
    tree.left_child.push_back(child[2 * i]);
    is_leaf[i] = child[2 * i] == no_id;
  }
  tree.split_value = trace_arrays::split_words(end, "split_value", is_leaf);
  const auto lower = trace_arrays::coordinate_words(end, "aabbMin", m * k),
             upper = trace_arrays::coordinate_words(end, "aabbMax", m * k);
  for (std::size_t i = 0; i < m; ++i)
    for (const auto* ends : {&lower, &upper})
      tree.box.insert(tree.box.end(), ends->data() + i * k, ends->data() + (i + 1) * k);
  return tree;
}

class LeafBucketsKind final : public TreeKindOf<BucketTree> {
 public:
  std::string_view id() const override { return "leaf-buckets"; }
  bool begins(const tree_files::CsvRows& rows) const override { return tree_files::is_bucket_tree(rows); }
  bool begins(const tree_files::NpyArray& first) const override { return tree_files::is_bucket_tree(first); }
  Tree read(tree_files::CsvRows& rows) const override { return tree_files::read_bucket_csv(rows); }
  Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const override {
    return tree_files::read_bucket_npy(first, bytes, path);
  }
  Tree from_trace(const Cursor& end) const override { return recorded(end); }

 protected:
  std::vector<CheckResult> verify_of(const BucketTree& tree, const PointSet& input) const override {
    return verify_bucket_tree(tree, input, tree.leaf_size);
  }
  void each_in_order(const BucketTree& tree, const std::function<void(std::uint32_t)>& take) const override {
    for (const PointId point : tree.point_of_position) take(point.value);
  }
  const PointSet& points_of(const BucketTree& tree) const override { return *tree.points; }
  void make_float_of(BucketTree& tree) const override {
    tree.points = std::make_shared<PointSet>(as_floats(*tree.points));
    make_float(tree.split_value);
    make_float(tree.box);
  }
  void write_of(const BucketTree& tree, TreeFormat format, std::ostream& out) const override {
    (format == TreeFormat::csv ? tree_files::write_bucket_csv : tree_files::write_bucket_npy)(tree, out);
  }
};

}  // namespace

const TreeKind& BucketTree::kind() {
  static const LeafBucketsKind kind;
  return kind;
}

std::uint64_t tree_hash(const BucketTree& tree) {
  const ScalarType type = tree.points->type;
  const std::uint32_t sides = 2 * tree.points->dim;
  const auto plain = [&](std::uint32_t word) { return word_of_ordered_key(ordered_key(word, type), type); };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + i);
    for (const std::uint32_t value : {tree.parent[i], tree.left_child[i], tree.split_dim[i], plain(tree.split_value[i]),
                                      tree.first[i], tree.count[i]})
      h = mix64(h ^ (value + 0x300000000ull));
    for (std::uint32_t side = 0; side < sides; ++side)
      h = mix64(h ^ (plain(tree.box[std::size_t(i) * sides + side]) + 0x400000000ull));
    sum += h;
  }
  for (std::uint32_t i = 0; i < tree.point_of_position.size(); ++i)
    sum += mix64(mix64(0x500000000ull + i) ^ tree.point_of_position[i].value);
  return finish_tree_hash(sum, tree.point_of_position.size(), tree.points->dim, type);
}

}  // namespace kdscope
