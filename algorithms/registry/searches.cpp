#include "algorithms/registry/searches.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <thread>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/queries/box_distance.hpp"
#include "algorithms/queries/recorded_batch.hpp"
#include "algorithms/queries/within.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/triangle_hit.hpp"

namespace kdscope {
namespace {

Error usage(std::string what, std::string remedy) {
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

/// Checks that the queries have the dimensions of the tree's points, or are rays of twice as many.
Result<void> check_queries(const PointSet& queries, const PointSet& points, bool rays, const std::string& name) {
  const std::uint32_t dim = rays ? 2 * points.dim : points.dim;
  if (queries.dim != dim)
    return Error{ErrorKind::bad_input,
                 "the queries have " + std::to_string(queries.dim) + " dimensions, " +
                     (rays ? "a ray here has " + std::to_string(dim) : "the points " + std::to_string(dim)),
                 name, rays ? "give an origin and a direction" : "take queries of the same dimensions"};
  return {};
}

/// Chooses the search: the named one, or the first that answers the question for this kind of tree.
Result<const Search*> choose(const SearchRequest& request) {
  if (!request.tree || request.tree->empty()) return usage("there is no tree to search", "build one first");
  const std::string kind(request.tree->kind().id());
  const bool rays = is_about_rays(request.question), triangles = request.tree->kind().over_triangles(*request.tree);
  if (rays != triangles)
    return usage(std::string("the tree is over ") + (triangles ? "triangles" : "points") + ", and the question " +
                     quoted(name_of(request.question)) + " is about " + (rays ? "rays" : "points"),
                 triangles ? "ask for nearest-hit or any-hit" : "ask for nearest, ball or box");
  const auto answers = [&](const Search& search) {
    return std::ranges::count(search.spec.questions, request.question) > 0;
  };
  const std::string question = name_of(request.question);
  if (request.search.empty()) {
    for (const Search* each : searches_of(kind))
      if (answers(*each)) return each;
    return usage("no search answers the question " + quoted(question) + " for trees of kind " + kind,
                 "ask another question, or choose another algorithm");
  }
  const Search* found = find_search(request.search);
  if (!found) {
    std::vector<std::string> ids;
    for (const Search& each : all_searches()) ids.push_back(each.spec.id);
    return usage("there is no search " + quoted(request.search), "choose " + alternatives(ids));
  }
  if (found->spec.tree_kind != kind)
    return usage(found->spec.id + " searches trees of kind " + found->spec.tree_kind + ", this one is of kind " + kind,
                 "choose another search or another algorithm");
  if (!answers(*found)) {
    std::vector<std::string> names;
    for (const SearchQuestion each : found->spec.questions) names.push_back(name_of(each));
    return usage(found->spec.id + " does not answer the question " + quoted(question),
                 "ask for " + alternatives(names));
  }
  return found;
}

/// Checks k, the radius and the queries.
Result<void> check(const SearchRequest& request, const SearchSpec& spec) {
  const PointSet& points = request.tree->kind().points(*request.tree);
  if (!request.queries) return usage("there are no queries", "give some");
  if (request.question == SearchQuestion::nearest) {
    if (request.k < 1 || request.k > spec.most_k)
      return usage("k is " + std::to_string(request.k), "give 1 to " + std::to_string(spec.most_k));
    if (request.k > points.size())
      return usage(
          "k is " + std::to_string(request.k) + ", and the tree has only " + std::to_string(points.size()) + " points",
          "give at most as many");
  }
  if (request.radius && !(*request.radius >= 0 && std::isfinite(*request.radius)))
    return usage("the radius is " + shortest(*request.radius), "give a number that is not negative");
  if (!request.radius && (request.question == SearchQuestion::ball || request.question == SearchQuestion::box))
    return usage(std::string("a ") + name_of(request.question) + " needs a radius", "give one");
  if (request.order == QueryOrder::tree && request.queries->points.size() != points.size())
    return usage("there are " + std::to_string(request.queries->points.size()) + " queries and " +
                     std::to_string(points.size()) + " points, and only the tree's points have the tree's order",
                 "take the points as queries, or another order");
  return check_queries(request.queries->points, points, is_about_rays(request.question), request.queries->name);
}

/// One query's distances to all points, in the arithmetic that searches use.
template <class Number>
std::vector<std::pair<Number, std::uint32_t>> all_distances(const PointSet& points, const PointSet& asked,
                                                            std::size_t query, bool box) {
  std::vector<std::pair<Number, std::uint32_t>> all(points.size());
  const queries::Within<Number> norm(box, 0);
  for (std::uint32_t point = 0; point < all.size(); ++point) {
    const auto difference = [&](std::uint32_t d) {
      return static_cast<Number>(static_cast<Number>(asked.value(query, d)) -
                                 static_cast<Number>(points.value(point, d)));
    };
    all[point] = {queries::sum_over_dimensions<Number>(norm, points.dim, difference), point};
  }
  return all;
}

template <class Number>
void compare_all(const SearchRequest& request, const PointSet& points, const std::vector<double>& reaches,
                 const RunControl& control, SearchReport& report) {
  const PointSet& queries = request.queries->points;
  report.offsets.push_back(0);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "the search was cancelled", "", ""});
    auto all = all_distances<Number>(points, queries, query, request.question == SearchQuestion::box);
    if (request.radius)
      std::erase_if(
          all, [&](const auto& each) { return static_cast<double>(each.first) > *request.radius * *request.radius; });
    std::size_t there =
        request.question == SearchQuestion::nearest ? std::min<std::size_t>(request.k, all.size()) : all.size();
    if (!reaches.empty())
      there = static_cast<std::size_t>(std::ranges::count_if(
          all, [&](const auto& each) { return static_cast<double>(each.first) <= reaches[query]; }));
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(there), all.end());
    for (std::size_t rank = 0; rank < there; ++rank) {
      report.found.push_back(all[rank].second);
      report.distances.push_back(static_cast<double>(all[rank].first));
    }
    report.offsets.push_back(report.found.size());
  }
}

