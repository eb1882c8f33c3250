#pragma once
// Runs searches on an executor: for all queries at full speed, and for one query with its events. Only the units of the
// back ends include this header.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/queries/box_distance.hpp"
#include "algorithms/queries/measured_list.hpp"
#include "algorithms/queries/query_batch.hpp"
#include "algorithms/queries/radius.hpp"
#include "algorithms/queries/searching.hpp"
#include "algorithms/queries/warp_work.hpp"

namespace kdscope::queries {

/// Whether a warp serves a packet of queries, one per lane.
template <class Searching>
constexpr bool serves_packets() {
  if constexpr (requires { Searching::in_packets; })
    return Searching::in_packets;
  else
    return false;
}

/// Finds up to k results for each query. found, distances: [k * count] by thread, those of equal rank
/// together, so that neighbouring threads write neighbouring words. visited: [count] by thread.
template <class Searching, class Tree, class Number, int dims, class Nearest, class Log>
struct FindNearest {
  Searching searching;
  Tree tree;
  QueryView queries;
  std::uint32_t count;
  int k;
  RadiusOf<Nearest, Number> radius;
  PointId* found;
  Number* distances;
  std::uint32_t* visited;
  Log log;
  /// Registers are limited so that other packets hide the latency of a packet's loads: to 40 where each thread keeps
  /// its nearest alone, 64 with lists of 8, 128 with lists of 32. Three blocks leave a ray 80, which its calls of rare,
  /// exact tests need: with 64, the compiler keeps part of a ray in memory.
  static constexpr int blocks_per_multiprocessor = Searching::most_k == 1                            ? 3
                                                   : !serves_packets<Searching>()                    ? 0
                                                   : sizeof(Nearest) <= sizeof(ShortList<float, 1>)  ? 6
                                                   : sizeof(Nearest) <= sizeof(ShortList<float, 8>)  ? 4
                                                   : sizeof(Nearest) <= sizeof(ShortList<float, 32>) ? 2
                                                                                                     : 0;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    answer(i, queries.template served_by<typename Searching::template Query<Number, dims>>(i),
           [](auto&& write) { write(); });
  }
  /// The same for a warp, which serves a packet of queries or one query.
  template <class Warp>
  requires requires { Warp::lane_count; }
  KDSCOPE_HD void operator()(Warp& warp) const {
    if constexpr (serves_packets<Searching>())
      serve_packet(warp);
    else
      serve_one(warp);
  }

 private:
  template <class Warp>
  KDSCOPE_HD void serve_packet(Warp& warp) const {
    typename Warp::template PerLane<typename Searching::template Query<Number, dims>> packet;
    typename Warp::template PerLane<Nearest> nearest;
    typename Warp::template PerLane<std::uint32_t> nodes;
    // The last warp may have fewer queries than lanes. The other lanes hold a list too, because all lanes take part in
    // the warp's calls, but they write no answer.
    const std::uint32_t first = warp.index() * Warp::lane_count, rest = count - first;
    const int lanes = rest < Warp::lane_count ? static_cast<int>(rest) : Warp::lane_count;
    warp.lanes([&](int lane) {
      const std::uint32_t served = first + static_cast<std::uint32_t>(lane < lanes ? lane : 0);
      nearest[lane] = list_of(served);
      nodes[lane] = 0;
      packet[lane] = {};
      if (lane < lanes)
        packet[lane] = queries.template served_by<typename Searching::template Query<Number, dims>>(served);
    });
    searching.run(warp, tree, packet, nearest, nodes, lanes, log);
    warp.lanes([&](int lane) {
      if (lane < lanes)
        write(first + static_cast<std::uint32_t>(lane), nodes[lane], nearest[lane], [](auto&& each) { each(); });
    });
  }
  /// All lanes search with the same values, and one of them writes.
  template <class Warp>
  KDSCOPE_HD void serve_one(Warp& warp) const {
    const QueryOfWarp<Number, Warp> query{{queries.words_served_by(warp.index())}, &warp};
    answer(warp.index(), query, [&](auto&& write) {
      warp.lanes([&](int lane) {
        if (lane == 0) write();
      });
    });
  }

