#pragma once
// The algorithms that a test with points can go over.

#include <vector>

#include "algorithms/registry/registry.hpp"

namespace kdscope::test {

/// Those that take points alone; the others want triangles over them.
inline std::vector<AlgorithmSpec> point_algorithms() {
  std::vector<AlgorithmSpec> taking;
  for (const AlgorithmSpec& algorithm : algorithms())
    if (!algorithm.takes_triangles) taking.push_back(algorithm);
  return taking;
}

}  // namespace kdscope::test
