#pragma once
// Values that a variant shows: they become arrays of the step in its recording, beside those of the builder.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/platform.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {
namespace shown_values {

inline constexpr std::size_t most_elements = 1 << 20;  ///< of an array at a step; the rest is left out

/// The type as which a trace holds a T.
template <class T>
using Shown = std::conditional_t<
    std::is_same_v<T, PointId> || std::is_same_v<T, NodeId>, std::uint32_t,
    std::conditional_t<
        std::is_floating_point_v<T> || (std::is_signed_v<T> && sizeof(T) == 8),
        std::conditional_t<sizeof(T) == 4, float, double>,
        std::conditional_t<sizeof(T) == 1 && !std::is_signed_v<T>, std::uint8_t,
                           std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                              std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>>>;

/// Adds values to those of the step, behind those of earlier blocks, warps and lanes.
void add(const char* name, TypedArray values);
/// Returns the arrays that were shown since the last call, by name, and forgets them.
std::vector<std::pair<std::string, TypedArray>> take();
/// Adds them to the open step of a trace. An array with a name of the builder's gets " (shown)" behind it.
void write_to(TraceBuilder& trace);

}  // namespace shown_values

/// Shows `count` numbers or ids: in a recording on the CPU they are an array of the step, listed with those of the
/// builder. Several calls at a step join their values, in the order of blocks or warps, then of lanes or indices, then
/// of calls. Costs nothing where nothing is recorded, and on a GPU, where values stay on the device. Call it anywhere
/// in a variant: between intervals, by one lane or by all.
template <class T>
KDSCOPE_HD void show(const char* name, const T* values, std::size_t count) {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, PointId> || std::is_same_v<T, NodeId>,
                "show() takes numbers and ids; show the members of a struct one by one");
#if defined(__CUDACC__) || defined(KDSCOPE_MEASURED) || defined(KDSCOPE_COUNTED)
  (void)name, (void)values, (void)count;
#else
  using As = shown_values::Shown<T>;
  std::vector<As> copy(std::min(count, shown_values::most_elements));
  for (std::size_t i = 0; i < copy.size(); ++i) {
    if constexpr (std::is_arithmetic_v<T>)
      copy[i] = static_cast<As>(values[i]);
    else
      copy[i] = values[i].value;
  }
  shown_values::add(name, TypedArray::of(copy));
#endif
}

}  // namespace kdscope
