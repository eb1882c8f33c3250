#pragma once
// Parameters for tests that run every builder with each of its choices.

#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope::test {

/// Returns the default parameters of a builder, one variant for each choice that differs from them, and one for several
/// parts.
inline std::vector<Parameters> ways_to_build(const AlgorithmSpec& spec) {
  std::vector<Parameters> all{{}};
  for (const ParameterSpec& parameter : spec.parameters) {
    if (parameter.name == "parts") all.push_back({{"parts", "4"}});
    for (const Choice& choice : parameter.choices)
      if (choice.value != parameter.default_value) all.push_back({{parameter.name, choice.value}});
  }
  return all;
}

}  // namespace kdscope::test
