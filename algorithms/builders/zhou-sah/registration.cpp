#include <bit>

#include "algorithms/builders/zhou/options.hpp"

namespace kdscope::zhou_sah {
using zhou::rule;
using zhou::ZhouOptions;

namespace {

constexpr std::uint64_t most_triangles = 1u << 27;

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "zhou-sah";
  s.title = "SAH trees, breadth first";
  s.citation = "Zhou et al. 2008";
  s.summary =
      "Splits triangles breadth first: large nodes over chunks of triangles, by empty space and spatial median with "
      "clipping; nodes of at most 64 triangles by the surface area heuristic over bit masks. The tree "
      "is stored in pre-order.";
  s.takes_triangles = true;
  s.scalars = {ScalarType::float32};
  s.min_dim = s.max_dim = 3;
  s.max_points = most_triangles;
  return s;
}

Result<void> check(const PointSet&, const ZhouOptions& options, Backend) {
  if (!std::has_single_bit(options.chunk))
    return Error{ErrorKind::bad_usage,
                 "chunk cannot be " + std::to_string(options.chunk) + ", which is no power of two", "",
                 "give 2, 4, 8, ... or 1024"};
  return {};
}

/// Returns an upper bound of the references of typical surfaces: a triangle that straddles a plane is listed twice.
std::uint64_t usual_references(const DataSet& data) { return data.triangles.size() / 3 * 2 + 64; }

/// Returns an upper bound of the nodes for typical surfaces.
std::uint64_t expected_nodes(const DataSet& data) { return usual_references(data) / 2 * 5; }

/// Returns the memory of the mesh; of nodes, sizes, addresses and the tree; and of kept references and the leaves'
/// lists. The output takes more memory than the stages before it.
std::uint64_t working_bytes(const DataSet& data) {
  const std::uint64_t references = usual_references(data), nodes = expected_nodes(data);
  return 4 * (data.points.words.size() + data.triangles.size()) + references * 28 + nodes * (60 + 16 + 48 + 4) +
         (1u << 20);
}

std::uint64_t host_bytes(const DataSet& data, const ZhouOptions&, bool on_cpu) {
  const std::uint64_t tree = expected_nodes(data) * (48 + 4);
  return on_cpu ? working_bytes(data) + tree : tree;
}

std::uint64_t device_bytes(const DataSet& data, const ZhouOptions&) { return working_bytes(data); }

const OptionTable<ZhouOptions>& option_table() {
  static const auto table = with_shared_rows(
      OptionTable<ZhouOptions>({.rules = {.small = 64, .empty_percent = 25}})
          .integer({"small", "Small nodes (T)",
                    "Largest number of triangles in a node that the surface area heuristic splits."},
                   rule(&SplitPlaneRules::small), 1, 64)
          .integer({"chunk", "Triangles in a chunk (N)",
                    "Number of a large node's triangles that one block processes, a power of two. It does not change "
                    "the tree."},
                   &ZhouOptions::chunk, 2, 1024),
      "triangle");
  return table;
}

}  // namespace

Builder declare() {
  return BuilderWithOptions<ZhouOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes, .device_bytes = device_bytes};
}

}  // namespace kdscope::zhou_sah
