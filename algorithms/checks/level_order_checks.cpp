#include "algorithms/checks/level_order_checks.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope {
namespace {

/// Calls f(range, chunk) for each chunk.
template <class F>
void for_each_chunk(const ChunksOfLevel& chunks, F f) {
  for (std::uint32_t c = 0; chunks.n > 0 && c < chunks.count(); ++c) f(chunks.chunk(c), c);
}

/// Returns whether an array has the size that a check requires. A wrong size fails the check.
bool has_size(CheckResult& finding, const char* array, std::size_t size, std::uint64_t wanted) {
  if (size != wanted)
    finding.fail(std::string(array) + " has " + std::to_string(size) + " elements, not " + std::to_string(wanted));
  return size == wanted;
}

bool has_sizes(CheckResult& finding, const KeyState& before, const KeyState& after, std::uint32_t n) {
  return has_size(finding, "index before", before.point_of_position.size(), n) &&
         has_size(finding, "p_d before", before.key_of_position.size(), n) &&
         has_size(finding, "index", after.point_of_position.size(), n) &&
         has_size(finding, "p_d", after.key_of_position.size(), n);
}

}  // namespace

CheckResult check_keys_follow_index(const KeyState& state, std::span<const std::uint32_t> keys, std::uint32_t dim) {
  const std::string array = "p_" + std::to_string(dim);
  CheckResult f{array + " follows index", array + "[i] is the key of point index[i]", true, ""};
  if (!has_size(f, array.c_str(), state.key_of_position.size(), keys.size()) ||
      !has_size(f, "index", state.point_of_position.size(), keys.size()))
    return f;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t point = state.point_of_position[i].value;
    if (point >= keys.size())
      f.fail_at("index", i,
                [&] { return element_text("index", i) + " is " + std::to_string(point) + ", which is no point"; });
    else if (state.key_of_position[i] != keys[point])
      f.fail_at(array, i, [&] {
        return element_text(array, i) + " is " + std::to_string(state.key_of_position[i]) + ", the key of point " +
               std::to_string(point) + " is " + std::to_string(keys[point]);
      });
  }
  return f;
}

CheckResult check_chunks_sorted(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks) {
  CheckResult f{
      "chunks sorted",
      "each chunk of level " + std::to_string(chunks.level) + " is sorted, equal keys in the order that they had", true,
      ""};
  if (!has_sizes(f, before, after, chunks.n)) return f;
  std::vector<std::uint32_t> place_before(chunks.n, no_id);
  for (std::uint32_t i = 0; i < chunks.n; ++i)
    if (const std::uint32_t point = before.point_of_position[i].value; point < chunks.n) place_before[point] = i;
  for_each_chunk(chunks, [&](PositionRange chunk, std::uint32_t c) {
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
      const std::uint32_t point = after.point_of_position[i].value,
                          place = point < chunks.n ? place_before[point] : no_id, key = after.key_of_position[i];
      const auto fail = [&](auto what) {
        f.fail_at("index", i,
                  [&] { return "chunk " + std::to_string(c) + ", position " + std::to_string(i) + ": " + what(); });
      };
      if (place < chunk.begin || place >= chunk.end)
        fail([&] { return "point " + std::to_string(point) + " was not in this chunk"; });
      else if (before.key_of_position[place] != key)
        fail([&] {
          return "the key of point " + std::to_string(point) + " has changed from " +
                 std::to_string(before.key_of_position[place]) + " to " + std::to_string(key);
        });
      else if (i == chunk.begin)
        continue;
      else if (const std::uint32_t last = after.point_of_position[i - 1].value; key < after.key_of_position[i - 1])
        fail([&] { return "key " + std::to_string(key) + " follows " + std::to_string(after.key_of_position[i - 1]); });
      else if (key == after.key_of_position[i - 1] && last < chunks.n && place <= place_before[last])
        fail([&] {
          return "points " + std::to_string(last) + " and " + std::to_string(point) +
                 " have the same key and were the other way round";
        });
    }
  });
  return f;
}

