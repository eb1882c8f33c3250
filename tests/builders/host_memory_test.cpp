// Tests the host memory of a build on a GPU: only the returned tree, which equals that of the CPU.

#include <algorithm>

#include "algorithms/builders/builders.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

template <class... Vectors>
std::uint64_t bytes_of(const Vectors&... vectors) {
  return ((vectors.size() * sizeof(vectors[0])) + ...);
}

std::uint64_t bytes_of_kind(const LeftBalancedTree& t) {
  return bytes_of(t.points.words, t.point_of_node, t.split_dim);
}
std::uint64_t bytes_of_kind(const LevelOrderTree& t) { return bytes_of(t.point_of_node, t.split_dim); }
std::uint64_t bytes_of_kind(const BucketTree& t) {
  return bytes_of(t.point_of_position, t.parent, t.left_child, t.split_dim, t.split_value, t.first, t.count, t.box);
}
std::uint64_t bytes_of_kind(const MedianStoreTree& t) { return bytes_of(t.stores, t.less, t.greater, t.removed); }
std::uint64_t bytes_of_kind(const SplitPlaneTree& t) {
  return bytes_of(t.parent, t.right_child, t.split_dim, t.split_value, t.first, t.count, t.box,
                  t.primitive_of_position);
}

/// Returns the size of the tree in its own kind, as a sum over all kinds.
template <class... Kinds>
std::uint64_t bytes_of_tree(const Tree& tree) {
  return ((tree.is<Kinds>() ? bytes_of_kind(tree.as<Kinds>()) : 0) + ...);
}

}  // namespace

TEST_CASE("the host memory asked for covers the tree where a GPU builds it, and the build where the CPU does") {
  for (const Builder* builder : builders()) {
    const AlgorithmSpec& spec = builder->spec;
    std::vector<std::shared_ptr<const DataSet>> sets;
    if (spec.takes_triangles)
      sets = {test::triangle_soup(test::Soup::spread, 10000), test::triangle_soup(test::Soup::clustered, 10000),
              test::data("toys"), test::data("museum")};
    else
      for (const char* kind : {"uniform", "clustered"})
        for (const char* dim : {"2", "3"}) sets.push_back(test::data(std::string(kind) + ":n=10000,seed=1,dim=" + dim));
    for (const auto& data : sets) {
      const auto report = build({{}, spec.id, {}, Backend::cpu, false, data}).value();
      const TypedOptions options = builder->parse(report.parameters).value();
      const std::uint64_t
          tree =
              bytes_of_tree<LeftBalancedTree, LevelOrderTree, BucketTree, MedianStoreTree, SplitPlaneTree>(report.tree),
          on_gpu = builder->host_bytes(*data, options, false), on_cpu = builder->host_bytes(*data, options, true);
      INFO(spec.id << " " << data->name << ": a tree of " << tree << " bytes, " << on_gpu << " asked for; a build of "
                   << report.peak_bytes << ", " << on_cpu << " asked for");
      CHECK(tree <= on_gpu);
      CHECK(on_gpu < 4 * tree);
      CHECK(std::max(on_gpu, report.peak_bytes) <= on_cpu);
    }
  }
}
