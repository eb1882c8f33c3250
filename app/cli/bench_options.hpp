#pragma once
// The options of bench that name its rows, as a plan and back.

#include <string>
#include <vector>

#include "app/arguments/arguments.hpp"
#include "app/bench/bench_run.hpp"

namespace kdscope::cli {

/// The options that name rows, and how each is measured.
std::vector<Option> bench_row_options();

/// Whether a command line names rows.
bool names_rows(const Arguments& arguments);

/// The plan of a command line; defaults for what it leaves out. Errors: bad_usage.
Result<BenchPlan> bench_plan_from(const Arguments& arguments);

/// The words of a command line that makes this plan, without defaults that depend on the machine.
std::vector<std::string> words_of(const BenchPlan& plan);

}  // namespace kdscope::cli
