#pragma once
// Shrinks a data set on which something fails to the fewest points or triangles that still fail, and gives these simple
// coordinates. Knows nothing about what fails. After Zeller, Hildebrandt 2002, "Simplifying and isolating
// failure-inducing input" (delta debugging).

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope::variants {

/// Returns whether a data set fails. An error of kind bad_input means that the set cannot be tested; any other error
/// ends the search.
using FailureTest = std::function<Result<bool>(const DataSet& data)>;

struct ShrinkProgress {
  std::size_t tests = 0;  ///< run so far
  std::size_t size = 0;   ///< points or triangles of the smallest set that failed; the original's before the first
};

struct ShrinkOptions {
  std::chrono::milliseconds time{60'000};  ///< no test starts later
  std::stop_token stop = {};
  std::function<void(const ShrinkProgress&)> progress = {};  ///< called after each test
};

/// A data set that fails.
struct Shrunk {
  DataSet data;
  std::vector<std::uint32_t> elements;  ///< its points or triangles as indices into the original, ascending
  std::size_t original_size = 0;        ///< points or triangles
  std::size_t tests = 0;                ///< that were run; equal data sets are tested once
  double seconds = 0;
  bool minimal = false;  ///< the search ended: without any one element the set does not fail, or it has only one
};

/// The points, or triangles with their vertices, of these indices (ascending). Vertices that are left without a
/// triangle are dropped, the others keep their order.
DataSet subset_of(const DataSet& data, const std::vector<std::uint32_t>& elements);

/// Shrinks a data set. First tests small samples of it (evenly spaced, contiguous, random, neighbours along a
/// dimension, and equal coordinates), of 8 elements, then 16, ..., since most failures need few elements. Then removes
/// elements from the first sample that fails: halves, quarters, ..., single ones. At last replaces the coordinates of
/// each dimension by their ranks, or by small integers of the same order: ties stay ties, and there are no new ones.
/// Deterministic unless time runs out. When the time is over or a stop is requested, returns the smallest set so far.
///
/// Errors: bad_input if there are no elements or if nothing fails; failed_check if the same set fails and then passes;
/// cancelled if the stop request or the end of the time comes before the first failure; those of the test.
Result<Shrunk> shrink(const DataSet& data, const FailureTest& fails, const ShrinkOptions& options = {});

}  // namespace kdscope::variants
