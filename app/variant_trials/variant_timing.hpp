#pragma once
// Times a variant beside the original, for the window. No Qt.

#include <string>

#include "algorithms/variants/measurement.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace kdscope {

/// Compiles the variant and a copy of the original with full optimisation, and builds with both in turn, `builds` times
/// each (see variants::measure()). request: file, data, parameters and back end; own points are not taken. Errors:
/// those of compile() and measure().
Result<variants::Measurement> time_variant(const TrialRequest& request, int builds, variants::CompilerErrors& errors,
                                           const RunControl& control = {});

/// "slower: 1.17 times the original's time (3.13 ms, the original 2.67 ms, 11 builds of each in turn)", and a second
/// sentence if the trees differ.
std::string timing_text(const variants::Measurement& measured);

}  // namespace kdscope
