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
#include "datasets/loaders/read_options.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {

/// Refuses a dimension other than 1 to 512.
void check_dimension(const std::string& where, std::uint64_t dim);

/// Refuses more points than 32-bit ids serve.
void check_point_count(const std::string& where, std::uint64_t count);

/// Takes the wanted coordinates in file order, point after point. Every `where` is a callable that returns the position
/// as text; it is only called for errors and for the first number that a float does not hold.
class PointCollector {
 public:
  /// `type` is float32 to keep whole numbers as floats too, int32 to let the values decide; `options` may ask for
  /// either. `text`: that of the file, where tokens of it are added. `options` must outlive the collector.
  PointCollector(std::string file, const ColumnChoice& columns, ScalarType type, const ReadOptions& options,
                 std::string_view text = {});

  /// The points of the file so far, those included that are left out.
  std::size_t count() const { return seen_; }
  /// Makes room for points that the file is known to hold.
  void reserve(std::size_t points);

  template <class Where>
  void add(float value, const Where& where) {
    add_float(value, value, {}, where);
  }
  /// A number of a declared type. An integer that does not fit in 32 bits is refused, unless floats are kept.
  template <class Where>
  void add(const TypedNumber& number, const Where& where) {
    if (number.whole && set_.type == ScalarType::int32 && number.fits_int32())
      return add_integer(static_cast<std::int32_t>(number.integer), {}, where);
    // Whether it fits is known once it is converted.
    if (number.whole && set_.type == ScalarType::int32 && !converts_)
      refuse(where(), number.digits() + " does not fit in a signed 32-bit integer",
             "add type=float behind the file's name");
    // A double does not tell all whole numbers apart; their digits do.
    const std::string digits = number.whole && std::fabs(number.precise) >= 0x1p53 ? number.digits() : std::string();
    const std::string_view text = digits.empty() ? number.text : std::string_view(digits);
    if (number.whole && set_.type == ScalarType::int32) {
      if (rounds_integer(number.precise, number.precise, digits)) note_rounded_integer(digits, number.precise, where);
      return push(0, number.precise, std::string_view());
    }
    add_float(rounded(number.real, number.precise, where), number.precise, text, where);
  }
  /// A number written as text.
  template <class Where>
  void add(std::string_view token, const Where& where) {
    add(read_number(token), token, where);
  }
  template <class Where>
  void add(const NumberText& number, std::string_view token, const Where& where) {
    switch (number.kind) {
      case NumberText::Kind::integer:
        return add_integer(number.integer, token, where);
      case NumberText::Kind::too_large:
        if (!converts_ || std::isinf(number.precise))
          refuse(where(), excerpt(token) + " is too large for a 32-bit float");
        [[fallthrough]];
      case NumberText::Kind::real:
        return add_float(number.real, number.precise, token, where);
      case NumberText::Kind::not_a_number:
        refuse(where(), excerpt(token) + " is not a number");
    }
  }
  /// A coordinate that the file lacks; the point is left out. Only where the options permit it.
  template <class Where>
  void add_missing(const Where& where) {
    note_missing("no number", where);
    push(0, 0, no_place);
  }

  /// Moves the points into the set once all are in, with their shift and scale. Refuses NaN and infinite ones, unless
  /// they are to be left out, and more than 2^31 - 1. Warns of points that are left out; of whole numbers that were
  /// rounded; of different points that became equal; and where rounding moves coordinates by a notable part of their
  /// extent, a few far ones left out: more than a ten-thousandth, or than a hundredth of the extent by the root of the
  /// number of points. Other
  /// decimals become the nearest float without a word: that is what a file of floats means. Work O(n log n) where
  /// numbers were rounded.
  void finish(DataSet& set);
  /// The index of each point of the file in the set, no_id for those left out; empty if none is.
  const std::vector<std::uint32_t>& index_in_set() const { return index_in_set_; }

