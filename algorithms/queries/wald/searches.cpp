#include "algorithms/queries/search.hpp"
#include "algorithms/queries/wald/run.hpp"

namespace kdscope {
namespace {

const PointSet& points_of(const Tree& tree) { return tree.as<LeftBalancedTree>().points; }

}  // namespace

const std::vector<Search>& all_searches() {
  using namespace queries::wald;
#if defined(KDSCOPE_HAS_CUDA)
  const Runs cuda = on_cuda;
#else
  const Runs cuda{};
#endif
  static const std::vector<Search> all{
      {{"stack", "Traversal with a stack", "Wald 2022",
        "Goes down on the query's side of each plane and comes back for the other sides, which wait on a stack.",
        "left-balanced"},
       points_of,
       on_cpu.stack,
       cuda.stack},
      {{"stack-free", "Stack-free traversal", "Wald 2022",
        "Walks from node to node by their numbers alone: the node before tells whether the walk goes down or comes "
        "back.",
        "left-balanced"},
       points_of,
       on_cpu.stack_free,
       cuda.stack_free},
      {{"closest-corner", "Traversal with closest corners", "Wald 2022",
        "Keeps with each sub-tree on the stack the corner of its domain that is closest to the query, and skips it if "
        "that is too far away.",
        "left-balanced"},
       points_of,
       on_cpu.closest_corner,
       cuda.closest_corner}};
  return all;
}

}  // namespace kdscope
