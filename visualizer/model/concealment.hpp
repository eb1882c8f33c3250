#pragma once
// What the views of a step leave out, for example while a question asks for it. Every view of a run reads one value, so
// what is hidden in one is hidden in all.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The parts and rows that are hidden; nothing by default.
struct Concealment {
  bool marks = false;    ///< highlights of every role except segments, and what a search has visited
  bool changes = false;  ///< what differs from the baseline
  bool tree = false;     ///< nodes of the tree, with its levels
  bool splits = false;   ///< planes, cells and the colours of points in the view, and where nodes of the tree split
  bool strips = false;   ///< strips of segments
  bool counts = false;   ///< arrays of counts, and split candidates
  bool code = false;     ///< pseudo-code and source
  std::vector<std::string> rows = {};  ///< names or labels of arrays that rows show
  /// The step whose tree and partition are shown in place of those that are hidden; none: no partition.
  std::optional<std::uint32_t> before = {};
  bool place = false;  ///< the answer is a place in the view, which therefore shows no earlier partition either

  bool operator==(const Concealment&) const = default;
  explicit operator bool() const { return *this != Concealment(); }
  /// Adds what another one hides.
  void add(const Concealment& other);

  /// Returns whether values that changes would reveal are hidden.
  bool hides_values() const { return changes || tree || splits || counts || !rows.empty(); }
  bool hides(const Highlight& highlight) const { return marks && highlight.role != Role::segment; }
  /// Returns whether an array's rows are hidden.
  bool hides(const ArrayInfo& info) const;
  /// Returns whether the points' nodes are hidden, and so the colours of subtrees: a hidden row names them.
  bool hides_nodes(const Trace& trace) const { return hides_values_of(trace, Space::node) || hides_points(trace); }
  /// Returns the step whose partition and nodes of points the view shows; nullopt: neither.
  std::optional<std::uint32_t> step_of_partition(const Cursor& cursor) const;
  /// Returns whether it is hidden which points the positions stand for: a hidden row names them.
  bool hides_points(const Trace& trace) const { return hides_values_of(trace, Space::point); }

 private:
  bool hides_values_of(const Trace& trace, Space space) const;
};

/// The text in place of a hidden value.
inline constexpr const char* concealed_text = "?";

}  // namespace kdscope
