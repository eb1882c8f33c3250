#include "datasets/loaders/point_collector.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {

namespace {

/// Numbers that differ by less than this share of their size are taken for one that was computed in two ways.
constexpr double noise = 0x1p-46;

bool about_equal(double a, double b) { return std::fabs(a - b) <= noise * std::max(std::fabs(a), std::fabs(b)); }

/// The least and the greatest of some numbers.
struct Extent {
  double low = INFINITY, high = -INFINITY;
  std::size_t left_out = 0;  ///< numbers beyond them

  double size() const { return high - low; }
  bool holds(double value) const { return low <= value && value <= high; }
  /// Whether a shift towards 0 makes the numbers so much smaller that floats have more digits for them.
  bool is_far_from_zero() const { return std::max(std::fabs(low), std::fabs(high)) > 16 * size(); }
};

/// The extent of the coordinates of a dimension. Where a twentieth of them, or the single one of fewer, makes it more
/// than ten times larger, they are left out: one point far away does not show how closely the others lie.
/// Work O(n log n).
Extent extent_of(const std::vector<double>& coordinates, std::uint32_t dim, std::uint32_t d) {
  constexpr std::size_t least_points = 4, share = 20;
  std::vector<double> values;
  for (std::size_t i = d; i < coordinates.size(); i += dim) values.push_back(coordinates[i]);
  if (values.empty()) return {};
  std::ranges::sort(values);
  const Extent whole{values.front(), values.back(), 0};
  if (values.size() < least_points) return whole;
  // The shortest interval that holds the others
  const std::size_t far = std::max<std::size_t>(values.size() / share, 1);
  Extent closest = whole;
  for (std::size_t i = 0; i <= far; ++i) {
    const Extent part{values[i], values[values.size() - 1 - far + i], far};
    if (part.size() < closest.size()) closest = part;
  }
  const bool hides = closest.size() * 10 < whole.size() && !about_equal(closest.low, closest.high);
  return hides ? closest : whole;
}

std::string listed_numbers(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + shortest(number);
  return text;
}

}  // namespace

PointCollector::PointCollector(std::string file, const ColumnChoice& columns, ScalarType type,
                               const ReadOptions& options, std::string_view text)
    : file_(std::move(file)), options_(options), text_(text), dimension_(columns.dimension) {
  set_.dim = columns.dim();
  set_.type = options.type == CoordinateType::floats ? ScalarType::float32 : type;
  in_order_ = std::ranges::is_sorted(dimension_);
  converts_ = options.transforms() || options.type == CoordinateType::integers;
  keeps_precise_ = converts_;
  if (!options.shift.empty() && options.shift.size() != set_.dim)
    refuse(file_,
           "shift has " + count_text(options.shift.size(), "number", "numbers") + ", and points have " +
               count_text(set_.dim, "coordinate", "coordinates"),
           "give a number for each coordinate, or shift=auto");
}

void check_dimension(const std::string& where, std::uint64_t dim) {
  if (dim == 0 || dim > 512)
    refuse(where, "points of " + std::to_string(dim) + " dimensions", "points may have 1 to 512");
}

void check_point_count(const std::string& where, std::uint64_t count) {
  if (count > max_points_of_tree)
    refuse(where, std::to_string(count) + " points",
           "at most " + std::to_string(max_points_of_tree) + " can be numbered");
}

void PointCollector::reserve(std::size_t points) {
  const std::uint64_t bytes = sizeof(std::uint32_t) + (converts_ ? sizeof(double) + sizeof(std::uint64_t) : 0);
  require_memory(std::uint64_t{points} * set_.dim * bytes, file_ + ": the points");
  set_.words.reserve(points * set_.dim);
}

void PointCollector::keep_precise() {
  if (keeps_precise_) return;
  keeps_precise_ = true;
  for (const std::uint32_t word : set_.words) precise_.push_back(scalar_value(word, set_.type));
  places_.assign(set_.words.size(), no_place);
}

