#include "algorithms/registry/searches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/caught.hpp"
#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/exec/cuda_arrays.hpp"
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

/// What the checks of a request need to know of its tree, which may not have been built yet.
struct Searched {
  std::string kind;
  bool triangles;
  const PointSet& points;
  Box ends = {};  ///< of the points if it is known; else empty

  Box box() const { return ends.lo.empty() ? bounding_box(points) : ends; }
};

Searched searched(const Tree& tree, Box ends = {}) {
  return {std::string(tree.kind().id()), tree.kind().over_triangles(tree), tree.kind().points(tree), std::move(ends)};
}

/// Checks that floats can hold the distance along every ray at which it leaves the box of the points.
Result<void> check_lengths_of_rays(const PointSet& rays, const Searched& tree, const std::string& name) {
  const PointSet& points = tree.points;
  if (points.size() == 0) return {};  // nothing is hit
  const Box box = tree.box();
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

/// Chooses the search: the named one, or the first that answers the question for this kind of tree.
Result<const Search*> choose(const SearchRequest& request, const Searched& tree) {
  const std::string& kind = tree.kind;
  const bool rays = is_about_rays(request.question), triangles = tree.triangles;
  if (rays != triangles)
    return usage(std::string("the tree is over ") + (triangles ? "triangles" : "points") + ", and the question " +
                     kdscope::quoted(name_of(request.question)) + " is about " + (rays ? "rays" : "points"),
                 triangles ? "ask for nearest-hit or any-hit" : "ask for nearest, ball or box");
  const auto answers = [&](const Search& search) {
    return std::ranges::count(search.spec.questions, request.question) > 0;
  };
  const std::string question = name_of(request.question);
  if (request.search.empty()) {
    for (const Search* each : searches_of(kind))
      if (answers(*each)) return each;
    return usage("no search answers the question " + kdscope::quoted(question) + " for trees of kind " + kind,
                 "ask another question, or choose another algorithm");
  }
  const auto named = search_named(request.search);
  if (!named) return named.error();
  const Search* found = *named;
  if (found->spec.tree_kind != kind)
    return usage(found->spec.id + " searches trees of kind " + found->spec.tree_kind + ", this one is of kind " + kind,
                 "choose another search or another algorithm");
  if (!answers(*found)) {
    std::vector<std::string> names;
    for (const SearchQuestion each : found->spec.questions) names.push_back(name_of(each));
    return usage(found->spec.id + " does not answer the question " + kdscope::quoted(question),
                 "ask for " + alternatives(names));
  }
  return found;
}

/// Checks that a search can measure as asked, and that points and queries lie within one period.
Result<void> check_measure(const SearchRequest& request, const SearchSpec& spec, const Searched& tree) {
  const PointSet& points = tree.points;
  const Measure& measure = request.measure;
  if (measure.is_usual()) return {};
  if (request.question != SearchQuestion::nearest)
    return usage(
        std::string("the question ") + kdscope::quoted(name_of(request.question)) + " has no metric and no period",
        "ask for nearest");
  if (measure.metric != Metric::euclidean && !spec.takes_metrics)
    return usage(spec.id + " measures Euclidean distances alone", "choose stack-free, stack or closest-corner");
  if (measure.period.empty()) return {};
  if (!spec.takes_periods)
    return usage(spec.id + " does not search a space that repeats itself", "choose stack-free or stack");
  if (measure.period.size() != points.dim)
    return usage("the period has " + count_text(measure.period.size(), "side", "sides") + ", and the points have " +
                     count_text(points.dim, "dimension", "dimensions"),
                 "give one side per dimension, for example 10,10");
  const PointSet& queries = request.queries->points;
  Box box = tree.box();
  const Box of_queries = request.box_of_queries.lo.empty() ? bounding_box(queries) : request.box_of_queries;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    if (queries.size() > 0) {
      box.lo[d] = std::min(box.lo[d], of_queries.lo[d]);
      box.hi[d] = std::max(box.hi[d], of_queries.hi[d]);
    }
    const double side = measure.period[d];
    if (!(side > 0) || !std::isfinite(static_cast<float>(side)))
      return usage("a side of the period is " + shortest(side), "give numbers greater than 0");
    if (box.hi[d] - box.lo[d] > (points.type == ScalarType::float32 ? double{static_cast<float>(side)} : side))
      return Error{ErrorKind::bad_input,
                   "points and queries extend over " + short_number(box.hi[d] - box.lo[d]) + " in dimension " +
                       std::to_string(d) + ", more than the period " + shortest(side),
                   request.queries->name, "give a longer period, or move points and queries into one"};
  }
  return {};
}