/// The first hit of every ray, or all hits for any_hit, by testing all triangles.
template <class Number>
void compare_rays(const SearchRequest& request, const DataSet& scene, const RunControl& control, SearchReport& report) {
  const PointSet& rays = request.queries->points;
  struct Triangle {
    Number corners[3][3];
  };
  std::vector<Triangle> triangles(scene.triangles.size() / 3);
  for (std::size_t i = 0; i < scene.triangles.size(); ++i)
    for (std::uint32_t d = 0; d < 3; ++d)
      triangles[i / 3].corners[i % 3][d] = static_cast<Number>(scene.points.value(scene.triangles[i], d));
  std::vector<std::vector<std::pair<Number, std::uint32_t>>> hits(rays.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t ray = next++; ray < rays.size() && !control.stop.stop_requested(); ray = next++) {
      RayNumbers<Number> numbers;
      for (std::uint32_t d = 0; d < 3; ++d) {
        numbers.origin[d] = static_cast<Number>(rays.value(ray, d));
        numbers.direction[d] = static_cast<Number>(rays.value(ray, 3 + d));
      }
      for (std::uint32_t triangle = 0; triangle < triangles.size(); ++triangle) {
        const Number distance =
            hit_triangle(numbers, [&at = triangles[triangle].corners](int c, int d) { return at[c][d]; });
        if (distance >= 0) hits[ray].emplace_back(distance, triangle);
      }
      std::ranges::sort(hits[ray]);
      if (request.question == SearchQuestion::nearest_hit && hits[ray].size() > 1) hits[ray].resize(1);
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) others.emplace_back(work);
    work();
  }
  if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "the search was cancelled", "", ""});
  report.offsets.push_back(0);
  for (const auto& of_ray : hits) {
    for (const auto& [distance, triangle] : of_ray) {
      report.found.push_back(triangle);
      report.distances.push_back(static_cast<double>(distance));
    }
    report.offsets.push_back(report.found.size());
  }
}

/// A request that may run, with the device that it runs on.
struct ReadySearch {
  SearchRequest request;
  Device device;
  const SearchBackEnd* back_end;
};

Result<ReadySearch> ready(const SearchRequest& request) {
  auto checked = checked_request(request);
  if (!checked) return checked.error();
  const Search& found = *find_search(checked->search);
  const auto device = choose_device(request.backend, found.cpu, found.cuda);
  if (!device) return device.error();
  auto share = limited(*device, request.processors);
  if (!share) return share.error();
  const SearchBackEnd* back_end = share->backend == Backend::cuda ? found.cuda : found.cpu;
  return ReadySearch{std::move(*checked), std::move(*share), back_end};
}

