#pragma once
// The extent of a long test: a share of the cases in a quick run, all of them with tests/run.sh --all.

#include <cstddef>
#include <cstdlib>

namespace kdscope::test {

/// Returns whether this run covers all cases: tests/run.sh --all and slow entries set KDSCOPE_EVERYTHING. A test case
/// that calls this has the tag [share].
inline bool everything() { return std::getenv("KDSCOPE_EVERYTHING") != nullptr; }

/// Returns the stride over the cases of a long test: n, or 1 where all of them run.
inline std::size_t every_nth(std::size_t n) { return everything() ? 1 : n; }

}  // namespace kdscope::test
