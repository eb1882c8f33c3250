#pragma once
// Prints what differs between two traces at the step where they diverge, for `diff` and `variant`.

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::cli {

/// The point and the node that an element belongs to at a step. An element may belong to none, or to several.
struct TracePlace {
  std::optional<std::uint32_t> point, node;

  /// " (point 3, node 1)", or nothing.
  std::string text() const;
};

/// Finds the place of element `index` of an array at the cursor's step.
TracePlace place_of(const Cursor& cursor, const std::string& name, std::uint64_t index);

/// The names by which messages call two traces.
struct TraceNames {
  std::string a, b;
};

/// "name: VALUE in A, VALUE in B".
void print_both(const std::string& what, const std::string& in_a, const std::string& in_b, const TraceNames& names,
                std::ostream& out);

/// Prints every array that differs: how many elements, and the first of them with both values. at_a: the first trace at
/// the step of the divergence.
void print_different_arrays(const Divergence& divergence, const Cursor& at_a, const TraceNames& names,
                            std::ostream& out);

}  // namespace kdscope::cli
