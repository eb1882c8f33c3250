#pragma once
// The arrays that a trace of the chunk builder holds.

#include "algorithms/core/ids.hpp"
#include "algorithms/record/partition_so_far.hpp"

namespace kdscope::wehr {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<std::uint32_t> chunk{{.name = "chunk", .values = Space::chunk}};
inline constexpr ArrayDef<std::uint8_t> splitting{{.name = "splitting"}};
inline constexpr ArrayDef<PointId> index{{.name = "index", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> keys{{.name = "p_#", .values = Space::key}};
inline constexpr ArrayDef<std::uint32_t> block{{.name = "block"}};
inline constexpr ArrayDef<std::uint32_t> digit{{.name = "digit"}};
inline constexpr ArrayDef<std::uint32_t> T{{.name = "T", .values = Space::key}};
inline constexpr ArrayDef<PointId> T_index{{.name = "T_index", .values = Space::point, .label = "I'"}};
inline constexpr ArrayDef<std::uint32_t> max{
    {.name = "max", .index = Space::dimension, .values = Space::key, .shown_as_row = false}};
/// Holds a block's own histograms, one per chunk that the block overlaps.
inline constexpr ArrayDef<std::uint32_t> h{{.name = "h",
                                            .index = Space::none,
                                            .values = Space::count,
                                            .shown_as_row = false,
                                            .dimensions = {{{"block"}, {"chunk_rel", "chunk", true}, {"digit"}}}}};
inline constexpr ArrayDef<std::uint32_t> H{{.name = "H",
                                            .index = Space::none,
                                            .values = Space::count,
                                            .shown_as_row = false,
                                            .offsets = "H.columns",
                                            .dimensions = {{{"chunk"}, {"digit"}, {"block"}}}}};
inline constexpr ArrayDef<std::uint32_t> H_columns{{.name = "H.columns", .index = Space::chunk, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> H_sum{{.name = "H_sum",
                                                .index = Space::none,
                                                .values = Space::position,
                                                .label = "H'",
                                                .shown_as_row = false,
                                                .offsets = "H_sum.columns",
                                                .dimensions = {{{"chunk"}, {"digit"}, {"block"}}}}};
inline constexpr ArrayDef<std::uint32_t> H_sum_columns{
    {.name = "H_sum.columns", .index = Space::chunk, .shown_as_row = false}};
inline constexpr ArrayDef<PointId> tree{
    {.name = "tree", .index = Space::node, .values = Space::point, .shown_as_row = false}};
}  // namespace arrays

inline void declare(ArrayList& list) {
  using namespace arrays;
  list.add(chunk, splitting, points).add_each_dimension(data).add(index).add_each_dimension(keys);
  list.add(block, digit, T, T_index, max, h, H, H_columns, H_sum, H_sum_columns, tree);
  add_partition(list);
}

}  // namespace kdscope::wehr