  KDSCOPE_HD Nearest list_of(std::uint32_t i) const {
    return list_for<Nearest>(k, radius, queries.words_served_by(i), queries.dim);
  }
  template <class Query, class Once>
  KDSCOPE_HD void answer(std::uint32_t i, const Query& query, Once once) const {
    Nearest nearest = list_of(i);
    const std::uint32_t nodes = searching.run(tree, query, nearest, log);
    write(i, nodes, nearest, once);
  }
  template <class Once>
  KDSCOPE_HD void write(std::uint32_t i, std::uint32_t nodes, Nearest& nearest, Once once) const {
    // Answers are stored rank by rank, so neighbouring threads write neighbouring words
    once([&] { visited[i] = nodes; });
    nearest.for_each([&](int rank, const Neighbour<Number>& neighbour) {
      const std::size_t at = static_cast<std::size_t>(rank) * count + i;
      once([&] {
        found[at] = neighbour.point;
        distances[at] = neighbour.distance;
      });
    });
  }
};

/// Launches a search for the k nearest or for hits. Queries of many dimensions, whose coordinates are in memory, have a
/// warp each on a GPU: a single thread would read a point's coordinates one after another, and the threads beside it
/// those of other points. A search with a log of events runs on one thread.
template <class Searching, class View, class Number, int dims, class Nearest, class Log, class Exec>
void launch(Exec& exec, const FindNearest<Searching, View, Number, dims, Nearest, Log>& find) {
  constexpr const char* name = "find nearest";
  if constexpr (serves_packets<Searching>()) {
    std::size_t shared_bytes = 0;
    if constexpr (requires { Searching::template shared_bytes<Number, Nearest>(); })
      shared_bytes = Searching::template shared_bytes<Number, Nearest>();
    exec.for_each_warp(name, (find.count + lanes_per_warp - 1) / lanes_per_warp, shared_bytes, find);
  } else {
    if constexpr (!Exec::runs_on_host && std::is_same_v<Log, NoLog> &&
                  std::is_same_v<typename Searching::template Query<Number, dims>, QueryWords<Number>>)
      if (sums_in_lanes(find.queries.dim)) return exec.for_each_warp(name, find.count, 0, find);
    exec.for_each(name, find.count, find);
  }
}

/// Finds all results within a reach, one query per thread, in two passes. The first pass stores the number of results
/// of thread i in offsets[i]. For the second, offsets holds the exclusive prefix sums, and thread i writes its results
/// from offsets[i] on. offsets: [count + 1]. reaches: [count] squared, written by the first pass, by thread.
template <class Searching, class Tree, class Number, int dims, class Log>
struct FindWithin {
  Searching searching;
  Tree tree;
  QueryView queries;
  std::uint32_t k;  ///< 0 for all within the bound
  bool box;
  Radius<Number> radius;
  std::uint32_t count;
  std::uint64_t* offsets;
  PointId* found;  ///< null while counting
  Number* distances;
  Number* reaches;
  std::uint32_t* visited;
  Log log;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const auto query = queries.template served_by<typename Searching::template Query<Number, dims>>(i);
    // Count in the first pass; in the second, write from the thread's own offset on, so no thread needs an atomic
    auto within = found ? Within<Number>(box, reaches[i], found + offsets[i], distances + offsets[i])
                        : Within<Number>(box, radius.squared_reach(queries.words_served_by(i), queries.dim));
    std::uint32_t nodes;
    if constexpr (Searching::chooses_reach)
      nodes = searching.run(tree, query, within, log, k);
    else
      nodes = searching.run(tree, query, within, log);
    if (found) return;
    visited[i] = nodes;
    reaches[i] = within.reach();
    offsets[i] = within.count();
    if (i == count - 1) offsets[count] = 0;  // so that the exclusive sum leaves the total there
  }
};

/// Prepares the tree for a request, if the search does so. Returns what the view points to.
template <class Searching, int dims, class Exec, class View>
auto prepared(Exec& exec, View& view, const SearchRequest& request) {
  const auto searching = searching_of<Searching>(request.options);
  if constexpr (requires { searching.template prepare<dims>(exec, view, request.k); }) {
    decltype(searching.template prepare<dims>(exec, view, request.k)) kept;
    if (request.question == SearchQuestion::nearest) kept = searching.template prepare<dims>(exec, view, request.k);
    return kept;
  } else {
    return 0;
  }
}

