#pragma once
// Tests the kernels of the zhou builders separately, on any back end: the segmented reduction against simple sums and
// boxes, for all lengths of segments and passes per launch; and trees too large for 32-bit numbers.

#include <vector>

#include "algorithms/builders/zhou/preorder.hpp"
#include "algorithms/builders/zhou/segmented_reduction.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/exec/memory.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

template <class T, class Exec>
Array<T, Exec> uploaded(Exec& exec, const std::vector<T>& host) {
  auto there = exec.template array<T>("test", host.size());
  exec.upload(there.data(), std::span<const T>(host));
  return there;
}
template <class T, class Exec>
std::vector<T> downloaded(Exec& exec, const Array<T, Exec>& there) {
  std::vector<T> host(there.size());
  exec.download(std::span<T>(host), there.data());
  return host;
}

/// Returns the owners of segments of 1 to `longest` elements, n elements in total.
inline std::vector<std::uint32_t> owners(std::uint32_t n, std::uint32_t longest, std::uint64_t seed) {
  std::vector<std::uint32_t> owner;
  for (std::uint32_t segment = 0; owner.size() < n; ++segment)
    for (std::uint64_t i = mix64(seed * 7919 + segment) % longest + 1; i > 0 && owner.size() < n; --i)
      owner.push_back(segment);
  return owner;
}

template <class Exec>
void check_segmented_reduction() {
  using namespace zhou;
  Exec exec;
  NullRecorder rec;
  std::uint64_t seed = 0;
  for (const std::uint32_t n : {1u, 2u, 3u, 5u, 64u, 100u, 1023u, 2048u, 2049u, 5000u, 9001u})
    for (const std::uint32_t longest : {1u, 2u, 7u, 300u, 100000u})
      for (const std::uint32_t at_once : {1u, 3u, passes_per_block}) {
        const auto owner = owners(n, longest, ++seed);
        const std::size_t segments = owner.back() + 1;
        std::vector<SideCounts> counts, sums(segments, {0, 0});
        std::vector<Box3> boxes, unions(segments, empty_box());
        for (std::uint32_t i = 0; i < n; ++i) {
          const auto word = [&](std::uint32_t which) {
            return static_cast<std::uint32_t>(mix64(seed * 1000003 + i * 16ull + which) % 1000);
          };
          counts.push_back({word(0), word(1)});
          Box3 box;
          for (std::uint32_t d = 0; d < 3; ++d)
            box.lo[d] = static_cast<float>(word(2 + d)) - 500, box.hi[d] = box.lo[d] + static_cast<float>(word(5 + d));
          boxes.push_back(box);
          sums[owner[i]] = AddCounts::combine(sums[owner[i]], counts[i]);
          unions[owner[i]] = united(unions[owner[i]], boxes[i]);
        }
        const auto owner_there = uploaded(exec, owner);
        auto counts_there = uploaded(exec, counts),
             sums_there = uploaded(exec, std::vector<SideCounts>(segments, AddCounts::identity()));
        auto boxes_there = uploaded(exec, boxes),
             unions_there = uploaded(exec, std::vector<Box3>(segments, UniteBoxes::identity()));
        const auto shown = [](auto&, std::uint32_t) {};
        SegmentedReduction<AddCounts>{counts_there.data(), owner_there.data(), n, sums_there.data(), at_once}.run(
            exec, rec, {"sums"}, shown);
        SegmentedReduction<UniteBoxes>{boxes_there.data(), owner_there.data(), n, unions_there.data(), at_once}.run(
            exec, rec, {"boxes"}, shown);
        const auto found = downloaded(exec, sums_there);
        const auto found_boxes = downloaded(exec, unions_there);
        std::size_t wrong = 0;
        for (std::size_t s = 0; s < segments; ++s) {
          wrong += found[s].left != sums[s].left || found[s].right != sums[s].right;
          for (int d = 0; d < 3; ++d)
            wrong += found_boxes[s].lo[d] != unions[s].lo[d] || found_boxes[s].hi[d] != unions[s].hi[d];
        }
        INFO(n << " elements, segments to " << longest << ", " << at_once << " passes at once");
        CHECK(wrong == 0);
      }
}

/// Counts the primitives of a root over two leaves that list these numbers. `kept` and the number of nodes determine
/// whether counting is needed.
template <class Exec>
std::string listed_by_two(std::uint32_t left, std::uint32_t right, std::uint32_t kept) {
  Exec exec;
  const auto left_child = uploaded(exec, std::vector<std::uint32_t>{1, no_id, no_id}),
             count = uploaded(exec, std::vector<std::uint32_t>{~0u, left, right});
  const auto size = uploaded(exec, std::vector<std::uint64_t>{zhou::extent_of(3, left + right), 0, 0});
  zhou::NodesView nodes{};
  nodes.left_child = left_child.data(), nodes.count = count.data();
  try {
    return std::to_string(zhou::listed_primitives(exec, nodes, 3, kept, size.data()));
  } catch (const ErrorException& e) {
    CHECK(e.error().kind == ErrorKind::out_of_memory);
    return e.what();
  }
}

template <class Exec>
void check_32_bits() {
  constexpr std::uint32_t half = 1u << 31, most = ~0u;
  const std::string refused =
      "the leaves would list 4294967296 primitives, more than 32 bits number; use fewer triangles, ones that overlap "
      "less, or a higher traversal cost.";
  CHECK(listed_by_two<Exec>(half, half, most) == refused);
  CHECK(listed_by_two<Exec>(most, 1, most) == refused);
  CHECK(listed_by_two<Exec>(most, most, most).starts_with("the leaves would list 8589934590 primitives"));
  CHECK(listed_by_two<Exec>(half, half - 1, most) == "4294967295");
  CHECK(listed_by_two<Exec>(3, 4, 7) == "7");
  // Two leaves list up to 128 primitives beside the kept list; above that, counting is needed.
  CHECK(listed_by_two<Exec>(half, half, most - 127) == refused);
  CHECK(listed_by_two<Exec>(half, half, most - 128) == "0");

  Exec exec;
  zhou::Nodes<Exec> nodes(exec);
  std::string said;
  try {
    nodes.grow_to(std::uint64_t(no_id) + 1);
  } catch (const ErrorException& e) {
    said = e.what();
  }
  CHECK(said == "the tree would have 4294967296 nodes, more than 32 bits number; use fewer triangles or points.");
  CHECK(exec.memory().peak() == 0);
}

}  // namespace kdscope::test
