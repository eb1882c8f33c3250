#pragma once
// Makes triangles for the tests of split-plane trees, only from integer hashes: spread, clustered, long, flat, equal or
// degenerate triangles, triangles that all meet in one point, and triangles of widely different sizes.

#include <limits>
#include <memory>
#include <string>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::test {

enum class Soup { spread, clustered, needles, flat, equal, dots, fan, grid, scales, extremes, denormal };
inline const char* name_of(Soup soup) {
  constexpr const char* names[] = {"spread", "clustered", "needles", "flat",     "equal",   "dots",
                                   "fan",    "grid",      "scales",  "extremes", "denormal"};
  return names[static_cast<int>(soup)];
}
inline constexpr Soup all_soups[] = {Soup::spread, Soup::clustered, Soup::needles, Soup::flat,
                                     Soup::equal,  Soup::dots,      Soup::fan,     Soup::grid};
/// Soups with coordinates of such different magnitudes that doubles lose the small ones beside the large ones, and
/// soups with the smallest coordinates.
inline constexpr Soup mixed_soups[] = {Soup::scales, Soup::extremes, Soup::denormal};

/// Makes n triangles, each with vertices of its own.
inline std::shared_ptr<const DataSet> triangle_soup(Soup soup, std::uint32_t n, std::uint64_t seed = 1) {
  auto data = std::make_shared<DataSet>();
  data->name = std::string(name_of(soup)) + " triangles, " + std::to_string(n) + ", seed " + std::to_string(seed);
  data->points = {ScalarType::float32, 3, 0, {}};
  const auto unit = [&](std::uint64_t a, std::uint64_t b) {
    return static_cast<float>(mix64(mix64(seed * 1000003 + a) ^ (b + 17)) >> 40) / 16777216.0f;
  };
  for (std::uint32_t t = 0; t < n; ++t)
    for (std::uint32_t c = 0; c < 3; ++c) {
      const std::uint64_t key = 3ull * t + c;
      data->triangles.push_back(static_cast<std::uint32_t>(key));
      for (std::uint32_t d = 0; d < 3; ++d) {
        const float base = unit(t, 100 + d), small = 0.05f * (unit(key, d) - 0.5f);
        float x = 0;
        switch (soup) {
          case Soup::spread:
            x = 2 * base - 1 + 2 * small;
            break;
          case Soup::clustered:
            x = base * base * base * base * 10 + small * base;
            break;
          case Soup::needles:
            x = d == t % 3 ? 4 * unit(key, d) - 2 : base + 0.1f * small;
            break;
          case Soup::flat:
            x = d == 2 ? 0.25f : base + small;
            break;
          case Soup::equal:
            x = static_cast<float>((c * 7 + d * 3) % 5);
            break;
          case Soup::dots:
            x = static_cast<float>(mix64(t) % 3);
            break;
          case Soup::fan:
            x = c == 0 ? 0.5f : unit(key, d);
            break;
          case Soup::scales:
            x = (t % 2 == 0 && unit(key, d + 3) < 0.35f ? 1e18f : 1.0f) * (2 * unit(key, d) - 1);
            break;
          case Soup::extremes:
            x = (t % 2 == 1                ? 1.0f
                 : unit(key, d + 3) < 0.3f ? 1e30f
                 : unit(key, d + 3) < 0.5f ? 1e-40f
                                           : 1.0f) *
                (2 * unit(key, d) - 1);
            break;
          case Soup::denormal:
            x = (static_cast<float>(mix64(key * 3 + d + seed * 999983) % 9) - 4) *
                std::numeric_limits<float>::denorm_min();
            break;
          case Soup::grid:
            x = static_cast<float>((t >> (3 * d)) % 8) + static_cast<float>(c == d || c == 2 - d);
            break;
        }
        data->points.words.push_back(word_of(mix64(key * 3 + d) % 97 == 0 && soup == Soup::grid ? -0.0f : x));
      }
    }
  return data;
}

}  // namespace kdscope::test
