#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/zhou-sah/zhou_sah.hpp"

namespace kdscope::queries::zhou_sah {

std::vector<SearchSpec> declare() {
  return {
      declared<RayWithStack>("ray-stack", "Ray traversal with a stack", "Zhou et al. 2008",
                             "Walks through the cells along a ray, the near side of each plane first, and keeps the "
                             "far side on a stack with its part of the ray.",
                             "queries/rays"),
      declared<RayPacket>("ray-packet", "Packets of rays", "Zhou et al. 2008; Wald et al. 2001",
                          "Walks with 32 rays at once, one per lane of a warp, through every cell that one of them "
                          "passes. Rays that lie together share what they read.",
                          "queries/ray_packets")};
}

}  // namespace kdscope::queries::zhou_sah
