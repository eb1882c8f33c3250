#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/wehr/wehr.hpp"

namespace kdscope::queries::wehr {

std::vector<SearchSpec> declare() {
  return {declared<BoundedPriorityQueue>(
      "priority-queue", "Bounded double-ended priority queue", "Wehr & Radkowski 2018",
      "Goes down on the query's side and then on with the nearest of the nodes that wait. A full queue gives up the "
      "farthest, so that the search may miss points.",
      "queries/priority_queue")};
}

}  // namespace kdscope::queries::wehr
