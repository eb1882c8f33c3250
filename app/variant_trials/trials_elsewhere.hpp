#pragma once
// Variants on a device elsewhere: the source travels there, is compiled and tried there, and the recordings come back.

#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/runners.hpp"
#include "algorithms/variants/work.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace kdscope {

/// Returns the runners in use if they lead to a device elsewhere, otherwise null.
std::shared_ptr<variants::Runners> runners_elsewhere();

/// try_variant() and time_variant() there. Without what the file includes from its own folder. Errors: those of both,
/// and those of Runners::work().
Result<VariantTrial> try_variant_there(const TrialRequest& request, variants::CompilerErrors& errors,
                                       const RunControl& control, const std::shared_ptr<variants::Runners>& runners);
Result<variants::Measurement> time_variant_there(const TrialRequest& request, int builds,
                                                 variants::CompilerErrors& errors, const RunControl& control,
                                                 const std::shared_ptr<variants::Runners>& runners);

/// Both, as a runner does them.
std::vector<variants::ServedWork> variant_works();

}  // namespace kdscope