/// Returns the one query as a data set of the points' type.
Result<std::shared_ptr<const DataSet>> query_of(const SearchOfRun& search, const PointSet& points) {
  auto query = std::make_shared<DataSet>();
  query->name = "the query";
  query->points.type = points.type;
  query->points.dim = static_cast<std::uint32_t>(search.query.size());
  for (const double coordinate : search.query) {
    const bool whole = coordinate == std::floor(coordinate) && std::abs(coordinate) <= 2147483647.0;
    if (points.type == ScalarType::int32 && !whole)
      return usage("the query has the coordinate " + shortest(coordinate) + ", and the points are integers",
                   "give whole numbers, or open the points with type=float");
    const auto narrowed = static_cast<float>(coordinate);
    if (points.type == ScalarType::float32 && !std::isfinite(narrowed))
      return usage("the query has the coordinate " + shortest(coordinate) + ", which is no float",
                   "give a smaller one");
    query->points.words.push_back(points.type == ScalarType::int32 ? word_of(static_cast<std::int32_t>(coordinate))
                                                                   : word_of(narrowed));
  }
  return std::shared_ptr<const DataSet>(std::move(query));
}

/// Returns the points themselves as queries.
Result<std::shared_ptr<const DataSet>> points_as_queries(const PointSet& points) {
  auto queries = std::make_shared<DataSet>();
  queries->name = "the points";
  queries->points = points;
  return std::shared_ptr<const DataSet>(std::move(queries));
}

/// Returns the first ray that has a hit which is not among all of its hits, or none although there are some.
std::string first_false_hit(const SearchReport& found, const SearchReport& all) {
  for (std::size_t ray = 0; ray + 1 < all.offsets.size(); ++ray) {
    const std::uint64_t at = found.offsets[ray];
    const bool hits = at < found.offsets[ray + 1];
    bool is_one = false;
    for (std::uint64_t i = all.offsets[ray]; hits && i < all.offsets[ray + 1]; ++i)
      is_one = is_one || (all.found[i] == found.found[at] && all.distances[i] == found.distances[at]);
    if (hits && !is_one)
      return "ray " + std::to_string(ray) + " hits triangle " + std::to_string(found.found[at]) + " at " +
             shortest(found.distances[at]) + ", which it does not hit there";
    if (!hits && all.offsets[ray] < all.offsets[ray + 1])
      return "ray " + std::to_string(ray) + " hits nothing, and should hit triangle " +
             std::to_string(all.found[all.offsets[ray]]);
  }
  return "";
}

}  // namespace

const Search* find_search(std::string_view id) {
  for (const Search& each : all_searches())
    if (each.spec.id == id) return &each;
  return nullptr;
}

std::vector<const Search*> searches_of(std::string_view tree_kind) {
  std::vector<const Search*> some;
  for (const Search& each : all_searches())
    if (each.spec.tree_kind == tree_kind) some.push_back(&each);
  return some;
}

Result<SearchQuestion> question_named(std::string_view name) {
  std::vector<std::string> names;
  for (int i = 0; i < search_question_count; ++i) {
    names.emplace_back(name_of(static_cast<SearchQuestion>(i)));
    if (names.back() == name) return static_cast<SearchQuestion>(i);
  }
  return usage("there is no question " + quoted(name), "ask for " + alternatives(names));
}

Result<SearchRequest> checked_request(SearchRequest request) {
  const auto search = choose(request);
  if (!search) return search.error();
  const SearchSpec& spec = (*search)->spec;
  if (auto ok = check(request, spec); !ok) return ok.error();
  // Files of whole numbers have another type than files with a decimal, which changes no question.
  auto queries = with_coordinates(request.queries, request.tree->kind().points(*request.tree).type);
  if (!queries) return queries.error();
  request.queries = std::move(*queries);
  auto parameters = complete_parameters(spec.id, spec.parameters, request.parameters);
  if (!parameters) return parameters.error();
  request.search = spec.id;
  request.parameters = std::move(*parameters);
  if (request.question != SearchQuestion::nearest) request.k = 1;
  return request;
}

