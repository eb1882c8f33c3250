#include "datasets/loaders/point_collector.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope {

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
  require_memory(std::uint64_t{points} * set_.dim * sizeof(std::uint32_t), file_ + ": the points");
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

std::string PointCollector::number_text(double value) {
  char text[64];
  // The digits of whole numbers of any size that coordinates have, where the shortest form would round.
  const bool whole = value == std::trunc(value) && std::fabs(value) < 1e20;
  char* const end = whole ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr
                          : std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

bool PointCollector::rounds_integer(float value, double precise, std::string_view token) {
  const bool negative = token.starts_with('-');
  std::string_view digits = token.substr(negative || token.starts_with('+') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return precise == std::trunc(precise) && std::fabs(precise) <= 0x1p53 && static_cast<double>(value) != precise;
  // Digits alone may have more of them than a double.
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  char text[64];
  const char* const end = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::fixed).ptr;
  return digits != std::string_view(text, static_cast<std::size_t>(end - text)) && !(digits.empty() && value == 0);
}

void PointCollector::warn_of_rounding(DataSet& set) const {
  if (set_.type == ScalarType::int32 || rounded_integers_ == 0) return;
  const std::string more = rounded_integers_ == 1 ? ""
                                                  : "; " + std::to_string(rounded_integers_ - 1) +
                                                        " more whole numbers of the file are rounded";
  set.warnings.push_back(first_rounded_ + more + ".");
}

void PointCollector::warn_of_collisions(DataSet& set) const {
  if (!keeps_precise_) return;
  const std::uint64_t n = count();
  const std::uint32_t dim = set_.dim;
  std::uint64_t collisions = 0, first = no_place, partner = 0;  // coordinates
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t d = 0; d < dim; ++d) {
    const auto precise = [&](std::uint64_t point) { return precise_[point * dim + d]; };
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return precise(a) < precise(b) || (precise(a) == precise(b) && a < b);
    });
    // Rounding keeps the order, so what became one float stands together.
    for (std::uint64_t begin = 0, end = 0; begin < n; begin = end) {
      const auto value = [&](std::uint64_t i) { return set_.value(order[i], d); };
      std::uint64_t earliest = begin;
      for (end = begin + 1; end < n && value(end) == value(begin); ++end)
        if (order[end] < order[earliest]) earliest = end;
      for (std::uint64_t i = begin; i < end; ++i) {
        collisions += i > begin && precise(order[i]) != precise(order[i - 1]);
        const std::uint64_t at = std::uint64_t{order[i]} * dim + d;
        if (precise(order[i]) != precise(order[earliest]) && at < first)
          first = at, partner = std::uint64_t{order[earliest]} * dim + d;
      }
    }
  }
  if (collisions == 0) return;
  const std::string where = places_[first] == no_place ? file_ + ", point " + std::to_string(first / dim) +
                                                             ", coordinate " + std::to_string(first % dim)
                                                       : LineScanner::where(text_, file_, places_[first]);
  const std::string more = collisions == 1 ? ""
                                           : "; " + std::to_string(collisions - 1) +
                                                 " more numbers of the file coincide with others in this way";
  set.warnings.push_back(where + ": " + number_text(precise_[first]) + " and point " + std::to_string(partner / dim) +
                         "'s " + number_text(precise_[partner]) + " become the same float, " +
                         number_text(set_.value(first / dim, static_cast<std::uint32_t>(first % dim))) + more + ".");
}

void PointCollector::note_non_finite(float value, std::string where) {
  const std::uint64_t point = count();
  if (non_finite_points_ == 0) {
    first_where_ = std::move(where);
    first_what_ = "point " + std::to_string(point) + " with " + (std::isnan(value) ? "NaN" : "infinity") +
                  " as coordinate " + std::to_string(set_.words.size() % set_.dim);
  }
  if (non_finite_points_ == 0 || point != last_non_finite_) ++non_finite_points_;
  last_non_finite_ = point;
}

void PointCollector::finish(DataSet& set) {
  check_point_count(file_, count());
  if (non_finite_points_ == 1) refuse(first_where_, "1 point is not finite: " + first_what_, "remove it");
  if (non_finite_points_ > 1)
    refuse(first_where_, std::to_string(non_finite_points_) + " points are not finite, the first is " + first_what_,
           "remove them");
  warn_of_rounding(set);
  warn_of_collisions(set);
  set.points = std::move(set_);
}

}  // namespace kdscope
