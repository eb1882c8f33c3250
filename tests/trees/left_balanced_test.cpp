// Compares each closed form of Wald 2023, §2 and §4, with its recursive definition, for every N up to 4,096.
#include <vector>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {
constexpr std::uint32_t largest = 4096;

std::uint32_t count_below(std::uint32_t s, std::uint32_t n) {
  return s >= n ? 0 : 1 + count_below(2 * s + 1, n) + count_below(2 * s + 2, n);
}
int level_by_climbing(std::uint32_t node) { return node == 0 ? 0 : 1 + level_by_climbing((node - 1) / 2); }
}  // namespace

TEST_CASE("level, number of levels and full tree sizes follow their definitions") {
  for (std::uint32_t i = 0; i < largest; ++i) {
    REQUIRE(level_of(NodeId{i}) == level_by_climbing(i));
    REQUIRE(num_levels(i + 1) == level_by_climbing(i) + 1);
  }
  CHECK(num_levels(0) == 0);
  for (int l = 0, nodes = 0; l < 31; nodes = 2 * nodes + 1, ++l)
    REQUIRE(full_tree_size(l) == static_cast<std::uint32_t>(nodes));
}

TEST_CASE("subtree size equals counting") {
  std::vector<std::uint32_t> size;
  for (std::uint32_t n = 1; n <= largest; ++n) {
    size.assign(2 * n + 3, 0);
    for (std::uint32_t s = n; s-- > 0;) size[s] = 1 + size[2 * s + 1] + size[2 * s + 2];
    bool equal = true;
    for (std::uint32_t s = 0; s < 2 * n + 3; ++s) equal = equal && subtree_size(NodeId{s}, n) == size[s];
    if (!equal) FAIL("n = " << n);
  }
  CHECK(subtree_size(NodeId{1}, 10) == count_below(1, 10));
}

TEST_CASE("segment begin equals summing the sizes before it, and the pivot position adds the left subtree") {
  for (std::uint32_t n = 1; n <= largest; ++n) {
    INFO("n = " << n);
    bool equal = true;
    for (int level = 0; level < num_levels(n); ++level) {
      std::uint32_t begin = full_tree_size(level);
      for (std::uint32_t s = full_tree_size(level); s < std::min(n, full_tree_size(level + 1)); ++s) {
        equal = equal && segment_begin(NodeId{s}, n) == begin &&
                pivot_position(NodeId{s}, n) == begin + subtree_size(NodeId{2 * s + 1}, n);
        begin += subtree_size(NodeId{s}, n);
      }
      equal = equal && begin == n;
    }
    REQUIRE(equal);
  }
}

TEST_CASE("level-l ancestors are found by climbing") {
  for (std::uint32_t i = 0; i < largest; ++i)
    for (int l = 0; l < 14; ++l) {
      std::uint32_t ancestor = i;
      while (level_by_climbing(ancestor) > l) ancestor = (ancestor - 1) / 2;
      REQUIRE(level_ancestor(NodeId{i}, l).value == ancestor);
    }
}

TEST_CASE("the printed snippets of section 4 differ from their meaning first at N = 8") {
  // 1<<(L-l-1)-1 is 1<<(L-l-2) by precedence.
  const auto printed_segment_begin = [](std::uint32_t s, std::uint32_t n) {
    const int level = level_of(NodeId{s}), below = num_levels(n) - level - 1;
    const std::uint32_t siblings = s - full_tree_size(level);
    return full_tree_size(level) + siblings * (below >= 1 ? 1u << (below - 1) : 0u) +
           std::min(siblings << below, n - full_tree_size(num_levels(n) - 1));
  };
  std::uint32_t first = 0;
  for (std::uint32_t n = 1; n <= 16 && first == 0; ++n)
    for (std::uint32_t s = 0; s < n; ++s)
      if (num_levels(n) - level_of(NodeId{s}) >= 2 && printed_segment_begin(s, n) != segment_begin(NodeId{s}, n))
        first = n;
  CHECK(first == 8);
}

TEST_CASE("index arithmetic holds near the largest tree") {
  const std::uint32_t n = max_points_of_tree;
  CHECK(num_levels(n) == 31);
  CHECK(subtree_size(NodeId{0}, n) == n);
  CHECK(subtree_size(NodeId{1}, n) == (n - 1) / 2);
  CHECK(subtree_size(NodeId{n - 1}, n) == 1);
  CHECK(segment_begin(NodeId{full_tree_size(30)}, n) == full_tree_size(30));
  CHECK(segment_begin(NodeId{n - 1}, n) == n - 1);
  CHECK(subtree_size(NodeId{0}, n - 5) == n - 5);
  CHECK(pivot_position(NodeId{0}, 1u << 30) == subtree_size(NodeId{1}, 1u << 30));
}

TEST_CASE("positions in order count up through left subtree, node and right subtree, and lead back to the node") {
  for (std::uint32_t n = 1; n <= 600; ++n) {
    INFO("n = " << n);
    std::vector<std::uint32_t> in_order;
    const auto walk = [&](const auto& self, std::uint32_t node) -> void {
      if (node >= n) return;
      self(self, 2 * node + 1);
      in_order.push_back(node);
      self(self, 2 * node + 2);
    };
    walk(walk, 0);
    bool equal = true;
    for (std::uint32_t position = 0; position < n; ++position)
      equal = equal && node_in_order(position, n).value == in_order[position] &&
              in_order_position(NodeId{in_order[position]}, n) == position;
    REQUIRE(equal);
  }
  constexpr std::uint32_t n = max_points_of_tree - 5;
  for (const std::uint32_t position : {0u, 1u, 12345678u, n / 2, n - 2, n - 1})
    CHECK(in_order_position(node_in_order(position, n), n) == position);
}
