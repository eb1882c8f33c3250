#pragma once
// The kernels of point clouds, and their run on an executor. point_cloud.cpp and point_cloud_cuda.cu instantiate it.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/jacobi.hpp"
#include "algorithms/applications/point_clouds/orientation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/core/vector3.hpp"
#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"

namespace kdscope::point_clouds {

/// A symmetric matrix of 3 x 3.
struct Symmetric3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

/// Returns the direction in which n points extend least, of unit length, its largest component positive: the
/// eigenvector of their covariance times n with the least eigenvalue. Zero if rounded coordinates do not determine it,
/// because the two least eigenvalues are equal within the errors of rounding. error: the largest of a coordinate.
KDSCOPE_HD inline Vector3 least_direction(const Symmetric3& matrix, double n_points, double error) {
  double a[3][3] = {
      {matrix.xx, matrix.xy, matrix.xz}, {matrix.xy, matrix.yy, matrix.yz}, {matrix.xz, matrix.yz, matrix.zz}};
  double v[3][3];
  diagonalise(a, v);
  int least = 0, most = 0;
  for (int i = 1; i < 3; ++i) {
    if (a[i][i] < a[least][least]) least = i;
    if (a[i][i] > a[most][most]) most = i;
  }
  const int middle = 3 - least - most;
  if (least == most) return {0, 0, 0};
  // An eigenvalue is a sum of n squares. If each root errs by e, it errs by at most 2 e sqrt(n x eigenvalue) + n e^2.
  const double extent = std::max(0.0, a[middle][middle]),
               uncertain = 2 * error * std::sqrt(n_points * extent) + n_points * error * error;
  if (extent - a[least][least] <= 2 * uncertain) return {0, 0, 0};
  double n[3] = {v[0][least], v[1][least], v[2][least]};
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) > std::abs(n[largest])) largest = i;
  const double l = length({n[0], n[1], n[2]}), sign = n[largest] < 0 ? -1 : 1;
  return l > 0 ? (sign / l) * Vector3{n[0], n[1], n[2]} : Vector3{0, 0, 0};
}

/// Collects the neighbourhood of a point: its moments about the point, and up to `room` neighbours.
class Neighbourhood {
 public:
  KDSCOPE_HD Neighbourhood(const std::uint32_t* words, std::uint32_t self, std::uint32_t* neighbours,
                           std::uint32_t room)
      : words_(words), self_(self), neighbours_(neighbours), room_(room) {}
  KDSCOPE_HD float reach() const { return reach_; }
  KDSCOPE_HD static float with(float distance, float difference) { return distance + difference * difference; }
  KDSCOPE_HD static float combined(float one, float other) { return one + other; }
  KDSCOPE_HD static bool writes() { return false; }
  KDSCOPE_HD void set_reach(float reach) { reach_ = reach; }
  KDSCOPE_HD bool take(float, PointId point) {
    double d[3];
    for (int c = 0; c < 3; ++c) {
      const double at = float_of(words_[3 * std::size_t(point.value) + c]);
      d[c] = at - float_of(words_[3 * std::size_t(self_) + c]);
      largest_ = std::max(largest_, std::abs(at));
    }
    sum_ = sum_ + Vector3{d[0], d[1], d[2]};
    squares_.xx += d[0] * d[0], squares_.xy += d[0] * d[1], squares_.xz += d[0] * d[2];
    squares_.yy += d[1] * d[1], squares_.yz += d[1] * d[2], squares_.zz += d[2] * d[2];
    ++count_;
    if (point.value != self_ && listed_ < room_) neighbours_[listed_++] = point.value;
    return true;
  }
  /// Returns the covariance of the neighbourhood, times the number of its points.
  KDSCOPE_HD Symmetric3 covariance() const {
    const double n = count_ > 0 ? count_ : 1;
    return {squares_.xx - sum_.x * sum_.x / n, squares_.xy - sum_.x * sum_.y / n, squares_.xz - sum_.x * sum_.z / n,
            squares_.yy - sum_.y * sum_.y / n, squares_.yz - sum_.y * sum_.z / n, squares_.zz - sum_.z * sum_.z / n};
  }
  /// Returns the direction in which the neighbourhood extends least, or zero.
  KDSCOPE_HD Vector3 normal() const {
    // A float errs by half a unit in its last place; so does the one from which it is subtracted.
    constexpr double half_unit = 1.0 / (1 << 24);
    return least_direction(covariance(), count_, 2 * half_unit * largest_);
  }
  KDSCOPE_HD std::uint32_t listed() const { return listed_; }