/// As check_range(). known_box: that of the queries, or empty.
Result<void> check_range_of(const Searched& tree, const PointSet& queries, const Box& known_box,
                            const std::string& name) {
  const PointSet& points = tree.points;
  if (points.type != ScalarType::float32 || points.size() == 0) return {};
  Box box = tree.box();
  if (queries.size() > 0 && queries.dim == points.dim) {
    const Box of_queries = known_box.lo.empty() ? bounding_box(queries) : known_box;
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      box.lo[d] = std::min(box.lo[d], of_queries.lo[d]);
      box.hi[d] = std::max(box.hi[d], of_queries.hi[d]);
    }
  }
  const auto extents_of = [](const Box& of) {
    double longest = 0, squared = 0;
    for (std::size_t d = 0; d < of.lo.size(); ++d) {
      const double extent = of.hi[d] - of.lo[d];
      longest = std::max(longest, extent);
      squared += extent * extent;
    }
    return std::pair(longest, squared);
  };
  // Between points of a set this large, distances of 2^-18 of its extent still have squares among the normal floats.
  constexpr double least = 0x1p-90, most = std::numeric_limits<float>::max() * (1 - 0x1p-20);
  const auto [longest, squared] = extents_of(box);
  if (longest == 0 || (squared >= least && squared <= most)) return {};
  const bool large = squared > most, far = large && extents_of(tree.box()).second <= most;
  return Error{ErrorKind::bad_input,
               (far ? "queries and points extend over " : "the coordinates extend over ") + short_number(longest) +
                   ", and floats cannot hold the squares of such " + (large ? "large" : "small") + " distances",
               name,
               far ? "give queries that are closer to the points"
                   : "multiply all coordinates by 1e" + std::to_string(-std::lround(std::log10(longest))) +
                         ", as scale= does for files"};
}

/// Checks k, the radius, and the range of the coordinates.
Result<void> check(const SearchRequest& request, const SearchSpec& spec, const Searched& tree) {
  const PointSet& points = tree.points;
  if (!request.queries) return usage("there are no queries", "give some");
  if (request.question == SearchQuestion::nearest) {
    if (request.k < 1 || request.k > spec.most_k)
      return usage("k is " + std::to_string(request.k), "give 1 to " + std::to_string(spec.most_k));
    if (request.k > points.size() && !request.into)
      return usage("k is " + std::to_string(request.k) + ", and the tree has only " +
                       count_text(points.size(), "point", "points"),
                   "give at most as many");
  }
  if (request.radius && !(*request.radius >= 0 && std::isfinite(*request.radius)))
    return usage("the radius is " + shortest(*request.radius), "give a number that is not negative");
  if (!request.radius && needs_radius(request.question))
    return usage(std::string("a ") + (request.question == SearchQuestion::ball ? "ball" : "box") + " needs a radius",
                 "give one");
  if (auto ok = check_measure(request, spec, tree); !ok) return ok;
  if (points.type == ScalarType::float32 && request.radius && *request.radius > 0 && *request.radius < 0x1p-63)
    return usage("the radius is " + shortest(*request.radius) + ", and floats cannot hold its square",
                 "give 0 for equal points, or scale the coordinates");
  if (request.order == QueryOrder::tree && request.queries->points.size() != points.size())
    return usage("there are " + std::to_string(request.queries->points.size()) + " queries and " +
                     std::to_string(points.size()) + " points, and only the tree's points have the tree's order",
                 "take the points as queries, or another order");
  const PointSet& queries = request.queries->points;
  const bool rays = is_about_rays(request.question);
  return rays ? check_lengths_of_rays(queries, tree, request.queries->name)
              : check_range_of(tree, queries, request.box_of_queries, request.queries->name);
}

