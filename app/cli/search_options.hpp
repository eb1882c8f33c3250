#pragma once
// The options of a search, for every command that searches.

#include <vector>

#include "algorithms/queries/recorded_search.hpp"
#include "algorithms/registry/searches.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {

std::vector<Option> search_options();

/// The search, question, k, radius and parameters that were asked for; without a tree and queries.
Result<SearchRequest> search_request_from(const Arguments& arguments);

/// The same as a recording keeps it.
Result<SearchOfRun> search_of_run_from(const Arguments& arguments);

/// Returns the search to record of the option --query, as RunRequest::search; empty without that option. The query is
/// given in the coordinates of the data's file, without its shift and scale. Errors: those of search_request_from();
/// bad_usage for an option of a search without --query.
Result<Parameters> recorded_search_from(const Arguments& arguments, const DataSet& data);

}  // namespace kdscope::cli
