#pragma once
// The searches of this build, and the function that runs them.

#include <string_view>

#include "algorithms/queries/search.hpp"

namespace kdscope {

/// Returns a search by its id; null if there is none.
const Search* find_search(std::string_view id);

/// Finds the k nearest points of every query. Errors: an unknown search, a tree of another kind, queries of another
/// type or dimension, k or radius out of range, no device, out of memory, cancelled.
Result<SearchReport> search(const SearchRequest& request, const RunControl& control = {});

/// The same by comparing every query with every point on one thread, for checks. Work O(queries x n). Takes no time
/// measurements. Errors: cancelled.
Result<SearchReport> search_by_comparing_all(const SearchRequest& request, const PointSet& points,
                                             const RunControl& control = {});

/// Returns the first difference between two answers to a request in one sentence; empty if they are equal, indices and
/// distances bit for bit.
std::string first_difference(const SearchRequest& request, const SearchReport& found, const SearchReport& expected);

}  // namespace kdscope
