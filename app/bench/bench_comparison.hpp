#pragma once
// Compares the results of a bench with earlier ones of the same rows on the same device.

#include <string>
#include <vector>

#include "app/bench/bench_results.hpp"
#include "app/experiments/kept_results.hpp"

namespace kdscope {

/// Checks that two benches have the same devices and the same rows, in any order, measured or not. Errors of kind
/// bad_input name `path`, the file of the earlier one, and the first difference.
Result<void> check_comparable(const std::vector<BenchTable>& now, const BenchResults& before, const std::string& path);

/// A row now and before.
struct BenchedAgain {
  const BenchRow* now;
  const BenchRow* before;
  /// By judge() with robust deviations. A row that went over the time limit is slower than one that did not; unknown if
  /// either is left out for another reason.
  TimeVerdict verdict;
  bool same_result;       ///< whether both found the same tree or distances; true if either is left out
  bool confirmed = true;  ///< false if a second measurement contradicted, and the verdict is no difference therefore
};

/// Judges a row beside an earlier one, as BenchedAgain::verdict describes it.
TimeVerdict verdict_of(const BenchRow& now, const BenchRow& before);

/// One entry per row of `now`. Precondition: check_comparable(). The pointers are into both arguments.
std::vector<BenchedAgain> compare_benches(const std::vector<BenchTable>& now, const BenchResults& before);

}  // namespace kdscope
