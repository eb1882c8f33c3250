#pragma once
// Traces pictures on an executor. ray_tracer.cpp and ray_tracer_cuda.cu instantiate it.

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/photon_mapping/photon_map.hpp"
#include "algorithms/applications/ray_tracing/passes.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/zhou-sah/zhou_sah.hpp"
#include "algorithms/exec/scans.hpp"

namespace kdscope::ray_tracing {

namespace steps {
inline constexpr StepLabel build_tree{"build tree"};
inline constexpr StepLabel pack_tree{"pack tree"};
inline constexpr StepLabel eye_rays{"eye rays", "applications/eye_rays"};
inline constexpr StepLabel trace_rays{"trace rays", "applications/trace_rays"};
inline constexpr StepLabel shadow_rays{"shadow rays", "applications/shadow_rays"};
inline constexpr StepLabel shade{"shade", "applications/shade"};
inline constexpr StepLabel list_bounces{"list bounces", "applications/list_bounces"};
inline constexpr StepLabel develop{"develop", "applications/develop"};
}  // namespace steps

/// What stays on the device from picture to picture.
template <class Exec>
struct PictureOnDevice {
  Camera camera;
  ReusedArray<PathRay, Exec> rays, next;
  ReusedArray<PathHit, Exec> hits;
  ReusedArray<std::uint32_t, Exec> counts, before;
  ReusedArray<float, Exec> caustics;    ///< [rays x 3]; empty without photons
  ReusedArray<std::uint8_t, Exec> lit;  ///< [lights x rays] which lights are in sight
  Array<std::uint32_t, Exec> sums, visited, pixels;