/// A request's radius, and its measure in a back end's memory where the lists need one.
template <class Nearest, class Number, class Exec>
class RadiusOnDevice {
 public:
  RadiusOnDevice(Exec& exec, const SearchRequest& request) : radius_(request.radius) {
    if constexpr (measures<Nearest>) {
      MeasureView<Number> view;
      view.metric = request.measure.metric;
      view.is_periodic = !request.measure.period.empty();
      const Box ends = bounding_box(request.tree->kind().points(*request.tree));
      for (std::size_t d = 0; d < request.measure.period.size(); ++d) {
        view.period[d] = static_cast<Number>(request.measure.period[d]);
        view.low[d] = static_cast<Number>(ends.lo[d]), view.high[d] = static_cast<Number>(ends.hi[d]);
      }
      measure_ = exec.template array<MeasureView<Number>>("measure", 1);
      exec.upload(measure_.data(), std::span<const MeasureView<Number>>(&view, 1));
    }
  }
  RadiusOf<Nearest, Number> view() const {
    if constexpr (measures<Nearest>)
      return {radius_, measure_.data()};
    else
      return radius_;
  }

 private:
  Radius<Number> radius_;
  Array<MeasureView<Number>, Exec> measure_;
};

/// Writes the neighbours that threads found, rank by rank, to the rows of their queries. found, distances: [k * count].
template <class Number, class Out>
struct DeliverNeighbours {
  const PointId* found;
  const Number* distances;
  const std::uint32_t* order;  ///< the query of each thread; null: its own
  std::uint32_t count, k, width;
  std::uint32_t* indices;
  Out* squared_distances;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::size_t row = std::size_t(order ? order[i] : i) * width;
    for (std::uint32_t rank = 0; rank < width; ++rank) {
      const std::size_t at = std::size_t(rank) * count + i;
      const std::uint32_t point = rank < k ? found[at].value : no_id;
      indices[row + rank] = point;
      squared_distances[row + rank] =
          point == no_id ? std::numeric_limits<Out>::infinity() : static_cast<Out>(distances[at]);
    }
  }
};

/// Fills the arrays of a caller, on the host or on a device.
template <class Number, class Exec>
void deliver(Exec& exec, const NeighbourArrays& to, std::uint32_t k, const std::uint32_t* order, std::uint32_t count,
             const PointId* found, const Number* distances) {
  const auto write = [&]<class Out>(std::uint32_t* indices, Out* squared_distances) {
    exec.for_each(
        "deliver neighbours", count,
        DeliverNeighbours<Number, Out>{found, distances, order, count, k, to.width, indices, squared_distances});
  };
  if constexpr (Exec::runs_on_host) {
    write(to.indices, to.squared_distances);
  } else {
    if (to.squared_distances_there) {
      write(to.indices, to.squared_distances_there);
      exec.synchronize();
      return;
    }
    const std::size_t size = std::size_t(count) * to.width;
    auto indices = exec.template array<std::uint32_t>("indices", size);
    auto squared_distances = exec.template array<double>("distances", size);
    write(indices.data(), squared_distances.data());
    exec.download(std::span(to.indices, size), indices.data());
    exec.download(std::span(to.squared_distances, size), squared_distances.data());
  }
}

/// The tree of a search in an executor's memory.
template <class Searching, class Exec>
using TreeThere = typename Searching::template OnDevice<Exec>;

