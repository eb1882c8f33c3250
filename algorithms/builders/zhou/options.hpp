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

}  // namespace kdscope::zhou
