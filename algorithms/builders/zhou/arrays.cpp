#include "algorithms/builders/zhou/arrays.hpp"

namespace kdscope::zhou {

void declare(ArrayList& list, Primitive primitive) {
  using namespace arrays;
  const bool of_triangles = primitive == Primitive::triangle;
  const Space of = of_triangles ? Space::triangle : Space::point;
  list.add(points);
  if (of_triangles)
    list.add(aabb);
  else
    list.add_each_dimension(order, lefts);
  list.add(reference.with_values(of), reference_node);
  if (of_triangles) list.add(reference_box, in_left);
  list.add(in_right);
  if (of_triangles) list.add(rank_left, rank_right);
  list.add(active, chunk_node, chunk_first, chunk_size, arrays::owner, chunk_box, data_box, chunk_counts, data_count,
           result_box, cuts, cut, median_dim, median, node_box, halved, child, result_count, kind);
  if (of_triangles) list.add(result_left, result_right);
  list.add(kept.with_values(of), kept_node, kept_box, small_root, candidate_root, candidate_primitive.with_values(of),
           candidate_dim, candidate_value, candidate_left, candidate_right, cost_node, cost_candidate, cost);
  list.add(left_child, split_dim, split_value, count, depth, set, leaf_cost, choice, size, size_references,
           arrays::address, address_references);
  list.add(tree_node, tree_parent, tree_right_child, tree_split_dim, tree_split_value, tree_first, tree_count, tree_box,
           tree_references.with_values(of), tree_bounded);
  add_partition(list, true);
  if (of_triangles) list.add(partition::count);
}

}  // namespace kdscope::zhou
