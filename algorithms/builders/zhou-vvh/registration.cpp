#include <algorithm>

#include "algorithms/builders/zhou/options.hpp"

namespace kdscope::zhou_vvh {
using zhou::rule;
using zhou::ZhouOptions;

namespace {

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "zhou-vvh";
  s.title = "VVH trees, breadth first";
  s.citation = "Zhou et al. 2008";
  s.summary =
      "Splits points breadth first for searches of a known radius: large nodes over lists that are sorted once, nodes "
      "of at most 32 points "
      "by the voxel volume heuristic over bit masks. The tree is stored in pre-order.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = 3;
  s.max_points = 1u << 29;
  return s;
}

Result<void> check(const PointSet& points, const ZhouOptions&, Backend) {
  for (std::size_t i = 0; i < points.size() && points.type == ScalarType::int32; ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d)
      if (const double value = points.value(i, d); value > largest_whole || value < -largest_whole)
        return Error{ErrorKind::bad_input,
                     "zhou-vvh takes integers to " + std::to_string(largest_whole) + ", point " + std::to_string(i) +
                         " has " + std::to_string(static_cast<std::int64_t>(value)),
                     "", "scale the coordinates, or convert them to floats"};
  return {};
}

/// Returns the memory of the largest of four stages: keys and lists of the sort; lists of two levels with counters, and
/// the kept points; kept points with their split sets; kept points, sizes, addresses and the tree. The nodes count from
/// the second stage on, the points in all stages.
std::uint64_t working_bytes(const DataSet& data, std::uint64_t key_buffers) {
  const std::uint64_t n = data.points.size(), k = data.points.dim, lists = k + 1, nodes = n + n / 4,
                      all_nodes = (n + n / 2) * 60;
  const std::uint64_t sort = n * (lists * 8 + k * 8 * key_buffers * 5 / 4),
                      large = n * (lists * 12 + 5 + 28) + all_nodes, small = n * (28 + 48 + 8) + all_nodes,
                      output = n * (28 + 4) + all_nodes + nodes * (16 + 24 + 8 * k);
  return 4 * data.points.words.size() + std::max({sort, large, small, output}) + (1u << 20);
}

std::uint64_t host_bytes(const DataSet& data, const ZhouOptions&, bool on_cpu) {
  const std::uint64_t tree = data.points.size() * (2 * (24 + 8 * std::uint64_t(data.points.dim)) + 4);
  return on_cpu ? working_bytes(data, 3) + tree : tree;
}

std::uint64_t device_bytes(const DataSet& data, const ZhouOptions&) { return working_bytes(data, 2); }

const OptionTable<ZhouOptions>& option_table() {
  static const auto table = with_shared_rows(
      OptionTable<ZhouOptions>({.rules = {.small = 32, .empty_percent = 10, .radius = 10}})
          .integer({"small", "Small nodes (T)",
                    "Largest number of points in a node that the voxel volume heuristic splits."},
                   rule(&SplitPlaneRules::small), 1, 64)
          .integer({"radius", "Search radius (R), thousandths",
                    "Radius of the expected searches, in thousandths of the longest side of the box of all points."},
                   rule(&SplitPlaneRules::radius), 0, 1000),
      "point");
  return table;
}

}  // namespace

Builder declare() {
  return BuilderWithOptions<ZhouOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes, .device_bytes = device_bytes};
}

}  // namespace kdscope::zhou_vvh
