#pragma once
// What a source's header declares about each of its searches, as a struct whose object holds the search's options:
//
//   Tree                                 the tree on the host
//   OnDevice<Exec>                       the tree in a back end's memory: OnDevice(exec, tree), view<Number>()
//   Options, option_table()              optional: typed parameters; the struct is made from the options
//   questions                            those that it answers
//   most_k                               the largest k
//   takes_integers                       whether it searches trees of integers, computing in double
//   Dimensions                           numbers of dimensions for which the units are compiled; 0, the last, for any
//   Query<Number, dims>                  how a thread keeps its query
//   ShortLists                           if most_k > 1: capacities of lists in registers for which the units are
//                                        compiled, ascending
//   chooses_reach                        whether the search finds its own radius for the k nearest, so that their
//                                        number is not exactly k; it then answers them with a Within
//   may_give_up(question) const          optional: whether it may give up subtrees, with these options, and so miss
//                                        results
//   takes_metrics, takes_periods         optional: whether it finds the nearest with lists that measure otherwise
//                                        (measured_list.hpp), and in a space that repeats itself
//   prepare<dims>(exec, view, k) const   optional: prepares the tree for the k nearest, before the queries; changes the
//                                        view and returns the arrays that it then points to, which the caller keeps
//   sorts_queries = true                 optional: queries as given are served in ascending order of their keys, of so
//                                        many bits: key_bits(view), key(view, query)
//   visits_together = true               optional: a query counts the nodes that its packet visits, not those that it
//                                        visits itself (SearchSpec::serves_packets)
//   shared_bytes<Number, List>()         optional, for packets: the shared memory of a warp
//   run(tree, query, found, log) const   searches for one query; returns the number of nodes visited. If it chooses its
//                                        reach, there is a last argument: k, or 0 for all within the given reach
//
// A search with in_packets = true walks with the queries of a warp's lanes at once; its run() takes the warp, and the
// queries, collectors and counts of its lanes.
//
// Generated units instantiate run.hpp for each struct in the source's list `Searches`.

#include <array>
#include <cstdint>
#include <utility>

#include "algorithms/queries/event_log.hpp"
#include "algorithms/queries/nearest.hpp"
#include "algorithms/queries/query_point.hpp"
#include "algorithms/queries/search.hpp"
#include "algorithms/queries/within.hpp"

namespace kdscope::queries {

/// Returns the search with these options.
template <class Searching>
Searching searching_of(const TypedOptions& options) {
  if constexpr (requires { Searching::option_table(); })
    return Searching(options.as<typename Searching::Options>());
  else
    return {};
}

/// A list of searches.
template <class... Searchings>
struct SearchList {};

template <int first, int... others>
constexpr int last_value(std::integer_sequence<int, first, others...> list) {
  int last = first;
  if constexpr (sizeof...(others) > 0) ((last = others), ...);
  (void)list;
  return last;
}
/// A list of only the last value.
template <int... values>
constexpr auto last_of(std::integer_sequence<int, values...> list) {
  return std::integer_sequence<int, last_value(list)>();
}

/// Whether the units are compiled for any number of dimensions and any k alone, because their size counts more than
/// their time: in the engine of pages.
#if defined(KDSCOPE_COMPACT)
inline constexpr bool is_compact = true;
#else
inline constexpr bool is_compact = false;
#endif

/// A base of searches among points that answer all questions about points.
template <class TreeOfKind, template <class Exec> class TreeOnDevice>
struct SearchesPoints {
  using Tree = TreeOfKind;
  template <class Exec>
  using OnDevice = TreeOnDevice<Exec>;
  static constexpr std::array questions{SearchQuestion::nearest, SearchQuestion::ball, SearchQuestion::box};
  using Dimensions = std::integer_sequence<int, 2, 3, 0>;
  using ShortLists = std::integer_sequence<int, 8>;
  template <class Number, int dims>
  using Query = Coordinates<Number, dims>;
  static constexpr bool takes_integers = true, chooses_reach = false;
};

}  // namespace kdscope::queries
