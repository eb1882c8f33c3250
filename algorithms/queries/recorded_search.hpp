#pragma once
// The search of one query, as a run names it, and its steps.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/queries/search.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A question about one query, or about every point.
struct SearchOfRun {
  std::string search;  ///< id; empty: the usual one
  SearchQuestion question = SearchQuestion::nearest;
  std::uint32_t k = 1;
  std::optional<double> radius = {};
  std::vector<double> query = {};  ///< coordinates, or origin and direction of a ray
  Parameters parameters = {};      ///< of the search
  /// Every point is a query, and `query` is empty: the text "all" in its place. Not for rays.
  bool all_points = false;
  Measure measure = {};  ///< nearest: what is near
};

/// Returns the search as texts by name, which requests, traces and session files keep.
Parameters texts_of(const SearchOfRun& search);
/// Reads these texts. Error of kind bad_usage: one that is missing, or no number where there must be one.
Result<SearchOfRun> search_in(const Parameters& texts);
/// Sets the query from the text of its coordinates, or to every point from the text "all". Errors: those of
/// coordinates_in(), and all points for rays.
Result<void> set_query(SearchOfRun& search, const std::string& text);
/// Returns coordinates separated by commas or spaces. Error of kind bad_usage: something else, NaN or infinity. what:
/// what has them, for the error.
Result<std::vector<double>> coordinates_in(const std::string& text, const std::string& what = "query");
/// Returns the measure of a metric's name and of periods separated by commas; empty texts: the usual one. Error of kind
/// bad_usage: there is no such metric, or a period is no number.
Result<Measure> measure_in(const std::string& metric, const std::string& period);

/// Largest number of events of a recorded search. 40 bytes each.
inline constexpr std::uint32_t most_search_events = 1u << 20;

/// What a replay shows.
struct Replay {
  std::shared_ptr<const Trace> built;  ///< a recording whose last state is the tree
  SearchRequest request;               ///< completed; its queries are the one query
  SearchSpec spec;
  SearchEvents events;
  std::vector<std::uint32_t> rows;  ///< row of the partition for each node of the tree; empty: the same number
  std::vector<CheckResult> checks;  ///< of the answer, for the last step
};

/// Makes a trace of a search: its first step is the finished tree with all arrays of the recording, then one step for
/// each node that the walk visits or skips ("search / node 4 / visit"), and for each round. The header is the
/// recording's with the search. control: step_starts and step_recorded as for record(). most_steps: 0 for no limit.
/// Work O(steps x nodes).
std::shared_ptr<const Trace> replay(const Replay& what, TraceHeader header, const RunControl& control,
                                    std::size_t most_steps);

}  // namespace kdscope
