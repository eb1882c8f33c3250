#include "algorithms/registry/searches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/queries/recorded_batch.hpp"
#include "algorithms/registry/answer_check.hpp"
#include "algorithms/registry/built_trees.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

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

/// Checks that floats can hold the distance along every ray at which it leaves the box of the points.
Result<void> check_lengths_of_rays(const PointSet& rays, const PointSet& points, const std::string& name) {
  const Box box = bounding_box(points);
  for (std::size_t ray = 0; ray < rays.size(); ++ray) {
    double farthest = 0, longest = 0;
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const double origin = rays.value(ray, d);
      farthest = std::max({farthest, std::abs(box.lo[d] - origin), std::abs(box.hi[d] - origin)});
      longest = std::max(longest, std::abs(rays.value(ray, points.dim + d)));
    }
    // Hits at 2^-36 of the farthest distance still have a normal float.
    constexpr double most = std::numeric_limits<float>::max() / 4, least = 0x1p-90;
    const bool is_short = farthest > most || (longest > 0 && farthest / longest > most);
    if (is_short || (farthest > 0 && farthest < least * longest))
      return Error{ErrorKind::bad_input,
                   "ray " + std::to_string(ray) + " has a direction of length " + short_number(longest) +
                       ", and the triangles are up to " + short_number(farthest) +
                       " away; floats cannot hold the quotient",
                   name, is_short ? "give a longer direction" : "give a shorter direction"};
  }
  return {};
}

/// What the checks of a request need to know of its tree, which may not have been built yet.
struct Searched {
  std::string kind;
  bool triangles;
  const PointSet& points;
};

