#include "algorithms/slabs/plan.hpp"

#include <algorithm>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/slabs/tree_header.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::slabs {
namespace {

/// Returns the memory in which `rank` builds a tree: its columns and the finished tree.
std::uint64_t build_bytes(std::uint64_t points, std::uint32_t dim, bool on_cpu) {
  if (on_cpu) return points * (12 * dim + 9) + 65536;  // input, records and tree; planes of at most 8 levels
  // Two columns, or one and the tree; brackets and bins of the upper levels, of which nodes have more than 2048 points;
  // the ranks of few points
  const std::uint64_t ranked = std::min<std::uint64_t>(points, rank::max_shared * 4 * rank::max_subtree);
  return points * (8 * dim + 9 + 1) + ranked * 2 * dim + (1u << 20);
}

}  // namespace

std::uint32_t largest_subtree(std::uint64_t n, int upper) {
  return subtree_size(NodeId{full_tree_size(upper)}, static_cast<std::uint32_t>(n));
}

Result<Plan> plan_build(const Shape& input, std::uint64_t memory, bool on_cpu, const std::string& file) {
  if (input.dim < 1 || input.dim > rank::max_dim)
    return Error{ErrorKind::bad_input,
                 "rank builds points of 1 to " + std::to_string(rank::max_dim) + " dimensions, these have " +
                     std::to_string(input.dim),
                 file, "choose other data"};
  if (input.n > max_points_of_tree)
    return Error{
        ErrorKind::bad_input,
        std::to_string(input.n) + " points are more than rank takes (" + std::to_string(max_points_of_tree) + ")", file,
        "use fewer points"};
  Plan plan{.input = input, .memory = memory};
  const auto n = static_cast<std::uint32_t>(input.n);
  const int most = std::clamp(num_levels(n) - 1, 0, most_upper_levels);
  const auto needed = [&](int upper) { return build_bytes(largest_subtree(n, upper), input.dim, on_cpu); };
  // On the CPU, the limit is also for the pieces that go into a subtree
  const std::uint64_t for_subtree = on_cpu ? memory - memory / 16 : memory;
  while (plan.upper < most && needed(plan.upper) > for_subtree) ++plan.upper;
  plan.largest = largest_subtree(n, plan.upper);
  plan.subtree_bytes = needed(plan.upper);
  if (plan.subtree_bytes > for_subtree) {
    const std::uint64_t least = on_cpu ? plan.subtree_bytes + (plan.subtree_bytes - 1) / 15 : plan.subtree_bytes;
    return Error{ErrorKind::out_of_memory,
                 "building " + std::to_string(input.n) + " points in slabs needs at least " + std::to_string(least) +
                     " bytes of memory (" + memory_text(least) + "), and only " + std::to_string(memory) +
                     " are allowed",
                 file, "allow more"};
  }
  for (std::uint32_t s = 0; s < 1u << plan.upper; ++s)
    plan.subtrees += subtree_size(NodeId{full_tree_size(plan.upper) + s}, n) > 0;
  // At different times: a quarter of the limit for the points of a slab that are written, and half for the sample with
  // its orders and for windows, which grow by doubling
  const std::uint64_t record = 4 * (input.dim + 1);
  plan.slab_points = std::clamp<std::uint64_t>(memory / 4 / (2 * record), 64, 1u << 24);
  plan.slabs = (input.n + plan.slab_points - 1) / plan.slab_points;
  plan.piece_points = std::clamp<std::uint64_t>(memory / 16 / record, 64, 1u << 20);
  plan.sample_points = std::clamp<std::uint64_t>(memory / 8 / (record + 24), 64, 1u << 20);
  plan.window_points = std::max<std::uint64_t>(memory / 4 / 8, 64);
  plan.scratch_bytes = input.n * record;
  plan.tree_bytes = tree_header(input).size() + input.n * input.row_bytes();
  plan.passes = static_cast<std::uint64_t>(plan.upper) + 2;
  plan.bytes_read = plan.passes * input.n * input.point_bytes() + plan.scratch_bytes;
  plan.bytes_written = plan.scratch_bytes + plan.tree_bytes;
  return plan;
}

}  // namespace kdscope::slabs
