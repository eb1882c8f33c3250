#include "algorithms/library/host_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/library/host_pairs.hpp"
#include "algorithms/library/host_walk.hpp"
#include "algorithms/library/internals.hpp"
#include "algorithms/queries/morton.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope::library {
namespace {

using namespace host;

/// From so many queries on, they are served along a curve: below, sorting costs more than the caches return.
constexpr std::size_t least_along_curve = 2048;
/// A stop request is looked for after so many queries.
constexpr std::uint32_t queries_between_stops = 256;

/// Calls work(numbers) with the coordinates in their own type.
template <class Work>
auto with_numbers(const HostPoints& points, const Work& work) {
  if (points.type == NumberType::float32) return work(static_cast<const float*>(points.coordinates));
  if (points.type == NumberType::int32) return work(static_cast<const std::int32_t*>(points.coordinates));
  return work(static_cast<const double*>(points.coordinates));
}

/// Copies a query's coordinates as doubles.
void read_query(const HostPoints& queries, std::size_t query, double* to) {
  const std::size_t dim = queries.dimensions;
  with_numbers(queries, [&](const auto* from) { std::copy_n(from + query * dim, dim, to); });
}

Error bad(std::string what, const char* where, std::string remedy) {
  return {ErrorKind::bad_input, std::move(what), where, std::move(remedy)};
}

/// Checks that there is a whole number of points, and that their coordinates are finite.
Result<void> check_points(const HostPoints& points, const char* where) {
  if (points.dimensions == 0 || points.count % points.dimensions != 0)
    return bad(count_text(points.count, "coordinate is", "coordinates are") + " no whole number of points of " +
                   count_text(points.dimensions, "dimension", "dimensions"),
               where, "give one coordinate per dimension");
  if (points.type == NumberType::int32) return {};
  return with_numbers(points, [&]<class Number>(const Number* numbers) -> Result<void> {
    // The sum of what is 0 for finite numbers alone, so that the loop has no branch
    Number sum = 0;
    for (std::size_t i = 0; i < points.count; ++i) sum += numbers[i] - numbers[i];
    if (sum == 0) return {};
    std::size_t i = 0;
    while (std::isfinite(numbers[i])) ++i;
    return bad("coordinate " + std::to_string(i % points.dimensions) + " of point " +
                   std::to_string(i / points.dimensions) + " must be finite, and is " + shortest(double(numbers[i])),
               where, "remove the point");
  });
}

/// Returns points as builders take them. float64: with the widest side of their box scaled to 1, and rounded to float.
PointSet image_of(const HostPoints& points) {
  PointSet image;
  image.type = points.type == NumberType::int32 ? ScalarType::int32 : ScalarType::float32;
  image.dim = points.dimensions;
  image.words.resize(points.count);
  if (points.type != NumberType::float64) {
    if (points.count > 0) std::memcpy(image.words.data(), points.coordinates, 4 * points.count);
    return image;
  }
  const auto* const from = static_cast<const double*>(points.coordinates);
  const std::size_t dim = points.dimensions, n = points.size();
  std::vector<double> low(from, from + (n > 0 ? dim : 0)), high = low;
  for (std::size_t i = 0; i < points.count; i += dim)
    for (std::size_t d = 0; d < dim; ++d) {
      low[d] = std::min(low[d], from[i + d]);
      high[d] = std::max(high[d], from[i + d]);
    }
  // Halves keep the difference of huge coordinates finite
  double widest = 0;
  for (std::size_t d = 0; d < low.size(); ++d) widest = std::max(widest, high[d] / 2 - low[d] / 2);
  if (widest == 0) widest = 1;
  for_ranges(static_cast<std::uint32_t>(n), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = begin * dim; i < end * dim; i += dim)
      for (std::size_t d = 0; d < dim; ++d)
        image.words[i + d] = word_of(static_cast<float>((from[i + d] / 2 - low[d] / 2) / widest));
  });
  return image;
}

/// Runs work(begin, end) for ranges that together cover [0, n), on one thread or on those of the group that is entered.
template <class Work>
void run_on_host(std::uint32_t n, const HostOptions& options, const Work& work) {
  const auto with_stops = [&](std::uint32_t begin, std::uint32_t end) {
    for (; begin < end; begin += std::min(end - begin, queries_between_stops)) {
      if (options.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
      work(begin, begin + std::min(end - begin, queries_between_stops));
    }
  };
  if (options.threads <= 1)
    with_stops(0, n);
  else
    for_ranges(n, with_stops);
}

/// Runs work on as many threads as the options say, and returns its error. Entering a group of threads takes longer
/// than a small search.
template <class Work>
Result<void> run_confined(const HostOptions& options, std::size_t queries, Work work) try {
  if (options.threads < usable_threads() && (options.threads > 1 || queries >= least_along_curve))
    on_threads(options.threads, work);
  else
    work();
  return {};
} catch (const ErrorException& e) {
  return e.error();
}

Result<void> check_norm(const HostOptions& options) {
  if (options.p >= 1) return {};
  return bad("p is " + shortest(options.p), "", "give 1, 2, infinity or another number from 1 on");
}

}  // namespace

