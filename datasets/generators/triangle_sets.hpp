#pragma once
// Plain and degenerate sets of triangles, for tests and for students who want to see where splitting ends.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// The kinds of sets: "soup" small triangles anywhere in the unit cube; "none", "one" and "two" triangles; "equal"
/// copies of one; "flat" all in a plane z = 1/2; "one-point" all with the cube's centre as their own; "no-area" points
/// and segments.
const std::vector<std::string>& triangle_kinds();

/// The number of triangles of a kind that has only one: none, one and two.
std::optional<std::uint32_t> fixed_triangle_count(const std::string& kind);

/// So many triangles of a kind, each with vertices of its own, without a name; n plays no part for none, one and two.
/// Same bytes on every machine. Precondition: a kind of triangle_kinds(). Errors (ErrorException): out of memory. Work
/// O(n).
DataSet triangle_set(const std::string& kind, std::uint32_t n, std::uint64_t seed);

}  // namespace kdscope
