#pragma once
// A photon map on an executor: photons are traced, a tree is built over them, and rays gather their light.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/photon_mapping/photons.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/exec/scans.hpp"

namespace kdscope::photon_mapping {

namespace steps {
inline constexpr StepLabel emit{"emit photons", "applications/emit_photons"};
inline constexpr StepLabel trace{"trace photons", "applications/trace_rays"};
inline constexpr StepLabel decide{"decide fates", "applications/photon_fate"};
inline constexpr StepLabel list{"list photons", "applications/photon_fate"};
inline constexpr StepLabel build_tree{"build photon tree"};
inline constexpr StepLabel gather{"gather photons", "applications/gather_photons"};
}  // namespace steps

/// Returns the cones of the lights around all triangles that mirror or refract. Empty if there are none, or no lights.
std::vector<Cone> cones_of(const DataSet& scene, const SceneLook& look);

template <class Exec>
class PhotonMap {
 public:
  PhotonMap(Exec& exec, const PhotonRequest& request, const DataSet& data, const SceneLook& look,
            const TypedOptions& builder, const TypedOptions& search)
      : exec_(exec),
        request_(request),
        builder_(builder.as<zhou_vvh::Construction::Options>()),
        histogram_(search.as<queries::zhou_vvh::RadiusHistogram::Options>()),
        flux_(exec, "flux of photons"),
        places_(exec, "photons") {
    const std::vector<Cone> cones = cones_of(data, look);
    lights_ = static_cast<std::uint32_t>(cones.size());
    std::vector<float> flux;
    double flux_of_white = 0;  // of the light whose photons carry most for its brightness
    for (std::size_t l = 0; l < cones.size(); ++l) {
      // A light is as bright as it is in a picture at the distance of what it shines on.
      const double share = cones[l].height * 2 * pi * distance_squared(data, look, l) * lights_ / request.count;
      for (const float c : look.lights[l].colour) {
        flux.push_back(static_cast<float>(share * c));
        if (c > 0) flux_of_white = std::max(flux_of_white, share);
      }
    }
    // Both the flux and the faintest light are proportional to the light's own brightness, which cancels.
    report_.radius = std::sqrt(request.k * flux_of_white / (pi * request.faintest));
    cones_ = uploaded(exec, "cones", cones), flux_of_light_ = uploaded(exec, "flux of lights", flux);
  }

  /// Traces the photons and builds the tree over those that are stored. Throws ErrorException.
  template <class Recorder>
  void build(const SceneView& scene, Recorder& rec) {
    tree_.reset();
    moments_.clear();
    stored_ = 0;
    report_.emitted = lights_ == 0 ? 0 : request_.count;
    moments_.push_back(exec_.event());
    trace_photons(scene, rec);
    moments_.push_back(exec_.event());
    if (stored_ > 0) rec.step(steps::build_tree, [&] { build_tree(); });
    moments_.push_back(exec_.event());
    report_.stored = stored_;
  }

  /// Estimates the light of the photons at the hits of a pass. caustics: [rays x 3].
  template <class Recorder>
  void gather(Recorder& rec, int bounce, const SceneView& scene, const RaysOfPass& pass, float* caustics) {
    rec.step(steps::gather.at(bounce), [&](const char* name) {
      moments_.push_back(exec_.event());
      if (stored_ == 0) {
        exec_.for_each("clear caustics", 3 * pass.n, ray_tracing::Clear{caustics});
      } else {
        const auto reach = static_cast<float>(report_.radius * report_.radius);
        exec_.for_each(
            name, pass.n,
            GatherPhotons{scene, *view_, histogram_, flux_.data(), request_.k, reach, pass.rays, pass.hits, caustics});
      }
      moments_.push_back(exec_.event());
    });
  }

  /// Adds the times of the picture that build() began to the report.
  void keep_times() {
    const auto between = [&](std::size_t from) { return exec_.elapsed_ms(moments_[from], moments_[from + 1]); };
    double gathered = 0;
    for (std::size_t i = 3; i + 1 < moments_.size(); i += 2) gathered += between(i);
    report_.trace_ms.push_back(between(0)), report_.build_ms.push_back(between(1));
    report_.gather_ms.push_back(gathered);
  }

  /// Returns the stored photons of the last build(), in the order in which they were stored.
  std::vector<Photon> photons() const {
    const auto places = downloaded(exec_, places_.array(), 3 * std::size_t(stored_));
    const auto flux = downloaded(exec_, flux_.array(), 3 * std::size_t(stored_));
    std::vector<Photon> all(stored_);
    for (std::size_t i = 0; i < 3 * all.size(); ++i)
      all[i / 3].at[i % 3] = float_of(places[i]), all[i / 3].flux[i % 3] = flux[i];
    return all;
  }

  const PhotonReport& report() const { return report_; }

 private:
  using TreeOnDevice = queries::zhou_vvh::OnDevice<Exec>;

  static double distance_squared(const DataSet& data, const SceneLook& look, std::size_t light);