CheckResult check_splitting_elements(const KeyState& before, const KeyState& after, const ChunksOfLevel& chunks) {
  CheckResult f{"splitting elements",
                "the splitting elements of level " + std::to_string(chunks.level) + " stay in their places", true, ""};
  if (!has_sizes(f, before, after, chunks.n) || chunks.n == 0) return f;
  for (std::uint32_t c = 1; c < chunks.count(); ++c) {
    const std::uint32_t i = chunks.edge(c), was = before.point_of_position[i].value,
                        is = after.point_of_position[i].value;
    const auto fail = [&](const char* what, std::uint32_t then, std::uint32_t now) {
      f.fail_at("index", i, [&] {
        return "position " + std::to_string(i) + " held " + what + std::to_string(then) + " and now " +
               std::to_string(now);
      });
    };
    if (was != is)
      fail("point ", was, is);
    else if (before.key_of_position[i] != after.key_of_position[i])
      fail("key ", before.key_of_position[i], after.key_of_position[i]);
  }
  return f;
}

std::uint32_t RadixPass::digit_of(std::uint32_t key) const {
  std::uint64_t rest = key;
  for (std::uint32_t p = 0; p < pass; ++p) rest /= base;
  return static_cast<std::uint32_t>(rest % base);
}

CheckResult check_block_histograms(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> h,
                                   const RadixPass& pass) {
  CheckResult f{"block histograms",
                "h_0 and h_1 of every block count the digits of its two chunks, splitting elements left out", true, ""};
  const std::uint32_t base = pass.base, tpb = pass.threads_per_block;
  if (!has_size(f, "p_d", keys.size(), pass.chunks.n) ||
      !has_size(f, "h", h.size(), std::uint64_t(pass.blocks()) * 2 * base))
    return f;
  std::vector<std::uint32_t> counts(2 * base);
  for (std::uint32_t block = 0; block < pass.blocks(); ++block) {
    const std::uint32_t begin = block * tpb, end = std::min(begin + tpb, pass.chunks.n),
                        first_chunk = pass.chunks.chunk_at(begin);
    std::fill(counts.begin(), counts.end(), 0);
    for (std::uint32_t i = begin; i < end; ++i) {
      if (pass.chunks.is_splitting(i)) continue;
      const std::uint32_t relative = pass.chunks.chunk_at(i) - first_chunk;
      if (relative > 1) {
        f.fail("block " + std::to_string(block) + " overlaps more than two chunks");
        return f;
      }
      ++counts[relative * base + pass.digit_of(keys[i])];
    }
    for (std::size_t place = 0; place < counts.size(); ++place)
      if (const std::size_t element = std::size_t(block) * 2 * base + place; h[element] != counts[place])
        f.fail_at("h", element, [&] {
          return "h_" + std::to_string(place / base) + " of block " + std::to_string(block) + " has " +
                 std::to_string(h[element]) + " for digit " + std::to_string(place % base) + ", there are " +
                 std::to_string(counts[place]);
        });
  }
  return f;
}

CheckResult check_histogram_layout(std::span<const std::uint32_t> h, std::span<const std::uint32_t> columns,
                                   std::span<const std::uint32_t> H, const RadixPass& pass) {
  CheckResult f{"histogram layout",
                "H holds h_0 and h_1 of every block: chunk by chunk, digit by digit, block by block", true, ""};
  const std::uint32_t base = pass.base, chunks = pass.chunks.count();
  if (!has_size(f, "h", h.size(), std::uint64_t(pass.blocks()) * 2 * base) ||
      !has_size(f, "H.columns", columns.size(), std::uint64_t(chunks) + 1))
    return f;
  for (std::uint32_t c = 0; c < chunks; ++c)
    if (columns[c] < c || columns[c + 1] <= columns[c])
      f.fail(element_text("H.columns", c) + " is " + std::to_string(columns[c]) + ", " +
             element_text("H.columns", c + 1) + " is " + std::to_string(columns[c + 1]));
  if (columns[0] != 0) f.fail(element_text("H.columns", 0) + " is " + std::to_string(columns[0]));
  if (!f.passed || !has_size(f, "H", H.size(), std::uint64_t(base) * columns[chunks])) return f;

  std::vector<std::uint32_t> placed(H.size(), 0);
  for (std::uint32_t block = 0; block < pass.blocks() && f.passed; ++block)
    for (std::uint32_t r = 0; r < 2; ++r) {
      const std::uint32_t chunk = pass.chunks.chunk_at(block * pass.threads_per_block) + r;
      for (std::uint32_t digit = 0; digit < base && f.passed; ++digit) {
        const std::uint32_t count = h[(std::size_t(block) * 2 + r) * base + digit];
        if (count == 0) continue;
        if (chunk >= chunks || block + chunk < columns[chunk] || block + chunk >= columns[chunk + 1]) {
          f.fail("block " + std::to_string(block) + " has no column in chunk " + std::to_string(chunk));
          break;
        }
        placed[std::size_t(base) * columns[chunk] + std::size_t(digit) * (columns[chunk + 1] - columns[chunk]) +
               (block + chunk - columns[chunk])] = count;
      }
    }
  if (!f.passed) return f;
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (placed[i] != H[i])
      f.fail_at("H", i, [&] {
        return element_text("H", i) + " is " + std::to_string(H[i]) + ", the blocks' histograms give " +
               std::to_string(placed[i]);
      });
  return f;
}

