#pragma once
// Parameters that the two builders of Zhou et al. 2008 share.

#include <cstdint>
#include <string>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/trees/split_planes/planes.hpp"

namespace kdscope::zhou {

struct ZhouOptions {
  SplitPlaneRules rules;
  std::uint32_t chunk = 256;  ///< N: references in a chunk, a power of two from 2 to 1,024; triangles only
};

/// Options from completed parameters.
inline ZhouOptions options_of(const Parameters& parameters) {
  const auto number = [&](const char* name) { return static_cast<std::uint32_t>(std::stoul(parameters.at(name))); };
  ZhouOptions options;
  options.rules = {number("small"), number("empty"), number("traversal") / 100.0, number("depth"), ScalarType::float32};
  if (parameters.contains("chunk")) options.chunk = number("chunk");
  if (parameters.contains("radius")) options.rules.radius = number("radius");
  return options;
}

}  // namespace kdscope::zhou
