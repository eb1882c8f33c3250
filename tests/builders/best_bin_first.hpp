#pragma once
// Searches the nearest neighbour in a tree with leaf buckets as in Hu et al. 2015, §III, and records every step of the
// search. It corrects two errors of the printed Algorithm 3: nodes further than the best point are dropped, and
// children are not incremented.

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope::test {

struct BestBinFirst {
  struct Entry {
    double square;  ///< square of the query's distance to the node's smallest box
    std::uint32_t node;
    bool operator==(const Entry&) const = default;
    bool operator>(const Entry& other) const { return square > other.square; }
  };
  struct Leaf {
    std::uint32_t node, best_point;
    double best_square;          ///< after the comparison of the leaf's points
    std::vector<Entry> waiting;  ///< nearest first, before the nodes that are too far away are dropped
  };
  std::vector<Leaf> leaves;           ///< in the order of the visits
  std::vector<std::uint32_t> starts;  ///< nodes taken from the queue
};

inline BestBinFirst best_bin_first(const BucketTree& tree, const std::vector<double>& query) {
  const std::uint32_t k = tree.points->dim;
  const auto coordinate = [](std::uint32_t word) { return double(std::bit_cast<float>(word)); };
  const auto square_to_box = [&](std::uint32_t node) {
    double sum = 0;
    for (std::uint32_t d = 0; d < k; ++d) {
      const std::uint32_t* box = tree.box.data() + std::size_t(node) * 2 * k;
      const double beside = std::max({coordinate(box[d]) - query[d], query[d] - coordinate(box[k + d]), 0.0});
      sum += beside * beside;
    }
    return sum;
  };
  BestBinFirst search;
  std::priority_queue<BestBinFirst::Entry, std::vector<BestBinFirst::Entry>, std::greater<>> queue;
  std::uint32_t best_point = no_id;
  double best = INFINITY;
  for (std::uint32_t node = 0;;) {
    while (!tree.is_leaf(node)) {
      const bool right = query[tree.split_dim[node]] >= coordinate(tree.split_value[node]);
      const std::uint32_t other = tree.left_child[node] + !right;
      queue.push({square_to_box(other), other});
      node = tree.left_child[node] + right;
    }
    for (std::uint32_t i = tree.first[node]; i < tree.first[node] + tree.count[node]; ++i) {
      const PointId point = tree.point_of_position[i];
      double square = 0;
      for (std::uint32_t d = 0; d < k; ++d) {
        const double beside = tree.points->value(point.value, d) - query[d];
        square += beside * beside;
      }
      if (square < best) best = square, best_point = point.value;
    }
    BestBinFirst::Leaf leaf{node, best_point, best, {}};
    for (auto rest = queue; !rest.empty(); rest.pop()) leaf.waiting.push_back(rest.top());
    search.leaves.push_back(leaf);
    if (queue.empty() || queue.top().square >= best) return search;  // all other nodes are even further
    search.starts.push_back(node = queue.top().node);
    queue.pop();
  }
}

}  // namespace kdscope::test