 private:
  template <class Where>
  float rounded(double value, double precise, const Where& where) const {
    const auto nearest = static_cast<float>(value);
    if (std::isinf(nearest) && std::isfinite(precise) && !converts_)
      refuse(where(), "a value is too large for a 32-bit float");
    return nearest;
  }
  template <class Where>
  void add_integer(std::int32_t value, std::string_view token, const Where& where) {
    const auto nearest = static_cast<float>(value);
    if (set_.type == ScalarType::float32) return add_float(nearest, value, token, where);
    if (!converts_ && static_cast<double>(nearest) != value)
      note_rounded_integer(std::to_string(value), nearest, where);
    push(word_of(value), value, token);
  }
  template <class Where>
  void add_float(float value, double precise, std::string_view token, const Where& where) {
    if (!std::isfinite(precise)) {
      note_missing(std::isnan(precise) ? "NaN" : "infinity", where);
      if (options_.drop_missing) return push(0, 0, no_place);
    }
    if (set_.type == ScalarType::int32) become_float();
    const double kept = converts_ ? precise : static_cast<double>(value);
    if (std::isfinite(precise) && (kept != precise || std::fabs(kept) >= 0x1p53)) {
      if (rounds_integer(kept, precise, token))
        note_rounded_integer(token.empty() ? number_text(precise) : std::string(token), kept, where);
      if (kept != precise) keep_precise();
    }
    push(word_of(value), precise, token);
  }
  void push(std::uint32_t word, double precise, std::string_view token) {
    push(word, precise,
         token.empty() || text_.empty() ? no_place : static_cast<std::uint64_t>(token.data() - text_.data()));
  }
  void push(std::uint32_t word, double precise, std::uint64_t place) {
    if (keeps_precise_) {
      precise_.push_back(precise);
      places_.push_back(place);
    }
    set_.words.push_back(word);
    if (++in_point_ == set_.dim) end_point();
  }
  template <class Where>
  void note_rounded_integer(const std::string& number, double value, const Where& where) {
    if (rounded_integers_++ == 0)
      first_rounded_ = where() + ": the whole number " + number +
                       (converts_ ? " is read as " : " is stored as the float ") + number_text(value);
  }
  template <class Where>
  void note_missing(const char* what, const Where& where) {
    if (missing_points_ == 0 && !misses_) {
      first_where_ = where();
      first_what_ = "point " + std::to_string(seen_) + " with " + what + " as coordinate " +
                    std::to_string(dimension_[in_point_]);
    }
    misses_ = true;
  }

  /// Whether a whole number becomes another one as a float, or as a double that is converted. `token` is how it is
  /// written, empty in binary files.
  static bool rounds_integer(double value, double precise, std::string_view token);
  /// All digits of whole numbers, the shortest form of others.
  static std::string number_text(double value);
  /// From here on every number's double is kept, so that what rounding does to them is known in the end.
  void keep_precise();
  void become_float();
  /// Puts the coordinates of a whole point in the order of its dimensions, or leaves it out.
  void end_point();
  std::string place_of(std::uint64_t coordinate) const;
  void choose_shift(DataSet& set) const;
  /// Applies shift and scale in double, and the type that was asked for.
  void convert(const DataSet& set);
  void warn_of_missing(DataSet& set) const;
  void warn_of_rounding(DataSet& set) const;
  /// Returns whether there are some.
  bool warn_of_equal_points(DataSet& set) const;
  void warn_of_moved_points(DataSet& set) const;

  static constexpr std::uint64_t no_place = ~0ull;
  PointSet set_;
  std::string file_;
  const ReadOptions& options_;
  std::string_view text_;
  std::vector<std::uint32_t> dimension_;  ///< of each coordinate of a point, in the order of the file
  bool in_order_ = true;                  ///< of the file is that of the dimensions
  bool converts_ = false;                 ///< words are made from doubles in the end
  std::uint32_t in_point_ = 0;            ///< coordinates of the last point so far
  bool misses_ = false;                   ///< the last point misses a coordinate
  std::uint64_t seen_ = 0, missing_points_ = 0;
  std::string first_where_, first_what_;
  std::vector<std::uint32_t> index_in_set_;
  std::uint64_t rounded_integers_ = 0;
  std::string first_rounded_;
  bool keeps_precise_ = false;
  std::vector<double> precise_;        // of each coordinate, as far as any was rounded
  std::vector<std::uint64_t> places_;  // in the text
};

}  // namespace kdscope
