#pragma once
// Parameters for tests that run every builder in each of its ways.

#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope::test {

/// The default parameters of a builder, and each choice that differs from them by itself.
inline std::vector<Parameters> ways_to_build(const AlgorithmSpec& spec) {
  std::vector<Parameters> all{{}};
  for (const ParameterSpec& parameter : spec.parameters)
    for (const Choice& choice : parameter.choices)
      if (choice.value != parameter.default_value) all.push_back({{parameter.name, choice.value}});
  return all;
}

}  // namespace kdscope::test