CheckResult check_prefix_sum(std::span<const std::uint32_t> H, std::span<const std::uint32_t> H_sum,
                             const ChunksOfLevel& chunks) {
  const std::uint32_t splitting = chunks.count() - 1;
  CheckResult f{"prefix sum",
                "H' is the inclusive prefix sum of H and ends with " + std::to_string(chunks.n - splitting) +
                    ", the points without the splitting elements",
                true, ""};
  if (!has_size(f, "H'", H_sum.size(), H.size())) return f;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < H.size(); ++i) {
    sum += H[i];
    if (H_sum[i] != sum)
      f.fail_at("H_sum", i, [&] {
        return element_text("H'", i) + " is " + std::to_string(H_sum[i]) + ", H up to there has " + std::to_string(sum);
      });
  }
  if (f.passed && sum != chunks.n - splitting) f.fail("H' ends with " + std::to_string(sum));
  return f;
}

CheckResult check_distribution(const KeyState& before, const KeyState& distributed, const RadixPass& pass) {
  CheckResult f{
      "distribution",
      "T is every chunk sorted by this digit, equal digits in the order that they had, splitting elements copied", true,
      ""};
  if (!has_sizes(f, before, distributed, pass.chunks.n)) return f;
  std::vector<std::uint32_t> source(pass.chunks.n);
  std::iota(source.begin(), source.end(), 0u);
  for_each_chunk(pass.chunks, [&](PositionRange chunk, std::uint32_t) {
    std::stable_sort(source.begin() + chunk.begin, source.begin() + chunk.end, [&](auto a, auto b) {
      return pass.digit_of(before.key_of_position[a]) < pass.digit_of(before.key_of_position[b]);
    });
  });
  for (std::uint32_t i = 0; i < pass.chunks.n; ++i) {
    const auto fail = [&](const char* array, const char* label, std::uint32_t is, std::uint32_t wanted) {
      f.fail_at(array, i, [&] {
        return element_text(label, i) + " is " + std::to_string(is) + ", not " + std::to_string(wanted) +
               " from position " + std::to_string(source[i]);
      });
    };
    const std::uint32_t key = before.key_of_position[source[i]], point = before.point_of_position[source[i]].value;
    if (distributed.key_of_position[i] != key)
      fail("T", "T", distributed.key_of_position[i], key);
    else if (distributed.point_of_position[i].value != point)
      fail("T_index", "I'", distributed.point_of_position[i].value, point);
  }
  return f;
}

CheckResult check_level_nodes(std::span<const PointId> tree, std::span<const PointId> point_of_position, int level) {
  CheckResult f{
      "tree",
      "nodes of level " + std::to_string(level) + " and above hold the medians of their chunks, slots below are empty",
      true, ""};
  const std::uint32_t n = static_cast<std::uint32_t>(point_of_position.size());
  if (level == median_levels(n)) f.statement = "every median and every leaf is at its slot";
  if (!has_size(f, "tree", tree.size(), median_tree_slots(n))) return f;
  for (NodeId slot{0}; slot.value < tree.size(); ++slot.value) {
    PointId wanted{no_id};
    if (level_of(slot) <= level)
      if (const PositionRange place = position_of_slot(slot, n); place.size() > 0)
        wanted = point_of_position[place.begin];
    if (tree[slot.value] == wanted) continue;
    const auto text = [](PointId id) {
      return id.value == no_id ? std::string("empty") : "point " + std::to_string(id.value);
    };
    f.fail_at("tree", slot.value, [&] {
      return element_text("tree", slot.value) + " is " + text(tree[slot.value]) + ", not " + text(wanted);
    });
  }
  return f;
}

}  // namespace kdscope