  template <class Recorder>
  void trace_photons(const SceneView& scene, Recorder& rec) {
    const std::uint32_t emitted = report_.emitted;
    places_.make_room(3 * std::size_t(emitted)), flux_.make_room(3 * std::size_t(emitted));
    auto light = exec_.template array<std::uint64_t>("light", 3 * photon_ends);
    const auto list = [&](const char* name) {
      return exec_.template array<std::uint32_t>(name, std::size_t(emitted) + 1);
    };
    auto rays = exec_.template array<PathRay>("photon rays", emitted),
         next = exec_.template array<PathRay>("photon rays", emitted);
    auto hits = exec_.template array<PathHit>("photon hits", emitted);
    auto travels = list("travel on"), stored = list("stored"), travels_before = list("travel before"),
         stored_before = list("stored before"), visited = list("visited");
    rec.step(steps::emit, [&](const char* name) {
      exec_.for_each("clear light", 3 * photon_ends, ray_tracing::Clear{light.data()});
      exec_.for_each("clear visited", emitted, ray_tracing::Clear{visited.data()});
      if (emitted > 0) exec_.for_each(name, emitted, EmitPhotons{cones_.data(), lights_, request_.seed, rays.data()});
    });
    for (std::uint32_t bounce = 0, n = emitted; n > 0; ++bounce) {
      const int level = static_cast<int>(bounce);
      rec.step(steps::trace.at(level), [&](const char* name) {
        exec_.for_each(name, n, ray_tracing::TraceRays{scene, rays.data(), hits.data(), visited.data()});
      });
      const DecideFate decide{scene, request_.seed, bounce, request_.bounces};
      std::uint32_t on = 0, more = 0;
      rec.step(steps::decide.at(level), [&](const char* name) {
        exec_.for_each(name, n, CountFates{decide, rays.data(), hits.data(), travels.data(), stored.data()});
        for (auto [counts, before] : {std::pair{&travels, &travels_before}, {&stored, &stored_before}})
          exec_.transform_exclusive_scan("counts before", n + 1, ray_tracing::CountAt{counts->data(), n},
                                         before->data());
        exec_.download(std::span(&on, 1), travels_before.data() + n);
        exec_.download(std::span(&more, 1), stored_before.data() + n);
      });
      rec.step(steps::list.at(level), [&](const char* name) {
        exec_.for_each(
            name, n,
            WriteFates{decide, rays.data(), hits.data(), travels_before.data(), stored_before.data(), stored_,
                       flux_of_light_.data(), lights_, next.data(), places_.data(), flux_.data(), light.data()});
      });
      stored_ += more;
      n = on;
      rays.swap(next);
    }
    std::array<std::uint64_t, 3 * photon_ends> ended{};
    exec_.download(std::span<std::uint64_t>(ended), light.data());
    for (std::size_t end = 0; end < photon_ends; ++end)
      for (std::size_t c = 0; c < 3; ++c) report_.light[end][c] = static_cast<double>(ended[3 * end + c]) / light_unit;
  }

  void build_tree() {
    const Box3 box = exec_.reduce("photon box", stored_, BoxOfPhoton{places_.data()}, UniteBoxes{}, empty_box());
    double side = 0;
    for (std::uint32_t d = 0; d < 3; ++d) side = std::max(side, extent(box, d));
    const double thousandths = side > 0 ? std::clamp(std::ceil(1000 * report_.radius / side), 1.0, 1000.0) : 1;
    builder_.rules.radius = histogram_.options.radius = static_cast<std::uint32_t>(thousandths);
    // The builder consumes its points
    PointsOnDevice<Exec> points{exec_.template array<std::uint32_t>("photons", 3 * std::size_t(stored_)), stored_, 3, 3,
                                ScalarType::float32};
    exec_.copy(points.words.data(), places_.data(), 3 * std::size_t(stored_));
    NullRecorder none;
    tree_.emplace(exec_, zhou_vvh::build(exec_, std::move(points), builder_, none), places_.data(), 3u);
    view_ = tree_->template view<float>();
    radii_ = histogram_.template prepare<3>(exec_, *view_, request_.k);
  }

  Exec& exec_;
  PhotonRequest request_;
  zhou_vvh::Construction::Options builder_;
  queries::zhou_vvh::RadiusHistogram histogram_;
  PhotonReport report_;
  std::uint32_t lights_ = 0, stored_ = 0;
  /// Before the photons, their tree, and what follows; then before and after each gathering.
  std::vector<typename Exec::Event> moments_;
  Array<Cone, Exec> cones_;
  Array<float, Exec> flux_of_light_, radii_;
  ReusedArray<float, Exec> flux_;
  ReusedArray<std::uint32_t, Exec> places_;
  std::optional<TreeOnDevice> tree_;
  std::optional<PhotonTree> view_;
};

struct Sphere {
  Vector3 middle;
  double radius = 0;
};
/// Returns a sphere around all triangles that mirror or refract; without a radius if there are none.
Sphere sphere_around_mirrors(const DataSet& scene, const SceneLook& look);

template <class Exec>
double PhotonMap<Exec>::distance_squared(const DataSet& data, const SceneLook& look, std::size_t light) {
  const Sphere sphere = sphere_around_mirrors(data, look);
  const double away = std::max(length(sphere.middle - look.lights[light].at), sphere.radius);
  return away * away;
}

}  // namespace kdscope::photon_mapping
