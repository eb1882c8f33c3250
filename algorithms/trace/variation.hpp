#pragma once
// Finds where repeated runs of one builder on the same data vary, which indicates a race or a read of memory that was
// never written.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/trace/divergence.hpp"

namespace kdscope {

/// An array in which runs differ from the first run, at the first step where they differ.
struct VaryingArray {
  std::uint32_t step = 0;
  std::string array;                              ///< empty if the steps themselves differ
  std::uint64_t runs = 0;                         ///< number of runs that differ here
  std::uint64_t first_run = 0;                    ///< the first of these runs; runs count from 1
  std::uint64_t least_index = 0, most_index = 0;  ///< range of the first differing index over these runs
  std::uint64_t most_different = 0;               ///< largest number of differing elements in one run
};

/// Compares runs with the first run. Keeps only the first run, so that any number of runs can be compared.
class Variation {
 public:
  explicit Variation(std::shared_ptr<const Trace> first) : first_(std::move(first)) {}

  /// Compares one more run, step by step up to the first difference. Work O(elements). Throws ErrorException of kind
  /// cancelled.
  void add(const std::shared_ptr<const Trace>& run, std::stop_token stop = {});

  const Trace& first() const { return *first_; }
  std::uint64_t runs() const { return runs_; }  ///< number of runs, including the first one
  std::uint64_t different_runs() const { return different_; }
  /// Returns the varying arrays by step and, within a step, in the order of the trace's arrays. The later differences
  /// of a run follow from its first one and are not listed.
  const std::vector<VaryingArray>& arrays() const { return arrays_; }

 private:
  void note(std::uint32_t step, const std::string& array, const std::vector<DifferentElement>& elements,
            std::uint64_t different);

  std::shared_ptr<const Trace> first_;
  std::uint64_t runs_ = 1, different_ = 0;
  std::vector<VaryingArray> arrays_;
};

}  // namespace kdscope
