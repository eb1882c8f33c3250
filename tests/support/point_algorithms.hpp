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

/// A choice of one parameter, with what another one must be for it to have an effect: scale is that of quantized keys.
inline Parameters parameters_with(const ParameterSpec& parameter, const Choice& choice) {
  Parameters chosen{{parameter.name, choice.value}};
  if (parameter.name == "scale") chosen["keys"] = "quantized";
  return chosen;
}

}  // namespace kdscope::test
