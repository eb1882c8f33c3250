#include "algorithms/record/partition_so_far.hpp"

#include <algorithm>

namespace kdscope {
PartitionSoFar::PartitionSoFar(const PointSet& points, std::uint32_t nodes)
    : k_(points.dim),
      parent_(nodes, no_id),
      point_(nodes, no_id),
      node_of_point_(points.size()),
      split_dim_(nodes, no_id),
      leaf_(nodes, 0),
      split_value_(nodes),
      box_(std::size_t(nodes) * 2 * points.dim) {
  if (nodes == 0) return;
  const Box domain = bounding_box(points);
  std::copy(domain.lo.begin(), domain.lo.end(), box_.begin());
  std::copy(domain.hi.begin(), domain.hi.end(), box_.begin() + k_);
}

void PartitionSoFar::hang(std::uint32_t node, std::uint32_t parent, bool upper) {
  parent_[node] = parent;
  double* box = box_.data() + std::size_t(node) * 2 * k_;
  std::copy_n(box_.data() + std::size_t(parent) * 2 * k_, 2 * k_, box);
  if (split_dim_[parent] != no_id) box[split_dim_[parent] + (upper ? 0 : k_)] = split_value_[parent];
}

void PartitionSoFar::split(std::uint32_t node, std::uint32_t dim, double value) {
  split_dim_[node] = dim;
  split_value_[node] = value;
}

void PartitionSoFar::enclose(std::uint32_t node, std::span<const double> tight_box) {
  tight_box_.resize(box_.size());
  std::copy(tight_box.begin(), tight_box.end(), tight_box_.begin() + std::ptrdiff_t(node) * 2 * k_);
}

void PartitionSoFar::add_to(StepReport& report) const {
  report.add(partition_arrays::parent, parent_);
  report.add(partition_arrays::split_dim, split_dim_);
  report.add(partition_arrays::split_value, split_value_);
  report.add(partition_arrays::box, box_);
  if (!tight_box_.empty()) {
    report.add(partition_arrays::tight_box, tight_box_);
    report.add(partition_arrays::leaf, leaf_);
  }
  report.add(partition_arrays::point, point_);
  report.add(partition_arrays::node_of_point, node_of_point_);
}

}  // namespace kdscope
