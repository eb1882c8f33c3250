#include <algorithm>

#include "algorithms/builders/wald/options.hpp"
#include "algorithms/builders/wald/split_rule.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope::wald {
namespace {

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "wald";
  s.title = "Left-balanced tag-and-sort";
  s.citation = "Wald 2023";
  s.summary =
      "Tags each point with its ancestor on the current level, sorts by (tag, coordinate) and refines the tags, level "
      "by level, until the array is a left-balanced kd-tree in level order.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  return s;
}

Result<void> check(const PointSet& points, const WaldOptions& options, Backend) {
  const std::uint64_t limit = std::uint64_t(max_points_of_tree) >> dim_bits_for(options.split, points.dim);
  if (points.size() > limit)
    return Error{
        ErrorKind::bad_input,
        std::to_string(points.size()) + " points are too many: tags are 32 bits wide and hold the split dimension", "",
        "use at most " + std::to_string(limit) + " points, or split=round-robin"};
  return {};
}

std::uint64_t host_bytes(const DataSet& data, const WaldOptions& options, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(), record = 4 * points.stride(), tree = record + 5;
  if (!on_cpu) return n * tree;
  // Memory of the sort: records, tags and indices, and the ranks, keys and scratch of the chosen sort. Memory after the
  // sort: a second copy of the records, and the tree's copy.
  const std::uint64_t sorting = options.sort == SortMethod::radix        ? 4 * points.dim + 8 + 12
                                : options.sort == SortMethod::comparator ? 16
                                                                         : 0;
  return n * (record + 8 + std::max(sorting, record + 1 + tree));
}

}  // namespace

const OptionTable<WaldOptions>& option_table() {
  static const auto table =
      OptionTable<WaldOptions>()
          .choice({"split", "Split dimension", "Which dimension a node splits."}, &WaldOptions::split,
                  {{"round-robin", "level mod k (section 3)", Split::round_robin},
                   {"widest", "the widest side of the node's domain, ties to the lowest dimension (section 6)",
                    Split::widest}})
          .choice(
              {"sort", "Sort", "How each level is sorted; all give the same tree."}, &WaldOptions::sort,
              {{"radix", "64-bit keys of tag and coordinate rank, bits trimmed to the level (section 7.1, made exact)",
                SortMethod::radix},
               {"comparator", "merge sort with the paper's less() (section 3.1)", SortMethod::comparator},
               {"bitonic", "swaps alone, truly in place (section 7)", SortMethod::bitonic}});
  return table;
}

Builder declare() {
  return BuilderWithOptions<WaldOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes};
}

}  // namespace kdscope::wald