/// The k nearest points or the hits of rays, with lists of the type Nearest.
template <class Searching, class Number, int dims, class Nearest, class Exec>
SearchReport find_nearest(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                          const RunControl& control) {
  auto view = tree.template view<Number>();
  Batch<Searching, Number, dims, Exec> batch(exec, request, view);
  const std::uint32_t count = batch.count();
  const std::size_t k = request.k;
  auto found = exec.template array<PointId>("neighbours", count * k);
  auto distances = exec.template array<Number>("squared distances", count * k);
  auto visited = exec.template array<std::uint32_t>("visited", count);
  const RadiusOnDevice<Nearest, Number, Exec> radius(exec, request);
  SearchReport report;
  decltype(prepared<Searching, dims>(exec, view, request)) kept{};
  batch.timed(control, report, [&](const QueryView& queries) {
    kept = {};
    kept = prepared<Searching, dims>(exec, view, request);
    launch(exec, FindNearest<Searching, decltype(view), Number, dims, Nearest, NoLog>{
                     searching_of<Searching>(request.options), view, queries, count, static_cast<int>(k), radius.view(),
                     found.data(), distances.data(), visited.data(), NoLog{}});
  });

  if (request.into) {
    deliver<Number>(exec, *request.into, request.k, batch.view().order, count, found.data(), distances.data());
    return report;
  }
  std::vector<PointId> by_rank(count * k);
  std::vector<Number> distances_by_rank(count * k);
  exec.download(std::span(by_rank), found.data());
  exec.download(std::span(distances_by_rank), distances.data());
  const std::vector<std::uint32_t> query_of_thread = batch.query_of_thread();
  std::vector<std::uint32_t> thread_of_query(count);
  for (std::uint32_t thread = 0; thread < count; ++thread) thread_of_query[query_of_thread[thread]] = thread;
  report.visited = batch.template by_query<std::uint32_t>(query_of_thread, visited.data());
  report.order = query_of_thread;
  report.offsets.reserve(std::size_t(count) + 1);
  report.found.reserve(count * k);
  report.distances.reserve(count * k);
  report.offsets.push_back(0);
  for (const std::uint32_t thread : thread_of_query) {
    for (std::size_t at = thread; at < count * k && by_rank[at].value != no_id; at += count) {
      report.found.push_back(by_rank[at].value);
      report.distances.push_back(static_cast<double>(distances_by_rank[at]));
    }
    report.offsets.push_back(report.found.size());
  }
  return report;
}

/// Returns the number of points of which a search chooses the reach; 0 if it is given.
inline std::uint32_t points_to_reach(const SearchRequest& request) {
  return request.question == SearchQuestion::nearest ? request.k : 0;
}

/// Writes the nearest of a query, which are sorted, to its row in arrays on the host.
template <class Number>
void write_row(const NeighbourArrays& to, std::uint32_t query, const std::vector<Neighbour<Number>>& sorted) {
  for (std::uint32_t rank = 0; rank < to.width; ++rank) {
    const std::size_t at = std::size_t(query) * to.width + rank;
    to.indices[at] = rank < sorted.size() ? sorted[rank].point.value : no_id;
    to.squared_distances[at] =
        rank < sorted.size() ? static_cast<double>(sorted[rank].distance) : std::numeric_limits<double>::infinity();
  }
}

/// All results within a reach, or only their number.
template <class Searching, class Number, int dims, class Exec>
SearchReport find_within(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                         const RunControl& control) {
  auto view = tree.template view<Number>();
  Batch<Searching, Number, dims, Exec> batch(exec, request, view);
  const std::uint32_t count = batch.count();
  auto visited = exec.template array<std::uint32_t>("visited", count);
  auto reaches = exec.template array<Number>("squared radii", count);
  auto offsets = exec.template array<std::uint64_t>("offsets", std::size_t(count) + 1);
  FindWithin<Searching, decltype(view), Number, dims, NoLog> find{searching_of<Searching>(request.options),
                                                                  view,
                                                                  batch.view(),
                                                                  points_to_reach(request),
                                                                  is_about_boxes(request.question),
                                                                  Radius<Number>(request.radius),
                                                                  count,
                                                                  offsets.data(),
                                                                  nullptr,
                                                                  nullptr,
                                                                  reaches.data(),
                                                                  visited.data(),
                                                                  NoLog{}};
  decltype(prepared<Searching, dims>(exec, view, request)) kept{};
  const auto count_all = [&](const QueryView& queries) {
    kept = prepared<Searching, dims>(exec, view, request);
    find.tree = view;
    find.queries = queries;
    find.found = nullptr;
    exec.for_each("count results", count, find);
    if (count > 0) exec.exclusive_sum("offsets of results", offsets.data(), count + 1);
  };
  if (request.question == SearchQuestion::count || request.only_count) {
    SearchReport report;
    batch.timed(control, report, [&](const QueryView& queries) {
      find.queries = queries;
      exec.for_each("count points", count, find);
    });
    const std::vector<std::uint32_t> query_of_thread = batch.query_of_thread();
    report.visited = batch.template by_query<std::uint32_t>(query_of_thread, visited.data());
    report.counts = batch.template by_query<std::uint32_t>(query_of_thread, offsets.data());
    report.order = query_of_thread;
    report.offsets.assign(std::size_t(count) + 1, 0);
    return report;
  }
  // Once before the times are taken, for the size of the results.
  batch.sort();
  count_all(batch.view());
  std::uint64_t total = 0;
  if (count > 0) exec.download(std::span(&total, 1), offsets.data() + count);
  auto found = exec.template array<PointId>("results", total);
  auto distances = exec.template array<Number>("squared distances", total);
  find.distances = distances.data();
  SearchReport report;
  batch.timed(control, report, [&](const QueryView& queries) {
    count_all(queries);
    find.found = found.data();
    if (total > 0) exec.for_each("write results", count, find);
  });

  const std::vector<std::uint32_t> query_of_thread = batch.query_of_thread();
  report.visited = batch.template by_query<std::uint32_t>(query_of_thread, visited.data());
  report.order = query_of_thread;
  if (Searching::chooses_reach && request.question == SearchQuestion::nearest)
    report.reaches = batch.template by_query<double>(query_of_thread, reaches.data());
  const auto end_of = batch.template by_query<std::uint64_t>(query_of_thread, offsets.data() + 1);
  const auto begin_of = batch.template by_query<std::uint64_t>(query_of_thread, offsets.data());
  std::vector<PointId> all(total);
  std::vector<Number> all_distances(total);
  exec.download(std::span(all), found.data());
  exec.download(std::span(all_distances), distances.data());
  report.offsets.push_back(0);
  std::vector<Neighbour<Number>> sorted;
  for (std::uint32_t query = 0; query < count; ++query) {
    sorted.clear();
    for (std::uint64_t at = begin_of[query]; at < end_of[query]; ++at) sorted.push_back({all_distances[at], all[at]});
    std::sort(sorted.begin(), sorted.end());
    if (request.into) {
      write_row(*request.into, query, sorted);
      continue;
    }
    for (const Neighbour<Number>& each : sorted) {
      report.found.push_back(each.point.value);
      report.distances.push_back(static_cast<double>(each.distance));
    }
    report.offsets.push_back(report.found.size());
  }
  return report;
}

