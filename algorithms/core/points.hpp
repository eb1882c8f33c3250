#pragma once
// Points on the host: n records of `stride` 32-bit words, each with k coordinates followed by any payload.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/scalar.hpp"

namespace kdscope {

/// A set of k-dimensional points in host memory. Owns its words. Record i starts at words[i * stride()].
struct PointSet {
  ScalarType type = ScalarType::float32;
  std::uint32_t dim = 2;             ///< k, 1 to 512
  std::uint32_t payload_words = 0;   ///< words behind the coordinates, which move with them
  std::vector<std::uint32_t> words;  ///< [n * (dim + payload_words)]
  /// The number of words of a set whose words lie on a device alone: `words` is empty, and only who knows their address
  /// there may read them.
  std::size_t words_elsewhere = 0;

  std::uint32_t stride() const { return dim + payload_words; }
  std::size_t word_count() const { return words.empty() ? words_elsewhere : words.size(); }
  std::size_t size() const { return word_count() / stride(); }
  std::uint32_t word(std::size_t point, std::uint32_t d) const { return words[point * stride() + d]; }
  /// Returns coordinate d of a point as a double. The value is exact.
  double value(std::size_t point, std::uint32_t d) const { return scalar_value(word(point, d), type); }
};

/// A read-only view of point records that are owned elsewhere. Builders and checks take it.
struct PointsView {
  const std::uint32_t* words = nullptr;  ///< [n * stride]
  std::uint32_t n = 0;
  std::uint32_t dim = 0;
  std::uint32_t stride = 0;  ///< words per record, >= dim
  ScalarType type = ScalarType::float32;

  KDSCOPE_HD std::uint32_t word(std::size_t point, std::uint32_t d) const { return words[point * stride + d]; }
  KDSCOPE_HD std::uint32_t key(std::size_t point, std::uint32_t d) const { return ordered_key(word(point, d), type); }
};

inline PointsView view_of(const PointSet& points) {
  return {points.words.data(), static_cast<std::uint32_t>(points.size()), points.dim, points.stride(), points.type};
}

/// Makes a set of float or int32 points from rows, for tests and examples: points_from_rows<float>(2, {1, 2, 3, 4}).
template <class Scalar>
PointSet points_from_rows(std::uint32_t dim, const std::vector<Scalar>& coordinates) {
  PointSet set;
  set.type = std::is_same_v<Scalar, float> ? ScalarType::float32 : ScalarType::int32;
  set.dim = dim;
  set.words.reserve(coordinates.size());
  for (Scalar c : coordinates) set.words.push_back(word_of(c));
  return set;
}

/// A data set: its points, the triangles over them if it is a mesh, and their origin.
struct DataSet {
  std::string name;                       ///< the specification that generates it again
  PointSet points;                        ///< the points, or a mesh's vertices
  std::vector<std::uint32_t> triangles;   ///< [3 * triangle count] vertex indices; empty for point sets
  std::vector<std::string> column_names;  ///< one name per dimension; empty if the source has none
  std::uint32_t up_axis = 2;              ///< the dimension that points up in pictures: z, or y for most scanned models
  std::string provenance;                 ///< one line: the author and the licence; empty for generated sets
  std::vector<std::string> warnings =
      {};  ///< sentences: numbers of the file that the points represent differently, with the place of the first one
  std::vector<std::uint8_t> materials = {};  ///< [triangles] what each is made of (datasets/scene_look.hpp); or empty
  std::vector<double> shift = {};            ///< [dim] subtracted from the coordinates of the file; empty: nothing
  double scale = 1;                          ///< multiplied with the coordinates of the file after that

  /// Returns coordinate d of a point as the file has it, without shift and scale.
  double file_value(std::size_t point, std::uint32_t d) const {
    return points.value(point, d) / scale + (shift.empty() ? 0 : shift[d]);
  }
};

/// An axis-aligned box: the smallest and the largest coordinate per dimension. Empty if there are no points here.
struct Box {
  std::vector<double> lo, hi;  ///< [k] each, in the points' own units
};

inline Box bounding_box(const PointSet& points) {
  Box box;
  if (points.words.empty()) return box;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    double lo = points.value(0, d), hi = lo;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const double v = points.value(i, d);
      lo = v < lo ? v : lo;
      hi = v > hi ? v : hi;
    }
    box.lo.push_back(lo);
    box.hi.push_back(hi);
  }
  return box;
}

}  // namespace kdscope
