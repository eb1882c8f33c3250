#include "algorithms/registry/searches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/registry/run_on.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"

namespace kdscope {
namespace {

Error usage(std::string what, std::string remedy) {
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

/// Checks that the queries are points like those of the tree.
Result<void> check_queries(const PointSet& queries, const PointSet& points, const std::string& name) {
  if (queries.dim != points.dim)
    return Error{
        ErrorKind::bad_input,
        "the queries have " + std::to_string(queries.dim) + " dimensions, the points " + std::to_string(points.dim),
        name, "take queries of the same dimensions"};
  if (queries.type != points.type)
    return Error{ErrorKind::bad_input,
                 std::string("the queries have coordinates of type ") + name_of(queries.type) +
                     ", the points of type " + name_of(points.type),
                 name, "take queries of the same type"};
  return {};
}

/// Checks what the search cannot answer.
Result<void> check(const SearchRequest& request, const Search& search) {
  const SearchSpec& spec = search.spec;
  if (!request.tree || request.tree->empty()) return usage("there is no tree to search", "build one first");
  if (request.tree->kind().id() != spec.tree_kind)
    return usage(spec.id + " searches trees of kind " + spec.tree_kind + ", this one is of kind " +
                     std::string(request.tree->kind().id()),
                 "choose another search or another algorithm");
  const PointSet& points = search.points(*request.tree);
  if (!request.queries) return usage("there are no queries", "give some");
  if (request.k < 1 || request.k > most_neighbours)
    return usage("k is " + std::to_string(request.k), "give 1 to " + std::to_string(most_neighbours));
  if (request.k > points.size())
    return usage(
        "k is " + std::to_string(request.k) + ", and the tree has only " + std::to_string(points.size()) + " points",
        "give at most as many");
  if (request.radius && !(*request.radius >= 0 && std::isfinite(*request.radius)))
    return usage("the radius is " + shortest(*request.radius), "give a number that is not negative");
  return check_queries(request.queries->points, points, request.queries->name);
}

/// One query's distances to all points, in the arithmetic that searches use.
template <class Number>
std::vector<std::pair<Number, std::uint32_t>> all_distances(const PointSet& points, const PointSet& queries,
                                                            std::size_t query) {
  std::vector<std::pair<Number, std::uint32_t>> all(points.size());
  for (std::uint32_t point = 0; point < all.size(); ++point) {
    Number sum = 0;
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const auto difference = static_cast<Number>(static_cast<Number>(queries.value(query, d)) -
                                                  static_cast<Number>(points.value(point, d)));
      sum += difference * difference;
    }
    all[point] = {sum, point};
  }
  return all;
}

template <class Number>
void compare_all(const SearchRequest& request, const PointSet& points, const RunControl& control,
                 SearchReport& report) {
  const PointSet& queries = request.queries->points;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "the search was cancelled", "", ""});
    auto all = all_distances<Number>(points, queries, query);
    if (request.radius)
      std::erase_if(
          all, [&](const auto& each) { return static_cast<double>(each.first) > *request.radius * *request.radius; });
    const std::size_t there = std::min<std::size_t>(request.k, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(there), all.end());
    for (std::size_t rank = 0; rank < there; ++rank) {
      report.points[query * request.k + rank] = all[rank].second;
      report.squared_distances[query * request.k + rank] = static_cast<double>(all[rank].first);
    }
  }
}

}  // namespace

const Search* find_search(std::string_view id) {
  for (const Search& each : all_searches())
    if (each.spec.id == id) return &each;
  return nullptr;
}

Result<SearchReport> search(const SearchRequest& request, const RunControl& control) {
  const Search* found = find_search(request.search);
  if (!found) {
    std::vector<std::string> ids;
    for (const Search& each : all_searches()) ids.push_back(each.spec.id);
    return usage("there is no search " + quoted(request.search), "choose " + alternatives(ids));
  }
  if (auto ok = check(request, *found); !ok) return ok.error();
  const auto device = choose_device(request.backend, found->cpu, found->cuda);
  if (!device) return device.error();
  const auto share = limited(*device, request.processors);
  if (!share) return share.error();
  auto report = guarded(
      *share, [&] { return (share->backend == Backend::cuda ? found->cuda : found->cpu)(request, *share, control); });
  if (report) report->device = *share;
  return report;
}

Result<SearchReport> search_by_comparing_all(const SearchRequest& request, const PointSet& points,
                                             const RunControl& control) {
  SearchReport report;
  const std::size_t results = request.queries->points.size() * request.k;
  report.points.assign(results, no_id);
  report.squared_distances.assign(results, std::numeric_limits<double>::infinity());
  try {
    if (points.type == ScalarType::float32)
      compare_all<float>(request, points, control, report);
    else
      compare_all<double>(request, points, control, report);
  } catch (const ErrorException& e) {
    return e.error();
  }
  return report;
}

std::string first_difference(const SearchRequest& request, const SearchReport& found, const SearchReport& expected) {
  for (std::size_t i = 0; i < expected.points.size(); ++i) {
    if (found.points[i] == expected.points[i] && found.squared_distances[i] == expected.squared_distances[i]) continue;
    const auto neighbour = [&](const SearchReport& report) {
      return report.points[i] == no_id ? std::string("no point")
                                       : "point " + std::to_string(report.points[i]) + " at squared distance " +
                                             shortest(report.squared_distances[i]);
    };
    return "neighbour " + std::to_string(i % request.k + 1) + " of query " + std::to_string(i / request.k) + " is " +
           neighbour(found) + ", and should be " + neighbour(expected);
  }
  return "";
}

}  // namespace kdscope