/// Whether a question is answered with a Within.
template <class Searching>
constexpr bool counts_first(SearchQuestion question) {
  return needs_radius(question) || (Searching::chooses_reach && question == SearchQuestion::nearest);
}

/// Chooses the list of the k nearest: the smallest in registers that suffices, or one in memory. Lists in registers
/// have at most 32 entries of 8 bytes.
template <class Searching, class Number, int dims, class Exec, int... capacities>
SearchReport find_nearest_with_list(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                                    const RunControl& control, std::integer_sequence<int, capacities...>) {
  constexpr int middle = 64, most = static_cast<int>(Searching::most_k);
  constexpr bool one_list_in_memory = (is_compact || Exec::runs_on_host) && most > middle;  // room there costs no time
  constexpr std::size_t most_bytes = 256;
  std::optional<SearchReport> report;
  const auto try_list = [&]<int capacity>(std::integral_constant<int, capacity>) {
    if constexpr (capacity * sizeof(Neighbour<Number>) <= most_bytes && !is_compact)
      if (!report && request.k <= static_cast<std::uint32_t>(capacity))
        report = find_nearest<Searching, Number, dims, ShortList<Number, capacity>>(exec, tree, request, control);
  };
  (try_list(std::integral_constant<int, capacities>()), ...);
  if (report) return std::move(*report);
  if constexpr (!one_list_in_memory)
    if (request.k <= middle)
      return find_nearest<Searching, Number, dims, LongList<Number, middle>>(exec, tree, request, control);
  if constexpr (most > middle)
    return find_nearest<Searching, Number, dims, LongList<Number, most>>(exec, tree, request, control);
  throw ErrorException({ErrorKind::bad_usage, "the search does not find so many", "", ""});
}

/// Whether a search finds the nearest with lists that measure otherwise.
template <class Searching>
constexpr bool takes_measures() {
  if constexpr (requires { Searching::takes_metrics; })
    return Searching::takes_metrics || Searching::takes_periods;
  else
    return false;
}