Result<SearchReport> search(const SearchRequest& request, const RunControl& control) {
  const auto run = ready(request);
  if (!run) return run.error();
  auto report = guarded(run->device, [&] { return run->back_end->search(run->request, run->device, control); });
  if (report) report->device = run->device;
  return report;
}

Result<SearchEvents> log_search(const SearchRequest& request, std::uint32_t capacity) {
  const auto run = ready(request);
  if (!run) return run.error();
  return guarded(run->device, [&] { return run->back_end->log(run->request, run->device, capacity); });
}

Result<SearchReport> search_by_comparing_all(const SearchRequest& request, const PointSet& points,
                                             const RunControl& control, const std::vector<double>& reaches) {
  SearchReport report;
  try {
    if (is_about_rays(request.question)) {
      const DataSet& scene = *request.tree->as<SplitPlaneTree>().data;
      if (points.type == ScalarType::float32)
        compare_rays<float>(request, scene, control, report);
      else
        compare_rays<double>(request, scene, control, report);
    } else if (points.type == ScalarType::float32)
      compare_all<float>(request, points, reaches, control, report);
    else
      compare_all<double>(request, points, reaches, control, report);
  } catch (const ErrorException& e) {
    return e.error();
  }
  return report;
}

namespace {

/// Returns the header of a recorded search or batch.
TraceHeader header_of(const Trace& built, const SearchOfRun& search, const ReadySearch& run, const SearchSpec& spec) {
  TraceHeader header = built.header;
  SearchOfRun completed = search;
  completed.search = run.request.search;
  completed.k = run.request.k;
  completed.parameters = run.request.parameters;
  header.search = texts_of(completed);
  header.backend = name_of(run.device.backend);
  header.device = run.device.name;
  for (const SourceRegion& region : source_regions())
    if (region.name == spec.anchor)
      header.sources.push_back({std::string(region.name), std::string(region.file),
                                static_cast<std::uint32_t>(region.first_line), std::string(region.text)});
  return header;
}

/// The answer to a request beside that of comparing all points. Throws ErrorException if cancelled.
CheckResult check_answer(const SearchRequest& request, const SearchReport& found, const PointSet& points,
                         const RunControl& control) {
  CheckResult equal{"answer", "The search finds what a comparison with every point finds.", true, ""};
  const auto all = search_by_comparing_all(request, points, control, found.reaches);
  if (!all) throw ErrorException(all.error());
  if (const std::string difference = first_difference(found, *all, request.question); !difference.empty())
    equal.fail(difference);
  return equal;
}

std::shared_ptr<const Trace> record_one(const std::shared_ptr<const Trace>& built, const ReadySearch& run,
                                        TraceHeader header, const PointSet& points, const RunControl& control,
                                        std::size_t most_steps) {
  Replay what{built, run.request, find_search(run.request.search)->spec, {}, {}, {}};
  what.events = run.back_end->log(what.request, run.device, most_search_events);
  Cursor end(built);
  end.seek(end.step_count());
  what.rows = what.request.tree->kind().partition_rows(*what.request.tree, end);
  const bool gave_up = std::ranges::count(what.events.events, EventKind::drop, &SearchEvent::kind) > 0;
  if (!gave_up)
    what.checks.push_back(
        check_answer(what.request, run.back_end->search(what.request, run.device, control), points, control));
  return replay(what, std::move(header), control, most_steps);
}

/// Batches of at most so many points are compared with the answer of comparing all pairs.
constexpr std::size_t most_compared = 4096;

/// Returns the nodes that each query visits, in order; empty if one's events are too many. Searches once for each
/// query.
std::vector<std::vector<std::uint32_t>> nodes_visited(const ReadySearch& run, std::size_t queries,
                                                      const RunControl& control) {
  std::vector<std::vector<std::uint32_t>> nodes(queries);
  const PointSet& all = run.request.queries->points;
  SearchRequest one = run.request;
  for (std::size_t query = 0; query < queries; ++query) {
    if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    auto alone = std::make_shared<DataSet>();
    alone->points.type = all.type;
    alone->points.dim = all.dim;
    for (std::uint32_t d = 0; d < all.dim; ++d) alone->points.words.push_back(all.words[query * all.stride() + d]);
    one.queries = alone;
    constexpr std::uint32_t capacity = 1u << 14;
    const SearchEvents log = run.back_end->log(one, run.device, capacity);
    if (log.total > log.events.size()) return {};
    for (const SearchEvent& event : log.events)
      if (event.kind == EventKind::enter) nodes[query].push_back(event.node);
  }
  return nodes;
}

std::shared_ptr<const Trace> record_batch(const std::shared_ptr<const Trace>& built, const ReadySearch& run,
                                          TraceHeader header, const PointSet& points, const RunControl& control,
                                          std::size_t most_steps) {
  BatchReplay what{built, find_search(run.request.search)->spec, {}, {}, {}};
  SearchRequest request = run.request;
  what.given = run.back_end->search(request, run.device, control);
  request.order = QueryOrder::morton;
  what.morton = run.back_end->search(request, run.device, control);
  CheckResult same{"orders", "Both orders find the same.", true, ""};
  if (const std::string difference = first_difference(what.morton, what.given, request.question); !difference.empty())
    same.fail(difference);
  what.checks.push_back(std::move(same));
  if (points.size() <= most_compared && !what.spec.serves_packets)
    what.nodes_of_query = nodes_visited(run, points.size(), control);
  const Parameters& parameters = request.parameters;
  const bool may_give_up = parameters.contains("queue") && parameters.at("queue") != "0";
  if (points.size() <= most_compared && !may_give_up)
    what.checks.push_back(check_answer(request, what.given, points, control));
  return replay_batch(what, std::move(header), control, most_steps);
}

}  // namespace

