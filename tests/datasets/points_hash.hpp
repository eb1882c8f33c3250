#pragma once
// A 64-bit hash of all words and the shape of a point set. Golden values ensure the same bytes on every machine.

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

inline std::uint64_t points_hash(const kdscope::PointSet& points) {
  std::uint64_t hash =
      kdscope::mix64(points.words.size() * 2048 + points.dim * 2 + (points.type == kdscope::ScalarType::int32 ? 1 : 0));
  for (const std::uint32_t word : points.words) hash = kdscope::mix64(hash ^ word);
  return hash;
}

/// Returns the hash of the points and of the triangles over them.
inline std::uint64_t mesh_hash(const kdscope::DataSet& set) {
  std::uint64_t hash = points_hash(set.points) ^ set.triangles.size();
  for (const std::uint32_t vertex : set.triangles) hash = kdscope::mix64(hash ^ vertex);
  return hash;
}

/// Opens the data set of a specification. The test fails if it cannot be opened.
inline kdscope::DataSet opened(const std::string& specification) {
  const auto result = kdscope::open_data_set(specification).value();
  return *result;
}
