#pragma once
// Relations that traces of formats before 7 express only by the names of their arrays.

#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope::trace_format {

/// Declares the relations of a trace's arrays as those formats implied them. Call declare() for the arrays in their
/// order.
class NamedRelations {
 public:
  /// Takes the names of all arrays of the trace.
  explicit NamedRelations(std::vector<std::string> names) : names_(std::move(names)) {}
  void declare(ArrayInfo& info);

 private:
  bool has(const std::string& name) const;
  std::vector<std::string> names_;
  bool left_mask_seen_ = false;
};

}  // namespace kdscope::trace_format
