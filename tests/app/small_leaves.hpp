#pragma once
// Parameters with which even ten points make a tree of several nodes, for builders whose leaves hold many points.

#include "algorithms/registry/registry.hpp"

namespace kdscope {

inline Parameters small_leaves(const AlgorithmSpec& algorithm) {
  for (const ParameterSpec& parameter : algorithm.parameters)
    if (parameter.name == "leaf_size") return {{"leaf_size", "2"}};
  return {};
}

}  // namespace kdscope
