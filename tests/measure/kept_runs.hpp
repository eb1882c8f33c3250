#pragma once
// Runs of one row for the tests of kept files and comparisons.

#include <string>
#include <vector>

#include "app/measure/measured_row.hpp"

namespace kdscope::test {

inline constexpr const char* day_1 = "2026-05-01T00:00:00Z";
inline constexpr const char* day_2 = "2026-05-02T00:00:00Z";

inline MeasuredRow row_of(std::vector<double> ms) {
  MeasuredRow row;
  row.what.subject = "wald";
  row.what.given = {{"sort", "radix"}};
  row.what.data = "uniform:n=10,dim=2";
  row.distribution = "uniform:n={n},dim=2";
  row.n = 10;
  row.samples.values = std::move(ms);
  row.facts.hash = 1;
  return row;
}

/// A row of which only median and deviation are known, of five repetitions.
inline MeasuredRow row_of(double median, double deviation) {
  MeasuredRow row = row_of({});
  row.samples.summary = {5, median, median, median, median, deviation};
  return row;
}

inline MeasuredRun run_of(const std::string& commit, const std::string& date, MeasuredRow row) {
  return {"0.1.0", commit, date, {}, 0, {{Backend::cpu, "2 threads", "", 2, 0, {std::move(row)}}}};
}

}  // namespace kdscope::test