  PictureOnDevice(Exec& exec, const Camera& from)
      : camera(from),
        rays(exec, "rays"),
        next(exec, "rays"),
        hits(exec, "hits"),
        counts(exec, "counts"),
        before(exec, "counts before"),
        caustics(exec, "caustics"),
        lit(exec, "lights in sight"),
        sums(exec.template array<std::uint32_t>("sums of light", 3 * std::size_t(camera.pixels()))),
        visited(exec.template array<std::uint32_t>("visited", camera.pixels())),
        pixels(exec.template array<std::uint32_t>("pixels", camera.pixels())) {}
};

/// Traces one picture of a scene in passes, as section 4 lists them; but the shadow rays of a pass are cast before its
/// rays are sent on, so that a pass's hits need not be kept. Throws ErrorException.
template <class Exec, class Recorder>
RayCounts trace(Exec& exec, const SceneView& scene, std::uint32_t bounces, photon_mapping::PhotonMap<Exec>* photons,
                PictureOnDevice<Exec>& there, Recorder& rec) {
  const Camera& camera = there.camera;
  std::uint32_t n = camera.pixels();
  RayCounts cast;
  cast.eye = n;
  there.rays.make_room(n);
  rec.step(steps::eye_rays, [&](const char* name) {
    exec.for_each("clear sums", 3 * n, Clear{there.sums.data()});
    exec.for_each("clear visited", n, Clear{there.visited.data()});
    exec.for_each(name, n, EyeRays{camera, there.rays.data()});
  });
  for (std::uint32_t bounce = 0; n > 0; ++bounce) {
    there.hits.make_room(n), there.counts.make_room(n), there.before.make_room(std::size_t(n) + 1);
    there.lit.make_room(std::size_t(n) * scene.light_count);
    const PathRay* const rays = there.rays.data();
    PathHit* const hits = there.hits.data();
    std::uint32_t* const counts = there.counts.data();
    const int level = static_cast<int>(bounce);
    rec.step(steps::trace_rays.at(level), [&](const char* name) {
      exec.for_each(name, n, TraceRays{scene, rays, hits, there.visited.data()});
    });
    rec.step(steps::shadow_rays.at(level), [&](const char* name) {
      exec.for_each("clear counts", n, Clear{counts});
      const std::uint32_t lights = scene.light_count, at_once = std::max(1u, (1u << 31) / n);
      for (std::uint32_t first = 0; first < lights; first += at_once)
        exec.for_each(name, std::min(at_once, lights - first) * n,
                      ShadowRays{scene, rays, hits, n, first, there.lit.data(), there.visited.data(), counts});
      cast.shadow += exec.reduce("count shadow rays", n, WideCountAt{counts}, Plus{}, std::uint64_t{0});
    });
    if (photons) {
      there.caustics.make_room(3 * std::size_t(n));
      photons->gather(rec, level, scene, {n, rays, hits}, there.caustics.data());
    }
    rec.step(steps::shade.at(level), [&](const char* name) {
      exec.for_each(
          name, n,
          Shade{scene, rays, hits, n, there.lit.data(), photons ? there.caustics.data() : nullptr, there.sums.data()});
    });
    if (bounce == bounces) break;
    std::uint32_t sent = 0;
    rec.step(steps::list_bounces.at(level), [&](const char* name) {
      exec.for_each("count bounces", n, CountBounces{{scene}, rays, hits, counts});
      const std::uint64_t sum = exec.reduce("count rays", n, WideCountAt{counts}, Plus{}, std::uint64_t{0});
      constexpr std::uint64_t most_rays = 1u << 30;
      if (sum > most_rays)
        throw ErrorException({ErrorKind::out_of_memory, "the picture has more rays than are numbered in a pass", "",
                              "ask for fewer pixels or bounces"});
      sent = static_cast<std::uint32_t>(sum);
      if (sent == 0) return;
      there.next.make_room(sent);
      exec.transform_exclusive_scan("counts before", n + 1, CountAt{counts, n}, there.before.data());
      exec.for_each(name, n, ListBounces{{scene}, rays, hits, there.before.data(), there.next.data()});
    });
    cast.mirrored += sent;
    n = sent;
    std::swap(there.rays, there.next);
  }
  rec.step(steps::develop, [&](const char* name) {
    exec.for_each(name, camera.pixels(), Develop{there.sums.data(), there.pixels.data()});
  });
  return cast;
}

/// Returns the steps of a picture.
template <class Exec>
std::vector<StepTime> pass_times(Exec& exec, const TimingRecorder<Exec>& recorder) {
  std::vector<StepTime> times;
  for (const auto& span : recorder.spans()) {
    const std::string pass = span.label.level < 0 ? "" : "bounce " + std::to_string(span.label.level) + " / ";
    times.push_back({pass + span.label.name, span.label.level, "", exec.elapsed_ms(span.from, span.to), span.launches});
  }
  return times;
}

/// The options of a request's trees and of the search for photons.
struct PictureOptions {
  TypedOptions builder, photon_tree, photon_search;
};

/// Traces the pictures of a request. given: a tree of all pictures; null: each builds
/// its own.
template <class Exec>
Picture trace_on(Exec& exec, const PictureRequest& request, const PictureOptions& options, const SplitPlaneTree* given,
                 const RunControl& control) {
  using TreeOnDevice = queries::zhou_sah::OnDevice<Exec>;
  const DataSet& data = *request.scene;
  const SceneLook& look = request.look;
  const auto made_of = uploaded(exec, "materials of triangles", data.materials);
  const auto materials = uploaded(exec, "materials", look.materials);
  const auto lights = uploaded(exec, "lights", look.lights);
  const Box box = bounding_box(data.points);
  double diagonal = 0, farthest = 0;  // rays begin at floats, which are rounded by their distance from 0
  for (std::size_t d = 0; d < 3; ++d) {
    diagonal += (box.hi[d] - box.lo[d]) * (box.hi[d] - box.lo[d]);
    farthest = std::max({farthest, std::abs(box.lo[d]), std::abs(box.hi[d])});
  }
  SceneView scene{{},
                  data.materials.empty() ? nullptr : made_of.data(),
                  materials.data(),
                  lights.data(),
                  static_cast<std::uint32_t>(look.lights.size()),
                  look.above,
                  look.below,
                  {data.up_axis == 0 ? 1.0 : 0.0, data.up_axis == 1 ? 1.0 : 0.0, data.up_axis == 2 ? 1.0 : 0.0},
                  std::max(std::sqrt(diagonal) * 0x1p-16, farthest * 0x1p-22)};
  std::optional<TreeOnDevice> tree;
  if (given) tree.emplace(exec, *given);
  PictureOnDevice<Exec> there(exec, request.camera);
  std::optional<photon_mapping::PhotonMap<Exec>> photons;
  if (request.photons) photons.emplace(exec, *request.photons, data, look, options.photon_tree, options.photon_search);
  Picture picture;
  picture.width = request.camera.width, picture.height = request.camera.height;
  struct Times {
    double build, photons, trace;
    double sum() const { return build + photons + trace; }
  };
  const auto next_picture = [&](auto& rec) -> Times {
    auto mesh = given ? MeshOnDevice<Exec>{} : UploadMesh()(exec, data);
    exec.synchronize();
    const auto from = exec.event();
    std::optional<SplitPlaneTreeOnDevice<Exec>> unpacked;
    Array<std::uint32_t, Exec> corners;
    if (!given)
      rec.step(steps::build_tree, [&] {
        tree.reset();
        const MeshView view{mesh.points.view(), mesh.triangles.data()};
        corners = queries::zhou_sah::corners_of(exec, view, static_cast<std::uint32_t>(data.triangles.size() / 3));
        NullRecorder none;
        unpacked = zhou_sah::build(exec, std::move(mesh), options.builder.as<zhou_sah::Construction::Options>(), none);
      });
    // The download of a tree that is kept is not part of its build
    const auto finished = exec.event();
    if (unpacked && request.keep_tree && !picture.tree)
      picture.tree = std::make_shared<const SplitPlaneTree>(download_tree(exec, *unpacked, request.scene));
    const auto packing = exec.event();
    if (unpacked) rec.step(steps::pack_tree, [&] { tree.emplace(exec, std::move(*unpacked), std::move(corners)); });
    scene.tree = tree->template view<float>();
    const auto built = exec.event();
    if (photons) photons->build(scene, rec);
    const auto mapped = exec.event();
    picture.rays = trace(exec, scene, look.bounces, photons ? &*photons : nullptr, there, rec);
    const auto to = exec.event();
    return {given ? 0 : exec.elapsed_ms(from, finished) + exec.elapsed_ms(packing, built),
            exec.elapsed_ms(built, mapped), exec.elapsed_ms(mapped, to)};
  };
  const int repeat = std::max(1, request.repeat), pictures = repeat + (request.time_steps ? 1 : 0);
  for (int i = 0; i < pictures; ++i) {
    if (control.progress)
      control.progress(double(i) / pictures, "picture " + std::to_string(i + 1) + " of " + std::to_string(pictures));
    if (i == repeat) {
      TimingRecorder<Exec> recorder(exec);
      picture.stepped_ms = next_picture(recorder).sum();
      picture.step_times = pass_times(exec, recorder);
      break;
    }
    NullRecorder none;
    const Times times = next_picture(none);
    picture.build_ms.push_back(times.build), picture.photon_ms.push_back(times.photons);
    picture.trace_ms.push_back(times.trace);
    if (photons) photons->keep_times();
  }
  picture.pixels = downloaded(exec, there.pixels, there.pixels.size());
  picture.visited = downloaded(exec, there.visited, there.visited.size());
  if (photons) {
    picture.photons = photons->report();
    if (request.photons->keep) picture.photons->photons = photons->photons();
  }
  picture.peak_bytes = exec.memory().peak();
  return picture;
}

/// Traces on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
Picture trace_on_cuda(const PictureRequest& request, const PictureOptions& options, const SplitPlaneTree* given,
                      const Device& device, const RunControl& control);

}  // namespace kdscope::ray_tracing
