#pragma once
// The arrays that a trace of the index-array builder holds.

#include "algorithms/core/ids.hpp"
#include "algorithms/record/partition_so_far.hpp"

namespace kdscope::hu {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<std::uint32_t> owner{{.name = "owner", .values = Space::node}};
inline constexpr ArrayDef<PointId> sequence{{.name = "sequence(%)", .values = Space::point, .by_dimension = true}};
inline constexpr ArrayDef<Coordinate> value{{.name = "value(%)",
                                             .values = Space::coordinate,
                                             .label = "%",
                                             .by_dimension = true,
                                             .gather = {points_array, "sequence(%)"}}};
inline constexpr ArrayDef<std::uint32_t> left_right_mark{{.name = "left_right_mark(%)", .by_dimension = true}};
/// Holds the children as owners, in the order in which one dimension's marks distribute their positions.
inline constexpr ArrayDef<std::uint32_t> owner_by_dimension{
    {.name = "owner(%)", .values = Space::node, .by_dimension = true}};
inline constexpr ArrayDef<std::uint32_t> left_counter{
    {.name = "left_counter(%)", .values = Space::count, .by_dimension = true}};
inline constexpr ArrayDef<PointId> new_index{{.name = "new_index(%)", .values = Space::point, .by_dimension = true}};
inline constexpr ArrayDef<std::uint32_t> new_owner{{.name = "new_owner", .values = Space::node}};
inline constexpr ArrayDef<PointId> bucket{{.name = "bucket", .values = Space::point}};
// The list of nodes
inline constexpr ArrayDef<std::uint32_t> parent{{.name = "parent", .index = Space::node, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> child{
    {.name = "child", .index = Space::node, .values = Space::node, .components = Components::children}};
inline constexpr ArrayDef<std::uint32_t> split_dim{
    {.name = "split_dim", .index = Space::node, .values = Space::dimension}};
inline constexpr ArrayDef<double> split_value{
    {.name = "split_value", .index = Space::node, .values = Space::split_value}};
inline constexpr ArrayDef<std::uint32_t> first{{.name = "first", .index = Space::node, .values = Space::position}};
inline constexpr ArrayDef<std::uint32_t> count{{.name = "count", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<Coordinate> box_min{
    {.name = "aabbMin", .index = Space::node, .values = Space::coordinate, .components = Components::per_dimension}};
inline constexpr ArrayDef<Coordinate> box_max{
    {.name = "aabbMax", .index = Space::node, .values = Space::coordinate, .components = Components::per_dimension}};
}  // namespace arrays

inline void declare(ArrayList& list) {
  using namespace arrays;
  list.add(points, owner);
  list.add_each_dimension(sequence, value, left_right_mark, owner_by_dimension, left_counter, new_index);
  list.add(new_owner, bucket, parent, child, split_dim, split_value, first, count, box_min, box_max);
  add_partition(list, true);
}

}  // namespace kdscope::hu
