#pragma once
// The arrays that a trace of the left-balanced builder holds.

#include "algorithms/builders/wald/options.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/record/partition_so_far.hpp"

namespace kdscope::wald {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<std::uint32_t> tags{{.name = "tags", .values = Space::node}};
inline constexpr ArrayDef<std::uint8_t> split_dim{{.name = "split_dim", .values = Space::dimension}};
inline constexpr ArrayDef<PointId> index{{.name = "index", .values = Space::point}};
/// The coordinates in memory, where the sort moves the records themselves. data[i].x are those of the point that
/// `index` names, so the two differ where a record was lost.
inline constexpr ArrayDef<Coordinate> record{{.name = "record[i].%", .values = Space::coordinate}};
/// Holds the rank of every coordinate among all points. The radix sort uses it in place of the coordinate.
inline constexpr ArrayDef<std::uint32_t> rank{{.name = "rank",
                                               .index = Space::point,
                                               .values = Space::key,
                                               .components = Components::per_dimension,
                                               .shown_as_row = false,
                                               .dimensions = {{{"point"}, {"dimension"}}}}};
inline constexpr ArrayDef<std::uint32_t> rank_in_order{
    {.name = "rank[i].%", .values = Space::key, .gather = {"rank", "index"}}};
}  // namespace arrays

inline void declare(ArrayList& list, const WaldOptions& options) {
  list.add(arrays::tags);
  if (options.split == Split::widest) list.add(arrays::split_dim);
  list.add(arrays::points).add_each_dimension(arrays::data).add(arrays::index);
  if (options.sort == SortMethod::bitonic) list.add_each_dimension(arrays::record);
  if (options.sort == SortMethod::radix) list.add(arrays::rank).add_each_dimension(arrays::rank_in_order);
  add_partition(list);
}

}  // namespace kdscope::wald
