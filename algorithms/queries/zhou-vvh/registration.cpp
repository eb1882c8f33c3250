#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/zhou-vvh/zhou_vvh.hpp"

namespace kdscope::queries::zhou_vvh {

std::vector<SearchSpec> declare() {
  return {declared<RadiusHistogram>(
      "radius-histogram", "Range searches over radius histograms", "Zhou et al. 2008",
      "Narrows a radius around the query by histograms of distances until hardly more than k points are inside, and "
      "takes all of these. No priority queue, and no stack.",
      "queries/radius_histogram")};
}

}  // namespace kdscope::queries::zhou_vvh
