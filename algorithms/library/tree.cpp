#include <cmath>
#include <cstring>

#include "algorithms/library/internals.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/counts.hpp"

namespace kdscope::library {
namespace {

/// The builder of requests that name none, where it takes the points: the fastest.
constexpr const char* fastest_builder = "rank";

}  // namespace

Result<std::shared_ptr<const DataSet>> data_set_of(const Points& points, const std::string& name) {
  if (points.dimensions() == 0 || points.coordinate_count() % points.dimensions() != 0)
    return Error{ErrorKind::bad_usage,
                 count_text(points.coordinate_count(), "coordinate is", "coordinates are") +
                     " no whole number of points of " + count_text(points.dimensions(), "dimension", "dimensions"),
                 name, "give dimensions coordinates per point"};
  if (points.memory() != Memory::host)
    return Error{ErrorKind::no_device, "points in the memory of a CUDA device cannot be used", name,
                 "copy them to the host"};
  auto data = std::make_shared<DataSet>();
  data->name = name;
  data->points.dim = points.dimensions();
  data->points.type = points.type() == CoordinateType::float32 ? ScalarType::float32 : ScalarType::int32;
  data->points.words.resize(points.coordinate_count());
  if (points.coordinate_count() > 0)
    std::memcpy(data->points.words.data(), points.coordinates(), 4 * points.coordinate_count());
  if (points.type() == CoordinateType::float32)
    for (std::size_t i = 0; i < data->points.words.size(); ++i)
      if (!std::isfinite(float_of(data->points.words[i])))
        return Error{ErrorKind::bad_input,
                     "coordinate " + std::to_string(i % points.dimensions()) + " of point " +
                         std::to_string(i / points.dimensions()) + " is not finite",
                     name, "remove the point"};
  return std::shared_ptr<const DataSet>(std::move(data));
}

Result<RunRequest> request_of(const Points& points, const BuildOptions& options) {
  auto data = data_set_of(points, "the points");
  if (!data) return data.error();
  const auto backend = backend_named(options.backend);
  if (!backend) return backend.error();
  RunRequest request;
  request.algorithm = options.builder;
  if (const AlgorithmSpec* spec = find_algorithm(fastest_builder);
      options.builder.empty() && spec && takes(*spec, (*data)->points))
    request.algorithm = fastest_builder;
  request.parameters = options.parameters;
  request.backend = *backend;
  request.processors = options.processors;
  request.points = std::move(*data);
  return request;
}

Result<Tree> build(const Points& points, const BuildOptions& options) {
  auto request = request_of(points, options);
  if (!request) return request.error();
  const RunControl control{options.stop, {}};
  const auto run = opened(std::move(*request), control);
  if (!run) return run.error();
  auto report = run_build(*run, control);
  if (!report) return report.error();
  auto state = std::make_shared<Tree::State>();
  state->builder = run->request.algorithm;
  state->tree = std::make_shared<const kdscope::Tree>(std::move(report->tree));
  report->tree = {};
  state->report = std::move(*report);
  return Tree(std::move(state));
}

std::size_t Tree::size() const { return state_->tree->kind().points(*state_->tree).size(); }
std::uint32_t Tree::dimensions() const { return state_->tree->kind().points(*state_->tree).dim; }
CoordinateType Tree::type() const {
  return state_->tree->kind().points(*state_->tree).type == ScalarType::float32 ? CoordinateType::float32
                                                                                : CoordinateType::int32;
}
const std::string& Tree::builder() const { return state_->builder; }
const std::map<std::string, std::string>& Tree::parameters() const { return state_->report.parameters; }
const std::string& Tree::backend() const {
  static const std::string cpu = name_of(Backend::cpu), cuda = name_of(Backend::cuda);
  return state_->report.device.backend == Backend::cuda ? cuda : cpu;
}
int Tree::processors() const { return state_->report.device.processors; }
double Tree::build_ms() const { return state_->report.build_ms.back(); }
std::uint64_t Tree::hash() const { return state_->report.tree_hash; }
std::string_view Tree::kind() const { return state_->tree->kind().id(); }

std::span<const std::uint32_t> Tree::permutation() const {
  std::call_once(state_->order_known, [&] { state_->order = state_->tree->kind().points_in_order(*state_->tree); });
  return state_->order;
}

namespace {

/// Returns the coordinate words in the order of the tree.
const std::vector<std::uint32_t>& words_in_order(const Tree& tree) {
  const Tree::State& state = tree.state();
  const std::span<const std::uint32_t> order = tree.permutation();
  std::call_once(state.words_known, [&] {
    const PointSet points = state.tree->kind().original_points(*state.tree);
    state.words.reserve(order.size() * points.dim);
    for (const std::uint32_t point : order)
      for (std::uint32_t d = 0; d < points.dim; ++d) state.words.push_back(points.word(point, d));
  });
  return state.words;
}

/// Returns the request of a search.
Result<SearchRequest> search_of(const Tree& tree, const Points& queries, SearchQuestion question,
                                const SearchOptions& options) {
  auto data = data_set_of(queries, "the queries");
  if (!data) return data.error();
  const auto backend = backend_named(options.backend);
  if (!backend) return backend.error();
  SearchRequest request;
  request.search = options.search;
  request.tree = tree.state().tree;
  request.queries = std::move(*data);
  request.question = question;
  request.backend = *backend;
  request.processors = options.processors;
  return request;
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

Result<void> Tree::nearest_into(const Points& queries, std::uint32_t k, std::span<std::uint32_t> indices,
                                std::span<double> squared_distances, const SearchOptions& options) const {
  const std::size_t wanted = queries.size() * k;
  if (indices.size() != wanted || squared_distances.size() != wanted)
    return Error{ErrorKind::bad_usage,
                 "the arrays for " + count_text(wanted, "neighbour", "neighbours") + " have " +
                     std::to_string(indices.size()) + " indices and " + std::to_string(squared_distances.size()) +
                     " distances",
                 "", "give arrays of queries times k elements"};
  auto request = search_of(*this, queries, SearchQuestion::nearest, options);
  if (!request) return request.error();
  std::fill(indices.begin(), indices.end(), no_point);
  std::fill(squared_distances.begin(), squared_distances.end(), std::numeric_limits<double>::infinity());
  request->k = k > size() && size() > 0 ? static_cast<std::uint32_t>(size()) : k;
  if (options.max_distance != std::numeric_limits<double>::infinity()) request->radius = options.max_distance;
  const auto found = search(*request, {options.stop, {}});
  if (!found) return found.error();
  for (std::size_t query = 0; query < queries.size(); ++query)
    for (std::uint64_t at = found->offsets[query], to = query * k; at < found->offsets[query + 1]; ++at, ++to)
      indices[to] = found->found[at], squared_distances[to] = found->distances[at];
  return {};
}

Result<Neighbours> Tree::nearest(const Points& queries, std::uint32_t k, const SearchOptions& options) const {
  Neighbours neighbours{k, std::vector<std::uint32_t>(queries.size() * k), std::vector<double>(queries.size() * k)};
  if (auto done = nearest_into(queries, k, neighbours.indices, neighbours.squared_distances, options); !done)
    return done.error();
  return neighbours;
}

Result<PointsWithin> Tree::within(const Points& queries, double radius, const SearchOptions& options) const {
  auto request =
      search_of(*this, queries, options.region == Region::ball ? SearchQuestion::ball : SearchQuestion::box, options);
  if (!request) return request.error();
  request->radius = radius;
  auto found = search(*request, {options.stop, {}});
  if (!found) return found.error();
  return PointsWithin{std::move(found->offsets), std::move(found->found), std::move(found->distances)};
}

Result<std::vector<std::uint32_t>> Tree::count(const Points& queries, double radius,
                                               const SearchOptions& options) const {
  const auto found = within(queries, radius, options);
  if (!found) return found.error();
  std::vector<std::uint32_t> counts(queries.size());
  for (std::size_t query = 0; query < counts.size(); ++query)
    counts[query] = static_cast<std::uint32_t>(found->offsets[query + 1] - found->offsets[query]);
  return counts;
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
