#pragma once
// The data that a kind of tree reads from the last state of a trace. Each function throws an error of kind failed_check
// if the arrays hold no tree. The file is then intact, so the run, or the program that recorded it, is wrong.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope::trace_arrays {

[[noreturn]] void no_tree(const std::string& array, const std::string& what);
[[noreturn]] void no_such_point(const std::string& array, std::size_t element, std::uint32_t point, std::uint64_t n);

/// Returns the contents of an array of `size` elements. An array without elements may never have been written.
template <class T>
std::span<const T> elements(const Cursor& end, const char* name, std::size_t size) {
  const TypedArray* array = end.array(name);
  if (!array && size == 0) return {};
  if (!array) no_tree(name, "no step wrote it");
  if (array->type() != ElementTypeOf<T>::value)
    no_tree(name, std::string("its elements have type ") + name_of(array->type()));
  if (array->size() != size)
    no_tree(name, "it has " + std::to_string(array->size()) + " elements, not " + std::to_string(size));
  return array->as<T>();
}

/// Returns the contents of an array of any length.
template <class T>
std::span<const T> elements(const Cursor& end, const char* name) {
  const TypedArray* array = end.array(name);
  return elements<T>(end, name, array ? array->size() : 0);
}

/// Returns indices as a list.
std::vector<std::uint32_t> indices(const Cursor& end, const char* name, std::size_t size);
std::vector<std::uint32_t> indices(const Cursor& end, const char* name);
/// Returns coordinates of the trace's type as words.
std::vector<std::uint32_t> coordinate_words(const Cursor& end, const char* name, std::size_t size);
/// Returns split values as coordinate words, 0 for leaves. is_leaf: [nodes].
std::vector<std::uint32_t> split_words(const Cursor& end, const char* name, const std::vector<bool>& is_leaf);

/// Returns the points of a trace, in their original order.
PointSet points(const Cursor& end);

}  // namespace kdscope::trace_arrays
