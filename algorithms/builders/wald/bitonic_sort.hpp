#pragma once
// Sorts by exchanges alone (Wald 2023, §7): a bitonic network over tags, indices and the records themselves. Every
// comparison is ascending, and the first pass of each merge compares mirrored places. A range of any length is
// therefore sorted as if it were padded with infinity: exchanges that reach past its end are omitted.

#include <bit>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wald/split_rule.hpp"

namespace kdscope::wald {

/// The range to sort: m tagged records from array position `begin` on.
struct TaggedRange {
  std::uint32_t* tags;     ///< tag of position `begin`
  PointId* ids;            ///< index of position `begin`
  std::uint32_t* records;  ///< record of position `begin`
  std::uint32_t m, stride;
  SplitRule rule;
  int level;

  KDSCOPE_HD std::uint32_t key(std::uint32_t i) const {
    return ordered_key(records[std::size_t(i) * stride + rule.dim_of(tags[i], level)], rule.type);
  }
};

/// The two places that exchange e of a pass compares. They are mirrored within blocks of `size` in a merge's first pass
/// (stride 0), and `stride` apart in the other passes.
struct ExchangePlaces {
  std::uint32_t low, high;
  KDSCOPE_HD static ExchangePlaces of(std::uint32_t e, std::uint32_t size, std::uint32_t stride) {
    if (stride == 0) {
      const std::uint32_t half = size / 2, block = e / half * size, offset = e % half;
      return {block + offset, block + size - 1 - offset};
    }
    const std::uint32_t low = e / stride * stride * 2 + e % stride;
    return {low, low + stride};
  }
};

// [region wald/bitonic_exchange]
/// Runs one pass over the whole range: compares and exchanges tags, indices and records in place. Work O(m)
/// comparisons, and O(m range.stride) words moved; no extra memory.
struct ExchangePass {
  TaggedRange range;
  std::uint32_t size, stride;
  KDSCOPE_HD void operator()(std::uint32_t e) const {
    // No other thread of the pass touches this thread's two places, so the end of the launch is the only barrier.
    // Places behind the range's end count as infinity: a pair whose higher place lies there is in order.
    const ExchangePlaces at = ExchangePlaces::of(e, size, stride);
    if (at.high >= range.m) return;
    // Leave a pair that is in order: by tag, then along the dimension that the tag's subtree splits, then by index
    // (§3.1)
    const std::uint32_t tag_low = range.tags[at.low], tag_high = range.tags[at.high];
    if (tag_low < tag_high) return;
    const PointId id_low = range.ids[at.low], id_high = range.ids[at.high];
    if (tag_low == tag_high) {
      const std::uint32_t x = range.key(at.low), y = range.key(at.high);
      if (x != y ? x < y : id_low < id_high) return;
    }
    // Exchange tag, index and the whole record: no second copy of the points is needed (§7)
    range.tags[at.low] = tag_high, range.tags[at.high] = tag_low;
    range.ids[at.low] = id_high, range.ids[at.high] = id_low;
    std::uint32_t* low = range.records + std::size_t(at.low) * range.stride;
    std::uint32_t* high = range.records + std::size_t(at.high) * range.stride;
    for (std::uint32_t w = 0; w < range.stride; ++w) {
      const std::uint32_t word = low[w];
      low[w] = high[w];
      high[w] = word;
    }
  }
};
// [endregion]

// [region wald/bitonic_tile]
/// What comparisons read of a tile's places, in shared memory. Records stay where they are: `source` is the place that
/// each came from.
struct TileOfTags {
  std::uint32_t *tag, *key, *id, *source;  ///< [count]
  std::uint32_t count;

  /// Does the exchange of ExchangePass for the places of a lane.
  KDSCOPE_HD void exchange(int lane, std::uint32_t size, std::uint32_t stride) const {
    const ExchangePlaces at = ExchangePlaces::of(lane, size, stride);
    if (at.high >= count) return;
    // The same comparison as in ExchangePass, on the tile's copies
    const std::uint32_t i = at.low, j = at.high;
    if (tag[i] != tag[j] ? tag[i] < tag[j] : key[i] != key[j] ? key[i] < key[j] : id[i] < id[j]) return;
    swap(tag, i, j), swap(key, i, j), swap(id, i, j), swap(source, i, j);
  }

 private:
  KDSCOPE_HD static void swap(std::uint32_t* values, std::uint32_t i, std::uint32_t j) {
    const std::uint32_t v = values[i];
    values[i] = values[j];
    values[j] = v;
  }
};

/// Runs all passes that stay within a tile in shared memory, with one block per tile and two places per lane. Starts
/// with merges of `first_size`; the first merge starts with stride `first_stride` (0: with its mirrored pass).
struct TilePasses {
  static constexpr std::uint32_t tile = 1024;
  static constexpr int lane_count = tile / 2;
  static constexpr std::size_t shared_bytes = tile * 4 * sizeof(std::uint32_t);
  TaggedRange range;
  std::uint32_t first_size, last_size, first_stride;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t begin = block.index() * tile;
    const std::uint32_t count = range.m - begin < tile ? range.m - begin : tile;
    auto* tag = block.template shared<std::uint32_t>(tile);
    auto* key = block.template shared<std::uint32_t>(tile);
    auto* id = block.template shared<std::uint32_t>(tile);
    auto* source = block.template shared<std::uint32_t>(tile);  // current place of each record of the tile
    const TileOfTags there{tag, key, id, source, count};

