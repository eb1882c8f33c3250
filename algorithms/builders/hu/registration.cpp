#include <algorithm>

#include "algorithms/builders/hu/options.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope::hu {
namespace {

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "hu";
  s.title = "Breadth-first index arrays";
  s.citation = "Hu, Nooshabadi & Ahmadi 2015";
  s.summary =
      "Sorts the points once in every dimension and keeps each order sorted within all nodes, so that the ends of a "
      "node's sequences are its box; halves the widest side of that box (the source does not state which side), until "
      "leaves hold a few points.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  return s;
}

Result<void> check(const PointSet& points, const HuOptions& options, Backend) {
  if (!options.dimensions_at_once.chosen) return {};
  const std::uint64_t dims = std::min<std::uint64_t>(options.dimensions_at_once, points.dim);
  if (dims * points.size() > max_points_of_tree)
    return Error{ErrorKind::bad_usage,
                 "dimensions_at_once cannot be " + std::to_string(options.dimensions_at_once) + " for " +
                     std::to_string(points.size()) + " points: they would be more than 2^31 indices at once",
                 "",
                 "give auto or at most " + std::to_string(std::max<std::uint64_t>(
                                               1, max_points_of_tree / std::max<std::uint64_t>(1, points.size())))};
  return {};
}

/// Returns as many dimensions as keep a device busy, in batches of one size.
std::uint64_t busy_batch(const PointSet& points, const HuOptions&, Backend) {
  const std::uint64_t k = std::max(1u, points.dim),
                      most = std::clamp<std::uint64_t>(default_batch / std::max<std::uint64_t>(1, points.size()), 1, k);
  const std::uint64_t batches = (k + most - 1) / most;
  return (k + batches - 1) / batches;
}

/// Returns the memory for resolved parameters: sequences and the spare batch, marks and counters or the sort's keys,
/// owners, sides and buckets, the scratch of a library's radix sort, and the list of nodes.
std::uint64_t working_bytes(const PointSet& points, const HuOptions& options, std::uint64_t key_buffers) {
  const std::uint64_t n = points.size(), k = points.dim, stride = points.stride();
  const Batches batches{points.dim, options.dimensions_at_once};
  const std::uint64_t sequences = 4 * n * batches.width * (std::uint64_t(batches.count()) + 1);
  const std::uint64_t batch = n * batches.width, sorting = batch * key_buffers * (batches.width > 1 ? 8 : 4),
                      moving = batch * 5 + 5 * n;
  const std::uint64_t scratch = batch * 5 / 4 + (1u << 16);  // allocated by the sort and kept
  return 4 * n * stride + sequences + 8 * n + std::max(sorting, moving) + scratch +
         expected_nodes(n, options.leaf_size) * (32 + 8 * k);
}

std::uint64_t host_bytes(const DataSet& data, const HuOptions& options, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t tree =
      4 * points.size() + expected_nodes(points.size(), options.leaf_size) * (24 + 8 * std::uint64_t(points.dim));
  return on_cpu ? working_bytes(points, options, 3) + tree : tree;  // a merge sort needs another buffer
}

std::uint64_t device_bytes(const DataSet& data, const HuOptions& options) {
  return working_bytes(data.points, options, 2);
}

}  // namespace

const OptionTable<HuOptions>& option_table() {
  static const auto table =
      OptionTable<HuOptions>()
          .integer({"leaf_size", "Points in a leaf", "Nodes of more points are split."}, &HuOptions::leaf_size, 1,
                   max_points_of_tree)
          .automatic(
              {"dimensions_at_once", "Dimensions at once",
               "Sequences that are sorted and relocated together; fewer take less memory, auto as many as keep a "
               "device busy."},
              &HuOptions::dimensions_at_once, 1, max_dim, busy_batch);
  return table;
}

Builder declare() {
  return BuilderWithOptions<HuOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes, .device_bytes = device_bytes};
}

}  // namespace kdscope::hu