 private:
  const std::uint32_t* words_;
  std::uint32_t self_;
  std::uint32_t* neighbours_;
  std::uint32_t room_, listed_ = 0, count_ = 0;
  float reach_ = std::numeric_limits<float>::infinity();
  double largest_ = 0;  ///< of the coordinates' magnitudes
  Vector3 sum_;
  Symmetric3 squares_;
};

// [region applications/principal_components]
/// Finds the k nearest of each point and the direction in which they extend least. One thread per point, in the order
/// of the tree's positions, so that neighbouring threads visit the same nodes.
struct EstimateNormals {
  queries::zhou_vvh::View<float> tree;
  queries::zhou_vvh::RadiusHistogram search;
  const std::uint32_t* words;  ///< [n x 3] coordinates by index
  std::uint32_t k;
  std::uint32_t* neighbours;  ///< [n x k]
  float *normals, *radius;    ///< [n x 3], [n]
  KDSCOPE_HD void operator()(std::uint32_t position) const {
    const std::uint32_t i = tree.point_of_position[position].value;
    std::uint32_t* const own = neighbours + std::size_t(i) * k;
    Neighbourhood found(words, i, own, k);
    const auto query = queries::Coordinates<float, 3>::of(words + 3 * std::size_t(i), 3);
    search.run(tree, query, found, queries::NoLog(), k + 1);  // the point itself is its own nearest
    for (std::uint32_t rank = found.listed(); rank < k; ++rank) own[rank] = no_id;
    const Vector3 normal = found.normal();
    normals[3 * std::size_t(i)] = float(normal.x);
    normals[3 * std::size_t(i) + 1] = float(normal.y);
    normals[3 * std::size_t(i) + 2] = float(normal.z);
    radius[i] = std::sqrt(found.reach());
  }
};
// [endregion]

/// Estimates a cloud. builder, search: options of zhou-vvh and radius-histogram. neighbours: receives the
/// neighbours of all points, [n x k].
template <class Exec>
Cloud estimate_on(Exec& exec, const CloudRequest& request, const TypedOptions& builder, const TypedOptions& search,
                  const RunControl& control, std::vector<std::uint32_t>& neighbours) {
  const PointSet& points = request.points->points;
  const auto n = static_cast<std::uint32_t>(points.size());
  PointSet plain{points.type, 3, 0, {}};
  plain.words.reserve(3 * std::size_t(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::uint32_t d = 0; d < 3; ++d) plain.words.push_back(points.word(i, d));
  const auto there = upload_points(exec, plain);
  auto list = exec.template array<std::uint32_t>("neighbours", std::size_t(n) * request.k);
  auto normals = exec.template array<float>("normals", 3 * std::size_t(n)),
       radius = exec.template array<float>("radius", n);
  Cloud cloud;
  const int repeat = std::max(1, request.repeat);
  for (int i = 0; i < repeat; ++i) {
    if (control.progress) control.progress(double(i) / repeat, "estimate");
    auto consumed = upload_points(exec, plain);
    exec.synchronize();
    const auto from = exec.event();
    NullRecorder none;
    const queries::zhou_vvh::OnDevice<Exec> tree(
        exec, zhou_vvh::build(exec, std::move(consumed), builder.as<zhou_vvh::Construction::Options>(), none),
        there.words.data(), 3u);
    const auto built = exec.event();
    using Histogram = queries::zhou_vvh::RadiusHistogram;
    const Histogram histogram(search.as<Histogram::Options>());
    auto view = tree.template view<float>();
    const auto radii = histogram.template prepare<3>(exec, view, request.k + 1);
    exec.for_each(
        "principal components", n,
        EstimateNormals{view, histogram, there.words.data(), request.k, list.data(), normals.data(), radius.data()});
    const auto to = exec.event();
    cloud.build_ms.push_back(exec.elapsed_ms(from, built));
    cloud.search_ms.push_back(exec.elapsed_ms(built, to));
  }
  if (request.oriented) {
    if (control.progress) control.progress(1, "orient");
    const auto from = exec.event();
    cloud.parts = orient_normals(exec, {n, request.k, there.words.data(), list.data(), normals.data()},
                                 request.points->up_axis, normals.data());
    cloud.orient_ms = exec.elapsed_ms(from, exec.event());
  }
  neighbours = downloaded(exec, list, list.size());
  cloud.normals = downloaded(exec, normals, normals.size()), cloud.radius = downloaded(exec, radius, n);
  for (const float r : cloud.radius) cloud.density.push_back(static_cast<float>(request.k) / (r * r));
  cloud.peak_bytes = exec.memory().peak();
  return cloud;
}

/// Estimates on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
Cloud estimate_on_cuda(const CloudRequest& request, const TypedOptions& builder, const TypedOptions& search,
                       const Device& device, const RunControl& control, std::vector<std::uint32_t>& neighbours);

}  // namespace kdscope::point_clouds