/// Chooses the search: the named one, or the first that answers the question for this kind of tree.
Result<const Search*> choose(const SearchRequest& request, const Searched& tree) {
  const std::string& kind = tree.kind;
  const bool rays = is_about_rays(request.question), triangles = tree.triangles;
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

/// Checks k, the radius, and the range of the coordinates.
Result<void> check(const SearchRequest& request, const SearchSpec& spec, const PointSet& points) {
  if (!request.queries) return usage("there are no queries", "give some");
  if (request.question == SearchQuestion::nearest) {
    if (request.k < 1 || request.k > spec.most_k)
      return usage("k is " + std::to_string(request.k), "give 1 to " + std::to_string(spec.most_k));
    if (request.k > points.size())
      return usage("k is " + std::to_string(request.k) + ", and the tree has only " +
                       count_text(points.size(), "point", "points"),
                   "give at most as many");
  }
  if (request.radius && !(*request.radius >= 0 && std::isfinite(*request.radius)))
    return usage("the radius is " + shortest(*request.radius), "give a number that is not negative");
  if (!request.radius && (request.question == SearchQuestion::ball || request.question == SearchQuestion::box))
    return usage(std::string("a ") + name_of(request.question) + " needs a radius", "give one");
  if (points.type == ScalarType::float32 && request.radius && *request.radius > 0 && *request.radius < 0x1p-63)
    return usage("the radius is " + shortest(*request.radius) + ", and floats cannot hold its square",
                 "give 0 for equal points, or scale the coordinates");
  if (request.order == QueryOrder::tree && request.queries->points.size() != points.size())
    return usage("there are " + std::to_string(request.queries->points.size()) + " queries and " +
                     std::to_string(points.size()) + " points, and only the tree's points have the tree's order",
                 "take the points as queries, or another order");
  const PointSet& queries = request.queries->points;
  const bool rays = is_about_rays(request.question);
  return rays ? check_lengths_of_rays(queries, points, request.queries->name)
              : check_range(points, queries, request.queries->name);
}

/// Checks that no distance of an answer is so small that its square has vanished among the floats.
Result<void> check_distances(const SearchRequest& request, const SearchReport& found) {
  const PointSet& queries = request.queries->points;
  if (is_about_rays(request.question) || queries.type != ScalarType::float32) return {};
  std::optional<PointSet> points;
  for (std::size_t query = 0; query + 1 < found.offsets.size(); ++query)
    for (std::uint64_t at = found.offsets[query]; at < found.offsets[query + 1]; ++at) {
      if (found.distances[at] >= static_cast<double>(std::numeric_limits<float>::min())) break;  // they ascend
      if (!points) points = request.tree->kind().original_points(*request.tree);
      for (std::uint32_t d = 0; d < queries.dim; ++d) {
        const double difference = std::abs(queries.value(query, d) - points->value(found.found[at], d));
        if (difference == 0) continue;
        return Error{ErrorKind::bad_input,
                     "query " + std::to_string(query) + " is so close to point " + std::to_string(found.found[at]) +
                         " that floats cannot hold the square of the distance: the coordinates differ by " +
                         short_number(difference),
                     request.queries->name, "multiply all coordinates by a large number, as scale= does for files"};
      }
    }
  return {};
}

/// Returns the request with its search chosen and its parameters completed.
Result<SearchRequest> completed_for(SearchRequest request, const Searched& tree) {
  const auto search = choose(request, tree);
  if (!search) return search.error();
  const SearchSpec& spec = (*search)->spec;
  if (request.queries) {
    const bool rays = is_about_rays(request.question);
    if (auto alike = check_queries(request.queries->points, tree.points, rays, request.queries->name); !alike)
      return alike.error();
    // Files of whole numbers have another type than files with a decimal, which changes no question.
    auto queries = with_coordinates(request.queries, tree.points.type);
    if (!queries) return queries.error();
    request.queries = std::move(*queries);
  }
  if (auto ok = check(request, spec, tree.points); !ok) return ok.error();
  auto parameters = complete_parameters(spec.id, spec.parameters, request.parameters);
  if (!parameters) return parameters.error();
  request.search = spec.id;
  request.parameters = std::move(*parameters);
  if (request.question != SearchQuestion::nearest) request.k = 1;
  return request;
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
    const bool whole =
        coordinate == std::floor(coordinate) && coordinate >= -2147483648.0 && coordinate <= 2147483647.0;
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

/// Returns the request of a search among these points, without its tree.
Result<SearchRequest> request_of(const SearchOfRun& search, const PointSet& points) {
  auto queries = search.all_points ? points_as_queries(points) : query_of(search, points);
  if (!queries) return queries.error();
  return SearchRequest{search.search, nullptr, *queries, search.question, search.k, search.radius, search.parameters};
}

}  // namespace

const Search* find_search(std::string_view id) {
  for (const Search& each : all_searches())
    if (each.spec.id == id) return &each;
  return nullptr;
}

Result<Parameters> complete_search_parameters(std::string_view id, const Parameters& given) {
  const Search* search = find_search(id);
  if (!search) return usage("there is no search " + quoted(id), "rebuild kdscope with it");
  return complete_parameters(search->spec.id, search->spec.parameters, given);
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

Result<void> check_range(const PointSet& points, const PointSet& queries, const std::string& name) {
  if (points.type != ScalarType::float32 || points.size() == 0) return {};
  Box box = bounding_box(points);
  if (queries.size() > 0 && queries.dim == points.dim) {
    const Box of_queries = bounding_box(queries);
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      box.lo[d] = std::min(box.lo[d], of_queries.lo[d]);
      box.hi[d] = std::max(box.hi[d], of_queries.hi[d]);
    }
  }
  double squared = 0, longest = 0;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    const double extent = box.hi[d] - box.lo[d];
    longest = std::max(longest, extent);
    squared += extent * extent;
  }
  // Between points of a set this large, distances of 2^-18 of its extent still have squares among the normal floats.
  constexpr double least = 0x1p-90, most = std::numeric_limits<float>::max() * (1 - 0x1p-20);
  if (longest == 0 || (squared >= least && squared <= most)) return {};
  const bool large = squared > most;
  const int scale = -static_cast<int>(std::lround(std::log10(longest)));
  return Error{ErrorKind::bad_input,
               "the coordinates extend over " + short_number(longest) +
                   ", and floats cannot hold the squares of such " + (large ? "large" : "small") + " distances",
               name, "scale the coordinates, for example with FILE:scale=1e" + std::to_string(scale)};
}

Result<SearchRequest> checked_request(SearchRequest request) {
  if (!request.tree || request.tree->empty()) return usage("there is no tree to search", "build one first");
  const Tree& tree = *request.tree;
  const Searched searched{std::string(tree.kind().id()), tree.kind().over_triangles(tree), tree.kind().points(tree)};
  return completed_for(std::move(request), searched);
}

Result<SearchRequest> checked_before_build(SearchRequest request, std::string_view algorithm, const DataSet& data) {
  const auto spec = known_algorithm(algorithm);
  if (!spec) return spec.error();
  const TreeKind& kind = *built_tree_kind(algorithm);
  return completed_for(std::move(request), {std::string(kind.id()), (*spec)->takes_triangles, data.points});
}

Result<void> check_before_build(const SearchOfRun& search, std::string_view algorithm, const DataSet& data) {
  auto request = request_of(search, data.points);
  if (!request) return request.error();
  const auto checked = checked_before_build(std::move(*request), algorithm, data);
  return checked ? Result<void>() : checked.error();
}

Result<SearchReport> search(const SearchRequest& request, const RunControl& control) {
  const auto run = ready(request);
  if (!run) return run.error();
  auto report = guarded(run->device, [&] { return run->back_end->search(run->request, run->device, control); });
  if (!report) return report;
  if (auto ok = check_distances(run->request, *report); !ok) return ok.error();
  report->device = run->device;
  return report;
}

