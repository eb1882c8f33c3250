#pragma once
// Includes Catch2 2 (Debian 12) or 3, and defines the mark that reports a test case as skipped.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <cstdio>

/// Returns from the test case, or from a part of it, and reports it as skipped with the reason. Catch2 2 has no SKIP.
/// ctest recognises the printed mark unless something else failed. A skip counts as an assertion.
#define KDSCOPE_SKIP(reason)                        \
  do {                                              \
    std::printf("KDSCOPE_SKIPPED: %s\n", (reason)); \
    SUCCEED(reason);                                \
    return;                                         \
  } while (false)
