#include "visualizer/model/node_list.hpp"

#include <algorithm>
#include <cmath>

#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

template <class T>
std::span<const T> elements(const Cursor& cursor, const char* name) {
  const TypedArray* array = cursor.array(name);
  return array && array->type() == ElementTypeOf<T>::value ? array->as<T>() : std::span<const T>();
}

/// Returns the contents of an array just before `step`; empty if they are unknown or not written yet.
template <class T>
std::vector<T> contents_before(const Trace& trace, const char* name, std::uint32_t step) {
  const Trace::Array* array = trace.find(name);
  if (!array || array->info.type != ElementTypeOf<T>::value || step == 0) return {};
  const TypedArray contents = contents_at(*array, step - 1);
  const std::span<const T> values = contents.as<T>();
  return {values.begin(), values.end()};
}

}  // namespace

NodeList::NodeList(const Cursor& cursor)
    : dim_(cursor.trace().header.dim),
      parent_(elements<std::uint32_t>(cursor, partition_arrays::parent)),
      point_(elements<std::uint32_t>(cursor, partition_arrays::point)),
      split_dim_(elements<std::uint32_t>(cursor, partition_arrays::split_dim)),
      split_value_(elements<double>(cursor, partition_arrays::split_value)),
      box_(elements<double>(cursor, partition_arrays::box)),
      tight_box_(elements<double>(cursor, partition_arrays::tight_box)),
      leaf_(elements<std::uint8_t>(cursor, partition_arrays::leaf)) {}

int NodeList::split_dim(std::uint32_t node) const {
  if (node >= split_dim_.size() || node >= split_value_.size()) return -1;
  return split_dim_[node] < dim_ ? static_cast<int>(split_dim_[node]) : -1;
}

std::span<const double> NodeList::sides(std::span<const double> boxes, std::uint32_t node) const {
  const std::size_t width = 2 * std::size_t(dim_);
  return width && (node + std::size_t(1)) * width <= boxes.size() ? boxes.subspan(node * width, width)
                                                                  : std::span<const double>();
}

std::span<const double> NodeList::tight_box(std::uint32_t node) const {
  const std::span<const double> box = sides(tight_box_, node);
  return box.empty() || std::isnan(box[0]) ? std::span<const double>() : box;
}

bool NodeList::is_right_child(std::uint32_t node) const {
  const std::uint32_t up = parent(node);
  if (up == no_id) return false;
  const int d = split_dim(up);
  const std::span<const double> b = box(node);
  if (d >= 0 && !b.empty()) {
    const bool above = b[d] >= split_value(up), below = b[dim_ + d] <= split_value(up);
    if (above != below) return above;
  }
  return node > 0 && parent(node - 1) == up;
}

NodeList::Children NodeList::children() const {
  Children children{no_id, std::vector<std::uint32_t>(size(), no_id), std::vector<std::uint32_t>(size(), no_id)};
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::uint32_t up = parent(i);
    if (up == no_id)
      children.root = std::min(children.root, i);
    else
      (children.first[up] == no_id ? children.first[up] : children.second[up]) = i;
  }
  return children;
}

std::vector<std::uint32_t> split_dims_before(const Trace& trace, std::uint32_t step) {
  return contents_before<std::uint32_t>(trace, partition_arrays::split_dim, step);
}

std::vector<std::uint32_t> final_parents(const Trace& trace) {
  std::vector<std::uint32_t> parents = contents_before<std::uint32_t>(trace, partition_arrays::parent, no_id);
  for (std::uint32_t node = 0; node < parents.size(); ++node)
    if (parents[node] >= node) parents[node] = no_id;
  return parents;
}

}  // namespace kdscope
