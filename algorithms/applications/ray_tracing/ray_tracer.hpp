#pragma once
// A ray tracer that builds its tree anew for every picture (Zhou et al. 2008, section 4): eye rays, then reflected and
// refracted rays in passes, the rays of a pass listed by compaction, and shadow rays towards every light.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/applications/application.hpp"
#include "algorithms/applications/photon_mapping/photon_request.hpp"
#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "datasets/scene_look.hpp"

namespace kdscope {

/// The tree through which rays are cast.
enum class SceneTree : std::uint8_t {
  zhou_sah,   ///< built for every picture, on the device that traces it
  exact_sah,  ///< built once on one thread of the host: the greedy tree of trees/split_planes/exact_sah.hpp
  median      ///< built once on one thread of the host: halved at the middle triangle of the widest side
};
const char* name_of(SceneTree tree);  ///< "zhou-sah", "exact-sah", "median"

namespace ray_tracing {
/// The trees through which rays are cast: one per picture.
const Application& application();
/// Returns the search of the ray from the eye through a pixel.
SearchOfRun search_of_pixel(const Camera& camera, std::uint32_t x, std::uint32_t y);
}  // namespace ray_tracing

struct PictureRequest {
  std::shared_ptr<const DataSet> scene;  ///< float triangles in three dimensions
  SceneLook look;
  Camera camera;
  SceneTree tree = SceneTree::zhou_sah;
  Parameters parameters = {};  ///< of the builder, ray_tracing::application()
  /// A tree of the same scene that an earlier picture has kept: then none is built. For a scene that stands still.
  std::shared_ptr<const SplitPlaneTree> kept = {};
  bool keep_tree = false;                           ///< whether Picture::tree is wanted, which takes a download
  std::optional<PhotonRequest> photons = {};        ///< for caustics; none: mirrors and glass cast no light
  Parameters photon_tree = {}, photon_search = {};  ///< of photon_mapping::application(); R is that of the photons
  Backend backend = Backend::automatic;
  int repeat = 1;           ///< number of timed pictures
  int processors = 0;       ///< as in RunRequest
  bool time_steps = false;  ///< also times each step once, in a separate picture
};

/// How many rays of a kind were cast.
struct RayCounts {
  std::uint64_t eye = 0, mirrored = 0, shadow = 0;  ///< mirrored: reflected and refracted ones
  std::uint64_t sum() const { return eye + mirrored + shadow; }
};

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint32_t> pixels;   ///< [width * height] 0xffRRGGBB, row by row from the top left
  std::vector<std::uint32_t> visited;  ///< [width * height] nodes that the rays of a pixel visited
  RayCounts rays;
  Device device;
  /// One per repetition, with the triangles resident on the device. The build is 0 for trees that are built once;
  /// photons are traced, and their tree is built, in photon_ms, and gathered in trace_ms.
  std::vector<double> build_ms, photon_ms, trace_ms;
  std::optional<PhotonReport> photons;
  double once_ms = 0;  ///< time of building a tree that is built once, on the host; 0 for one that was kept
  std::shared_ptr<const SplitPlaneTree> tree;  ///< null unless it was to be kept
  std::vector<StepTime> step_times;            ///< of the trees, the photons and each pass; empty unless requested
  double stepped_ms = 0;                       ///< the picture whose steps were timed, as a whole
  std::uint64_t peak_bytes = 0;                ///< peak device memory
};

/// Traces a picture. Work O(r d) for r rays in a tree of depth d. The picture is the same, bit for bit, on both back
/// ends. Errors: bad_input for a scene without triangles in three dimensions, with coordinates that are not finite or
/// with materials that the look lacks; bad_usage for a picture without pixels or of more than 2^26, with more than 16
/// bounces or 64 lights, for a material, light or photon request beyond its bounds, and for a camera with a ray that is
/// not finite or has no direction; and those of a build.
Result<Picture> trace_picture(const PictureRequest& request, const RunControl& control = {});

/// Returns the picture of visited nodes: dark for none, yellow for the most, in even steps of
/// lightness. Pixels as in Picture.
std::vector<std::uint32_t> heat_of(const std::vector<std::uint32_t>& visited);
/// The number of visited nodes at which the scale of heat_of() ends: 99 of 100 pixels visit no more.
std::uint32_t heat_end(const std::vector<std::uint32_t>& visited);

}  // namespace kdscope