/// Checks that no distance of an answer is so small that its square has vanished among the floats. original_points():
/// the points at their original indices.
template <class OriginalPoints>
Result<void> check_distances(const SearchRequest& request, const SearchReport& found, OriginalPoints original_points) {
  const PointSet& queries = request.queries->points;
  if (is_about_rays(request.question) || queries.type != ScalarType::float32) return {};
  if (request.measure.metric != Metric::euclidean) return {};  // no squares
  const PointSet* points = nullptr;
  PointSet fetched;  // queries whose words lie on a device alone
  const auto query_words = [&]() -> const PointSet& {
    if (!queries.words.empty()) return queries;
    if (fetched.words.empty()) {
      fetched.dim = queries.dim;
      fetched.words.resize(queries.word_count());
      copy_from_cuda(fetched.words.data(), request.queries_on_device, 4 * fetched.words.size(), nullptr);
    }
    return fetched;
  };
  // Floats that differ from one of 2^-38 or more do so by 2^-63 or more, whose square is a normal float. Then a
  // distance this small is that of equal points, which needs no look at the point.
  const auto only_equal_points = [&](std::size_t query) {
    for (std::uint32_t d = 0; d < queries.dim; ++d)
      if (std::abs(query_words().value(query, d)) < 0x1p-38) return false;
    return request.measure.period.empty();
  };
  const auto check = [&](std::size_t query, std::uint32_t point) -> Result<void> {
    if (only_equal_points(query)) return {};
    if (!points) points = &original_points();
    for (std::uint32_t d = 0; d < queries.dim; ++d) {
      double difference = std::abs(query_words().value(query, d) - points->value(point, d));
      if (!request.measure.period.empty())
        difference = std::min(difference, std::abs(static_cast<float>(request.measure.period[d]) - difference));
      if (difference == 0) continue;
      return Error{ErrorKind::bad_input,
                   "query " + std::to_string(query) + " is so close to point " + std::to_string(point) +
                       " that floats cannot hold the square of the distance: the coordinates differ by " +
                       short_number(difference),
                   request.queries->name, "multiply all coordinates by a large number, as scale= does for files"};
    }
    return {};
  };
  // Distances of a query ascend
  constexpr double least = std::numeric_limits<float>::min();
  for (std::size_t query = 0; query + 1 < found.offsets.size(); ++query)
    for (std::uint64_t at = found.offsets[query]; at < found.offsets[query + 1] && found.distances[at] < least; ++at)
      if (auto ok = check(query, found.found[at]); !ok) return ok;
  if (const auto& into = request.into; into && into->squared_distances)
    for (std::size_t query = 0; query < queries.size(); ++query)
      for (std::size_t at = query * into->width; at < (query + 1) * into->width && into->squared_distances[at] < least;
           ++at)
        if (auto ok = check(query, into->indices[at]); !ok) return ok;
  return {};
}

/// The same for a tree that is searched once.
Result<void> check_distances(const SearchRequest& request, const SearchReport& found) {
  std::optional<PointSet> points;
  return check_distances(request, found, [&]() -> const PointSet& {
    return points.emplace(request.tree->kind().original_points(*request.tree));
  });
}

/// Returns the request with its search chosen and its options made.
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
  if (auto ok = check(request, spec, tree); !ok) return ok.error();
  auto options = spec.parse(spec.id, request.parameters);
  if (!options) return options.error();
  request.search = spec.id;
  request.parameters = options->texts();
  request.options = std::move(*options);
  if (request.question != SearchQuestion::nearest) request.k = 1;
  return request;
}

/// A request that may run, with the search and the device that it runs on.
struct ReadySearch {
  SearchRequest request;
  const Search& search;
  Device device;
  const SearchBackEnd* back_end;
};

/// A request whose search is chosen.
Result<ReadySearch> ready(Result<SearchRequest> checked) {
  if (!checked) return checked.error();
  const SearchRequest& request = *checked;
  const auto named = search_named(checked->search);
  if (!named) return named.error();
  const Search& found = **named;
  const auto device = choose_device(request.backend, found.cpu, found.cuda);
  if (!device) return device.error();
  auto share = limited(*device, request.processors);
  if (!share) return share.error();
  const SearchBackEnd* back_end = share->backend == Backend::cuda ? found.cuda : found.cpu;
  return ReadySearch{std::move(*checked), found, std::move(*share), back_end};
}

Result<ReadySearch> ready(const SearchRequest& request) { return ready(checked_request(request)); }

/// Searches once, in a tree that is uploaded for it. Throws ErrorException.
SearchReport search_once(const ReadySearch& run, const SearchRequest& request, const RunControl& control) {
  return run.back_end->open(*request.tree, run.device)->search(request, control);
}

/// Returns what is running while a search runs: "search with stack-free".
std::string running_text(const Search& search) { return "search with " + search.spec.id; }