/// Chooses the collector.
template <class Searching, class Number, int dims, class Exec>
SearchReport search_in(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                       const RunControl& control) {
  if constexpr (std::ranges::any_of(Searching::questions, counts_first<Searching>))
    if (counts_first<Searching>(request.question))
      return find_within<Searching, Number, dims>(exec, tree, request, control);
  if constexpr (!std::ranges::all_of(Searching::questions, counts_first<Searching>)) {
    if constexpr (Searching::most_k == 1) {
      if (request.question == SearchQuestion::any_hit)
        return find_nearest<Searching, Number, dims, AnyHit<Number>>(exec, tree, request, control);
      return find_nearest<Searching, Number, dims, ShortList<Number, 1>>(exec, tree, request, control);
    } else {
      return find_nearest_with_list<Searching, Number, dims>(exec, tree, request, control,
                                                             typename Searching::ShortLists());
    }
  }
  throw ErrorException({ErrorKind::bad_usage, "the search does not answer this question", "", ""});
}

/// Chooses the number of dimensions: the first that is the queries' own or 0.
template <class Searching, class Number, class Exec, int first, int... others>
SearchReport search_with(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                         const RunControl& control, std::integer_sequence<int, first, others...>) {
  if constexpr (sizeof...(others) > 0)
    if (request.queries->points.dim != static_cast<std::uint32_t>(first))
      return search_with<Searching, Number>(exec, tree, request, control, std::integer_sequence<int, others...>());
  return search_in<Searching, Number, first>(exec, tree, request, control);
}

/// Finds the nearest by another measure than the usual one: rare, so one unit for any k and number of dimensions.
template <class Searching, class Number, class Exec>
SearchReport search_measured(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                             const RunControl& control) {
  return find_nearest<Searching, Number, last_value(typename Searching::Dimensions()),
                      MeasuredList<Number, static_cast<int>(Searching::most_k)>>(exec, tree, request, control);
}

/// Searches for all queries at full speed, in a tree that is there already.
template <class Searching, class Exec>
SearchReport search_there(Exec& exec, const TreeThere<Searching, Exec>& tree, const SearchRequest& request,
                          const RunControl& control) {
  using Every = typename Searching::Dimensions;
  using Dimensions = std::conditional_t<is_compact, decltype(last_of(Every())), Every>;
  if constexpr (takes_measures<Searching>()) {
    if (!request.measure.is_usual())
      return request.queries->points.type == ScalarType::float32
                 ? search_measured<Searching, float>(exec, tree, request, control)
                 : search_measured<Searching, double>(exec, tree, request, control);
  }
  if (request.queries->points.type == ScalarType::float32)
    return search_with<Searching, float>(exec, tree, request, control, Dimensions());
  if constexpr (Searching::takes_integers) {
    // Integers are rare: one unit for any number of dimensions.
    return search_with<Searching, double>(exec, tree, request, control, last_of(Dimensions()));
  }
  throw ErrorException({ErrorKind::bad_usage, "the search does not take integers", "", ""});
}

/// The same, after an upload of the tree.
template <class Searching, class Exec>
SearchReport search_on(Exec& exec, const SearchRequest& request, const RunControl& control) {
  const TreeThere<Searching, Exec> tree(exec, request.tree->as<typename Searching::Tree>());
  return search_there<Searching>(exec, tree, request, control);
}

/// Whether a search reads trees of the struct Built where they were built.
template <class Searching, class Exec, class Built>
concept reads_there = std::constructible_from < TreeThere<Searching, Exec>,
const Built& > ;

/// A search whose tree stays in a back end's memory. new_exec(stop, processors) returns a pointer to an executor.
template <class Searching, class NewExec>
class TreeKeptThere final : public OpenSearch {
  using OwnedExec = std::invoke_result_t<NewExec, std::stop_token, int>;
  using Exec = OwnedExec::element_type;

 public:
  TreeKeptThere(const Tree& tree, NewExec new_exec)
      : new_exec_(new_exec), exec_(new_exec_({}, 0)), tree_(*exec_, tree.as<typename Searching::Tree>()) {
    exec_->synchronize();
  }
  /// Reads a tree where it was built.
  template <class Built>
  requires reads_there<Searching, Exec, Built> TreeKeptThere(std::shared_ptr<const KeptTreeAs<Built>> kept,
                                                             NewExec new_exec)
      : new_exec_(new_exec), tree_(kept->there()), kept_(std::move(kept)) {}
  SearchReport search(const SearchRequest& request, const RunControl& control) const override {
    // An executor of its own, so that several threads may search at once
    const auto exec = new_exec_(control.stop, request.processors);
    SearchReport report = search_there<Searching>(*exec, tree_, request, control);
    report.peak_bytes += tree_bytes_;
    return report;
  }

