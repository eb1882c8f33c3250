#include <algorithm>
#include <cstdio>
#include <memory>

#include "algorithms/core/hash.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/trees/as_floats.hpp"
#include "algorithms/trees/split_planes/file.hpp"
#include "algorithms/trees/split_planes/ray_casts.hpp"
#include "algorithms/trees/split_planes/sah_cost.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/verify.hpp"
#include "algorithms/trees/trace_arrays.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_hash.hpp"

namespace kdscope {
namespace {

std::string primitives_text(Primitive primitive, std::uint64_t count) {
  return primitive == Primitive::triangle ? count_text(count, "triangle", "triangles")
                                          : count_text(count, "point", "points");
}

/// Returns "9 nodes, 5 leaves, 1 of them empty, 9 triangles listed in them, at most 3 in one, depth 3".
std::string shape_text(const SplitPlaneTree& tree, const TreeShape& shape) {
  const std::string text = count_text(tree.size(), "node", "nodes") + ", " +
                           count_text(shape.leaves, "leaf", "leaves") + ", " + std::to_string(shape.empty_leaves) +
                           " of them empty, " + primitives_text(tree.primitive, shape.references) +
                           " listed in them, at most " + std::to_string(shape.fullest_leaf) + " in one, depth " +
                           std::to_string(shape.deepest_leaf);
  return tree.depth_bounded == 0 ? text
                                 : text + "; " + count_text(tree.depth_bounded, "leaf", "leaves") + " only by a bound";
}

/// Reads the arrays "tree.*" over the trace's points or triangles.
SplitPlaneTree recorded(const Cursor& end) {
  SplitPlaneTree tree;
  auto data = std::make_shared<DataSet>();
  data->points = trace_arrays::points(end);
  tree.primitive = sorts_triangles(end.trace()) ? Primitive::triangle : Primitive::point;
  if (tree.primitive == Primitive::triangle) data->triangles = trace_arrays::indices(end, triangles_array);
  tree.parent = trace_arrays::indices(end, "tree.parent");
  const std::size_t m = tree.parent.size();
  tree.right_child = trace_arrays::indices(end, "tree.right_child", m);
  tree.split_dim = trace_arrays::indices(end, "tree.split_dim", m);
  tree.first = trace_arrays::indices(end, "tree.first", m);
  tree.count = trace_arrays::indices(end, "tree.count", m);
  tree.box = trace_arrays::coordinate_words(end, "tree.box", m * 2 * data->points.dim);
  tree.primitive_of_position = trace_arrays::indices(end, "tree.references");
  tree.depth_bounded = trace_arrays::elements<std::uint32_t>(end, "tree.bounded", 1)[0];
  std::vector<bool> is_leaf;
  for (const std::uint32_t right : tree.right_child) is_leaf.push_back(right == no_id);
  tree.split_value = trace_arrays::split_words(end, "tree.split_value", is_leaf);
  tree.data = std::move(data);
  return tree;
}

/// Returns the rows of the standard partition in pre-order; its rows are in the order in which nodes were made, a left
/// child before its right sibling.
std::vector<std::uint32_t> rows_in_pre_order(const Cursor& end, std::size_t nodes) {
  const std::vector<std::uint32_t> parent = trace_arrays::indices(end, partition_arrays::parent, nodes);
  std::vector<std::vector<std::uint32_t>> children(nodes);
  for (std::uint32_t row = 1; row < nodes; ++row) {
    if (parent[row] >= row) trace_arrays::no_tree(partition_arrays::parent, "a child precedes its parent");
    children[parent[row]].push_back(row);
  }
  std::vector<std::uint32_t> rows, stack{0};
  while (!stack.empty() && nodes > 0) {
    rows.push_back(stack.back());
    stack.pop_back();
    const std::vector<std::uint32_t>& below = children[rows.back()];
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return rows;
}

class SplitPlanesKind final : public TreeKindOf<SplitPlaneTree> {
 public:
  std::string_view id() const override { return "split-planes"; }
  bool begins(const tree_files::CsvRows& rows) const override { return tree_files::is_split_plane_tree(rows); }
  bool begins(const tree_files::NpyArray& first) const override { return tree_files::is_split_plane_tree(first); }
  Tree read(tree_files::CsvRows& rows) const override { return tree_files::read_split_plane_csv(rows); }
  Tree read(const tree_files::NpyArray& first, std::string_view bytes, const std::string& path) const override {
    return tree_files::read_split_plane_npy(first, bytes, path);
  }
  Tree from_trace(const Cursor& end) const override { return recorded(end); }
  bool over_triangles(const Tree& tree) const override {
    return tree.as<SplitPlaneTree>().primitive == Primitive::triangle;
  }
  std::vector<std::uint32_t> partition_rows(const Tree& tree, const Cursor& end) const override {
    return rows_in_pre_order(end, tree.as<SplitPlaneTree>().size());
  }

 protected:
  std::vector<CheckResult> verify_of(const SplitPlaneTree& tree, const PointSet& input) const override {
    return verify_split_plane_tree(tree, input, tree.rules);
  }
  std::string unchecked_rules(const SplitPlaneTree& tree) const override {
    return tree.rules ? ""
                      : "rules: not checked, because a tree file does not name its run's parameters; `build --verify` "
                        "and `verify` of a trace check them";
  }
  std::optional<CheckResult> triangles_of(const SplitPlaneTree& tree, const DataSet& data) const override {
    if (tree.primitive != Primitive::triangle) return std::nullopt;
    CheckResult same{"triangles", "the triangles are those of the data", true, ""};
    const auto& found = tree.data->triangles;
    const auto [one, other] = std::ranges::mismatch(found, data.triangles);
    if (found.size() != data.triangles.size())
      same.fail("the tree has " + std::to_string(found.size() / 3) + " triangles, the data " +
                std::to_string(data.triangles.size() / 3));
    else if (one != found.end())
      same.fail("triangle " + std::to_string((one - found.begin()) / 3) + " has corner " + std::to_string(*one) +
                ", not " + std::to_string(*other));
    return same;
  }
  void each_in_order(const SplitPlaneTree& tree, const std::function<void(std::uint32_t)>& take) const override {
    if (tree.primitive != Primitive::point) return;
    for (const std::uint32_t point : tree.primitive_of_position) take(point);
  }
  const PointSet& points_of(const SplitPlaneTree& tree) const override { return tree.data->points; }
  std::string contents_of(const SplitPlaneTree& tree) const override {
    return primitives_text(tree.primitive, tree.primitives());
  }
  void make_float_of(SplitPlaneTree& tree) const override {
    auto data = std::make_shared<DataSet>(*tree.data);
    data->points = as_floats(std::move(data->points));
    tree.data = std::move(data);
    make_float(tree.split_value);
    make_float(tree.box);
  }
  TreeFacts facts_of(const SplitPlaneTree& tree) const override {
    TreeFacts facts;
    const TreeShape shape = shape_of(tree);
    facts.lines.emplace_back("tree", shape_text(tree, shape));
    if (tree.primitive == Primitive::triangle) {
      const double cost = sah_cost(tree, tree.traversal_cost).total();
      char text[32];
      std::snprintf(text, sizeof text, "%.2f", cost);
      facts.lines.emplace_back("SAH cost",
                               std::string(text) + "  expected for a ray through all of it, in tests of a triangle");
      facts.numbers.emplace_back("sah_cost", cost);
    }
    for (const auto& [name, count] : {std::pair<const char*, std::uint64_t>{"nodes", tree.size()},
                                      {"leaves", shape.leaves},
                                      {"references", shape.references},
                                      {"bounded_leaves", tree.depth_bounded}})
      facts.numbers.emplace_back(name, count);
    return facts;
  }
  std::optional<CheckResult> rays_of(const SplitPlaneTree& tree, std::uint32_t rays, std::stop_token stop,
                                     const std::function<void(double)>& progress) const override {
    if (tree.primitive != Primitive::triangle) return std::nullopt;
    return check_ray_casts(tree, random_rays(tree.data->points, rays, 1), std::move(stop), progress);
  }
  void write_of(const SplitPlaneTree& tree, TreeFormat format, std::ostream& out) const override {
    (format == TreeFormat::csv ? tree_files::write_split_plane_csv : tree_files::write_split_plane_npy)(tree, out);
  }
};

}  // namespace

const TreeKind& SplitPlaneTree::kind() {
  static const SplitPlanesKind kind;
  return kind;
}

std::uint64_t tree_hash(const SplitPlaneTree& tree) {
  const ScalarType type = tree.data->points.type;
  const std::uint32_t sides = 2 * tree.data->points.dim;
  const auto plain = [&](std::uint32_t word) { return word_of_ordered_key(ordered_key(word, type), type); };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + i);
    for (const std::uint32_t value : {tree.parent[i], tree.right_child[i], tree.split_dim[i],
                                      plain(tree.split_value[i]), tree.first[i], tree.count[i]})
      h = mix64(h ^ (value + 0x600000000ull));
    for (std::uint32_t side = 0; side < sides; ++side)
      h = mix64(h ^ (plain(tree.box[std::size_t(i) * sides + side]) + 0x700000000ull));
    sum += h;
  }
  for (std::uint32_t i = 0; i < tree.primitive_of_position.size(); ++i)
    sum += mix64(mix64(0x800000000ull + i) ^ tree.primitive_of_position[i]);
  return finish_tree_hash(sum, tree.primitives(), tree.data->points.dim, type);
}

}  // namespace kdscope
