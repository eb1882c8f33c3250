#pragma once
// Runs the searches of left-balanced trees on an executor. Only the units of the back ends include this header.

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/morton.hpp"
#include "algorithms/queries/search.hpp"
#include "algorithms/queries/wald/traversals.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope::queries::wald {

/// Searches for one query per thread. queries: [count * query_stride] words; thread i serves query order[i], or i if
/// order is null. points, distances: [k * count] by thread, those of equal rank together, so that neighbouring threads
/// write neighbouring words. visited: [count] by thread.
template <class Traversal, class Number, int dims, class Nearest>
struct FindNearest {
  TreeView<Number> tree;
  const std::uint32_t* queries;
  const std::uint32_t* order;
  std::uint32_t query_stride, count;
  int k;
  Number bound;
  PointId* points;
  Number* distances;
  std::uint32_t* visited;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    Coordinates<Number, dims> query{};
    const std::size_t served = order ? order[i] : i;
    const int count_of_dims = dims > 0 ? dims : static_cast<int>(tree.dim);
    for (int d = 0; d < count_of_dims; ++d)
      query.at[d] = number_of<Number>(queries[served * query_stride + static_cast<std::size_t>(d)]);
    Nearest nearest(k, bound);
    visited[i] = Traversal::run(tree, query, nearest, NoLog{});
    nearest.for_each([&](int rank, const Neighbour<Number>& neighbour) {
      const std::size_t at = static_cast<std::size_t>(rank) * count + i;
      points[at] = neighbour.point;
      distances[at] = neighbour.distance;
    });
  }
};

/// Returns the largest squared distance of interest: that of the radius, rounded up so that no point at the radius is
/// lost; without a radius, the largest number.
template <class Number>
Number bound_of(const SearchRequest& request) {
  if (!request.radius) return std::numeric_limits<Number>::infinity();
  const double squared = *request.radius * *request.radius;
  const auto bound = static_cast<Number>(squared);
  return static_cast<double>(bound) < squared ? std::nextafter(bound, std::numeric_limits<Number>::infinity()) : bound;
}

template <class Traversal, class Number, int dims, class Nearest, class Exec>
SearchReport find_nearest(Exec& exec, const SearchRequest& request, const RunControl& control) {
  const LeftBalancedTree& tree = request.tree->as<LeftBalancedTree>();
  const auto count = static_cast<std::uint32_t>(request.queries->points.size());
  const auto k = static_cast<std::size_t>(request.k);
  const auto records = upload_points(exec, tree.points), queries = upload_points(exec, request.queries->points);
  auto point_of_node = exec.template array<PointId>("tree", tree.size());
  auto split_dim = exec.template array<std::uint8_t>("split dimensions", tree.size());
  exec.upload(point_of_node.data(), std::span(tree.point_of_node));
  exec.upload(split_dim.data(), std::span(tree.split_dim));
  const bool by_level = tree.split == Split::round_robin;
  auto points = exec.template array<PointId>("neighbours", count * k);
  auto distances = exec.template array<Number>("squared distances", count * k);
  auto visited = exec.template array<std::uint32_t>("visited", count);

  std::optional<MortonOrder<Exec>> curve;
  if (request.order == QueryOrder::morton) curve.emplace(exec, count);

  FindNearest<Traversal, Number, dims, Nearest> find{
      {records.words.data(), point_of_node.data(), by_level ? nullptr : split_dim.data(), tree.size(), records.dim,
       records.stride},
      queries.words.data(),
      nullptr,
      queries.stride,
      count,
      static_cast<int>(k),
      bound_of<Number>(request),
      points.data(),
      distances.data(),
      visited.data()};
  SearchReport report;
  const int repeat = request.repeat < 1 ? 1 : request.repeat;
  for (int i = 0; i < repeat; ++i) {
    if (control.progress) control.progress(double(i) / repeat, "search");
    exec.synchronize();
    const auto from = exec.event();
    if (curve) find.order = curve->template sort<Number>(exec, queries);
    const auto sorted = exec.event();
    exec.for_each("find nearest", count, find);
    const auto to = exec.event();
    report.search_ms.push_back(exec.elapsed_ms(from, to));
    if (curve) report.sort_ms.push_back(exec.elapsed_ms(from, sorted));
  }
  report.peak_bytes = exec.memory().peak();

  std::vector<PointId> by_rank(count * k);
  std::vector<Number> distances_by_rank(count * k);
  std::vector<std::uint32_t> visited_by_thread(count), order(find.order ? count : 0);
  report.visited.resize(count);
  exec.download(std::span(by_rank), points.data());
  exec.download(std::span(distances_by_rank), distances.data());
  exec.download(std::span(visited_by_thread), visited.data());
  exec.download(std::span(order), find.order);
  report.points.resize(count * k);
  report.squared_distances.resize(count * k);
  for (std::size_t thread = 0; thread < count; ++thread) {
    const std::size_t query = order.empty() ? thread : order[thread];
    report.visited[query] = visited_by_thread[thread];
    for (std::size_t rank = 0; rank < k; ++rank) {
      const std::size_t from = rank * count + thread, to = query * k + rank;
      report.points[to] = by_rank[from].value;
      report.squared_distances[to] = by_rank[from].value == no_id ? std::numeric_limits<double>::infinity()
                                                                  : static_cast<double>(distances_by_rank[from]);
    }
  }
  return report;
}

/// Chooses the list of neighbours.
template <class Traversal, class Number, int dims, class Exec>
SearchReport search_with_list(Exec& exec, const SearchRequest& request, const RunControl& control) {
  constexpr int in_registers = 8, middle = 64;
  if (request.k <= in_registers)
    return find_nearest<Traversal, Number, dims, ShortList<Number, in_registers>>(exec, request, control);
  if (request.k <= middle)
    return find_nearest<Traversal, Number, dims, LongList<Number, middle>>(exec, request, control);
  return find_nearest<Traversal, Number, dims, LongList<Number, most_neighbours>>(exec, request, control);
}

/// Chooses the type of the distances, and a number of dimensions for which a unit is compiled.
template <class Traversal, class Exec>
SearchReport search(Exec& exec, const SearchRequest& request, const RunControl& control) {
  const PointSet& queries = request.queries->points;
  if (queries.type == ScalarType::int32) return search_with_list<Traversal, double, 0>(exec, request, control);
  if (queries.dim == 2) return search_with_list<Traversal, float, 2>(exec, request, control);
  if (queries.dim == 3) return search_with_list<Traversal, float, 3>(exec, request, control);
  return search_with_list<Traversal, float, 0>(exec, request, control);
}

/// The same searches on each back end.
struct Runs {
  Search::Run stack, stack_free, closest_corner;
};
extern const Runs on_cpu, on_cuda;

}  // namespace kdscope::queries::wald
