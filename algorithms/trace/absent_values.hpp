#pragma once
// Elements that say nothing, which tables print as a dash.

#include <string_view>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Whether a value of an array says nothing: no_id among ids, indices and counts, where a key or a coordinate may well
/// be as large; nan is a number that is not known.
bool says_nothing(const ArrayInfo& info, ElementType type, double value);
/// The same of an element of a row at a cursor, derived or stored; true where a derived one's index names none of its
/// source's elements; false outside.
bool says_nothing(const Cursor& cursor, std::string_view row, std::uint64_t index);

}  // namespace kdscope