struct HostSearch::State {
  std::variant<Buckets<float>, Buckets<std::int32_t>, Buckets<double>> buckets;
  std::string builder;
  double build_ms = 0;
  std::vector<double> lower, upper;
  std::uint32_t n = 0, dim = 0;
  const void* source = nullptr;  ///< where the points were, compared and never read

  /// Checks queries and options.
  Result<void> check(const HostPoints& queries, const HostOptions& options) const {
    if (queries.dimensions != dim)
      return bad("the queries have " + count_text(queries.dimensions, "dimension", "dimensions") + ", and the points " +
                     std::to_string(dim),
                 "the queries", "give queries of as many dimensions");
    if (auto finite = check_points(queries, "the queries"); !finite) return finite;
    return check_norm(options);
  }

  /// Returns the order in which many queries are served; empty for few, which are served as given.
  std::vector<std::uint32_t> order_of(const HostPoints& queries) const {
    const auto count = static_cast<std::uint32_t>(queries.size());
    if (count < least_along_curve) return {};
    if (queries.coordinates == source && count == n)
      return std::visit([](const auto& in) { return in.points; }, buckets);
    CpuExec exec;
    queries::KeyOrder<CpuExec> sorted(exec, count);
    const PointsOnDevice<CpuExec> image = upload_points(exec, image_of(queries));
    const std::uint32_t* const order = image.type == ScalarType::float32
                                           ? queries::sort_along_curve<float>(exec, sorted, image)
                                           : queries::sort_along_curve<double>(exec, sorted, image);
    return {order, order + count};
  }

  /// Serves queries: calls serve(walk, norm, query, place) with a walk of the thread's own and a place that it keeps,
  /// which make() returned.
  template <class Make, class Serve>
  Result<void> serve(const HostPoints& queries, const HostOptions& options, Make make, Serve serve) const {
    return run_confined(options, queries.size(), [&] {
      const std::vector<std::uint32_t> order = order_of(queries);
      with_norm(options.p, [&](const auto& norm) {
        std::visit(
            [&](const auto& in) {
              with_walk(in, norm, [&](const auto& walk) {
                run_on_host(static_cast<std::uint32_t>(queries.size()), options,
                            [&](std::uint32_t begin, std::uint32_t end) {
                              auto own = walk;
                              auto place = make(begin, end);
                              std::vector<double> query(dim);
                              for (std::uint32_t i = begin; i < end; ++i) {
                                const std::uint32_t served = order.empty() ? i : order[i];
                                read_query(queries, served, query.data());
                                serve(own, norm, query.data(), served, place);
                              }
                            });
              });
            },
            buckets);
      });
    });
  }
};

Result<HostSearch> HostSearch::build(const HostPoints& points, const BuildOptions& options) {
  if (auto good = check_points(points, "the points"); !good) return good.error();
  auto state = std::make_shared<State>();
  state->n = static_cast<std::uint32_t>(points.size());
  state->dim = points.dimensions;
  state->source = points.coordinates;
  std::vector<std::uint32_t> order(state->n);
  bool left_balanced = false;
  if (state->n > 0) {
    const PointSet image = image_of(points);
    const std::span<const std::uint32_t> words(image.words);
    const auto tree = library::build(
        image.type == ScalarType::float32
            ? Points(std::span(reinterpret_cast<const float*>(words.data()), words.size()), image.dim)
            : Points(std::span(reinterpret_cast<const std::int32_t*>(words.data()), words.size()), image.dim),
        options);
    if (!tree) return tree.error();
    state->builder = tree->builder();
    state->build_ms = tree->build_ms();
    const auto on_host = tree->state().on_host();
    if (!on_host) return on_host.error();
    const kdscope::Tree& built = **on_host;
    left_balanced = built.is<LeftBalancedTree>();
    if (left_balanced) {
      const std::vector<PointId>& point_of_node = built.as<LeftBalancedTree>().point_of_node;
      for_ranges(state->n, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) order[i] = point_of_node[node_in_order(i, state->n).value].value;
      });
    } else {
      order = built.kind().points_in_order(built);
    }
  }
  with_numbers(points, [&]<class Number>(const Number* from) {
    state->buckets = cut(from, state->dim, std::move(order), left_balanced);
    const auto& box = std::get<Buckets<Number>>(state->buckets).boxes;
    state->lower.assign(state->dim, 0);
    state->upper = state->lower;
    if (state->n == 0) return;
    std::copy_n(box.begin(), state->dim, state->lower.begin());
    std::copy_n(box.begin() + state->dim, state->dim, state->upper.begin());
  });
  return HostSearch(std::move(state));
}

