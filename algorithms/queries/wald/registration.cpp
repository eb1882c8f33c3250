#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/wald/wald.hpp"

namespace kdscope::queries::wald {

std::vector<SearchSpec> declare() {
  return {declared<StackFree>("stack-free", "Stack-free traversal", "Wald 2022",
                              "Walks from node to node by their numbers alone: the node before tells whether the walk "
                              "goes down or comes back.",
                              "queries/stack_free"),
          declared<StackBased>("stack", "Traversal with a stack", "Wald 2022",
                               "Goes down on the query's side of each plane and comes back for the other sides, which "
                               "wait on a stack.",
                               "queries/stack"),
          declared<ClosestCorner>("closest-corner", "Traversal with closest corners", "Wald 2022",
                                  "Keeps with each subtree on the stack the corner of its domain that is closest to "
                                  "the query, and skips it if that is too far away.",
                                  "queries/closest_corner")};
}

}  // namespace kdscope::queries::wald
