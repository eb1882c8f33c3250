#pragma once
// Small recorded runs for questions and exercises: every builder and searches, on random points.

#include <memory>
#include <string>

#include "algorithms/registry/searches.hpp"
#include "tests/support/recorded.hpp"

namespace kdscope::test {

inline std::shared_ptr<const Trace> record_run(const std::string& algorithm, const std::string& data,
                                               const Parameters& parameters = {}, const Parameters& search = {}) {
  return recorded(data, algorithm, parameters, search);
}

/// Returns a specification of a few random points, with a builder's parameters that make its arrays small. The seed
/// chooses the generator, the number of points, their type and dimensions.
inline std::string small_data(std::uint64_t seed, std::uint64_t most = 40) {
  const std::uint64_t n = 5 + mix64(seed) % (most - 4), dim = 1 + mix64(seed + 1) % 3;
  const std::string generator = mix64(seed + 2) % 3 == 0 ? "grid" : "uniform";
  return generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=" + std::to_string(seed) +
         (mix64(seed + 3) % 2 == 0 ? ",type=int" : "");
}

inline Parameters small_parameters(const std::string& algorithm, std::uint64_t seed) {
  if (algorithm == "hu") return {{"leaf_size", "2"}};
  if (algorithm == "wehr") return {{"base", "4"}, {"tpb", "4"}, {"cutoff", mix64(seed) % 2 == 0 ? "4" : "8"}};
  if (algorithm == "wald") return {{"split", mix64(seed) % 2 == 0 ? "round-robin" : "widest"}};
  return {};
}

/// Records one of the builders on points or triangles.
inline std::shared_ptr<const Trace> small_run(const AlgorithmSpec& algorithm, std::uint64_t seed,
                                              std::uint64_t most = 40) {
  const std::string data = algorithm.takes_triangles
                               ? "triangles:n=" + std::to_string(3 + mix64(seed) % 10) + ",seed=" + std::to_string(seed)
                               : small_data(seed, most);
  return record_run(algorithm.id, data, small_parameters(algorithm.id, seed));
}

}  // namespace kdscope::test