 private:
  NewExec new_exec_;
  OwnedExec exec_;  ///< owns the memory of the tree; null if it is kept elsewhere
  TreeThere<Searching, Exec> tree_;
  std::shared_ptr<const KeptTree> kept_;  ///< owns it then
  std::uint64_t tree_bytes_ = exec_ ? exec_->memory().live() : 0;
};

/// Searches for each of the first `count` queries alone and passes on its events.
template <class Searching, class Number, class Exec>
void log_in(Exec& exec, const SearchRequest& request, std::uint32_t count, std::uint32_t capacity,
            const std::function<bool(SearchEvents)>& each) {
  constexpr int dims = last_value(typename Searching::Dimensions());
  const typename Searching::template OnDevice<Exec> tree(exec, request.tree->as<typename Searching::Tree>());
  auto view = tree.template view<Number>();
  [[maybe_unused]] const auto kept = prepared<Searching, dims>(exec, view, request);
  Batch<Searching, Number, dims, Exec> batch(exec, request, view);
  auto events = exec.template array<SearchEvent>("events", capacity);
  auto total = exec.template array<std::uint64_t>("events so far", 1);
  auto visited = exec.template array<std::uint32_t>("visited", 1);
  auto found = exec.template array<PointId>("neighbours", request.k);
  auto distances = exec.template array<Number>("squared distances", request.k);
  auto offsets = exec.template array<std::uint64_t>("offsets", 2);
  const EventLog log{events.data(), total.data(), capacity};
  const auto searching = searching_of<Searching>(request.options);
  QueryView query = batch.view();
  const auto nearest = [&]<class Nearest>() {
    const RadiusOnDevice<Nearest, Number, Exec> radius(exec, request);
    launch(exec, FindNearest<Searching, decltype(view), Number, dims, Nearest, EventLog>{
                     searching, view, query, 1, static_cast<int>(request.k), radius.view(), found.data(),
                     distances.data(), visited.data(), log});
  };
  const auto search = [&] {
    if constexpr (std::ranges::any_of(Searching::questions, counts_first<Searching>))
      if (counts_first<Searching>(request.question))
        return exec.for_each("count results", 1,
                             FindWithin<Searching, decltype(view), Number, dims, EventLog>{
                                 searching, view, query, points_to_reach(request), is_about_boxes(request.question),
                                 Radius<Number>(request.radius), 1, offsets.data(), nullptr, nullptr, distances.data(),
                                 visited.data(), log});
    if constexpr (takes_measures<Searching>())
      if (!request.measure.is_usual())
        return nearest.template operator()<MeasuredList<Number, static_cast<int>(Searching::most_k)>>();
    if constexpr (!std::ranges::all_of(Searching::questions, counts_first<Searching>)) {
      if constexpr (Searching::most_k > 1)
        nearest.template operator()<LongList<Number, static_cast<int>(Searching::most_k)>>();
      else if (request.question == SearchQuestion::any_hit)
        nearest.template operator()<AnyHit<Number>>();
      else
        nearest.template operator()<ShortList<Number, 1>>();
    }
  };
  for (std::uint32_t i = 0; i < count; ++i, query.words += query.stride) {
    const std::uint64_t none = 0;
    exec.upload(total.data(), std::span(&none, 1));
    search();
    SearchEvents result;
    exec.download(std::span(&result.total, 1), total.data());
    exec.download(std::span(&result.visited, 1), visited.data());
    result.events.resize(static_cast<std::size_t>(std::min<std::uint64_t>(result.total, capacity)));
    exec.download(std::span(result.events), events.data());
    if (!each(std::move(result))) return;
  }
}

template <class Searching, class Exec>
void log_on(Exec& exec, const SearchRequest& request, std::uint32_t count, std::uint32_t capacity,
            const std::function<bool(SearchEvents)>& each) {
  if (request.queries->points.type == ScalarType::float32)
    return log_in<Searching, float>(exec, request, count, capacity, each);
  if constexpr (Searching::takes_integers) return log_in<Searching, double>(exec, request, count, capacity, each);
  throw ErrorException({ErrorKind::bad_usage, "the search does not take integers", "", ""});
}

}  // namespace kdscope::queries