void PointCollector::become_float() {
  if (rounded_integers_ > 0) keep_precise();
  // The nearest float to a whole number is also what its text would have been read as.
  for (std::uint32_t& word : set_.words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
  set_.type = ScalarType::float32;
}

void PointCollector::end_point() {
  const std::size_t begin = set_.words.size() - set_.dim;
  if (misses_ && options_.drop_missing) {
    if (index_in_set_.empty())
      for (std::uint32_t i = 0; i < seen_; ++i) index_in_set_.push_back(i);
    index_in_set_.push_back(no_id);
    set_.words.resize(begin);
    if (keeps_precise_) precise_.resize(begin), places_.resize(begin);
  } else {
    if (!index_in_set_.empty()) index_in_set_.push_back(static_cast<std::uint32_t>(begin / set_.dim));
    const auto put_in_order = [&](auto& values) {
      const std::vector<std::decay_t<decltype(values[0])>> point(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                                 values.end());
      for (std::size_t i = 0; i < point.size(); ++i) values[begin + dimension_[i]] = point[i];
    };
    if (!in_order_) put_in_order(set_.words);
    if (!in_order_ && keeps_precise_) put_in_order(precise_), put_in_order(places_);
  }
  missing_points_ += misses_;
  misses_ = false;
  in_point_ = 0;
  ++seen_;
}

std::string PointCollector::number_text(double value) {
  char text[64];
  // The digits of whole numbers of any size that coordinates have, where the shortest form would round.
  const bool whole = value == std::trunc(value) && std::fabs(value) < 1e20;
  char* const end = whole ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr
                          : std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

bool PointCollector::rounds_integer(double value, double precise, std::string_view token) {
  const bool negative = token.starts_with('-');
  std::string_view digits = token.substr(negative || token.starts_with('+') ? 1 : 0);
  if (const std::size_t point = digits.find('.'); digits.find_first_not_of('0', point + 1) == digits.npos)
    digits = digits.substr(0, point);  // "5.0" is whole too
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return precise == std::trunc(precise) && std::fabs(precise) <= 0x1p53 && value != precise;
  // Digits alone may have more of them than a double.
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  char text[400];  // of any double
  const char* const end = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::fixed).ptr;
  return digits != std::string_view(text, static_cast<std::size_t>(end - text)) && !(digits.empty() && value == 0);
}

std::string PointCollector::place_of(std::uint64_t coordinate) const {
  if (places_[coordinate] != no_place) return LineScanner::where(text_, file_, places_[coordinate]);
  return file_ + ", point " + std::to_string(coordinate / set_.dim) + ", coordinate " +
         std::to_string(coordinate % set_.dim);
}

void PointCollector::choose_shift(DataSet& set) const {
  set.shift = options_.shift;
  set.scale = options_.scale;
  if (!options_.auto_shift) return;
  for (std::uint32_t d = 0; d < set_.dim; ++d) {
    const Extent extent = extent_of(precise_, set_.dim, d);
    if (!(extent.low <= extent.high) || !extent.is_far_from_zero()) {
      set.shift.push_back(0);
      continue;
    }
    // A round number below the least: a multiple of the power of ten that is no larger than the extent. Doubles have
    // no exact parts of 1, so 1 serves as long as it is not too coarse.
    const double power = extent.size() > 0 ? std::pow(10, std::floor(std::log10(extent.size()))) : 1;
    const double unit = power < 1 && power >= 0.01 ? 1 : power;
    set.shift.push_back(std::floor(extent.low / unit) * unit);
  }
}

void PointCollector::convert(const DataSet& set) {
  bool whole = set_.type == ScalarType::int32;
  for (std::size_t i = 0; i < precise_.size(); ++i) {
    double& value = precise_[i];
    value = (value - (set.shift.empty() ? 0 : set.shift[i % set_.dim])) * set.scale;
    const bool is_int32 = value == std::trunc(value) && value >= INT32_MIN && value <= INT32_MAX;
    if (options_.type == CoordinateType::integers && !is_int32)
      refuse(place_of(i), number_text(value) + " is no whole number that fits in a signed 32-bit integer",
             "leave out type=int");
    whole = whole && is_int32;
  }
  set_.type = whole || options_.type == CoordinateType::integers ? ScalarType::int32 : ScalarType::float32;
  for (std::size_t i = 0; i < precise_.size(); ++i) {
    const auto nearest = static_cast<float>(precise_[i]);
    if (set_.type == ScalarType::float32 && std::isinf(nearest))
      refuse(place_of(i), number_text(precise_[i]) + " is too large for a 32-bit float", "choose a smaller scale");
    set_.words[i] = set_.type == ScalarType::int32 ? word_of(static_cast<std::int32_t>(precise_[i])) : word_of(nearest);
  }
}

void PointCollector::warn_of_missing(DataSet& set) const {
  if (missing_points_ == 0) return;
  const bool one = missing_points_ == 1;
  set.warnings.push_back(first_where_ + ": " + std::to_string(missing_points_) + " of " + std::to_string(seen_) +
                         " points " + (one ? "is" : "are") +
                         " left out, as missing=drop asks: " + (one ? "" : "the first is ") + first_what_ + ".");
}

void PointCollector::warn_of_rounding(DataSet& set) const {
  if ((!converts_ && set_.type == ScalarType::int32) || rounded_integers_ == 0) return;
  const std::string more = rounded_integers_ == 1 ? ""
                                                  : "; " + std::to_string(rounded_integers_ - 1) +
                                                        " more whole numbers of the file are rounded";
  set.warnings.push_back(first_rounded_ + more + ".");
}

bool PointCollector::warn_of_equal_points(DataSet& set) const {
  const std::uint32_t dim = set_.dim;
  const auto precise = [&](std::uint32_t point) { return std::span(precise_).subspan(std::size_t{point} * dim, dim); };
  std::vector<std::uint32_t> order(set_.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t d = 0; d < dim; ++d)
      if (set_.value(a, d) != set_.value(b, d)) return set_.value(a, d) < set_.value(b, d) ? -1 : 1;
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int side = compare(a, b);
    return side != 0 ? side < 0 : a < b;
  });
  // The earliest of equal points comes first among them.
  std::uint64_t equal = 0;
  std::uint32_t first = no_id, partner = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end)
    for (end = begin + 1; end < order.size() && compare(order[begin], order[end]) == 0; ++end)
      if (!std::ranges::equal(precise(order[begin]), precise(order[end]), about_equal)) {
        ++equal;
        if (order[end] < first) first = order[end], partner = order[begin];
      }
  if (equal == 0) return false;
  std::uint32_t d = 0;
  while (about_equal(precise(first)[d], precise(partner)[d])) ++d;
  const std::uint64_t at = std::uint64_t{first} * dim + d;
  const std::string more =
      equal == 1 ? "" : "; " + std::to_string(equal - 1) + " more points coincide with others in this way";
  const bool helps = options_.shift.empty() && !options_.auto_shift && extent_of(precise_, dim, d).is_far_from_zero();
  set.warnings.push_back(place_of(at) + ": " + number_text(precise_[at]) + " and point " + std::to_string(partner) +
                         "'s " + number_text(precise(partner)[d]) + " become the same float, " +
                         number_text(set_.value(first, d)) + ", and the points equal" + more +
                         (helps ? "; open the file with shift=auto to subtract an offset first" : "") + ".");
  return true;
}

