#pragma once
// What a variant printed, beside the steps that printed it. A trace holds it as an array of characters, so that its
// file needs nothing else, and a trace without prints lacks the array.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The array: [bytes] uint8, UTF-8. Its contents after a step are what the step printed; empty if it printed nothing.
/// No part of the builder's state, so comparisons of runs pass it over.
inline constexpr const char* printed_array = "printed";
bool is_printed_text(const ArrayInfo& info);

struct PrintedStep {
  std::uint32_t step = 0;
  std::string text;
  bool operator==(const PrintedStep&) const = default;
};

/// Adds what was printed to a finished trace. prints: in the order of their steps, each step once. What a step behind
/// the last one printed, in which the run ended early, goes to the last one.
void add_printed_text(Trace& trace, const std::vector<PrintedStep>& prints);
/// Returns whether the trace holds the array.
bool has_printed_text(const Trace& trace);
/// Returns what a step printed.
std::string printed_text(const Trace& trace, std::uint32_t step);

}  // namespace kdscope
