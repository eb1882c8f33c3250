#pragma once
// A variant's trial without a compiler: the original's recording with one element changed.

#include <cstddef>
#include <memory>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/divergence.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Returns the trial of a variant of update_tags on wald-10 that writes another tags[6] from step 2 on. It has no file.
inline VariantTrial trial_with_changed_tag() {
  RunRequest request{"wald-10", "wald", {}, Backend::cpu};
  request.points = *open_data_set(request.data);
  VariantTrial trial;
  trial.file.algorithm = request.algorithm;
  const auto original = record(request).value();
  trial.original = original;
  auto changed = std::make_shared<Trace>(*trial.original);
  for (Trace::Array& array : changed->arrays)
    if (array.info.name == "tags")
      for (ArrayVersion& version : array.versions)
        if (version.step >= 2 && version.keyframe) version.values.bytes()[4 * 6] = std::byte{99};
  trial.run.trace = changed;
  trial.run.replaced = {"update_tags"};
  trial.divergence = find_divergence(trial.original, changed);
  REQUIRE(trial.divergence.steps);
  return trial;
}

}  // namespace kdscope::test
