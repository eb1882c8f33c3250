#pragma once
// The extent of a long test: a share of the cases in a quick run, all of them in the slow entries of ctest.

#include <cstddef>
#include <cstdlib>

namespace kdscope::test {

/// Returns whether this run covers all cases. A test case that calls this has the tag [share]: its file gets a second
/// entry, labelled slow, with KDSCOPE_EVERYTHING set.
inline bool everything() { return std::getenv("KDSCOPE_EVERYTHING") != nullptr; }

/// Returns the stride over the cases of a long test: n, or 1 in a slow entry, which runs all of them.
inline std::size_t every_nth(std::size_t n) { return everything() ? 1 : n; }

}  // namespace kdscope::test
