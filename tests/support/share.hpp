#pragma once
// How much a long test goes over: a share in a quick run, everything in the slow entries of ctest.

#include <cstddef>
#include <cstdlib>

namespace kdscope::test {

/// Whether this run goes over everything. A test case that asks has the tag [share]: its file gets a second entry,
/// labelled slow, with KDSCOPE_EVERYTHING set.
inline bool everything() { return std::getenv("KDSCOPE_EVERYTHING") != nullptr; }

/// Takes every n-th case of a long test: all in a slow entry.
inline std::size_t every_nth(std::size_t n) { return everything() ? 1 : n; }

}  // namespace kdscope::test