    // Read what comparisons need. Records stay in memory for now: `source` follows the exchanges, and the records move
    // once, after the last one.
    block.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += lane_count) {
        tag[i] = range.tags[begin + i];
        key[i] = range.key(begin + i);
        id[i] = range.ids[begin + i].value;
        source[i] = i;
      }
    });
    // Merge runs of size / 2 into runs of `size`. A merge's first pass (stride 0) compares mirrored places, the others
    // places `stride` apart, with half the stride each time. A merge that ExchangePass has begun goes on at
    // first_stride. A barrier ends each pass, because the next one reads what other lanes wrote.
    for (std::uint64_t wide = first_size; wide <= last_size; wide *= 2) {  // 64 bits: the last size may be 2^31
      const std::uint32_t size = static_cast<std::uint32_t>(wide);
      std::uint32_t stride = size == first_size ? first_stride : 0;
      const std::uint32_t passes = stride == 0 ? log2_of(size) : log2_of(stride) + 1;
      for (std::uint32_t pass = 0; pass < passes; ++pass) {
        block.lanes([&](int lane) { there.exchange(lane, size, stride); });
        stride = stride == 0 ? size / 4 : stride / 2;
      }
    }
    // Move the records word by word through registers: the barrier between both intervals lets every lane read before
    // any lane writes. Each lane has two places.
    auto first = block.template per_lane<std::uint32_t>(), second = block.template per_lane<std::uint32_t>();
    for (std::uint32_t w = 0; w < range.stride; ++w) {
      const auto word = [&](std::uint32_t i) -> std::uint32_t& {
        return range.records[std::size_t(begin + i) * range.stride + w];
      };
      block.lanes([&](int lane) {
        const std::uint32_t i = lane, j = lane + lane_count;
        if (i < count) first[lane] = word(source[i]);
        if (j < count) second[lane] = word(source[j]);
      });
      block.lanes([&](int lane) {
        const std::uint32_t i = lane, j = lane + lane_count;
        if (i < count) word(i) = first[lane];
        if (j < count) word(j) = second[lane];
      });
    }
    // Write tags and indices in their new order
    block.lanes([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += lane_count) {
        range.tags[begin + i] = tag[i];
        range.ids[begin + i] = {id[i]};
      }
    });
  }

 private:
  KDSCOPE_HD static std::uint32_t log2_of(std::uint32_t power) { return 31 - leading_zeros(power); }
};
// [endregion]

/// The bitonic sort of a build. Extra memory: only the tags and the indices that the points carry.
template <class Exec>
class BitonicSort {
 public:
  static constexpr bool moves_records = true;
  static constexpr const char* anchor = "wald/bitonic_exchange";

  BitonicSort(Exec& exec, PointsOnDevice<Exec>& points, const SplitRule& rule)
      : exec_(exec), points_(points), rule_(rule), ids_(exec.template array<PointId>("indices", points.n)) {}
  /// Assigns point i to position i.
  void start() { exec_.for_each("indices", points_.n, Identity{ids_.data()}); }
  template <class Recorder, class Show>
  void prepare(Recorder&, Show) {}

  void sort(int level, bool, std::uint32_t* tags) {
    const std::uint32_t begin = sort_begin(level), m = points_.n - begin;
    if (m < 2) return;
    const TaggedRange range{tags + begin,
                            ids_.data() + begin,
                            points_.words.data() + std::size_t(begin) * points_.stride,
                            m,
                            points_.stride,
                            rule_,
                            level};
    const std::uint32_t whole = std::bit_ceil(m), tiles = (m - 1) / TilePasses::tile + 1;
    const auto in_tiles = [&](std::uint32_t first_size, std::uint32_t last_size, std::uint32_t first_stride) {
      exec_.for_each_block("bitonic tile", tiles, TilePasses::lane_count, TilePasses::shared_bytes,
                           TilePasses{range, first_size, last_size, first_stride});
    };
    in_tiles(2, std::min(whole, TilePasses::tile), 0);
    for (std::uint64_t size = 2ull * TilePasses::tile; size <= whole; size *= 2) {
      const auto pass = [&](std::uint32_t stride) {
        exec_.for_each("bitonic exchange", whole / 2, ExchangePass{range, static_cast<std::uint32_t>(size), stride});
      };
      pass(0);
      for (std::uint32_t stride = static_cast<std::uint32_t>(size / 4); stride >= TilePasses::tile; stride /= 2)
        pass(stride);
      in_tiles(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size), TilePasses::tile / 2);
    }
  }

  PointId* ids() { return ids_.data(); }
  Array<PointId, Exec> release() { return std::move(ids_); }

 private:
  Exec& exec_;
  PointsOnDevice<Exec>& points_;
  const SplitRule& rule_;
  Array<PointId, Exec> ids_;
};

}  // namespace kdscope::wald
