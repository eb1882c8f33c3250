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

/// Returns the words that an upload of points reads: those of the set or, if there is such a copy, of `there`, which
/// the executor can read.
inline std::span<const std::uint32_t> uploaded_words(const PointSet& points, const std::uint32_t* there) {
  return {there ? there : points.words.data(), points.word_count()};
}

template <class Exec>
PointsOnDevice<Exec> upload_points(Exec& exec, const PointSet& points, const std::uint32_t* there = nullptr) {
  PointsOnDevice<Exec> uploaded{exec.template array<std::uint32_t>("points", points.word_count()),
                                static_cast<std::uint32_t>(points.size()), points.dim, points.stride(), points.type};
  exec.upload(uploaded.words.data(), uploaded_words(points, there));
  return uploaded;
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
  auto operator()(Exec& exec, const DataSet& data, const std::uint32_t* words_there = nullptr) const {
    return upload_points(exec, data.points, words_there);
  }
};
struct UploadMesh {
  template <class Exec>
  MeshOnDevice<Exec> operator()(Exec& exec, const DataSet& data, const std::uint32_t* words_there = nullptr) const {
    MeshOnDevice<Exec> there{upload_points(exec, data.points, words_there),
                             exec.template array<std::uint32_t>("triangles", data.triangles.size())};
    exec.upload(there.triangles.data(), std::span(data.triangles));
    return there;
  }
};

}  // namespace kdscope
