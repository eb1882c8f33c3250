#include "algorithms/trees/left_balanced/tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "algorithms/core/caught.hpp"
#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/library/internals.hpp"
#include "algorithms/registry/built_trees.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/counts.hpp"

namespace kdscope::library {
namespace {

/// The builder of requests that name none, where it takes the points: the fastest.
constexpr const char* fastest_builder = "rank";

/// Returns the address of coordinates that a run on this back end reads on its device; null for others.
const std::uint32_t* words_on_device(const Points& points, Backend backend) {
  const bool reads_there = points.memory() == Memory::cuda && backend == Backend::cuda;
  return reads_there ? static_cast<const std::uint32_t*>(points.coordinates()) : nullptr;
}

/// Returns a data set without words.
Result<DataSet> set_without_words(const Points& points, const std::string& name) {
  if (points.dimensions() == 0 || points.coordinate_count() % points.dimensions() != 0)
    return Error{ErrorKind::bad_usage,
                 count_text(points.coordinate_count(), "coordinate is", "coordinates are") +
                     " no whole number of points of " + count_text(points.dimensions(), "dimension", "dimensions"),
                 name, "give dimensions coordinates per point"};
  DataSet data;
  data.name = name;
  data.points.dim = points.dimensions();
  data.points.type = points.type() == CoordinateType::float32 ? ScalarType::float32 : ScalarType::int32;
  return data;
}

Error not_finite(const Points& points, std::uint64_t coordinate, const std::string& name) {
  return {ErrorKind::bad_input,
          "coordinate " + std::to_string(coordinate % points.dimensions()) + " of point " +
              std::to_string(coordinate / points.dimensions()) + " is not finite",
          name, "remove the point"};
}

/// Points whose words stay on a device, and their box.
struct PointsThere {
  std::shared_ptr<const DataSet> data;
  Box box;
};

/// Looks at points on a device. Errors: those of data_set_of().
Result<PointsThere> points_there(const Points& points, const std::string& name) try {
  auto data = value_of(set_without_words(points, name));
  data.points.words_elsewhere = points.coordinate_count();
  PointsView view = view_of(data.points);
  view.words = static_cast<const std::uint32_t*>(points.coordinates());
  CoordinateFacts facts = look_at_cuda(view, points.stream());
  if (facts.first_not_finite) return not_finite(points, *facts.first_not_finite, name);
  return PointsThere{std::make_shared<const DataSet>(std::move(data)), std::move(facts.box)};
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace

Result<std::shared_ptr<const DataSet>> data_set_of(const Points& points, const std::string& name) {
  auto empty = set_without_words(points, name);
  if (!empty) return empty.error();
  auto data = std::make_shared<DataSet>(std::move(*empty));
  data->points.words.resize(points.coordinate_count());
  const std::size_t bytes = 4 * points.coordinate_count();
  try {
    if (bytes > 0 && points.memory() == Memory::cuda)
      copy_from_cuda(data->points.words.data(), points.coordinates(), bytes, points.stream());
    else if (bytes > 0)
      std::memcpy(data->points.words.data(), points.coordinates(), bytes);
  } catch (const ErrorException& e) {
    return e.error();
  }
  if (points.type() == CoordinateType::float32)
    for (std::size_t i = 0; i < data->points.words.size(); ++i)
      if (!std::isfinite(float_of(data->points.words[i]))) return not_finite(points, i, name);
  return std::shared_ptr<const DataSet>(std::move(data));
}

namespace {

/// Returns the request without its points.
Result<RunRequest> request_without_points(const Points& points, const BuildOptions& options) {
  const auto empty = set_without_words(points, "the points");
  if (!empty) return empty.error();
  const auto backend = backend_named(options.backend);
  if (!backend) return backend.error();
  RunRequest request;
  request.algorithm = options.builder;
  if (const AlgorithmSpec* spec = find_algorithm(fastest_builder);
      options.builder.empty() && spec && takes(*spec, empty->points))
    request.algorithm = fastest_builder;
  request.parameters = options.parameters;
  const bool stays_there = *backend == Backend::automatic && points.memory() == Memory::cuda;
  request.backend = stays_there ? Backend::cuda : *backend;
  request.processors = options.processors;
  request.points_on_device = words_on_device(points, request.backend);
  return request;
}

/// Returns number, type and dimensions of points.
PointSet shape_of(const PointSet& points) {
  PointSet shape;
  shape.type = points.type;
  shape.dim = points.dim;
  shape.words_elsewhere = points.size() * points.dim;
  return shape;
}

}  // namespace

Result<RunRequest> request_of(const Points& points, const BuildOptions& options) {
  auto request = request_without_points(points, options);
  if (!request) return request;
  auto data = data_set_of(points, "the points");
  if (!data) return data.error();
  request->points = std::move(*data);
  return request;
}

Result<Tree> build(const Points& points, const BuildOptions& options) {
  const SameCudaDevice same;
  auto request = request_without_points(points, options);
  if (!request) return request.error();
  request->keeps_tree_there = true;
  Box box;
  if (request->points_on_device && reads_words_there_alone(request->algorithm)) {
    auto there = points_there(points, "the points");
    if (!there) return there.error();
    request->points = std::move(there->data);
    box = std::move(there->box);
  } else {
    auto data = data_set_of(points, "the points");
    if (!data) return data.error();
    request->points = std::move(*data);
  }
  const RunControl control{options.stop, {}};
  const auto run = opened(std::move(*request), control);
  if (!run) return run.error();
  auto report = run_build(*run, control);
  if (!report) return report.error();
  auto state = std::make_shared<Tree::State>();
  state->builder = run->request.algorithm;
  if (report->kept) {
    const PointSet& input = run->request.points->points;
    state->kind = built_tree_kind(state->builder)->id();
    state->shape = shape_of(input);
    if (box.lo.empty()) box = bounding_box(input);
    state->tree.emplace(
        KeptTreeFacts{std::move(report->kept), state->kind, state->shape, std::move(box), report->device});
  } else {
    const TreeKind& kind = report->tree.kind();
    state->kind = kind.id();
    state->shape = shape_of(kind.points(report->tree));
    state->tree.emplace(std::make_shared<const kdscope::Tree>(std::move(report->tree)));
  }
  report->tree = {};
  state->report = std::move(*report);
  return Tree(std::move(state));
}

Result<std::shared_ptr<const kdscope::Tree>> Tree::State::on_host() const {
  if (report.device.backend == Backend::cpu) return tree->tree();  // it is there already
  const SameCudaDevice same;
  return guarded(report.device, [&] { return tree->tree(); });
}

std::size_t Tree::size() const { return state_->shape.size(); }
std::uint32_t Tree::dimensions() const { return state_->shape.dim; }
CoordinateType Tree::type() const {
  return state_->shape.type == ScalarType::float32 ? CoordinateType::float32 : CoordinateType::int32;
}
const std::string& Tree::builder() const { return state_->builder; }
const std::map<std::string, std::string>& Tree::parameters() const { return state_->report.parameters; }
const std::string& Tree::backend() const {
  static const std::string cpu = name_of(Backend::cpu), cuda = name_of(Backend::cuda);
  return state_->report.device.backend == Backend::cuda ? cuda : cpu;
}
int Tree::processors() const { return state_->report.device.processors; }
double Tree::build_ms() const { return state_->report.build_ms.back(); }
std::string_view Tree::kind() const { return state_->kind; }

Result<void> Tree::copy_to_host() const {
  const auto here = state_->on_host();
  return here ? Result<void>() : here.error();
}

std::uint64_t Tree::hash() const {
  if (!state_->report.build_hashes.empty()) return state_->report.tree_hash;
  const auto here = state_->on_host();
  if (!here) return 0;
  std::call_once(state_->hash_known, [&] { state_->hash = tree_hash(**here); });
  return state_->hash;
}

namespace {

/// Returns a left-balanced tree, which lives as long as the state; null for one of another kind, and after an error.
const LeftBalancedTree* left_balanced(const Tree& tree) {
  const auto here = tree.state().on_host();
  return here && (*here)->is<LeftBalancedTree>() ? &(*here)->as<LeftBalancedTree>() : nullptr;
}

}  // namespace

std::span<const std::uint32_t> Tree::permutation() const {
  static_assert(sizeof(PointId) == sizeof(std::uint32_t));
  if (const LeftBalancedTree* tree = left_balanced(*this))
    return {reinterpret_cast<const std::uint32_t*>(tree->point_of_node.data()), tree->point_of_node.size()};
  const auto here = state_->on_host();
  if (!here) return {};
  std::call_once(state_->order_known, [&] { state_->order = (*here)->kind().points_in_order(**here); });
  return state_->order;
}

std::span<const std::uint8_t> Tree::split_dimensions() const {
  if (const LeftBalancedTree* tree = left_balanced(*this)) return tree->split_dim;
  return {};
}

namespace {

/// Returns the coordinate words in the order of the tree.
const std::vector<std::uint32_t>& words_in_order(const Tree& tree) {
  if (const LeftBalancedTree* balanced = left_balanced(tree)) return balanced->points.words;  // no payload
  const Tree::State& state = tree.state();
  const std::span<const std::uint32_t> order = tree.permutation();
  const auto here = state.on_host();
  if (!here) return state.words;
  std::call_once(state.words_known, [&] {
    const PointSet points = (*here)->kind().original_points(**here);
    state.words.reserve(order.size() * points.dim);
    for (const std::uint32_t point : order)
      for (std::uint32_t d = 0; d < points.dim; ++d) state.words.push_back(points.word(point, d));
  });
  return state.words;
}

/// The fewest queries that are worth sorting along a curve.
constexpr std::size_t least_sorted = 1000;

/// Returns whether so many searches for the k nearest repay the buckets in columns, into which bucket-walk first copies
/// the tree's points: measured on a CPU with AVX2. On a line and for short lists in the plane they never do.
bool repays_columns(const Tree& tree, std::size_t queries, std::uint32_t k) {
  const std::size_t gain = tree.dimensions() >= 3 ? 8 : tree.dimensions() == 2 && k >= 4 ? 4 : 0;
  return gain * (std::min<std::size_t>(k, tree.size()) + 4) * queries >= tree.size();
}

/// Returns the id of the search that is fastest for so many queries in a tree; empty for the usual one. k: 0 unless the
/// nearest are sought.
std::string fastest_search(const Tree& tree, std::size_t queries, std::uint32_t k, SearchQuestion question,
                           Backend backend) {
  if (tree.kind() != "left-balanced") return "";
  if (question == SearchQuestion::nearest) {
    // Packets first cut the whole tree into buckets, which repays from about a quarter as many queries on
    if (backend == Backend::cuda) return 4 * queries < tree.size() ? "stack-free" : "bucket-packets";
    if (repays_columns(tree, queries, k)) return "bucket-walk";
  }
  return question == SearchQuestion::count ? "" : "stack";
}

/// Returns the request of a search.
Result<SearchRequest> search_of(const Tree& tree, const Points& queries, SearchQuestion question,
                                const SearchOptions& options, std::uint32_t k = 0) {
  const auto backend = backend_named(options.backend);
  if (!backend) return backend.error();
  SearchRequest request;
  request.question = question;
  request.backend = *backend == Backend::automatic ? tree.state().report.device.backend : *backend;
  request.search =
      options.search.empty() ? fastest_search(tree, queries.size(), k, question, request.backend) : options.search;
  if (queries.size() >= least_sorted) request.order = QueryOrder::morton;
  // Queries of another type are converted on the host
  if (queries.type() == tree.type()) request.queries_on_device = words_on_device(queries, request.backend);
  if (request.queries_on_device) {
    auto there = points_there(queries, "the queries");
    if (!there) return there.error();
    request.queries = std::move(there->data);
    request.box_of_queries = std::move(there->box);
  } else {
    auto data = data_set_of(queries, "the queries");
    if (!data) return data.error();
    request.queries = std::move(*data);
  }
  request.processors = options.processors;
  return request;
}

/// Searches the tree, which stays where it is searched.
Result<SearchReport> searched(const Tree& tree, SearchRequest request, const SearchOptions& options) {
  const SameCudaDevice same;
  return tree.state().tree->search(std::move(request), {options.stop, {}});
}

}  // namespace

std::span<const float> Tree::float_coordinates() const {
  if (type() != CoordinateType::float32) return {};
  const std::vector<std::uint32_t>& words = words_in_order(*this);
  return {reinterpret_cast<const float*>(words.data()), words.size()};
}
std::span<const std::int32_t> Tree::int_coordinates() const {
  if (type() != CoordinateType::int32) return {};
  const std::vector<std::uint32_t>& words = words_in_order(*this);
  return {reinterpret_cast<const std::int32_t*>(words.data()), words.size()};
}

namespace {

/// Fills arrays of the caller. indices, distances: numbers of elements of the arrays.
Result<void> fill_nearest(const Tree& tree, const Points& queries, const NeighbourArrays& into, std::size_t indices,
                          std::size_t distances, const SearchOptions& options) {
  const std::uint32_t k = into.width;
  if (const std::size_t wanted = queries.size() * k; indices != wanted || distances != wanted)
    return Error{ErrorKind::bad_usage,
                 "the arrays for " + count_text(wanted, "neighbour", "neighbours") + " have " +
                     std::to_string(indices) + " indices and " + std::to_string(distances) + " distances",
                 "", "give arrays of queries times k elements"};
  auto request = search_of(tree, queries, SearchQuestion::nearest, options, k);
  if (!request) return request.error();
  request->k = std::min<std::uint32_t>(k, static_cast<std::uint32_t>(std::max<std::size_t>(1, tree.size())));
  if (options.max_distance != std::numeric_limits<double>::infinity()) request->radius = options.max_distance;
  request->into = into;
  const auto found = searched(tree, std::move(*request), options);
  return found ? Result<void>() : found.error();
}

}  // namespace

Result<void> Tree::nearest_into(const Points& queries, std::uint32_t k, std::span<std::uint32_t> indices,
                                std::span<double> squared_distances, const SearchOptions& options) const {
  return fill_nearest(*this, queries, {k, indices.data(), squared_distances.data()}, indices.size(),
                      squared_distances.size(), options);
}

Result<void> Tree::nearest_on_cuda(const Points& queries, std::uint32_t k, std::span<std::uint32_t> indices,
                                   std::span<float> squared_distances, const SearchOptions& options) const {
  SearchOptions there = options;
  if (there.backend == "auto") there.backend = name_of(Backend::cuda);
  if (there.backend != name_of(Backend::cuda))
    return Error{ErrorKind::bad_usage, "arrays on a CUDA device cannot be filled by the back end " + there.backend, "",
                 "choose the back end cuda, or give arrays on the host to nearest_into()"};
  // radius-histogram, the one search that finds their nearest, sorts what it found on the host
  if (kind() == "split-planes")
    return Error{ErrorKind::bad_usage, "the search of trees of kind split-planes leaves its answers on the host", "",
                 "use another builder, or give arrays on the host to nearest_into()"};
  return fill_nearest(*this, queries, {k, indices.data(), nullptr, squared_distances.data()}, indices.size(),
                      squared_distances.size(), there);
}

Result<Neighbours> Tree::nearest(const Points& queries, std::uint32_t k, const SearchOptions& options) const {
  // Before arrays of that size are made
  std::uint32_t most = 0;
  for (const Search* search : searches_of(kind())) most = std::max(most, search->spec.most_k);
  if (std::min<std::size_t>(k, size()) > most)
    return Error{ErrorKind::bad_usage, "k is " + std::to_string(k), "", "give 1 to " + std::to_string(most)};
  Neighbours neighbours{k, std::vector<std::uint32_t>(queries.size() * k), std::vector<double>(queries.size() * k)};
  if (auto done = nearest_into(queries, k, neighbours.indices, neighbours.squared_distances, options); !done)
    return done.error();
  return neighbours;
}

namespace {

/// Returns the request of all points in a region.
Result<SearchRequest> region_of(const Tree& tree, const Points& queries, double radius, SearchQuestion of_ball,
                                SearchQuestion of_box, const SearchOptions& options) {
  auto request = search_of(tree, queries, options.region == Region::ball ? of_ball : of_box, options);
  if (request) request->radius = radius;
  return request;
}

}  // namespace

Result<PointsWithin> Tree::within(const Points& queries, double radius, const SearchOptions& options) const {
  auto request = region_of(*this, queries, radius, SearchQuestion::ball, SearchQuestion::box, options);
  if (!request) return request.error();
  auto found = searched(*this, std::move(*request), options);
  if (!found) return found.error();
  return PointsWithin{std::move(found->offsets), std::move(found->found), std::move(found->distances)};
}

Result<std::vector<std::uint32_t>> Tree::count(const Points& queries, double radius,
                                               const SearchOptions& options) const {
  // Searches of their own count boxes without a visit of every point, for some kinds of trees
  const std::vector<const Search*> searches = searches_of(kind());
  const bool counts_boxes = options.search.empty() && std::ranges::any_of(searches, [](const Search* search) {
                              return std::ranges::count(search->spec.questions, SearchQuestion::count) > 0;
                            });
  auto request = region_of(*this, queries, radius, SearchQuestion::ball,
                           counts_boxes ? SearchQuestion::count : SearchQuestion::box, options);
  if (!request) return request.error();
  request->only_count = true;
  auto found = searched(*this, std::move(*request), options);
  if (!found) return found.error();
  return std::move(found->counts);
}

std::vector<BuilderInfo> builders() {
  std::vector<BuilderInfo> some;
  for (const AlgorithmSpec& spec : algorithms())
    if (!spec.takes_triangles)
      some.push_back({spec.id, spec.title, spec.citation, spec.summary, spec.min_dim, spec.max_dim, spec.max_points});
  return some;
}

const char* version() { return kdscope::version(); }

}  // namespace kdscope::library
