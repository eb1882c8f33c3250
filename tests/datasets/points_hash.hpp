#pragma once
// A 64-bit hash of all words of a point set and its shape; golden values ensure the same bytes on every machine.

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

/// The same for the points and the triangles over them.
inline std::uint64_t mesh_hash(const kdscope::DataSet& set) {
  std::uint64_t hash = points_hash(set.points) ^ set.triangles.size();
  for (const std::uint32_t vertex : set.triangles) hash = kdscope::mix64(hash ^ vertex);
  return hash;
}

/// Opens the set of a specification, which must succeed.
inline kdscope::DataSet opened(const std::string& specification) {
  const auto result = kdscope::open_data_set(specification);
  if (!result) FAIL(result.error().message());
  return **result;
}
