#include "algorithms/registry/trace_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/triangles.hpp"

namespace kdscope {
namespace {

/// The second sample is a quarter of the first: two halvings.
constexpr int halvings_between = 2;
/// Factor applied to the estimate, so that an error message names a sufficient budget.
constexpr double margin = 1.05;

std::uint64_t elements_of(const DataSet& data) {
  return data.triangles.empty() ? data.points.size() : data.triangles.size() / 3;
}

std::uint64_t recorded_bytes(const Builder& builder, RunRequest request, const TypedOptions& options,
                             std::shared_ptr<const DataSet> data, const RunControl& control) {
  request.points = std::move(data);
  request.backend = Backend::cpu;
  request.processors = 0;
  request.trace_budget_bytes = ~0ull;
  const PointSet& points = request.points->points;
  TraceHeader header;
  header.parameters = options.texts();
  header.n = points.size();
  header.dim = points.dim;
  header.scalar = points.type;
  return builder.cpu->record(request, options, Device{}, std::move(header), {control.stop, {}})->stored_bytes();
}

}  // namespace

DataSet sample_of(const DataSet& data, int halvings) {
  const std::uint64_t group = 1ull << halvings, count = elements_of(data) >> halvings;
  const auto chosen = [&](std::uint64_t i) { return i * group + mix64(i) % group; };
  DataSet sample;
  sample.points = {data.points.type, data.points.dim, data.points.payload_words, {}};
  std::vector<std::uint32_t>& words = sample.points.words;
  if (data.triangles.empty()) {
    const std::uint32_t stride = data.points.stride();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto record = data.points.words.begin() + static_cast<std::ptrdiff_t>(chosen(i) * stride);
      words.insert(words.end(), record, record + stride);
    }
    return sample;
  }
  sample.points.payload_words = 0;
  const float growth = std::sqrt(static_cast<float>(group));
  const MeshView mesh = mesh_of(data);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Triangle t = mesh.triangle(static_cast<std::uint32_t>(chosen(i)));
    for (int c = 0; c < 3; ++c) {
      sample.triangles.push_back(static_cast<std::uint32_t>(3 * i) + static_cast<std::uint32_t>(c));
      for (int d = 0; d < 3; ++d) {
        const float centre = (t.corner[0][d] + t.corner[1][d] + t.corner[2][d]) / 3;
        words.push_back(word_of(centre + growth * (t.corner[c][d] - centre)));
      }
    }
  }
  return sample;
}

std::uint64_t sampled_trace_bytes(const Builder& builder, const RunRequest& request, const TypedOptions& options,
                                  const RunControl& control) {
  const std::uint64_t n = elements_of(*request.points);
  int halvings = 0;
  while (n >> halvings > most_sampled(request.points->points.dim)) ++halvings;
  if (halvings == 0) return recorded_bytes(builder, request, options, request.points, control);
  const auto per_element = [&](int h) {
    return double(recorded_bytes(builder, request, options,
                                 std::make_shared<const DataSet>(sample_of(*request.points, h)), control)) /
           double(n >> h);
  };
  if (control.progress) control.progress(0, "estimate of the memory");
  const double sample = per_element(halvings), less = per_element(halvings + halvings_between);
  const double each = sample + (sample - less) / halvings_between * halvings;
  return static_cast<std::uint64_t>(margin * std::max(each, sample / 2) * double(n));
}

}  // namespace kdscope
