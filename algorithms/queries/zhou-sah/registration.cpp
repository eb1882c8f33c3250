#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/zhou-sah/zhou_sah.hpp"

namespace kdscope::queries::zhou_sah {

std::vector<SearchSpec> declare() {
  return {
      declared<RayWithStack>("ray-stack", "Ray traversal with a stack", "Zhou et al. 2008",
                             "Walks through the cells along a ray, the near side of each plane first, and keeps the "
                             "far side on a stack with its part of the ray.",
                             "queries/rays")};
}

}  // namespace kdscope::queries::zhou_sah
