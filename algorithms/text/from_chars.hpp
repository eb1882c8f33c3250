#pragma once
// std::from_chars() of integers and reals. Some standard libraries, as that of Emscripten, lack the form for reals.

#include <charconv>
#include <type_traits>

namespace kdscope {

/// Does what std::from_chars() does with a float or a double in general form, by means of strtof() and strtod().
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, float& value);
std::from_chars_result from_chars_by_strtod(const char* first, const char* last, double& value);

/// Does what std::from_chars() does, on every standard library.
template <class Number>
std::from_chars_result from_chars(const char* first, const char* last, Number& value) {
#if !defined(__cpp_lib_to_chars)
  if constexpr (std::is_floating_point_v<Number>)
    return from_chars_by_strtod(first, last, value);
  else
#endif
    return std::from_chars(first, last, value);
}

}  // namespace kdscope