Result<std::shared_ptr<const Trace>> record_search(std::shared_ptr<const Trace> built, const SearchOfRun& search,
                                                   Backend backend, const RunControl& control, std::size_t most_steps) {
  auto tree = recorded_tree(built);
  if (!tree) return tree.error();
  if (tree->tree.empty()) return usage("the tree of this recording cannot be searched", tree->unchecked);
  auto queries = search.all_points ? points_as_queries(tree->input) : query_of(search, tree->input);
  if (!queries) return queries.error();
  SearchRequest request{search.search,    std::make_shared<const Tree>(std::move(tree->tree)),
                        *queries,         search.question,
                        search.k,         search.radius,
                        search.parameters};
  request.backend = backend;
  const auto run = ready(request);
  if (!run) return run.error();
  TraceHeader header = header_of(*built, search, *run, find_search(run->request.search)->spec);
  return guarded(run->device, [&] {
    return (search.all_points ? record_batch : record_one)(built, *run, std::move(header), tree->input, control,
                                                           most_steps);
  });
}

std::string first_difference(const SearchReport& found, const SearchReport& expected, SearchQuestion question) {
  const std::size_t queries = expected.offsets.size() - 1;
  if (question == SearchQuestion::any_hit) return first_false_hit(found, expected);
  for (std::size_t query = 0; query < queries; ++query) {
    const auto result = [&](const SearchReport& report, std::uint64_t rank) {
      const std::uint64_t at = report.offsets[query] + rank;
      return at >= report.offsets[query + 1]
                 ? std::string("nothing")
                 : std::to_string(report.found[at]) + " at squared distance " + shortest(report.distances[at]);
    };
    const auto count = [&](const SearchReport& report) { return report.offsets[query + 1] - report.offsets[query]; };
    for (std::uint64_t rank = 0; rank < std::max(count(found), count(expected)); ++rank)
      if (const std::string is = result(found, rank), should_be = result(expected, rank); is != should_be)
        return "result " + std::to_string(rank + 1) + " of query " + std::to_string(query) + " is " + is +
               ", and should be " + should_be;
  }
  return "";
}

double recall(const SearchReport& found, const SearchReport& expected) {
  std::uint64_t hits = 0;
  for (std::size_t query = 0; query + 1 < expected.offsets.size(); ++query) {
    const auto of = [&](const SearchReport& report) {
      std::vector<std::uint32_t> ids(report.found.begin() + static_cast<std::ptrdiff_t>(report.offsets[query]),
                                     report.found.begin() + static_cast<std::ptrdiff_t>(report.offsets[query + 1]));
      std::ranges::sort(ids);
      return ids;
    };
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(of(found), of(expected), std::back_inserter(both));
    hits += both.size();
  }
  return expected.found.empty() ? 1 : static_cast<double>(hits) / static_cast<double>(expected.found.size());
}

}  // namespace kdscope
