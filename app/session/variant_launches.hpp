#pragma once
// Finds parameters and data with which a builder launches a stage that it does not launch as a rule. No Qt.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Parameters and data of a run that may launch other stages.
struct LaunchChoice {
  Parameters parameters;
  std::string data;     ///< a data specification; empty: the data as they are
  std::string changed;  ///< "sort=bitonic", "uniform:n=5000,dim=3,seed=7, levels=1"
};

/// Returns the choices to try, the nearest to the given parameters first: one other parameter; other data; both.
std::vector<LaunchChoice> launch_choices(const AlgorithmSpec& spec, const Parameters& parameters);

}  // namespace kdscope
