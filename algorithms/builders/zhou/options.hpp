#pragma once
// Parameters that the two builders of Zhou et al. 2008 share.

#include <cstdint>
#include <string>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/trees/split_planes/planes.hpp"

namespace kdscope::zhou {

struct ZhouOptions {
  SplitPlaneRules rules;
  std::uint32_t chunk = 256;  ///< N: references in a chunk, a power of two from 2 to 1,024; triangles only
};

/// Returns a function that refers to a member of the rules, for a row of an option table.
template <class Value>
auto rule(Value SplitPlaneRules::*member) {
  return [member](auto& options) -> auto& { return options.rules.*member; };
}

/// Returns a table with the rows that both builders have, below its own. primitive: what a node lists.
inline OptionTable<ZhouOptions> with_shared_rows(OptionTable<ZhouOptions> table, const std::string& primitive) {
  table
      .integer({"empty", "Empty space (C_e), percent",
                "Cuts off empty space that takes up more than this share of a large node along one axis."},
               rule(&SplitPlaneRules::empty_percent), 0, 100)
      .percent({"traversal", "Traversal cost (C_ts), percent",
                "Cost of visiting a node in the heuristic, in percent of the cost of testing a " + primitive + "."},
               rule(&SplitPlaneRules::traversal_cost), 10000)
      .integer({"depth", "Largest depth", "Nodes at this depth are not split, so that every input ends."},
               rule(&SplitPlaneRules::depth), 1, 250);
  return table;
}

}  // namespace kdscope::zhou
