#pragma once
// Points and meshes in a back end's memory.

#include <cstdint>
#include <span>

#include "algorithms/core/points.hpp"
#include "algorithms/exec/memory.hpp"

namespace kdscope {

/// Point records in a back end's memory.
template <class Exec>
struct PointsOnDevice {
  Array<std::uint32_t, Exec> words;  ///< [n * stride]
  std::uint32_t n = 0, dim = 0, stride = 0;
  ScalarType type = ScalarType::float32;

  PointsView view() const { return {words.data(), n, dim, stride, type}; }
};

template <class Exec>
PointsOnDevice<Exec> upload_points(Exec& exec, const PointSet& points) {
  PointsOnDevice<Exec> there{exec.template array<std::uint32_t>("points", points.words.size()),
                             static_cast<std::uint32_t>(points.size()), points.dim, points.stride(), points.type};
  exec.upload(there.words.data(), std::span(points.words));
  return there;
}

/// Triangles over points in a back end's memory.
template <class Exec>
struct MeshOnDevice {
  PointsOnDevice<Exec> points;
  Array<std::uint32_t, Exec> triangles;  ///< [3 * triangles] vertex indices
};

/// The input of a builder: the part of a data set that is uploaded.
struct UploadPoints {
  template <class Exec>
  auto operator()(Exec& exec, const DataSet& data) const {
    return upload_points(exec, data.points);
  }
};
struct UploadMesh {
  template <class Exec>
  MeshOnDevice<Exec> operator()(Exec& exec, const DataSet& data) const {
    MeshOnDevice<Exec> there{upload_points(exec, data.points),
                             exec.template array<std::uint32_t>("triangles", data.triangles.size())};
    exec.upload(there.triangles.data(), std::span(data.triangles));
    return there;
  }
};

}  // namespace kdscope
