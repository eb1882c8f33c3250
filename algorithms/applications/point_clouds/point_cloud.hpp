#pragma once
// Sampling density and normals of a point cloud (Zhou et al. 2008, appendix B): the k nearest of every point by a tree
// that is built for it, principal components of each neighbourhood, and normals turned to one side along a minimum
// spanning tree (Hoppe et al. 1992).

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/applications/application.hpp"
#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"

namespace kdscope {

namespace point_clouds {
/// The trees over clouds.
const Application& application();
/// Returns the search of a point's k neighbours. The point itself is its own nearest.
SearchOfRun search_of_point(const PointSet& points, std::size_t point, std::uint32_t k);
}  // namespace point_clouds

struct CloudRequest {
  std::shared_ptr<const DataSet> points;  ///< floats in three dimensions
  std::uint32_t k = 10;                   ///< neighbours besides the point itself, 3 to 64, fewer than points
  bool oriented = true;                   ///< whether neighbouring normals are to point to the same side
  Backend backend = Backend::automatic;
  int repeat = 1;  ///< number of timed estimates
};

struct Cloud {
  /// [n x 3] of unit length; (0, 0, 0) where the floats of a neighbourhood do not determine in which direction it
  /// extends least: in one place, on a line, or alike in all directions, such as in the middle of a regular lattice
  std::vector<float> normals;
  std::vector<float> radius;   ///< [n] of the ball that holds the k neighbours
  std::vector<float> density;  ///< [n] k / radius^2; infinite where the radius is 0
  std::uint32_t parts = 0;     ///< parts of the cloud between which no neighbours reach; 0 if not oriented
  Device device;
  /// One per repetition: build of the tree, and search and principal components, with the points on the device.
  std::vector<double> build_ms, search_ms;
  double orient_ms = 0;
  std::uint64_t peak_bytes = 0;
};

/// Returns the number of points without a normal.
std::size_t without_normal(const Cloud& cloud);
/// Returns the number of points that coincide with their k nearest, so that their radius is 0.
std::size_t without_extent(const Cloud& cloud);

/// Estimates density and normals of every point. The result is the same, bit for bit, on both back ends. Work
/// O(n k log n) for points of even density. Errors: bad_input for other points
/// than finite floats in three dimensions, for more than zhou-vvh takes, or for different points so close to each other
/// that floats do not hold their density; bad_usage for k; and those of a build.
Result<Cloud> estimate_cloud(const CloudRequest& request, const RunControl& control = {});

}  // namespace kdscope
