#pragma once
// The searches of this build, and the function that runs them.

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/queries/recorded_search.hpp"

namespace kdscope {

/// Returns a search by its id; null if there is none.
const Search* find_search(std::string_view id);

/// Completes the parameters of a search as complete_parameters() does. Error, beside its own: there is no such search.
Result<Parameters> complete_search_parameters(std::string_view id, const Parameters& given);

/// Returns the searches of a kind of tree, the usual one first.
std::vector<const Search*> searches_of(std::string_view tree_kind);

/// Returns the question with this name. Error: there is none.
Result<SearchQuestion> question_named(std::string_view name);

/// Returns the request with its search chosen and its parameters completed. Errors: an unknown search or parameter, a
/// tree of another kind, a question that the search does not answer, queries of another type or dimension, k or radius
/// out of range.
Result<SearchRequest> checked_request(SearchRequest request);

/// The same for the tree that an algorithm is going to build over this data; request.tree is not read.
Result<SearchRequest> checked_before_build(SearchRequest request, std::string_view algorithm, const DataSet& data);
/// The same checks of a search to record.
Result<void> check_before_build(const SearchOfRun& search, std::string_view algorithm, const DataSet& data);

/// Answers the question for every query. Errors: those of checked_request(), no device, out of memory, cancelled.
Result<SearchReport> search(const SearchRequest& request, const RunControl& control = {});

/// Searches for the first query alone and returns its events, at most `capacity` of them. Errors: those of search().
Result<SearchEvents> log_search(const SearchRequest& request, std::uint32_t capacity);

/// The same answers as search() by comparing every query with every point on one thread, or every ray with every
/// triangle on all threads, for checks; for any_hit, all hits of each ray. points: those of the tree, in their original
/// order. reaches: SearchReport::reaches of a search that chose them; then all points within them are expected. Work
/// O(queries x n). Takes no time measurements. Errors: cancelled.
Result<SearchReport> search_by_comparing_all(const SearchRequest& request, const PointSet& points,
                                             const RunControl& control = {}, const std::vector<double>& reaches = {});

/// Records the search of one query, or of all points as a batch, on the tree at the end of a recording, on the back end
/// wanted. The last step has the check that the answer equals that of comparing all points, unless the search gave up
/// sub-trees or the batch has more than 4,096 points. Errors: those of recorded_tree() and search(); cancelled.
Result<std::shared_ptr<const Trace>> record_search(std::shared_ptr<const Trace> built, const SearchOfRun& search,
                                                   Backend backend, const RunControl& control = {},
                                                   std::size_t most_steps = 0);

/// Returns the first difference between two answers to a request in one sentence; empty if they are equal, indices and
/// distances bit for bit. any_hit: `expected` has all hits, of which any will do.
std::string first_difference(const SearchReport& found, const SearchReport& expected,
                             SearchQuestion question = SearchQuestion::nearest);

/// Returns the share of the expected results that were found, 0 to 1; 1 if none was expected.
double recall(const SearchReport& found, const SearchReport& expected);

}  // namespace kdscope
