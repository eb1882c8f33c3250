#pragma once
// The strength field of a free-form deformation (Zhou et al. 2008, appendix B, after Pauly et al. 2003): handles are
// sets of a cloud's points, and each point follows the active handle the more, the nearer it is to it than to the
// static ones.

#include <memory>
#include <vector>

#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/core/vector3.hpp"

namespace kdscope {

/// Returns the indices of the points within a ball, ascending. Precondition: three dimensions. Work O(n).
std::vector<std::uint32_t> points_within(const PointSet& points, Vector3 centre, double radius);

namespace point_clouds {
/// The trees over handles.
const Application& strength_application();
}  // namespace point_clouds

struct StrengthRequest {
  std::shared_ptr<const DataSet> points;     ///< floats in three dimensions
  std::vector<std::uint32_t> active, fixed;  ///< indices of the handles' points; of all static handles together
  Backend backend = Backend::automatic;
  int repeat = 1;  ///< number of timed fields
};

struct StrengthField {
  /// [n] 0 to 1: 1 - 3 s^2 + 2 s^3 with s = a / (a + f), a and f the distances to the active and to the static handles.
  /// Without static handles, f is half the longest side of the cloud's box. A point of both kinds is static.
  std::vector<float> strength;
  Device device;
  std::vector<double> build_ms, search_ms;  ///< one per repetition: both trees, and all points' nearest in both
  std::uint64_t peak_bytes = 0;
};

/// Computes the strength of every point. The result is the same, bit for bit, on both back ends. Work O(n log n) for
/// handles of even density. Errors: bad_input for other points than finite floats in three dimensions; bad_usage for an
/// empty active handle or an index beyond the points; and those of a build.
Result<StrengthField> strength_field(const StrengthRequest& request, const RunControl& control = {});

/// Returns the points, each moved by its strength times the translation of the active handle. strength: [n].
PointSet deformed(const PointSet& points, const std::vector<float>& strength, Vector3 translation);

/// Turns each normal to the side of the one before the deformation (the source's temporal coherence, in place of
/// another minimum spanning tree). before, normals: [n x 3].
void keep_sides(const std::vector<float>& before, std::vector<float>& normals);

/// A pose of a deformed cloud.
struct DeformedCloud {
  std::shared_ptr<const DataSet> points;
  Cloud cloud;  ///< of these; its normals lie on the sides of those before
};

struct DeformRequest {
  CloudRequest rest;            ///< for the cloud before
  std::vector<float> strength;  ///< [n]
  Vector3 translation;
  std::vector<float> normals;  ///< [n x 3] those of the preceding pose
};

/// Moves a cloud by a strength field and estimates it anew. Errors: bad_usage for a move that takes points farther than
/// floats reach; and those of estimate_cloud().
Result<DeformedCloud> deform_cloud(const DeformRequest& request, const RunControl& control = {});

}  // namespace kdscope
