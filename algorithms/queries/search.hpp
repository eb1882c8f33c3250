#pragma once
// What a search states about itself, what it is asked, and what it returns. Searches run on finished trees.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/queries/event_log.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// What is asked about a query. A ray is a query of twice the tree's dimensions: its origin, then its direction.
enum class SearchQuestion : std::uint8_t {
  nearest,      ///< the k nearest points
  ball,         ///< all points within a radius
  box,          ///< all points whose coordinates all differ by at most a radius
  count,        ///< how many points such a box holds
  nearest_hit,  ///< the first triangle that a ray hits
  any_hit       ///< any triangle that a ray hits
};
inline constexpr int search_question_count = 6;
const char* name_of(SearchQuestion question);  ///< "nearest", "ball", "box", "count", "nearest-hit", "any-hit"
/// Whether the question is about rays.
constexpr bool is_about_rays(SearchQuestion question) { return question >= SearchQuestion::nearest_hit; }
/// Whether the question is about a box around the query.
constexpr bool is_about_boxes(SearchQuestion question) {
  return question == SearchQuestion::box || question == SearchQuestion::count;
}
/// Whether the question is about all points within a radius, which must be given.
constexpr bool needs_radius(SearchQuestion question) {
  return question == SearchQuestion::ball || is_about_boxes(question);
}

/// How the distance of two points follows from their differences along the axes.
enum class Metric : std::uint8_t {
  euclidean,  ///< the root of the sum of their squares
  l1,         ///< the sum of their sizes
  maximum     ///< the largest of their sizes
};
inline constexpr int metric_count = 3;
const char* name_of(Metric metric);  ///< "euclidean", "l1", "max"

/// Where the k nearest are nearest. A space with periods repeats itself: two points whose coordinates differ by x lie
/// min(|x|, L - |x|) apart along an axis with the period L.
struct Measure {
  Metric metric = Metric::euclidean;
  std::vector<double> period = {};  ///< one per dimension; empty: the space does not repeat itself
  bool is_usual() const { return metric == Metric::euclidean && period.empty(); }
};

/// The citation of searches that no source has published.
inline constexpr const char* own_citation = "kdscope";

/// A search as the registry lists it.
struct SearchSpec {
  std::string id;         ///< "stack-free"
  std::string title;      ///< "Stack-free traversal"
  std::string citation;   ///< "Wald 2022"
  std::string summary;    ///< two sentences at most
  std::string tree_kind;  ///< the kind of tree that it searches: "left-balanced"
  std::vector<SearchQuestion> questions = {};
  std::uint32_t most_k = 1;
  std::string anchor = {};  ///< region of our source
  std::vector<ParameterSpec> parameters = {};
  /// Whether it serves packets of queries that lie together, and a query visits what its packet visits.
  bool serves_packets = false;
  bool takes_metrics = false;  ///< whether it finds the nearest by every metric
  bool takes_periods = false;  ///< whether it finds the nearest in a space that repeats itself
  /// Makes the options of given parameters. owner: the search's id, for errors, which are those of
  /// OptionTable::typed().
  Result<TypedOptions> (*parse)(const std::string& owner, const Parameters& given) = nullptr;
  /// Whether a search with these options may give up subtrees, and so miss results; null: never.
  bool (*may_give_up)(SearchQuestion question, const TypedOptions& options) = nullptr;
};

/// The order in which threads serve queries. Answers are always in the queries' own order.
enum class QueryOrder : std::uint8_t {
  given,
  morton,  ///< along a Morton curve, sorted before every search
  tree     ///< queries that are the tree's points: in the order of its nodes or positions, which is not timed
};
inline constexpr int query_order_count = 3;
const char* name_of(QueryOrder order);  ///< "given", "morton", "tree"

/// Arrays of a caller that receive the k nearest of every query, [queries * width] each: no_id and infinity where there
/// are fewer.
struct NeighbourArrays {
  std::uint32_t width = 1;                   ///< at least k
  std::uint32_t* indices = nullptr;          ///< original indices
  double* squared_distances = nullptr;       ///< on the host, or null
  float* squared_distances_there = nullptr;  ///< in the memory of the CUDA device, as are the indices then; or null
};

