#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/hu/hu.hpp"

namespace kdscope::queries::hu {

std::vector<SearchSpec> declare() {
  return {declared<BestBinFirst>("best-bin-first", "Best bin first", "Hu et al. 2015",
                                 "Goes down to a bucket and then on with the nearest of the boxes that wait in an "
                                 "array. A full array gives up the "
                                 "farthest, so that the search may miss points.",
                                 "queries/best_bin_first")};
}

}  // namespace kdscope::queries::hu
