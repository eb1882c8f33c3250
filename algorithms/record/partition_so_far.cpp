#include "algorithms/record/partition_so_far.hpp"

#include <algorithm>

namespace kdscope {

void add_partition(ArrayList& list, bool buckets) {
  using namespace arrays::partition;
  list.add(parent, split_dim, split_value, box, point, node_of_point);
  if (buckets) list.add(tight_box, leaf);
}

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

void PartitionSoFar::add_child(std::uint32_t node, std::uint32_t parent, bool upper) {
  parent_[node] = parent;
  double* box = box_.data() + followed(node, size()) * 2 * k_;
  std::copy_n(box_.data() + followed(parent, size()) * 2 * k_, 2 * k_, box);
  if (split_dim_[parent] != no_id) box[split_dim_[parent] + (upper ? 0 : k_)] = split_value_[parent];
}

void PartitionSoFar::split(std::uint32_t node, std::uint32_t dim, double value) {
  split_dim_[node] = static_cast<std::uint32_t>(followed(dim, k_));
  split_value_[node] = value;
}

void PartitionSoFar::set_tight_box(std::uint32_t node, std::span<const double> tight_box) {
  tight_box_.resize(box_.size());
  std::copy(tight_box.begin(), tight_box.end(), tight_box_.begin() + std::ptrdiff_t(followed(node, size())) * 2 * k_);
}

void PartitionSoFar::add_to(StepWriter& step) const {
  step.wrote(arrays::partition::parent, parent_);
  step.wrote(arrays::partition::split_dim, split_dim_);
  step.wrote(arrays::partition::split_value, split_value_);
  step.wrote(arrays::partition::box, box_);
  if (!tight_box_.empty()) {
    step.wrote(arrays::partition::tight_box, tight_box_);
    step.wrote(arrays::partition::leaf, leaf_);
  }
  step.wrote(arrays::partition::point, point_);
  step.wrote(arrays::partition::node_of_point, node_of_point_);
}

}  // namespace kdscope
