#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/brown/brown.hpp"

namespace kdscope::queries::brown {

std::vector<SearchSpec> declare() {
  return {declared<SuperKeyWalk>("super-key-walk", "Range search with a stack", "Brown 2015",
                                 "Goes down on the query's side of each median, and to the other side if the range or "
                                 "the reach crosses the plane.",
                                 "queries/stack")};
}

}  // namespace kdscope::queries::brown
