#pragma once
// The kernels of the strength field, and their run on an executor. deformation.cpp and deformation_cuda.cu instantiate
// it.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/applications/device_arrays.hpp"
#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/zhou-vvh/zhou_vvh.hpp"
#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"

namespace kdscope::point_clouds {

/// Finds the least squared distance within a reach that the search narrows.
class LeastDistance {
 public:
  KDSCOPE_HD float reach() const { return reach_; }
  KDSCOPE_HD static float with(float distance, float difference) { return distance + difference * difference; }
  KDSCOPE_HD static float combined(float one, float other) { return one + other; }
  KDSCOPE_HD static bool writes() { return false; }
  KDSCOPE_HD void set_reach(float reach) { reach_ = reach; }
  KDSCOPE_HD bool take(float distance, PointId) {
    reach_ = distance;
    return true;
  }

 private:
  float reach_ = std::numeric_limits<float>::infinity();
};

// [region applications/strength]
/// Finds the distance of each point to a handle. One thread per point.
struct DistanceToHandle {
  queries::zhou_vvh::View<float> handle;
  queries::zhou_vvh::RadiusHistogram search;
  const std::uint32_t* words;  ///< [n x 3]
  float* distance;             ///< [n]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    LeastDistance found;
    search.run(handle, queries::Coordinates<float, 3>::of(words + 3 * std::size_t(i), 3), found, queries::NoLog(), 1);
    distance[i] = std::sqrt(found.reach());
  }
};

/// Turns distances to strength. fixed: [n], or null where there is no static handle.
struct StrengthOfDistances {
  const float *active, *fixed;
  float without_fixed;
  float* strength;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const float f = fixed ? fixed[i] : without_fixed;
    const float share = f > 0 ? active[i] / (active[i] + f) : fixed ? 1.0F : 0.0F;
    strength[i] = 1 - share * share * (3 - 2 * share);
  }
};
// [endregion]

/// Computes a field. builder, search: options of zhou-vvh and radius-histogram.
template <class Exec>
StrengthField strength_on(Exec& exec, const StrengthRequest& request, const TypedOptions& builder,
                          const TypedOptions& search, const RunControl& control) {
  const PointSet& points = request.points->points;
  const auto n = static_cast<std::uint32_t>(points.size());
  const auto rows_of = [&](std::size_t count, auto index_of) {
    PointSet plain{points.type, 3, 0, {}};
    plain.words.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::uint32_t d = 0; d < 3; ++d) plain.words.push_back(points.word(index_of(i), d));
    return plain;
  };
  const auto there = upload_points(exec, rows_of(n, [](std::size_t i) { return i; }));
  float side = 0;
  for (std::uint32_t d = 0; d < 3; ++d) {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (std::size_t i = 0; i < n; ++i) {
      low = std::min(low, float_of(points.word(i, d)));
      high = std::max(high, float_of(points.word(i, d)));
    }
    side = std::max(side, high - low);
  }
  auto to_active = exec.template array<float>("distances to the active handle", n),
       to_fixed = exec.template array<float>("distances to static handles", request.fixed.empty() ? 0 : n),
       strength = exec.template array<float>("strength", n);
  StrengthField field;
  const int repeat = std::max(1, request.repeat);
  for (int i = 0; i < repeat; ++i) {
    if (control.progress) control.progress(double(i) / repeat, "strength");
    double build_ms = 0, search_ms = 0;
    for (const bool fixed : {false, true}) {
      const std::vector<std::uint32_t>& handle = fixed ? request.fixed : request.active;
      if (handle.empty()) continue;
      const PointSet rows = rows_of(handle.size(), [&](std::size_t j) { return handle[j]; });
      auto consumed = upload_points(exec, rows);
      const auto of_handle = upload_points(exec, rows);
      exec.synchronize();
      const auto from = exec.event();
      NullRecorder none;
      const queries::zhou_vvh::OnDevice<Exec> tree(
          exec, zhou_vvh::build(exec, std::move(consumed), builder.as<zhou_vvh::Construction::Options>(), none),
          of_handle.words.data(), 3u);
      const auto built = exec.event();
      using Histogram = queries::zhou_vvh::RadiusHistogram;
      const Histogram histogram(search.as<Histogram::Options>());
      auto view = tree.template view<float>();
      const auto radii = histogram.template prepare<3>(exec, view, 1);
      exec.for_each("distances to a handle", n,
                    DistanceToHandle{view, histogram, there.words.data(), (fixed ? to_fixed : to_active).data()});
      if (fixed || request.fixed.empty())
        exec.for_each(
            "strength", n,
            StrengthOfDistances{to_active.data(), fixed ? to_fixed.data() : nullptr, side / 2, strength.data()});
      const auto to = exec.event();
      build_ms += exec.elapsed_ms(from, built), search_ms += exec.elapsed_ms(built, to);
    }
    field.build_ms.push_back(build_ms), field.search_ms.push_back(search_ms);
  }
  field.strength = downloaded(exec, strength, n);
  field.peak_bytes = exec.memory().peak();
  return field;
}

/// Computes a field on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
StrengthField strength_on_cuda(const StrengthRequest& request, const TypedOptions& builder, const TypedOptions& search,
                               const Device& device, const RunControl& control);

}  // namespace kdscope::point_clouds
