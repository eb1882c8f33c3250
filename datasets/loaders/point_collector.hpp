#pragma once
// Gathers the coordinates that a reader meets: int32 as long as all are whole, float32 from the first that is not.

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/number_types.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {

/// Refuses a dimension other than 1 to 512.
void check_dimension(const std::string& where, std::uint64_t dim);

/// Refuses more points than 32-bit ids serve.
void check_point_count(const std::string& where, std::uint64_t count);

/// Takes coordinates in file order, point after point. Every `where` is a callable that returns the position as text;
/// it is only called for errors and for the first number that a float does not hold.
class PointCollector {
 public:
  /// `type` is float32 to keep whole numbers as floats too, int32 to let the values decide. `text`: that of the file,
  /// where tokens of it are added.
  PointCollector(std::string file, std::uint32_t dim, ScalarType type, std::string_view text = {})
      : file_(std::move(file)), text_(text) {
    set_.dim = dim;
    set_.type = type;
  }

  std::size_t count() const { return set_.words.size() / set_.dim; }
  /// Makes room for points that the file is known to hold.
  void reserve(std::size_t points);

  template <class Where>
  void add(float value, const Where& where) {
    add_float(value, value, {}, where);
  }
  template <class Where>
  void add(double value, const Where& where) {
    add_float(rounded(value, where), value, {}, where);
  }
  /// A number of a declared type. An integer that does not fit in 32 bits is refused, unless floats are kept.
  template <class Where>
  void add(const TypedNumber& number, const Where& where) {
    if (!number.whole || set_.type == ScalarType::float32)
      return add_float(rounded(number.real, where), number.precise, {}, where);
    if (!number.fits_int32()) refuse(where(), "an integer does not fit in 32 bits", "store the values as floats");
    add_integer(static_cast<std::int32_t>(number.integer), {}, where);
  }
  /// A number written as text.
  template <class Where>
  void add(std::string_view token, const Where& where) {
    const NumberText number = read_number(token);
    switch (number.kind) {
      case NumberText::Kind::integer:
        return add_integer(number.integer, token, where);
      case NumberText::Kind::real:
        return add_float(number.real, number.precise, token, where);
      case NumberText::Kind::too_large:
        refuse(where(), excerpt(token) + " is too large for a 32-bit float");
      case NumberText::Kind::not_a_number:
        refuse(where(), excerpt(token) + " is not a number");
    }
  }

  /// Moves the points into the set once all are in, with a warning for whole numbers that were rounded, and one for
  /// different numbers that became the same float; refuses NaN and infinite ones, and more than 2^31 - 1. Other
  /// decimals become the nearest float without a word: that is what a file of floats means. Work O(n log n) per
  /// dimension where numbers were rounded.
  void finish(DataSet& set);

 private:
  template <class Where>
  static float rounded(double value, const Where& where) {
    const float nearest = static_cast<float>(value);
    if (std::isinf(nearest) && !std::isinf(value)) refuse(where(), "a value is too large for a 32-bit float");
    return nearest;
  }
  template <class Where>
  void add_integer(std::int32_t value, std::string_view token, const Where& where) {
    const auto nearest = static_cast<float>(value);
    if (set_.type == ScalarType::float32) return add_float(nearest, value, token, where);
    if (static_cast<double>(nearest) != value) note_rounded_integer(std::to_string(value), nearest, where);
    set_.words.push_back(word_of(value));
  }
  template <class Where>
  void add_float(float value, double precise, std::string_view token, const Where& where) {
    if (set_.type == ScalarType::int32) become_float();
    if (!std::isfinite(value))
      note_non_finite(value, where());
    else if (static_cast<double>(value) != precise || std::fabs(value) >= 0x1p53f) {
      if (rounds_integer(value, precise, token))
        note_rounded_integer(token.empty() ? number_text(precise) : std::string(token), value, where);
      if (static_cast<double>(value) != precise) keep_precise();
    }
    if (keeps_precise_) {
      precise_.push_back(precise);
      places_.push_back(token.empty() || text_.empty() ? no_place
                                                       : static_cast<std::uint64_t>(token.data() - text_.data()));
    }
    set_.words.push_back(word_of(value));
  }
  template <class Where>
  void note_rounded_integer(const std::string& number, float value, const Where& where) {
    if (rounded_integers_++ == 0)
      first_rounded_ = where() + ": the whole number " + number + " is stored as the float " + number_text(value);
  }

  /// Whether a whole number becomes another one as a float. `token` is how it is written, empty in binary files.
  static bool rounds_integer(float value, double precise, std::string_view token);
  /// All digits of whole numbers, the shortest form of others.
  static std::string number_text(double value);
  /// From here on every number's double is kept, so that those that fall together are found.
  void keep_precise();
  void warn_of_rounding(DataSet& set) const;
  void warn_of_collisions(DataSet& set) const;
  void become_float();
  void note_non_finite(float value, std::string where);

  static constexpr std::uint64_t no_place = ~0ull;
  PointSet set_;
  std::string file_;
  std::string_view text_;
  std::uint64_t non_finite_points_ = 0, last_non_finite_ = 0;
  std::string first_where_, first_what_;
  std::uint64_t rounded_integers_ = 0;
  std::string first_rounded_;
  bool keeps_precise_ = false;
  std::vector<double> precise_;        // of each coordinate, as far as any was rounded
  std::vector<std::uint64_t> places_;  // in the text
};

}  // namespace kdscope
