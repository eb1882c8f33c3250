#pragma once
// The arrays that a trace of the builder by rank holds.

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/record/partition_so_far.hpp"

namespace kdscope::rank {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<PointId> index{{.name = "index", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> node{{.name = "node", .values = Space::node}};
/// The node to which a counting pass led each point, and the point's bin there; missing for points of windows, pivots,
/// and, in `bin`, for points above the bracket, which are not counted.
inline constexpr ArrayDef<std::uint32_t> led_to{{.name = "led to", .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> bin{{.name = "bin"}};
/// 1 for each point that lies in the window of its node.
inline constexpr ArrayDef<std::uint8_t> in_window{{.name = "in window"}};
inline constexpr ArrayDef<std::uint32_t> first{{.name = "first", .index = Space::node, .values = Space::position}};
inline constexpr ArrayDef<std::uint32_t> rank{{.name = "rank", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint8_t> split_dim{
    {.name = "split_dim", .index = Space::node, .values = Space::dimension}};
/// The outer edges of each node's bracket, as coordinates of its split dimension. A missing edge is open.
inline constexpr ArrayDef<double> bracket_lo{
    {.name = "bracket.lo", .index = Space::node, .values = Space::split_value}};
inline constexpr ArrayDef<double> bracket_hi{
    {.name = "bracket.hi", .index = Space::node, .values = Space::split_value}};
/// Points below a node's window, and in it.
inline constexpr ArrayDef<std::uint32_t> below{{.name = "below", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> window{{.name = "window", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<PointId> tree{{.name = "tree", .index = Space::node, .values = Space::point}};
/// The counts of a level: one row per node, one column per bin, of which bin 0 lies below the bracket.
inline constexpr ArrayDef<std::uint32_t> counts{{.name = "counts",
                                                 .index = Space::none,
                                                 .values = Space::count,
                                                 .shown_as_row = false,
                                                 .dimensions = {{{"node", "led to", true}, {"bin"}}}}};
}  // namespace arrays

inline void declare(ArrayList& list) {
  using namespace arrays;
  list.add(points).add_each_dimension(data).add(index, node, led_to, bin, in_window);
  list.add(first, rank, split_dim, bracket_lo, bracket_hi, below, window, tree, counts);
  add_partition(list);
}

}  // namespace kdscope::rank
