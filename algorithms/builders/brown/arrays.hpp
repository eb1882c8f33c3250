#pragma once
// The arrays that a trace of the super-key builder holds.

#include "algorithms/builders/brown/options.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/record/partition_so_far.hpp"

namespace kdscope::brown {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<std::uint32_t> node{{.name = "node", .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> address{{.name = "address", .values = Space::bit_mask}};
/// Holds each median at its position in the array of its level's dimension.
inline constexpr ArrayDef<std::uint32_t> median{{.name = "median", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> compare{{.name = "compare"}};
inline constexpr ArrayDef<std::uint32_t> segments{{.name = "segments", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> warp{{.name = "warp"}};
inline constexpr ArrayDef<std::uint32_t> less_segments{
    {.name = "less_segments", .values = Space::point, .label = "less than"}};
inline constexpr ArrayDef<std::uint32_t> greater_segments{
    {.name = "greater_segments", .values = Space::point, .label = "greater than"}};
inline constexpr ArrayDef<PointId> reference{{.name = "reference(%)", .values = Space::point, .by_dimension = true}};
inline constexpr ArrayDef<Coordinate> value{
    {.name = "value(%)", .values = Space::coordinate, .by_dimension = true, .gather = {points_array, "reference(%)"}}};
inline constexpr ArrayDef<std::int32_t> side{{.name = "side", .index = Space::point}};
/// Holds the side of each reference in an array; the warps take their ballots over these rows.
inline constexpr ArrayDef<std::int32_t> side_in_order{
    {.name = "side(%)", .by_dimension = true, .gather = {"side", "reference(%)", 0}}};
/// The part that holds each position, and each point; and the place in the part's memory of the record that the
/// position's reference names. Kernels know only the latter.
inline constexpr Space part_space{"part"};
inline constexpr ArrayDef<std::uint32_t> part_of_position{{.name = "part", .values = part_space}};
inline constexpr ArrayDef<std::uint32_t> part_of_point{
    {.name = "part_of_point", .index = Space::point, .values = part_space, .label = "part of point"}};
inline constexpr ArrayDef<std::uint32_t> record{{.name = "record"}};
/// Points that change places between neighbouring parts, one number per pair.
inline constexpr ArrayDef<std::uint32_t> pivot{
    {.name = "pivot", .index = Space::none, .values = Space::count, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> kept{
    {.name = "kept", .index = Space::none, .values = Space::count, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> counts{
    {.name = "counts", .index = Space::none, .values = Space::count, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> compare_mask{{.name = "compare_mask",
                                                       .index = Space::none,
                                                       .values = Space::bit_mask,
                                                       .label = "compare mask",
                                                       .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> popcount{{.name = "popcount",
                                                   .index = Space::none,
                                                   .values = Space::count,
                                                   .shown_as_row = false,
                                                   .dimensions = {{{"warp"}, {"compare"}}}}};
inline constexpr ArrayDef<std::uint32_t> removed{
    {.name = "removed", .index = Space::none, .values = Space::point, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> store_level{
    {.name = "store_level", .index = Space::node, .values = Space::level, .label = "level"}};
inline constexpr ArrayDef<std::uint32_t> store_entry{{.name = "store_entry", .index = Space::node, .label = "entry"}};
inline constexpr ArrayDef<PointId> median_store{
    {.name = "median_store", .index = Space::node, .values = Space::point, .label = "median store"}};
inline constexpr ArrayDef<std::uint32_t> less{{.name = "less", .index = Space::point, .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> greater{{.name = "greater", .index = Space::point, .values = Space::point}};
}  // namespace arrays

inline void declare(ArrayList& list, const BrownOptions& options) {
  using namespace arrays;
  const bool sides = options.compare == Compare::sides && list.header().dim > 1;
  list.add(points);
  if (options.parts > 1) list.add(part_of_position, record, part_of_point, pivot);
  list.add(node, address, median, compare, segments, warp, less_segments, greater_segments);
  if (sides)
    list.add_each_dimension(reference, value, side_in_order);
  else
    list.add_each_dimension(reference, value);
  list.add(kept, counts, compare_mask, popcount, removed, store_level, store_entry, median_store);
  if (sides) list.add(side);
  if (options.form == Form::nodes) list.add(less, greater);
  add_partition(list);
}

}  // namespace kdscope::brown
