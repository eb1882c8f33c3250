#pragma once
// Arrays of a trace that are no part of the builder's state: what a variant printed, and recordings of launches.
// Comparisons of runs pass them over.

#include "algorithms/trace/printed_text.hpp"

namespace kdscope {

/// The names of the arrays of recorded launches begin with this (variants/inside/kept_look.hpp).
inline constexpr const char* launch_arrays = "inside.";

inline bool is_beside_state(const ArrayInfo& info) {
  return is_printed_text(info) || info.name.starts_with(launch_arrays);
}

}  // namespace kdscope