/// Returns the one query as a data set of the points' type.
Result<std::shared_ptr<const DataSet>> query_of(const SearchOfRun& search, const PointSet& points) {
  auto query = std::make_shared<DataSet>();
  query->name = "the query";
  query->points.type = points.type;
  query->points.dim = static_cast<std::uint32_t>(search.query.size());
  const bool integers = points.type == ScalarType::int32;
  for (std::size_t d = 0; d < search.query.size(); ++d) {
    const double coordinate = search.query[d];
    const auto narrowed = static_cast<float>(coordinate);
    const auto refused = [&](const char* why, const char* remedy) {
      return usage("coordinate " + std::to_string(d) + " of the query is " + shortest(coordinate) + ", " + why, remedy);
    };
    if (integers && coordinate != std::floor(coordinate))
      return refused("and the points have whole coordinates", "give a whole number, or make the points floats");
    if (integers && !(coordinate >= -2147483648.0 && coordinate <= 2147483647.0))
      return refused("which no 32-bit integer holds", "give one from -2147483648 to 2147483647, as the points have");
    if (!integers && !std::isfinite(narrowed))
      return refused("which no 32-bit float holds", "give one from -3.4e38 to 3.4e38, as the points have");
    query->points.words.push_back(integers ? word_of(static_cast<std::int32_t>(coordinate)) : word_of(narrowed));
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

}  // namespace

Result<SearchRequest> request_of(const SearchOfRun& search, const PointSet& points) {
  auto queries = search.all_points ? points_as_queries(points) : query_of(search, points);
  if (!queries) return queries.error();
  return SearchRequest{.search = search.search,
                       .tree = nullptr,
                       .queries = *queries,
                       .question = search.question,
                       .k = search.k,
                       .radius = search.radius,
                       .parameters = search.parameters,
                       .measure = search.measure};
}

const Search* find_search(std::string_view id) {
  for (const Search& each : all_searches())
    if (each.spec.id == id) return &each;
  return nullptr;
}

Result<const Search*> search_named(std::string_view id) {
  if (const Search* search = find_search(id)) return search;
  std::vector<std::string> ids;
  for (const Search& each : all_searches()) ids.push_back(each.spec.id);
  return no_such("search", id, ids);
}

Result<TypedOptions> typed_search_options(std::string_view id, const Parameters& given) {
  const auto search = search_named(id);
  if (!search) return search.error();
  return (*search)->spec.parse((*search)->spec.id, given);
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
  return no_such("question", name, names);
}

Result<void> check_range(const PointSet& points, const PointSet& queries, const std::string& name) {
  return check_range_of({"", false, points}, queries, {}, name);
}

Result<SearchRequest> checked_request(SearchRequest request) {
  if (!request.tree || request.tree->empty()) return usage("there is no tree to search", "build one first");
  const Searched tree = searched(*request.tree);
  return completed_for(std::move(request), tree);
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

std::shared_ptr<const Tree> SearchedTree::tree() const {
  const std::lock_guard lock(copying_);
  if (!tree_) tree_ = std::make_shared<const Tree>(facts_->kept->download());
  return tree_;
}

std::shared_ptr<const OpenSearch> SearchedTree::opened(const Search& search, const SearchBackEnd& back_end,
                                                       const Device& device) const {
  const std::lock_guard lock(mutex_);
  auto& kept = opened_[{search.spec.id, device.backend, device.ordinal}];
  if (!kept && facts_ && device.backend == facts_->device.backend && device.ordinal == facts_->device.ordinal &&
      back_end.open_kept)
    kept = back_end.open_kept(facts_->kept, device);
  if (!kept) kept = back_end.open(*tree(), device);
  return kept;
}

const PointSet& SearchedTree::original_points() const {
  const std::lock_guard lock(mutex_);
  if (!original_points_) {
    const auto here = tree();
    original_points_ = here->kind().original_points(*here);
  }
  return *original_points_;
}

Result<SearchReport> SearchedTree::search(SearchRequest request, const RunControl& control) const {
  if (!facts_) {
    request.tree = tree();
    std::call_once(ends_known_, [&] { ends_ = bounding_box(request.tree->kind().points(*request.tree)); });
  }
  const auto run =
      ready(completed_for(std::move(request), facts_ ? Searched{facts_->kind, false, facts_->points, facts_->box}
                                                     : searched(*request.tree, ends_)));
  if (!run) return run.error();
  RunControl named = control;
  if (control.progress)
    named.progress = [&](double fraction, std::string_view) { control.progress(fraction, running_text(run->search)); };
  return guarded(run->device, [&] {
    const auto open = opened(run->search, *run->back_end, run->device);
    SearchRequest wanted = run->request;
    // The few searches that ask the request for its tree get one on the host
    if (facts_ && (wanted.order == QueryOrder::tree || !wanted.measure.is_usual())) wanted.tree = tree();
    SearchReport report = open->search(wanted, named);
    const auto original = [&]() -> const PointSet& { return original_points(); };
    if (auto ok = check_distances(wanted, report, original); !ok) throw ErrorException(ok.error());
    report.device = run->device;
    return report;
  });
}

Result<SearchReport> search(const SearchRequest& request, const RunControl& control) {
  if (!request.tree || request.tree->empty()) return usage("there is no tree to search", "build one first");
  return SearchedTree(request.tree).search(request, control);
}

namespace {

/// Returns the events of the first query.
SearchEvents events_of_first(const ReadySearch& run, std::uint32_t capacity) {
  SearchEvents events;
  run.back_end->log(run.request, run.device, 1, capacity, [&](SearchEvents of_query) {
    events = std::move(of_query);
    return true;
  });
  return events;
}

}  // namespace

Result<SearchEvents> log_search(const SearchRequest& request, std::uint32_t capacity) {
  const auto run = ready(request);
  if (!run) return run.error();
  return guarded(run->device, [&] { return events_of_first(*run, capacity); });
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
  const auto check = value_of(check_answer(request, found, points, control));
  if (!check.difference.empty()) right.fail(check.difference);
  return right;
}

std::shared_ptr<const Trace> record_one(const std::shared_ptr<const Trace>& built, const ReadySearch& run,
                                        TraceHeader header, const PointSet& points, const RunControl& control,
                                        std::size_t most_steps) {
  Replay what{built, run.request, run.search.spec, {}, {}, {}};
  what.events = events_of_first(run, most_search_events);
  Cursor end(built);
  end.seek(end.step_count());
  what.rows = what.request.tree->kind().partition_rows(*what.request.tree, end);
  const SearchReport found = search_once(run, what.request, control);
  if (auto ok = check_distances(what.request, found); !ok) throw ErrorException(ok.error());
  const bool gave_up = std::ranges::count(what.events.events, EventKind::drop, &SearchEvent::kind) > 0;
  if (!gave_up) what.checks.push_back(answer_is_right(what.request, found, points, control));
  return replay(what, std::move(header), control, most_steps);
}

/// Largest number of points for which a batch is checked against a comparison of all pairs.
constexpr std::size_t most_compared = 4096;

/// Returns the nodes that each query visits, in order; empty if one's events are too many. Searches once for each
/// query, in a tree that is uploaded once.
std::vector<std::vector<std::uint32_t>> nodes_visited(const ReadySearch& run, std::size_t queries,
                                                      const RunControl& control) {
  std::vector<std::vector<std::uint32_t>> nodes;
  bool fits = true;
  constexpr std::uint32_t capacity = 1u << 14;
  run.back_end->log(run.request, run.device, static_cast<std::uint32_t>(queries), capacity, [&](SearchEvents log) {
    if (control.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    fits = log.total <= log.events.size();
    nodes.emplace_back();
    for (const SearchEvent& event : log.events)
      if (event.kind == EventKind::enter) nodes.back().push_back(event.node);
    return fits;
  });
  return fits ? std::move(nodes) : std::vector<std::vector<std::uint32_t>>();
}

std::shared_ptr<const Trace> record_batch(const std::shared_ptr<const Trace>& built, const ReadySearch& run,
                                          TraceHeader header, const PointSet& points, const RunControl& control,
                                          std::size_t most_steps) {
  BatchReplay what{built, run.search.spec, {}, {}, {}, {}};
  SearchRequest request = run.request;
  what.given = search_once(run, request, control);
  if (auto ok = check_distances(request, what.given); !ok) throw ErrorException(ok.error());
  request.order = QueryOrder::morton;
  what.morton = search_once(run, request, control);
  CheckResult same{"orders", "Both orders find the same.", true, ""};
  if (const std::string difference = first_difference(what.morton, what.given); !difference.empty())
    same.fail(difference);
  what.checks.push_back(std::move(same));
  if (points.size() <= most_compared && !what.spec.serves_packets)
    what.nodes_of_query = nodes_visited(run, points.size(), control);
  const bool may_give_up = what.spec.may_give_up && what.spec.may_give_up(request.question, request.options);
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
  TraceHeader header = header_of(*built, search, *run, run->search.spec);
  if (control.step_starts) control.step_starts(running_text(run->search));
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
    if (!expected.counts.empty() && found.counts.at(query) != expected.counts[query])
      return "query " + std::to_string(query) + " counts " + std::to_string(found.counts[query]) +
             " points, and should count " + std::to_string(expected.counts[query]);
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
