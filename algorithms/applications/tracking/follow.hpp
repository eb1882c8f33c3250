#pragma once
// The kernels of tracking, and their run on an executor. tracking.cpp and tracking_cuda.cu instantiate it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/tracking/rigid_fit.hpp"
#include "algorithms/applications/tracking/tracking.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wehr/wehr.hpp"
#include "algorithms/core/vector3.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/queries/nearest.hpp"
#include "algorithms/queries/wehr/wehr.hpp"

namespace kdscope::tracking {

using ScanTree = queries::LevelOrderView<float, true>;

KDSCOPE_HD inline Vector3 vector_at(const float* values, std::uint32_t i) {
  return {values[3 * std::size_t(i)], values[3 * std::size_t(i) + 1], values[3 * std::size_t(i) + 2]};
}

/// Writes the coordinates of each node's point; zeros where a node is missing.
struct GatherRecords {
  const std::uint32_t* words;  ///< [n * stride]
  std::uint32_t stride;
  const PointId* point_of_node;
  std::uint32_t* records;  ///< [slots * 3]
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    const std::uint32_t point = point_of_node[node].value;
    for (std::uint32_t d = 0; d < 3; ++d)
      records[3 * std::size_t(node) + d] = point == no_id ? 0 : words[std::size_t(point) * stride + d];
  }
};

/// Where the camera stands, if there is one.
struct Eye {
  bool there = false;
  Vector3 at;
};

/// Puts each point of the object where the object is supposed to be. Points that face away from the eye are marked.
struct MoveObject {
  Placement place;
  Eye eye;
  const float *places, *normals;  ///< [m x 3]; no normals: null
  float* moved;                   ///< [m x 3]
  std::uint8_t* faces;            ///< [m]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const Vector3 at = place(vector_at(places, i));
    moved[3 * std::size_t(i)] = static_cast<float>(at.x);
    moved[3 * std::size_t(i) + 1] = static_cast<float>(at.y);
    moved[3 * std::size_t(i) + 2] = static_cast<float>(at.z);
    faces[i] = !eye.there || !normals || dot(place.along(vector_at(normals, i)), eye.at - at) > 0;
  }
};

// [region applications/nearest_in_scan]
/// Finds the nearest point of the scan for each point of the object. One thread per point.
struct FindPartners {
  ScanTree tree;
  queries::wehr::BoundedPriorityQueue search;
  float reach;  ///< squared
  const float* moved;
  const std::uint8_t* faces;
  PointId* nearest;  ///< [m]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    nearest[i] = {no_id};
    if (!faces[i]) return;
    queries::ShortList<float, 1> found(1, reach);
    queries::Coordinates<float, 3> query{};
    for (int d = 0; d < 3; ++d) query.at[d] = moved[3 * std::size_t(i) + std::size_t(d)];
    search.run(tree, query, found, queries::NoLog());
    found.for_each([&](int, const queries::Neighbour<float>& neighbour) { nearest[i] = neighbour.point; });
  }
};
// [endregion]

/// Returns the sums of a point of the object and its neighbour.
template <class Fit>
struct PairOf {
  Placement place;
  Vector3 centre;
  double scale;
  const float *moved, *normals;
  const std::uint32_t* words;  ///< of the scan
  std::uint32_t stride;
  const PointId* nearest;
  const std::uint8_t* faces;
  KDSCOPE_HD typename Fit::Sums operator()(std::uint32_t i) const {
    const std::uint32_t point = nearest[i].value;
    typename Fit::Sums sums;
    if (point != no_id) {
      const std::uint32_t* const at = words + std::size_t(point) * stride;
      const Vector3 to{float_of(at[0]), float_of(at[1]), float_of(at[2])};
      sums = Fit::sums_of({scale * (vector_at(moved, i) - centre),
                           normals ? place.along(vector_at(normals, i)) : Vector3{}, scale * (to - centre)});
    }
    sums.facing = faces[i];
    return sums;
  }
};

/// The object on a device, and what a frame writes about its points.
template <class Exec>
class ObjectOnDevice {
 public:
  ObjectOnDevice(Exec& exec, const TrackedObject& object, std::optional<Vector3> camera)
      : m_(object.size()),
        eye_{camera.has_value(), camera.value_or(Vector3{})},
        places_(uploaded(exec, "object", object.places)),
        normals_(uploaded(exec, "normals", object.normals)),
        moved_(exec.template array<float>("moved object", object.places.size())),
        faces_(exec.template array<std::uint8_t>("facing points", m_)),
        nearest_(exec.template array<PointId>("nearest", m_)) {
    Vector3 sum;
    for (std::uint32_t i = 0; i < m_; ++i) sum = sum + vector_at(object.places.data(), i);
    middle_ = (1.0 / m_) * sum;
    for (std::uint32_t i = 0; i < m_; ++i)
      radius_ = std::max(radius_, length(vector_at(object.places.data(), i) - middle_));
  }
  /// Returns the largest distance of a point from the middle.
  double radius() const { return radius_; }
  Vector3 middle() const { return middle_; }

  void move(Exec& exec, const Placement& place) {
    exec.for_each("move object", m_, MoveObject{place, eye_, places_.data(), normals(), moved_.data(), faces_.data()});
  }
  void find(Exec& exec, const ScanTree& tree, const queries::wehr::BoundedPriorityQueue& search, double reach) {
    exec.for_each(
        "nearest in scan", m_,
        FindPartners{tree, search, static_cast<float>(reach * reach), moved_.data(), faces_.data(), nearest_.data()});
  }
  template <class Fit>
  typename Fit::Sums sums(Exec& exec, const Placement& place, double scale, const PointsOnDevice<Exec>& scan) {
    return exec.reduce("pairs", m_,
                       PairOf<Fit>{place, place(middle_), scale, moved_.data(), normals(), scan.words.data(),
                                   scan.stride, nearest_.data(), faces_.data()},
                       AddSums{}, typename Fit::Sums{});
  }
  std::vector<PointId> nearest(Exec& exec) const { return downloaded(exec, nearest_, m_); }

