#include "datasets/generators/triangle_sets.hpp"

#include <array>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/vector3.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/parallel_chunks.hpp"

namespace kdscope {
namespace {

using Corners = std::array<Vector3, 3>;

/// A point of the unit cube on a lattice of 2^-20, so that sums of a few are exact as floats.
Vector3 lattice_point(const CounterHash& hash, std::uint64_t counter) {
  const auto number = [&](std::uint64_t d) { return static_cast<double>(hash.bits(3 * counter + d) >> 44) * 0x1p-20; };
  return {number(0), number(1), number(2)};
}

Corners corners_of(const std::string& kind, const CounterHash& hash, std::uint64_t i) {
  const auto place = [&](std::uint64_t c) { return lattice_point(hash, 3 * i + c); };
  const Vector3 centre{0.5, 0.5, 0.5};
  if (kind == "one-point") return {place(0), place(1), 3 * centre - place(0) - place(1)};
  Corners at{place(0), place(1), place(2)};
  if (kind == "equal")
    at = {lattice_point(hash, 0), lattice_point(hash, 1), lattice_point(hash, 2)};
  else if (kind != "one" && kind != "two")
    // Corners near the first one.
    for (int c = 1; c < 3; ++c) at[c] = at[0] + 0.0625 * (at[c] - centre);
  if (kind == "flat")
    for (Vector3& corner : at) corner.z = 0.5;
  if (kind == "no-area") {
    at[2] = at[i % 2];
    if (i % 4 == 0) at[1] = at[0];
  }
  return at;
}

}  // namespace

const std::vector<std::string>& triangle_kinds() {
  static const std::vector<std::string> kinds = {"soup", "none", "one", "two", "equal", "flat", "one-point", "no-area"};
  return kinds;
}

std::optional<std::uint32_t> fixed_triangle_count(const std::string& kind) {
  if (kind == "none") return 0;
  if (kind == "one") return 1;
  if (kind == "two") return 2;
  return std::nullopt;
}

DataSet triangle_set(const std::string& kind, std::uint32_t n, std::uint64_t seed) {
  const std::uint64_t count = fixed_triangle_count(kind).value_or(n);
  const CounterHash hash(seed, 0);
  DataSet set;
  set.points.dim = 3;
  require_memory(count * 12 * sizeof(std::uint32_t), "the triangles");
  set.points.words.resize(9 * count);
  parallel_chunks(set.points.words.size() / 9, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint32_t* word = &set.points.words[9 * i];
      for (const Vector3 corner : corners_of(kind, hash, i))
        for (const double c : {corner.x, corner.y, corner.z}) *word++ = word_of(static_cast<float>(c));
    }
  });
  set.triangles.resize(3 * count);
  for (std::size_t c = 0; c < set.triangles.size(); ++c) set.triangles[c] = static_cast<std::uint32_t>(c);
  return set;
}

}  // namespace kdscope