Result<SearchEvents> log_search(const SearchRequest& request, std::uint32_t capacity) {
  const auto run = ready(request);
  if (!run) return run.error();
  return guarded(run->device, [&] { return run->back_end->log(run->request, run->device, capacity); });
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

/// The check that an answer is right. Throws ErrorException if cancelled.
CheckResult answer_is_right(const SearchRequest& request, const SearchReport& found, const PointSet& points,
                            const RunControl& control) {
  CheckResult right{"answer", "The search finds what a comparison with " + compared_with(*request.tree) + " finds.",
                    true, ""};
  const auto check = check_answer(request, found, points, control);
  if (!check) throw ErrorException(check.error());
  if (!check->difference.empty()) right.fail(check->difference);
  return right;
}

std::shared_ptr<const Trace> record_one(const std::shared_ptr<const Trace>& built, const ReadySearch& run,
                                        TraceHeader header, const PointSet& points, const RunControl& control,
                                        std::size_t most_steps) {
  Replay what{built, run.request, find_search(run.request.search)->spec, {}, {}, {}};
  what.events = run.back_end->log(what.request, run.device, most_search_events);
  Cursor end(built);
  end.seek(end.step_count());
  what.rows = what.request.tree->kind().partition_rows(*what.request.tree, end);
  const SearchReport found = run.back_end->search(what.request, run.device, control);
  if (auto ok = check_distances(what.request, found); !ok) throw ErrorException(ok.error());
  const bool gave_up = std::ranges::count(what.events.events, EventKind::drop, &SearchEvent::kind) > 0;
  if (!gave_up) what.checks.push_back(answer_is_right(what.request, found, points, control));
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
  BatchReplay what{built, find_search(run.request.search)->spec, {}, {}, {}, {}};
  SearchRequest request = run.request;
  what.given = run.back_end->search(request, run.device, control);
  if (auto ok = check_distances(request, what.given); !ok) throw ErrorException(ok.error());
  request.order = QueryOrder::morton;
  what.morton = run.back_end->search(request, run.device, control);
  CheckResult same{"orders", "Both orders find the same.", true, ""};
  if (const std::string difference = first_difference(what.morton, what.given); !difference.empty())
    same.fail(difference);
  what.checks.push_back(std::move(same));
  if (points.size() <= most_compared && !what.spec.serves_packets)
    what.nodes_of_query = nodes_visited(run, points.size(), control);
  const bool may_give_up = what.spec.may_give_up && what.spec.may_give_up(request.question, request.parameters);
  if (points.size() <= most_compared && !may_give_up)
    what.checks.push_back(answer_is_right(request, what.given, points, control));
  return replay_batch(what, std::move(header), control, most_steps);
}

}  // namespace

Result<std::shared_ptr<const Trace>> record_search(std::shared_ptr<const Trace> built, const SearchOfRun& search,
                                                   Backend backend, const RunControl& control, std::size_t most_steps) {
  auto tree = recorded_tree(built);
  if (!tree) return tree.error();
  if (tree->tree.empty()) return usage("the tree of this recording cannot be searched", tree->unchecked);
  auto request = request_of(search, tree->input);
  if (!request) return request.error();
  request->tree = std::make_shared<const Tree>(std::move(tree->tree));
  request->backend = backend;
  const auto run = ready(*request);
  if (!run) return run.error();
  TraceHeader header = header_of(*built, search, *run, find_search(run->request.search)->spec);
  return guarded(run->device, [&] {
    return (search.all_points ? record_batch : record_one)(built, *run, std::move(header), tree->input, control,
                                                           most_steps);
  });
}

std::string left_out_text(const Tree& tree) {
  const std::vector<std::uint32_t> left_out = tree.kind().left_out(tree);
  if (left_out.empty()) return "";
  const PointSet points = tree.kind().original_points(tree);
  const auto is_same = [&](std::uint32_t one, std::uint32_t other) {
    for (std::uint32_t d = 0; d < points.dim; ++d)
      if (points.value(one, d) != points.value(other, d)) return false;
    return true;
  };
  std::string text = count_text(left_out.size(), "point", "points") + " of " + std::to_string(points.size()) +
                     ", because others have the same coordinates: ";
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, left_out.size()); ++i) {
    std::uint32_t first = 0;
    while (!is_same(first, left_out[i])) ++first;
    text += (i == 0 ? "point " : ", point ") + std::to_string(first) + (i == 0 ? " stands for point " : " for point ") +
            std::to_string(left_out[i]);
  }
  return left_out.size() > most ? text + ", and so on" : text;
}

std::string first_difference(const SearchReport& found, const SearchReport& expected) {
  const std::size_t queries = expected.offsets.size() - 1;
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

}  // namespace kdscope
