#pragma once
// What a search states about itself, what it is asked, and what it returns. Searches run on finished trees.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// A published search as the registry lists it.
struct SearchSpec {
  std::string id;         ///< "stack-free"
  std::string title;      ///< "Stack-free traversal"
  std::string citation;   ///< "Wald 2022"
  std::string summary;    ///< two sentences at most
  std::string tree_kind;  ///< the kind of tree that it searches: "left-balanced"
};

/// The largest k of a search.
inline constexpr std::uint32_t most_neighbours = 128;

/// The order in which threads serve queries. Answers are always in the queries' own order.
enum class QueryOrder : std::uint8_t {
  given,
  morton  ///< along a Morton curve, sorted before every search
};

/// The k nearest points of every query.
struct SearchRequest {
  std::string search = "stack-free";
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<const DataSet> queries;  ///< points of the tree's type and dimensions; payload is ignored
  std::uint32_t k = 1;                     ///< 1 to most_neighbours
  std::optional<double> radius = {};       ///< finds only points at most this far away, in the points' unit
  QueryOrder order = QueryOrder::given;
  Backend backend = Backend::automatic;
  int repeat = 1;      ///< number of timed searches
  int processors = 0;  ///< as in BuildRequest
};

/// The neighbours of all queries, nearest first; equally distant ones by original index.
struct SearchReport {
  std::vector<std::uint32_t> points;  ///< [queries x k] original indices; no_id where the radius holds fewer
  /// [queries x k] squared distances, computed in float for float points and in double for integers; infinite where
  /// there is no point
  std::vector<double> squared_distances;
  std::vector<std::uint32_t> visited;  ///< [queries] nodes whose point was tested
  /// One per repetition, with tree and queries already on the device. The time includes that of sorting the queries;
  /// putting the answers back into the queries' order is part of their download.
  std::vector<double> search_ms;
  std::vector<double> sort_ms;         ///< one per repetition: the time of sorting the queries; empty if given
  std::uint64_t peak_bytes = 0;        ///< peak device memory, tree and queries included
  Device device;
};

/// A search on the back ends of this build. cpu and cuda throw ErrorException; cuda is null without CUDA.
struct Search {
  using Run = SearchReport (*)(const SearchRequest& request, const Device& device, const RunControl& control);
  SearchSpec spec;
  const PointSet& (*points)(const Tree& tree) = nullptr;  ///< the points of a tree of its kind, in any order
  Run cpu = nullptr, cuda = nullptr;
};

/// Returns all searches of this build.
const std::vector<Search>& all_searches();

}  // namespace kdscope
