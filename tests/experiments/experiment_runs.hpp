#pragma once
// Experiments by their ids, their printed numbers, and the results of measuring a few of their rows.

#include <string>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

using Texts = std::vector<std::string>;

inline const Experiment& experiment_named(const std::string& id) {
  const Experiment* experiment = find_experiment(id);
  INFO(id);
  REQUIRE(experiment != nullptr);
  return *experiment;
}
inline const ExperimentSpec& spec_of(const std::string& id) { return experiment_named(id).spec; }

/// Returns the printed texts at one place of the rows that `wanted` selects.
template <class Wanted>
Texts printed(const std::string& id, std::size_t place, Wanted wanted) {
  Texts texts;
  for (const ExperimentRow& row : spec_of(id).rows)
    if (wanted(row)) texts.push_back(row.printed.at(place).text);
  return texts;
}
inline Texts printed_of_series(const std::string& id, const std::string& series, std::size_t place) {
  return printed(id, place, [&](const ExperimentRow& row) { return row.series == series; });
}

/// Returns options for rows of at most max_n, each built twice.
inline ExperimentOptions small(std::uint64_t max_n, const Parameters& parameters = {},
                               Backend backend = Backend::automatic) {
  ExperimentOptions options;
  options.max_n = max_n;
  options.repeat = 2;
  options.parameters = parameters;
  options.backend = backend;
  return options;
}
inline ExperimentOptions small_on_cpu(std::uint64_t max_n) { return small(max_n, {}, Backend::cpu); }

inline std::vector<ExperimentRow> measured(const std::string& id, const ExperimentOptions& options) {
  std::vector<ExperimentRow> rows;
  const auto done = run_experiment(experiment_named(id), options,
                                   [&](std::size_t, const ExperimentRow& row) { rows.push_back(row); });
  if (!done) FAIL(done.error().message());
  return rows;
}

}  // namespace kdscope::test
