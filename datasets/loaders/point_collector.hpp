#pragma once
// Gathers the coordinates that a reader meets: int32 as long as all are whole, float32 from the first that is not.

#include <cmath>
#include <cstdint>
#include <string>

#include "algorithms/core/points.hpp"
#include "datasets/loaders/number_types.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {

/// Refuses a dimension other than 1 to 512.
void check_dimension(const std::string& where, std::uint64_t dim);

/// Refuses more points than 32-bit ids serve.
void check_point_count(const std::string& where, std::uint64_t count);

/// Takes coordinates in file order, point after point. Every `where` is a callable that returns the position as text;
/// it is only called for errors.
class PointCollector {
 public:
  /// `type` is float32 to keep whole numbers as floats too, int32 to let the values decide.
  PointCollector(std::string file, std::uint32_t dim, ScalarType type) : file_(std::move(file)) {
    set_.dim = dim;
    set_.type = type;
  }

  std::size_t count() const { return set_.words.size() / set_.dim; }
  /// Makes room for points that the file is known to hold.
  void reserve(std::size_t points);

  void add(std::int32_t value) {
    set_.words.push_back(set_.type == ScalarType::int32 ? word_of(value) : word_of(static_cast<float>(value)));
  }
  template <class Where>
  void add(float value, const Where& where) {
    if (set_.type == ScalarType::int32) become_float();
    if (!std::isfinite(value)) note_non_finite(value, where());
    set_.words.push_back(word_of(value));
  }
  template <class Where>
  void add(double value, const Where& where) {
    const float rounded = static_cast<float>(value);
    if (std::isinf(rounded) && !std::isinf(value)) refuse(where(), "a value is too large for a 32-bit float");
    add(rounded, where);
  }
  /// A number of a declared type. An integer that does not fit in 32 bits is refused, unless floats are kept.
  template <class Where>
  void add(const TypedNumber& number, const Where& where) {
    if (!number.whole || set_.type == ScalarType::float32) return add(number.real, where);
    if (!number.fits_int32()) refuse(where(), "an integer does not fit in 32 bits", "store the values as floats");
    add(static_cast<std::int32_t>(number.integer));
  }
  /// A number written as text.
  template <class Where>
  void add(std::string_view token, const Where& where) {
    const NumberText number = read_number(token);
    switch (number.kind) {
      case NumberText::Kind::integer:
        return add(number.integer);
      case NumberText::Kind::real:
        return add(number.real, where);
      case NumberText::Kind::too_large:
        refuse(where(), quoted(token) + " is too large for a 32-bit float");
      case NumberText::Kind::not_a_number:
        refuse(where(), quoted(token) + " is not a number");
    }
  }

  /// The points, once all are in; refuses NaN and infinite ones, and more than 2^31 - 1.
  PointSet finish();

 private:
  void become_float();
  void note_non_finite(float value, std::string where);

  PointSet set_;
  std::string file_;
  std::uint64_t non_finite_points_ = 0, last_non_finite_ = 0;
  std::string first_where_, first_what_;
};

}  // namespace kdscope
