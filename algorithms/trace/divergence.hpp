#pragma once
// Finds where two recorded runs diverge: a variant of a builder and the original, two back ends, or two versions.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// An element whose values differ between two traces.
struct DifferentElement {
  std::uint64_t index = 0;
  std::string a, b;
};

/// An array that differs between two traces, at the compared steps.
struct DifferentArray {
  std::string array;
  std::string a, b;                          ///< sizes or types, if they differ
  std::uint64_t elements = 0;                ///< number of elements that both traces have
  std::uint64_t different = 0;               ///< number of those that differ
  std::vector<DifferentElement> first = {};  ///< the first elements that differ
  std::string around_a = {}, around_b = {};  ///< the first one among its neighbours: "61 61 [30] 62 62"
};

/// The step at which two traces diverge, and everything that differs there.
struct Divergence {
  std::uint64_t compared_steps = 0;
  std::vector<std::string> only_in_a, only_in_b;  ///< arrays
  bool hashes = false, step_counts = false, failed_checks = false;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> steps = {};  ///< the first steps that differ, in a and in b
  bool step_names = false;                                            ///< whether the steps' names differ
  std::vector<DifferentArray> arrays = {};                            ///< the arrays that differ at these steps

  /// Returns whether the compared arrays are equal.
  bool arrays_equal() const { return only_in_a.empty() && only_in_b.empty() && !steps; }
  bool equal() const { return arrays_equal() && !hashes && !step_counts && !failed_checks; }
};

/// Compares two traces: tree hashes, numbers of steps and of failed checks, and lists of arrays. Walks both traces to
/// the first step that differs in its name or in some arrays, and lists all arrays that differ there. only: the arrays
/// to compare, at steps with the same path, so that variants with additional steps can be compared; empty: all arrays
/// but printed text, at steps with the same number. Work O(elements of the steps that are equal). Throws ErrorException
/// of kind cancelled.
Divergence find_divergence(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b,
                           const std::vector<std::string>& only = {}, std::stop_token stop = {});

/// Returns the step of `to` that corresponds to a step of `from`: the one with the same number if both have the same
/// path, otherwise the one with the same path and occurrence, if there is one. Work O(steps).
std::optional<std::uint32_t> step_of_same_path(const Trace& from, std::uint32_t step, const Trace& to);

/// Returns the source regions whose text differs or that only one of the traces holds. Returns none if one trace holds
/// no source at all.
std::vector<std::string> different_sources(const Trace& a, const Trace& b);

std::size_t failed_check_count(const Trace& trace);

}  // namespace kdscope
