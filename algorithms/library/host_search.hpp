#pragma once
// Searches for programs that live on the host: points stay in their own type, distances are computed in double, and
// answers go into arrays of the caller. A HostSearch is made once and asked often; it holds its own copy of the points.
// The recorded searches (Tree::nearest()) are those of the sources, in the arithmetic of every back end.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/library/library.hpp"

namespace kdscope::library {

enum class NumberType : std::uint8_t { float32, int32, float64 };

/// A view of points in the caller's memory, one after another. It owns nothing.
struct HostPoints {
  HostPoints(std::span<const float> numbers, std::uint32_t of_each)
      : coordinates(numbers.data()), count(numbers.size()), dimensions(of_each), type(NumberType::float32) {}
  HostPoints(std::span<const std::int32_t> numbers, std::uint32_t of_each)
      : coordinates(numbers.data()), count(numbers.size()), dimensions(of_each), type(NumberType::int32) {}
  HostPoints(std::span<const double> numbers, std::uint32_t of_each)
      : coordinates(numbers.data()), count(numbers.size()), dimensions(of_each), type(NumberType::float64) {}

  std::size_t size() const { return dimensions == 0 ? 0 : count / dimensions; }

  const void* coordinates;  ///< [count]
  std::size_t count;        ///< points * dimensions
  std::uint32_t dimensions;
  NumberType type;
};

/// How to search.
struct HostOptions {
  /// Minkowski's norm: 2 is the Euclidean, 1 the sum of the differences, infinity the largest one. At least 1.
  double p = 2;
  double max_distance = std::numeric_limits<double>::infinity();  ///< nearest_into(): only points nearer than this
  int threads = 1;                                                ///< more than the machine has: as many as it has
  bool sorted = true;                                             ///< within(): indices ascend
  std::stop_token stop = {};  ///< a requested stop ends the work with an error of kind cancelled
};

/// The points around every query. Query q has the indices [offsets[q], offsets[q + 1]).
struct IndicesWithin {
  std::vector<std::uint64_t> offsets;  ///< [queries + 1]
  std::vector<std::uint32_t> indices;  ///< original indices
};

/// Points in the order of a kd-tree, cut into buckets, with the smallest box around each bucket and each pair of boxes.
/// Copies share it.
///
/// A search relies on the boxes alone, and no computed distance of a box exceeds that of a point in it. So answers are
/// exact for the coordinates as they are given, whichever builder made the order: distances are those that double
/// arithmetic gives, adding the dimensions in their order, and equally distant points come by index.
class HostSearch {
 public:
  /// Builds a tree over the points and cuts it. Builders take floats and 32-bit integers. Of float64 points they get an
  /// image: shifted, scaled and rounded to float; only the order follows from it. Work O(n log n) for most builders.
  /// Errors: those of build() of library.hpp.
  static Result<HostSearch> build(const HostPoints& points, const BuildOptions& options = {});

  std::size_t size() const;
  std::uint32_t dimensions() const;
  std::size_t box_count() const;               ///< boxes of the tree, those of the buckets included
  std::span<const double> lower_ends() const;  ///< [dimensions] smallest coordinates; 0 without points
  std::span<const double> upper_ends() const;  ///< [dimensions] largest coordinates; 0 without points
  const std::string& builder() const;          ///< "rank"; empty without points
  double build_ms() const;                     ///< of the builder alone

  /// Finds the k nearest points of every query, nearest first. indices, distances: [queries * k]; size() and infinity
  /// stand where fewer than k points are nearer than max_distance. Work O(queries k log n) expected. Many queries are
  /// served along a curve through space. Errors: queries of other dimensions, or not finite; a wrong p; cancelled.
  Result<void> nearest_into(const HostPoints& queries, std::size_t k, std::span<std::int64_t> indices,
                            std::span<double> distances, const HostOptions& options = {}) const;
  /// Finds all points whose distance is at most the radius. radii: one for all queries, or one per query. None lies
  /// within a negative radius. Errors: those of nearest_into(), and another number of radii or one that is NaN.
  Result<IndicesWithin> within(const HostPoints& queries, std::span<const double> radii,
                               const HostOptions& options = {}) const;
  /// Counts them: counts [queries]. Boxes that lie within the radius are not opened.
  Result<void> count_into(const HostPoints& queries, std::span<const double> radii, std::span<std::int64_t> counts,
                          const HostOptions& options = {}) const;
  /// Counts pairs of a point here and a point there by their distance. radii: ascending. Element i of the result counts
  /// distances above radius i - 1 and up to radius i. Errors: other dimensions there; radii that are NaN or do not
  /// ascend; a wrong p; cancelled.
  Result<std::vector<std::uint64_t>> count_pairs(const HostSearch& there, std::span<const double> radii,
                                                 const HostOptions& options = {}) const;
  /// Does the same with pairs that count as the product of their points' weights. weights: one per point, or empty for
  /// 1. The sums do not depend on the number of threads.
  Result<std::vector<double>> weigh_pairs(const HostSearch& there, std::span<const double> radii,
                                          std::span<const double> weights_here, std::span<const double> weights_there,
                                          const HostOptions& options = {}) const;

  struct State;  ///< defined inside the library
  explicit HostSearch(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace kdscope::library
