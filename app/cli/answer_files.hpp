#pragma once
// Files of what a search found.

#include <string>

#include "algorithms/queries/search.hpp"

namespace kdscope::cli {

/// Writes rows of query, rank, point or triangle, and distance: a path that ends in .npy as an array of records, with
/// the squared distance of points; any other as CSV. Errors: io_failure.
Result<void> write_answers(const std::string& path, const SearchRequest& request, const SearchReport& report);

}  // namespace kdscope::cli
