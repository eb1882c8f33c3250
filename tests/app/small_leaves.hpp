#pragma once
// Parameters with which even ten points make a tree, where leaves may hold many.

#include "algorithms/registry/registry.hpp"

namespace kdscope {

inline Parameters small_leaves(const AlgorithmSpec& algorithm) {
  for (const ParameterSpec& parameter : algorithm.parameters)
    if (parameter.name == "leaf_size") return {{"leaf_size", "2"}};
  return {};
}

}  // namespace kdscope
