#pragma once
// Finds parameters and data with which a builder launches a stage that it does not launch as a rule. No Qt.

#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/variants/kit.hpp"

namespace kdscope {

/// Parameters and data of a run that may launch other stages.
struct LaunchChoice {
  Parameters parameters;
  std::string data;     ///< a data specification; empty: the data as they are
  std::string changed;  ///< "sort=bitonic", "uniform:n=5000,dim=3,seed=7, levels=1"
};

/// Returns the choices to try, the nearest to the given parameters first: one other parameter; other data; both.
std::vector<LaunchChoice> launch_choices(const AlgorithmSpec& spec, const Parameters& parameters);

/// What launches a stage.
struct StageLaunch {
  variants::Stage stage;
  bool launched = false;  ///< by any choice that was tried
  std::string choice;     ///< "sort=bitonic", "--data uniform:n=5000,dim=3,seed=7"; empty: nothing special
};

/// Compiles the stages of an algorithm as one variant, and runs it on the CPU with the usual data and with
/// launch_choices(), until every stage was launched. Each run takes about 0.3 s, compiling 20 s the first time.
/// `errors` receives the compiler's messages. Errors: those of find_kit(), compile() and run_variant() about the
/// machine.
Result<std::vector<StageLaunch>> stage_launches(const std::string& algorithm, variants::CompilerErrors& errors,
                                                const RunControl& control = {});

}  // namespace kdscope
