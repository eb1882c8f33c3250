#pragma once
// Converts coordinates to integer keys, one array per dimension, so that an integer sort can order them (Wehr &
// Radkowski 2018, Alg. 1). The source scales and quantizes them to {0..F}; by default the keys here are exact.

#include <algorithm>
#include <variant>

#include "algorithms/builders/wehr/options.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::wehr {

// [region wehr/keys]
/// Computes the order-preserving integer of a coordinate's 32 bits, minus the least one of its dimension. Distinct
/// coordinates have distinct keys. The source quantizes instead (Quantizer), which may put points on the wrong side of
/// a plane. Subtracting the least key saves digits: floats in [0, 1) take 30 bits, and integers take as many as their
/// range.
struct ExactKeys {
  std::uint32_t least[max_dim] = {};  ///< ordered key of the smallest coordinate of each dimension
  ScalarType type = ScalarType::float32;

  KDSCOPE_HD std::uint32_t key(std::uint32_t word, std::uint32_t dim) const {
    return ordered_key(word, type) - least[dim];
  }
};

/// Maps a coordinate to its key: floor((x - lo) * factor), at most F. The key never decreases as x grows, because each
/// operation is correctly rounded in double precision. Keys therefore order points as coordinates do, except where keys
/// are equal.
struct Quantizer {
  double lo[max_dim] = {};      ///< smallest coordinate of each dimension
  double factor[max_dim] = {};  ///< F / extent; 0 for a flat dimension
  std::uint32_t f = 1;
  ScalarType type = ScalarType::float32;

  KDSCOPE_HD std::uint32_t key(std::uint32_t word, std::uint32_t dim) const {
    const double scaled = (scalar_value(word, type) - lo[dim]) * factor[dim];
    return scaled >= f ? f : static_cast<std::uint32_t>(scaled);
  }
};

/// Writes the keys of one position in all dimensions. Keys: ExactKeys or Quantizer. p: [k][n].
template <class Keys>
struct SplitIntoKeys {
  PointsView points;
  Keys keys;
  std::uint32_t* p;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // One array per dimension: a sort then reads and writes that of its dimension alone, side by side (§III-A)
    for (std::uint32_t d = 0; d < points.dim; ++d) p[std::size_t(d) * points.n + i] = keys.key(points.word(i, d), d);
  }
};
// [endregion]

/// The lower and upper ends of the points' box, as ordered keys (core/scalar.hpp).
struct KeyBox {
  std::uint32_t lo[max_dim], hi[max_dim];
};
struct BoxOfPoint {
  PointsView points;
  KDSCOPE_HD KeyBox operator()(std::uint32_t i) const {
    KeyBox box{};
    for (std::uint32_t d = 0; d < max_dim; ++d)
      if (d < points.dim) box.lo[d] = box.hi[d] = points.key(i, d);
    return box;
  }
};
struct Enclose {
  KDSCOPE_HD KeyBox operator()(KeyBox a, const KeyBox& b) const {
    for (std::uint32_t d = 0; d < max_dim; ++d) {
      a.lo[d] = a.lo[d] < b.lo[d] ? a.lo[d] : b.lo[d];
      a.hi[d] = a.hi[d] > b.hi[d] ? a.hi[d] : b.hi[d];
    }
    return a;
  }
};
inline KeyBox empty_key_box() {
  KeyBox box;
  for (std::uint32_t d = 0; d < max_dim; ++d) box.lo[d] = 0xffffffffu, box.hi[d] = 0;
  return box;
}

/// Returns the quantizer of points within a box. Scale::common gives all dimensions the factor of the widest side,
/// because the source scales by one F; a narrow side then has fewer digits. Scale::each spreads every dimension over
/// {0..F}.
inline Quantizer quantizer_of(const KeyBox& box, std::uint32_t dim, ScalarType type, std::uint32_t f, Scale scale) {
  Quantizer quantizer;
  quantizer.f = f;
  quantizer.type = type;
  double extent[max_dim] = {}, widest = 0;
  for (std::uint32_t d = 0; d < dim; ++d) {
    quantizer.lo[d] = scalar_value(word_of_ordered_key(box.lo[d], type), type);
    extent[d] = scalar_value(word_of_ordered_key(box.hi[d], type), type) - quantizer.lo[d];
    widest = extent[d] > widest ? extent[d] : widest;
  }
  for (std::uint32_t d = 0; d < dim; ++d) {
    const double by = scale == Scale::common ? widest : extent[d];
    quantizer.factor[d] = by > 0 ? f / by : 0;
  }
  return quantizer;
}

/// The keys by which a build sorts.
using KeyFunction = std::variant<ExactKeys, Quantizer>;

/// Returns the keys that the options select, for points within a box.
inline KeyFunction keys_of(const KeyBox& box, std::uint32_t dim, ScalarType type, const WehrOptions& options) {
  if (options.keys == KeyChoice::quantized) return quantizer_of(box, dim, type, options.f, options.scale);
  ExactKeys exact;
  std::copy(box.lo, box.lo + dim, exact.least);
  exact.type = type;
  return exact;
}

}  // namespace kdscope::wehr