std::size_t HostSearch::size() const { return state_->n; }
std::uint32_t HostSearch::dimensions() const { return state_->dim; }
std::size_t HostSearch::box_count() const {
  return std::visit([](const auto& in) -> std::size_t { return in.box_count(); }, state_->buckets);
}
std::span<const double> HostSearch::lower_ends() const { return state_->lower; }
std::span<const double> HostSearch::upper_ends() const { return state_->upper; }
const std::string& HostSearch::builder() const { return state_->builder; }
double HostSearch::build_ms() const { return state_->build_ms; }

Result<void> HostSearch::nearest_into(const HostPoints& queries, std::size_t k, std::span<std::int64_t> indices,
                                      std::span<double> distances, const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good;
  if (indices.size() != queries.size() * k || distances.size() != queries.size() * k)
    return bad("the arrays for " + count_text(queries.size() * k, "neighbour", "neighbours") + " have " +
                   std::to_string(indices.size()) + " indices and " + std::to_string(distances.size()) + " distances",
               "", "give arrays of queries times k elements");
  const std::size_t n = state_->n, sought = std::min(k, n);
  if (sought == 0) {
    std::fill(indices.begin(), indices.end(), static_cast<std::int64_t>(n));
    std::fill(distances.begin(), distances.end(), std::numeric_limits<double>::infinity());
    return {};
  }
  return state_->serve(
      queries, options, [&](std::uint32_t, std::uint32_t) { return NearestList(sought); },
      [&](auto& walk, const auto& norm, const double* query, std::uint32_t served, NearestList& list) {
        list.begin(reach_of(norm, options.max_distance));
        walk.nearest(query, list);
        std::size_t at = served * k;
        for (const Candidate& entry : list.finish()) {
          const bool found = entry.point >= 0;
          indices[at] = found ? entry.point : static_cast<std::int64_t>(n);
          distances[at++] = found ? norm.distance(entry.sum) : std::numeric_limits<double>::infinity();
        }
        std::fill(indices.begin() + at, indices.begin() + (served + 1) * k, static_cast<std::int64_t>(n));
        std::fill(distances.begin() + at, distances.begin() + (served + 1) * k,
                  std::numeric_limits<double>::infinity());
      });
}

namespace {

Result<void> check_radii(std::span<const double> radii, std::size_t queries) {
  if (radii.size() != 1 && radii.size() != queries)
    return bad(
        "there are " + count_text(radii.size(), "radius", "radii") + " for " + count_text(queries, "query", "queries"),
        "", "give one for all, or one per query");
  for (const double radius : radii)
    if (std::isnan(radius)) return bad("a radius is NaN", "", "give a number");
  return {};
}

}  // namespace

Result<IndicesWithin> HostSearch::within(const HostPoints& queries, std::span<const double> radii,
                                         const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good.error();
  if (auto good = check_radii(radii, queries.size()); !good) return good.error();
  // What a thread found for the queries that it served together
  struct Found {
    std::vector<std::uint32_t> queries, indices;
  };
  IndicesWithin result;
  result.offsets.assign(queries.size() + 1, 0);
  std::mutex joining;
  std::vector<std::shared_ptr<Found>> all;
  const auto make = [&](std::uint32_t, std::uint32_t) {
    auto found = std::make_shared<Found>();
    const std::lock_guard lock(joining);
    return all.emplace_back(std::move(found));
  };
  const auto serve = [&](auto& walk, const auto& norm, const double* query, std::uint32_t served,
                         const std::shared_ptr<Found>& found) {
    std::vector<std::uint32_t>& indices = found->indices;
    const std::size_t before = indices.size();
    walk.within(
        query, reach_of(norm, radii[radii.size() == 1 ? 0 : served]),
        [&](const Candidate& candidate) { indices.push_back(static_cast<std::uint32_t>(candidate.point)); },
        [&](const std::uint32_t* first, const std::uint32_t* end) { indices.insert(indices.end(), first, end); });
    if (options.sorted) std::sort(indices.begin() + static_cast<std::ptrdiff_t>(before), indices.end());
    found->queries.push_back(served);
    result.offsets[served + 1] = indices.size() - before;
  };
  if (auto done = state_->serve(queries, options, make, serve); !done) return done.error();
  for (std::size_t query = 0; query < queries.size(); ++query) result.offsets[query + 1] += result.offsets[query];
  result.indices.resize(result.offsets.back());
  for (const auto& found : all) {
    auto from = found->indices.begin();
    for (const std::uint32_t query : found->queries) {
      const auto count = static_cast<std::ptrdiff_t>(result.offsets[query + 1] - result.offsets[query]);
      std::copy_n(from, count, result.indices.begin() + static_cast<std::ptrdiff_t>(result.offsets[query]));
      from += count;
    }
  }
  return result;
}

