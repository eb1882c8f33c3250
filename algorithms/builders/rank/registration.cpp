#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope::rank {
namespace {

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "rank";
  s.title = "Multiway partition by rank";
  s.citation = "kdscope";
  s.summary =
      "Knows every pivot's rank from n alone: finds the pivots of several levels by histograms between sampled "
      "brackets, moves the points once, and finishes small subtrees in shared memory.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  return s;
}

std::uint64_t host_bytes(const DataSet& data, const RankOptions&, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(), record = 4 * points.stride(), tree = record + 5;
  return n * tree + (on_cpu ? n * (record + 2 * (4 * points.dim + 4) + tree) : 0);
}

}  // namespace

const OptionTable<RankOptions>& option_table() {
  static const auto table =
      OptionTable<RankOptions>()
          .choice({"split", "Split dimension", "Which dimension a node splits."}, &RankOptions::split,
                  {{"round-robin", "level mod k", Split::round_robin},
                   {"widest", "the widest side of the node's domain, ties to the lowest dimension", Split::widest}})
          .integer({"levels", "Levels per round", "Levels that are split between two moves of the points."},
                   &RankOptions::levels_per_round, 1, max_levels_per_round)
          .integer({"sample", "Sample", "Points of each segment from which its pivots are bracketed."},
                   &RankOptions::sample, 8, max_sample)
          .integer({"intervals", "Intervals", "Intervals of a bracket between points of the sample."},
                   &RankOptions::intervals, 1, max_intervals)
          .integer({"subtree", "Subtree", "The most points of a subtree that one block finishes in shared memory."},
                   &RankOptions::subtree, 32, max_subtree);
  return table;
}

Builder declare() {
  return BuilderWithOptions<RankOptions>{.spec = spec(), .table = option_table(), .host_bytes = host_bytes};
}

}  // namespace kdscope::rank