 private:
  const float* normals() const { return normals_.size() > 0 ? normals_.data() : nullptr; }

  std::uint32_t m_;
  Eye eye_;
  Array<float, Exec> places_, normals_, moved_;
  Array<std::uint8_t, Exec> faces_;
  Array<PointId, Exec> nearest_;
  Vector3 middle_;
  double radius_ = 0;
};

/// A scan, how its tree is built, and where the object was before it.
struct ScanOfFrame {
  const DataSet& scan;
  wehr::WehrOptions options;
  Placement start;
};

/// Builds the tree of a scan and moves the object until its neighbours move it no more.
template <class Fit, class Exec>
TrackedFrame follow(Exec& exec, ObjectOnDevice<Exec>& object, const ScanOfFrame& of, const TrackingRequest& request,
                    const queries::wehr::BoundedPriorityQueue& search) {
  const DataSet& scan = of.scan;
  const Placement& start = of.start;
  TrackedFrame frame;
  frame.place = start;
  exec.synchronize();
  const auto began = exec.event();
  // The builder consumes its points
  const auto there = upload_points(exec, scan.points);
  PointsOnDevice<Exec> consumed{exec.template array<std::uint32_t>("points", there.words.size()), there.n, there.dim,
                                there.stride, there.type};
  exec.copy(consumed.words.data(), there.words.data(), there.words.size());
  const auto before_tree = exec.event();
  NullRecorder none;
  const auto tree = wehr::build(exec, std::move(consumed), of.options, none);
  const auto slots = static_cast<std::uint32_t>(tree.point_of_node.size());
  const auto records = exec.template array<std::uint32_t>("records", 3 * std::size_t(slots));
  exec.for_each("records of nodes", slots,
                GatherRecords{there.words.data(), there.stride, tree.point_of_node.data(), records.data()});
  const auto after_tree = exec.event();
  frame.build_ms = exec.elapsed_ms(before_tree, after_tree);
  const ScanTree view{records.data(), tree.point_of_node.data(), nullptr, slots, 3, 3};

  const double scale = 1 / (object.radius() + request.reach);
  // Motions by less than this end the search
  const double settled = 1e-4 * object.radius();
  for (std::uint32_t i = 0;; ++i) {
    object.move(exec, frame.place);
    const auto from = exec.event();
    object.find(exec, view, search, request.reach);
    const auto to = exec.event();
    const Vector3 centre = frame.place(object.middle());
    const auto sums = object.template sums<Fit>(exec, frame.place, scale, there);
    frame.search_ms += exec.elapsed_ms(from, to);
    frame.steps.push_back({frame.place, static_cast<std::uint32_t>(sums.facing), static_cast<std::uint32_t>(sums.pairs),
                           std::sqrt(sums.mean_square()) / scale});
    if (request.keep_nearest) frame.steps.back().nearest = object.nearest(exec);
    constexpr std::int64_t least_share = 4;
    frame.lost = sums.pairs == 0 || least_share * sums.pairs <= sums.facing;
    if (frame.lost || i == request.iterations) break;
    const Placement fit = Fit::motion(sums);
    // The fit is a motion about the centre, in lengths of 1 / scale
    Placement next;
    next.x = fit.along(frame.place.x), next.y = fit.along(frame.place.y), next.z = fit.along(frame.place.z);
    next.origin = centre + (1 / scale) * fit.origin + fit.along(frame.place.origin - centre);
    const Vector3 turned[] = {fit.x - Vector3{1, 0, 0}, fit.y - Vector3{0, 1, 0}, fit.z - Vector3{0, 0, 1}};
    double moved = length(fit.origin) / scale;
    for (const Vector3& axis : turned) moved += length(axis) * object.radius();
    if (moved <= settled) break;
    frame.place = next;
  }
  if (frame.lost) frame.place = start;
  const auto ended = exec.event();
  frame.rest_ms = std::max(0.0, exec.elapsed_ms(began, ended) - frame.build_ms - frame.search_ms);
  frame.steps.back().nearest = object.nearest(exec);
  return frame;
}

/// builders: options of wehr for each scan, none automatic. search: those of priority-queue.
template <class Exec>
Tracking track_on(Exec& exec, const TrackingRequest& request, const std::vector<TypedOptions>& builders,
                  const TypedOptions& search, const RunControl& control) {
  ObjectOnDevice<Exec> object(exec, *request.object, request.camera);
  using Queue = queries::wehr::BoundedPriorityQueue;
  const Queue queue(search.as<Queue::Options>());
  Tracking tracking;
  Placement place = request.start;
  for (std::size_t i = 0; i < request.scans.size(); ++i) {
    if (control.progress) control.progress(static_cast<double>(i) / static_cast<double>(request.scans.size()), "track");
    const auto follow_by = [&]<class Fit>(Fit) {
      return follow<Fit>(exec, object, {*request.scans[i], builders[i].as<wehr::Construction::Options>(), place},
                         request, queue);
    };
    const bool planes = request.fit == TrackingFit::planes && !request.object->normals.empty();
    tracking.frames.push_back(planes ? follow_by(FitToPlanes()) : follow_by(FitToPoints()));
    place = tracking.frames.back().place;
  }
  tracking.peak_bytes = exec.memory().peak();
  return tracking;
}

/// Tracks on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
Tracking track_on_cuda(const TrackingRequest& request, const std::vector<TypedOptions>& builders,
                       const TypedOptions& search, const Device& device, const RunControl& control);

}  // namespace kdscope::tracking
