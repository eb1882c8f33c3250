#pragma once
// Where the sources of searches are, for programs that compile one of them again.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kdscope {

struct SearchSource {
  std::string folder;      ///< in algorithms/queries: "zhou-sah"
  std::size_t number = 0;  ///< its place in the list Searches there
};

/// Returns nullopt for an unknown search.
std::optional<SearchSource> source_of_search(std::string_view id);

}  // namespace kdscope
