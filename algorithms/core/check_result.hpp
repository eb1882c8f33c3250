#pragma once
// The result of a check: whether an invariant holds, and the elements that violate it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/index_range.hpp"

namespace kdscope {

/// Returns "tags[3]", for the texts of violations.
inline std::string element_text(const std::string& array, std::uint64_t index) {
  return array + "[" + std::to_string(index) + "]";
}

/// One invariant of a step or a tree, and whether it holds.
struct CheckResult {
  /// Largest number of ranges of violating elements that are kept. Counting continues beyond it.
  static constexpr std::size_t most_ranges = 1000;

  std::string name;       ///< "observation 3.2"
  std::string statement;  ///< what must hold, in one sentence
  bool passed = true;
  std::string detail;      ///< the first violation: where, found, expected; empty if the check passed
  std::string array = {};  ///< the array of the first violation; empty if no single array shows it
  /// Number of all violations if the check examines every element; 0 in a failed check that stops at the first
  /// violation or does not count.
  std::uint64_t violations = 0;
  /// The elements of `array` that violate the invariant, as ascending, disjoint ranges of indices; at most most_ranges.
  std::vector<IndexRange> elements = {};

  /// Records a violation that no single element shows. Only the text of the first violation is kept.
  void fail(std::string what) {
    if (passed) detail = std::move(what);
    passed = false;
    if (violations > 0) ++violations;
  }
  /// Records that an element violates the invariant, and counts it. `what()` is called only for the first violation.
  /// Elements of arrays other than the first violation's are counted but not kept. Work O(1) for ascending indices.
  template <class What>
  void fail_at(const std::string& of_array, std::uint64_t index, What what) {
    if (passed) {
      array = of_array;
      fail(what());
    } else if (violations == 0) {
      return;  // earlier violations were not counted
    }
    ++violations;
    if (array == of_array) keep(index);
  }

  bool operator==(const CheckResult&) const = default;

 private:
  void keep(std::uint64_t index) {
    const auto after = elements.empty() || elements.back().begin <= index
                           ? elements.end()
                           : std::upper_bound(elements.begin(), elements.end(), index,
                                              [](std::uint64_t i, const IndexRange& r) { return i < r.begin; });
    if (after != elements.begin()) {
      IndexRange& before = *(after - 1);
      if (index < before.end) return;
      if (index == before.end) {
        ++before.end;
        if (after != elements.end() && after->begin == before.end) {
          before.end = after->end;
          elements.erase(after);
        }
        return;
      }
    }
    if (after != elements.end() && after->begin == index + 1)
      --after->begin;
    else if (elements.size() < most_ranges)
      elements.insert(after, {index, index + 1});
  }
};

}  // namespace kdscope