void PointCollector::warn_of_moved_points(DataSet& set) const {
  const auto n = static_cast<double>(set_.size());
  const double notable = std::min(1e-4, 0.01 / std::sqrt(std::max(n, 1.0)));
  double worst = notable, moved = 0;
  Extent extent_of_worst;
  std::uint32_t axis = no_id;
  for (std::uint32_t d = 0; d < set_.dim; ++d) {
    const Extent extent = extent_of(precise_, set_.dim, d);
    double most = 0;
    for (std::size_t i = 0; i < set_.size(); ++i)
      if (const double precise = precise_[i * set_.dim + d]; extent.holds(precise))
        most = std::max(most, std::fabs(precise - set_.value(i, d)));
    if (about_equal(extent.low, extent.high) || !(most / extent.size() > worst)) continue;
    worst = most / extent.size(), moved = most, extent_of_worst = extent, axis = d;
  }
  if (axis == no_id) return;
  const bool helps = options_.shift.empty() && !options_.auto_shift && extent_of_worst.is_far_from_zero();
  set.warnings.push_back(file_ + ": as 32-bit floats, " +
                         (set.column_names.size() == set_.dim ? "the values of column " + set.column_names[axis]
                                                              : "coordinates " + std::to_string(axis)) +
                         " move by up to " + short_number(moved, 2) + ", and " +
                         (extent_of_worst.left_out == 0
                              ? "they extend"
                              : "all but " + std::to_string(extent_of_worst.left_out) + " of them extend") +
                         " over " + short_number(extent_of_worst.size(), 2) +
                         (helps ? "; open the file with shift=auto to subtract an offset first" : "") + ".");
}

void PointCollector::finish(DataSet& set) {
  check_point_count(file_, seen_);
  if (!options_.drop_missing) {
    const std::string remedy = " or add missing=drop behind the file's name";
    if (missing_points_ == 1) refuse(first_where_, "1 point is not finite: " + first_what_, "remove it," + remedy);
    if (missing_points_ > 1)
      refuse(first_where_, std::to_string(missing_points_) + " points are not finite, the first is " + first_what_,
             "remove them," + remedy);
  } else if (missing_points_ > 0 && set_.words.empty()) {
    refuse(first_where_, "no point is left: each lacks a coordinate, the first is " + first_what_);
  }
  warn_of_missing(set);
  if (converts_) {
    choose_shift(set);
    convert(set);
    const bool shifted = std::ranges::any_of(set.shift, [](double each) { return each != 0; });
    if (shifted || set.scale != 1)
      set.warnings.push_back(file_ + ": " +
                             (shifted ? "subtracted " + listed_numbers(set.shift) + " from the coordinates" : "") +
                             (set.scale == 1 ? ""
                              : shifted      ? ", then multiplied them by " + shortest(set.scale)
                                             : "multiplied the coordinates by " + shortest(set.scale)) +
                             ".");
  }
  warn_of_rounding(set);
  if (keeps_precise_ && set_.type == ScalarType::float32 && !warn_of_equal_points(set)) warn_of_moved_points(set);
  set.points = std::move(set_);
}

}  // namespace kdscope
