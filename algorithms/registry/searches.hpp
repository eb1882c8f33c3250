#pragma once
// The searches of this build, and the function that runs them.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/queries/recorded_search.hpp"

namespace kdscope {

/// Returns a search by its id; null if there is none.
const Search* find_search(std::string_view id);

/// Returns the search with this id. Error of kind bad_usage: there is none.
Result<const Search*> search_named(std::string_view id);

/// Makes the options of the search with this id. Errors: there is none, and those of complete_parameters().
Result<TypedOptions> typed_search_options(std::string_view id, const Parameters& given);

/// Returns the searches of a kind of tree, the usual one first.
std::vector<const Search*> searches_of(std::string_view tree_kind);

/// Returns the question with this name. Error: there is none.
Result<SearchQuestion> question_named(std::string_view name);

/// Checks that floats can hold the squares of the distances between points and queries, so that a program can refuse
/// other data before it builds a tree. Queries of other dimensions are passed over. name: that of the data, for the
/// error. Work O(n). Error: bad_input.
Result<void> check_range(const PointSet& points, const PointSet& queries, const std::string& name);

/// Returns the request of a search among these points, without its tree. Errors: a query of other dimensions, or
/// coordinates that the points' type cannot hold.
Result<SearchRequest> request_of(const SearchOfRun& search, const PointSet& points);

/// Returns the request with its search chosen, its parameters completed and its options made. Errors: an unknown search
/// or parameter, a tree of another kind, a question that the search does not answer, queries of another type or
/// dimension, k, radius or coordinates out of range.
Result<SearchRequest> checked_request(SearchRequest request);

/// The same for the tree that an algorithm is going to build over this data; request.tree is not read.
Result<SearchRequest> checked_before_build(SearchRequest request, std::string_view algorithm, const DataSet& data);
/// The same checks of a search to record.
Result<void> check_before_build(const SearchOfRun& search, std::string_view algorithm, const DataSet& data);

/// Answers the question for every query. Errors: those of checked_request(), no device, out of memory, cancelled,
/// points so close to a query that floats cannot hold the square of the distance.
Result<SearchReport> search(const SearchRequest& request, const RunControl& control = {});

/// What is known of a tree that stays on the device that built it.
struct KeptTreeFacts {
  std::shared_ptr<const KeptTree> kept;
  std::string kind;  ///< id of the tree's kind
  PointSet points;   ///< their number, dimensions and type; no words
  Box box;           ///< of all points
  Device device;     ///< which built it
};

/// A finished tree that is searched often: it is put into a back end's memory once for each search, and what the checks
/// need of its points is found once. Several threads may search at the same time.
class SearchedTree {
 public:
  /// Precondition: the tree is not null.
  explicit SearchedTree(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  /// Searches on the tree's own device read it where it is; others get a copy.
  explicit SearchedTree(KeptTreeFacts facts) : facts_(std::move(facts)) {}
  /// Returns the tree on the host. A kept tree is copied once. Throws ErrorException if that fails.
  std::shared_ptr<const Tree> tree() const;
  /// The same as search() of a request with this tree.
  Result<SearchReport> search(SearchRequest request, const RunControl& control = {}) const;

 private:
  std::shared_ptr<const OpenSearch> opened(const Search& search, const SearchBackEnd& back_end,
                                           const Device& device) const;
  const PointSet& original_points() const;

  std::optional<KeptTreeFacts> facts_;
  mutable std::once_flag ends_known_;
  mutable Box ends_;  ///< the box of all points of a tree on the host, once it is searched
  mutable std::mutex copying_;
  mutable std::shared_ptr<const Tree> tree_;  ///< null: not copied yet
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<std::string, Backend, int>, std::shared_ptr<const OpenSearch>> opened_;
  mutable std::optional<PointSet> original_points_;
};

/// Searches for the first query alone and returns its events, at most `capacity` of them. Errors: those of search().
Result<SearchEvents> log_search(const SearchRequest& request, std::uint32_t capacity);

/// Records the search of one query, or of all points as a batch, on the tree at the end of a recording, on the back end
/// wanted. The last step has the check that the answer is right (answer_check.hpp), unless the search gave up
/// subtrees or the batch has more than 4,096 points. Errors: those of recorded_tree() and search(); cancelled.
Result<std::shared_ptr<const Trace>> record_search(std::shared_ptr<const Trace> built, const SearchOfRun& search,
                                                   Backend backend, const RunControl& control = {},
                                                   std::size_t most_steps = 0);

/// Returns which points a tree leaves out, and which stand for them, in one phrase: "2 points of 12, because others
/// have the same coordinates: point 3 stands for point 7, point 1 for point 9"; the first three of more. Empty if it
/// holds all.
std::string left_out_text(const Tree& tree);

/// Returns the first difference between the answers of two searches to one request in one sentence; empty if they are
/// equal, indices and distances bit for bit.
std::string first_difference(const SearchReport& found, const SearchReport& expected);

}  // namespace kdscope
