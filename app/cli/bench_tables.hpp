#pragma once
// The results of a bench as tables for people.

#include <ostream>
#include <string>
#include <vector>

#include "app/bench/bench_comparison.hpp"
#include "app/bench/bench_results.hpp"

namespace kdscope::cli {

/// Prints the table of one device, the rows that are left out with their reasons, and what differs between searches.
void print_table(const BenchTable& table, std::ostream& out);

/// Prints what got slower or faster, and how many rows have each verdict. path: the file of `before`.
void print_comparison(const std::vector<BenchedAgain>& rows, const std::vector<BenchTable>& now,
                      const BenchResults& before, const std::string& path, std::ostream& out);

}  // namespace kdscope::cli