/// A question about every query.
struct SearchRequest {
  std::string search;  ///< id; empty: the first that answers the question for trees of this kind
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<const DataSet> queries;  ///< points of the tree's type and dimensions, or rays; payload is ignored
  SearchQuestion question = SearchQuestion::nearest;
  std::uint32_t k = 1;  ///< nearest: the number of points, 1 to SearchSpec::most_k
  /// In the points' unit. Required where needs_radius(). nearest: leaves out points farther away. Rays have none.
  std::optional<double> radius = {};
  Parameters parameters = {};  ///< those that differ from the defaults may be left out
  QueryOrder order = QueryOrder::given;
  Backend backend = Backend::automatic;
  int repeat = 1;           ///< number of timed searches
  int processors = 0;       ///< as in RunRequest
  Measure measure = {};     ///< nearest: what is near
  bool only_count = false;  ///< ball, box: finds SearchReport::counts alone
  /// nearest: fills these arrays in place of SearchReport::found, distances, visited and order
  std::optional<NeighbourArrays> into = {};
  /// A copy of the queries' words in memory of the CUDA device that searches, from which they are read in place of the
  /// host's; null for none
  const std::uint32_t* queries_on_device = nullptr;
  Box box_of_queries = {};    ///< of queries whose words lie there alone; else empty
  TypedOptions options = {};  ///< made of `parameters` by checked_request(), for the back ends
};

/// What was found for all queries. Query q has the entries [offsets[q], offsets[q + 1]), by ascending distance; equally
/// distant ones by index.
struct SearchReport {
  std::vector<std::uint64_t> offsets;  ///< [queries + 1]
  std::vector<std::uint32_t> found;    ///< original indices of points or triangles
  /// Squared distances, computed in float for float points and in double for integers, summed as
  /// sum_over_dimensions() does; for boxes, the square of the
  /// largest difference; for rays, the multiple of the direction at which it hits; for metrics other than the
  /// Euclidean, distances that are not squared
  std::vector<double> distances;
  std::vector<std::uint32_t>
      counts;  ///< [queries] of the question `count` and of only_count, which find nothing else; else empty
  std::vector<std::uint32_t> visited;  ///< [queries] nodes visited
  std::vector<std::uint32_t> order;    ///< [queries] the query of each thread
  std::vector<double> reaches;         ///< [queries] squared radius that the search chose; empty for most
  /// One per repetition, with tree and queries already on the device. The time includes that of sorting the queries;
  /// putting the answers back into the queries' order is part of their download.
  std::vector<double> search_ms;
  std::vector<double> sort_ms;   ///< one per repetition: time of sorting the queries; empty if they were not sorted
  std::uint64_t peak_bytes = 0;  ///< peak device memory, tree and queries included
  Device device;
};

/// A tree in a back end's memory, ready for one search.
class OpenSearch {
 public:
  virtual ~OpenSearch() = default;
  /// Answers a checked request about this tree. May be called on several threads at once. Throws ErrorException.
  virtual SearchReport search(const SearchRequest& request, const RunControl& control) const = 0;
};

/// The functions that run a search on one back end. Both throw ErrorException.
struct SearchBackEnd {
  /// Puts a tree of the search's kind into the back end's memory.
  std::unique_ptr<OpenSearch> (*open)(const Tree& tree, const Device& device);
  /// Searches for each of the first `queries` queries alone, and calls each(its events, at most `capacity` of them), in
  /// order, until that returns false. The tree is uploaded once.
  void (*log)(const SearchRequest& request, const Device& device, std::uint32_t queries, std::uint32_t capacity,
              const std::function<bool(SearchEvents)>& each);
  /// Takes a tree on the device that built it; returns null if this search reads no such tree. Null on the host.
  std::unique_ptr<OpenSearch> (*open_kept)(const std::shared_ptr<const KeptTree>& kept, const Device& device) = nullptr;
};

/// The registry's entry for one search.
struct Search {
  SearchSpec spec;
  const SearchBackEnd* cpu = nullptr;
  const SearchBackEnd* cuda = nullptr;  ///< null if this build of kdscope lacks the back end
};

/// Returns all searches of this build, those of a kind of tree one after another, the usual one first.
const std::vector<Search>& all_searches();

}  // namespace kdscope
