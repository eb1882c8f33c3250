#pragma once
// Tracking of a rigid object in scans of its surroundings (Wehr & Radkowski 2018, sections I and III-E): for each frame
// a tree is built over the scan, and the iterative closest point algorithm (Besl & McKay 1992) moves the object's
// points to their nearest neighbours in it.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/applications/application.hpp"
#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "datasets/generators/placement.hpp"

namespace kdscope {

/// The points by which an object is known, in its own coordinates.
struct TrackedObject {
  std::vector<float> places;   ///< [m x 3]
  std::vector<float> normals;  ///< [m x 3] outwards, or empty if they are not known

  std::uint32_t size() const { return static_cast<std::uint32_t>(places.size() / 3); }
};

/// Draws `samples` points with normals on the triangles of a mesh, or takes the points of a cloud. Errors: bad_input
/// for others than floats in three dimensions.
Result<TrackedObject> tracked_object(const DataSet& data, std::uint32_t samples, std::uint64_t seed = 1);

namespace tracking {
/// The trees over scans.
const Application& application();
/// Returns the search of a place's nearest neighbour in a scan.
SearchOfRun search_of_place(Vector3 place);
}  // namespace tracking

/// What an iteration makes as small as it can: the squared distances of the points to their neighbours, or those of the
/// neighbours to the planes through the points, across their normals.
enum class TrackingFit : std::uint8_t { points, planes };

struct TrackingRequest {
  std::shared_ptr<const TrackedObject> object;
  std::vector<std::shared_ptr<const DataSet>> scans;  ///< one per frame, in order; floats in three dimensions
  Placement start;                                    ///< about where the object is in the first frame
  /// Where the camera stands. Points of the object that face away from it have no counterpart in a scan and do not take
  /// part; all do without it, or without normals.
  std::optional<Vector3> camera = {};
  TrackingFit fit = TrackingFit::planes;  ///< points if normals are not known
  double reach = 0.02;  ///< points with no neighbour within this distance, in units of the scans, do not take part
  std::uint32_t iterations = 40;         ///< most of a frame
  bool keep_nearest = false;             ///< whether each step keeps its neighbours, which takes a download
  Parameters builder = {}, search = {};  ///< of tracking::application()
  Backend backend = Backend::automatic;
};

/// An iteration: the object's place before it, and what the search found from there.
struct TrackingStep {
  Placement place;
  std::uint32_t facing = 0;  ///< points of the object that face the camera
  std::uint32_t pairs = 0;   ///< those of them with a neighbour within reach
  double distance = 0;       ///< root of their mean squared distance
  /// [m] neighbours; no_id where a point takes no part. In the last step of a frame, and in others if they are kept.
  std::vector<PointId> nearest = {};
};

struct TrackedFrame {
  Placement place;  ///< that of the object; that of the frame before if it was lost
  bool lost = false;

  std::uint32_t iterations() const { return static_cast<std::uint32_t>(steps.size()) - 1; }
  /// One before each iteration, and a last one after them; of an object that was not lost, the last one has `place`.
  std::vector<TrackingStep> steps;
  double build_ms = 0, search_ms = 0;  ///< tree of the scan on the device; all searches of the frame
  double rest_ms = 0;                  ///< upload of the scan, moving points, sums, and fits on the host
};

struct Tracking {
  std::vector<TrackedFrame> frames;
  Device device;
  std::uint64_t peak_bytes = 0;
};

/// Tracks an object from frame to frame, each beginning where it was found in the one before. The result is the same,
/// bit for bit, on both back ends. An object is lost in a frame if a quarter of the points that face the camera, or
/// fewer, find neighbours. Work per frame: O(n log n) for the tree, and O(m log n) per iteration. Errors: bad_input for
/// an object or scans without finite floats in three dimensions, or with normals that are longer than 1; bad_usage for
/// an object of no or more than 2^22 points, for a reach that is not positive or more than 1,000 times the object's
/// radius, for no or more than 1,000 iterations, and for a start that does more than turn and move; and those of a
/// build.
Result<Tracking> track(const TrackingRequest& request, const RunControl& control = {});

/// Returns how far apart two places put the points of an object at most: no point is farther from where it should be.
double farthest_apart(const TrackedObject& object, const Placement& one, const Placement& other);

}  // namespace kdscope