Result<void> HostSearch::count_into(const HostPoints& queries, std::span<const double> radii,
                                    std::span<std::int64_t> counts, const HostOptions& options) const {
  if (auto good = state_->check(queries, options); !good) return good;
  if (auto good = check_radii(radii, queries.size()); !good) return good;
  if (counts.size() != queries.size())
    return bad("the array for " + count_text(queries.size(), "count has ", "counts has ") +
                   count_text(counts.size(), "element", "elements"),
               "", "give one element per query");
  return state_->serve(
      queries, options, [](std::uint32_t, std::uint32_t) { return 0; },
      [&](auto& walk, const auto& norm, const double* query, std::uint32_t served, int) {
        std::int64_t count = 0;
        walk.within(
            query, reach_of(norm, radii[radii.size() == 1 ? 0 : served]), [&](const Candidate&) { ++count; },
            [&](const std::uint32_t* first, const std::uint32_t* end) { count += end - first; });
        counts[served] = count;
      });
}

namespace {

/// Returns buckets with their numbers as doubles.
template <class Number>
Buckets<double> as_doubles(const Buckets<Number>& in) {
  return {in.n,
          in.dim,
          in.level,
          in.starts,
          std::vector<double>(in.coordinates.begin(), in.coordinates.end()),
          in.points,
          std::vector<double>(in.boxes.begin(), in.boxes.end())};
}

/// Boxes of this level are counted apart, so that threads share the work and sums do not depend on how they do.
constexpr int level_of_tasks = 7;

template <class Count>
Result<std::vector<Count>> pairs(const WeighedBuckets& here, const WeighedBuckets& there, std::span<const double> radii,
                                 const HostOptions& options) {
  if (auto good = check_norm(options); !good) return good.error();
  if (here.buckets->dim != there.buckets->dim)
    return bad("the points have " + count_text(here.buckets->dim, "dimension", "dimensions") + " here, and " +
                   std::to_string(there.buckets->dim) + " there",
               "", "give points of as many dimensions");
  for (std::size_t i = 0; i < radii.size(); ++i)
    if (std::isnan(radii[i]) || (i > 0 && radii[i] < radii[i - 1]))
      return bad("radius " + std::to_string(i) + " is " + shortest(radii[i]) + ", and radii must be non-decreasing", "",
                 "sort them");
  std::vector<Count> sums(radii.size());
  if (radii.empty() || here.buckets->n == 0 || there.buckets->n == 0) return sums;
  const auto done = run_confined(options, here.buckets->n, [&] {
    with_norm(options.p, [&](const auto& norm) {
      std::vector<double> reaches;
      for (const double radius : radii) reaches.push_back(reach_of(norm, radius));
      const int level = std::min(level_of_tasks, here.buckets->level);
      using Pairs = PairCount<std::remove_cvref_t<decltype(norm)>, Count>;
      std::vector<std::vector<Count>> bins(std::size_t(1) << level);
      run_on_host(1u << level, options, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t task = begin; task < end; ++task) {
          Pairs count{here, there, reaches, norm, options.stop, std::vector<Count>(reaches.size() + 1)};
          count.count((1u << level) - 1 + task, 0, 0, reaches.size());
          bins[task] = std::move(count.bins);
        }
      });
      for (const auto& own : bins)
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
    });
  });
  if (!done) return done.error();
  return sums;
}

}  // namespace

Result<std::vector<std::uint64_t>> HostSearch::count_pairs(const HostSearch& there, std::span<const double> radii,
                                                           const HostOptions& options) const {
  const auto doubles = [](const auto& in) { return as_doubles(in); };
  const Buckets<double> of_here = std::visit(doubles, state_->buckets),
                        of_there = std::visit(doubles, there.state_->buckets);
  return pairs<std::uint64_t>({&of_here, {}, {}}, {&of_there, {}, {}}, radii, options);
}

Result<std::vector<double>> HostSearch::weigh_pairs(const HostSearch& there, std::span<const double> radii,
                                                    std::span<const double> weights_here,
                                                    std::span<const double> weights_there,
                                                    const HostOptions& options) const {
  const auto fits = [](std::span<const double> weights, const HostSearch& of) {
    return weights.empty() || weights.size() == of.size();
  };
  if (!fits(weights_here, *this) || !fits(weights_there, there))
    return bad("the number of weights is not that of the points", "", "give one weight per point");
  const auto doubles = [](const auto& in) { return as_doubles(in); };
  const Buckets<double> of_here = std::visit(doubles, state_->buckets),
                        of_there = std::visit(doubles, there.state_->buckets);
  return pairs<double>(weighed(of_here, weights_here), weighed(of_there, weights_there), radii, options);
}

}  // namespace kdscope::library
