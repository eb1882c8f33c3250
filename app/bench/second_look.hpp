#pragma once
// Measures again what seems to differ from an earlier bench.

#include <vector>

#include "app/bench/bench_run.hpp"
#include "app/measure/comparison.hpp"

namespace kdscope {

/// Measures every row again that is slower or faster than before, and takes back the verdicts that this contradicts: a
/// machine that was busy for a moment makes rows slower whose own times hardly vary. The measured times stay as they
/// are. tables: those that `rows` point into. Errors: those of measure_bench().
Result<void> look_again(const BenchPlan& plan, const std::vector<MeasuredTable>& tables, std::vector<ComparedRow>& rows,
                        const RunControl& control);

}  // namespace kdscope
