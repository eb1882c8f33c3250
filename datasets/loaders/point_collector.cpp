#include "datasets/loaders/point_collector.hpp"

#include "algorithms/core/left_balanced.hpp"
#include "algorithms/core/available_memory.hpp"

namespace kdscope {

void check_dimension(const std::string& where, std::uint64_t dim) {
  if (dim == 0 || dim > 512)
    refuse(where, "points of " + std::to_string(dim) + " dimensions", "points may have 1 to 512");
}

void check_point_count(const std::string& where, std::uint64_t count) {
  if (count > max_left_balanced_points)
    refuse(where, std::to_string(count) + " points",
           "at most " + std::to_string(max_left_balanced_points) + " can be numbered");
}

void PointCollector::reserve(std::size_t points) {
  require_memory(std::uint64_t{points} * set_.dim * sizeof(std::uint32_t), file_ + ": the points");
  set_.words.reserve(points * set_.dim);
}

void PointCollector::become_float() {
  // The nearest float to a whole number is also what its text would have been read as.
  for (std::uint32_t& word : set_.words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
  set_.type = ScalarType::float32;
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

PointSet PointCollector::finish() {
  check_point_count(file_, count());
  if (non_finite_points_ == 1) refuse(first_where_, "1 point is not finite: " + first_what_, "remove it");
  if (non_finite_points_ > 1)
    refuse(first_where_, std::to_string(non_finite_points_) + " points are not finite, the first is " + first_what_,
           "remove them");
  return std::move(set_);
}

}  // namespace kdscope
