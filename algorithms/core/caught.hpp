#pragma once
// The two ways of an error: as a value, and thrown through code that has nothing to do with it. A function of several
// statements through which errors pass catches them in its own try block; caught() is for a single expression, and for
// a part of a function.

#include <type_traits>
#include <utility>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Returns the value of a result, or throws its error as an ErrorException, for caught() or the program to catch.
template <class T>
T value_of(Result<T> result) {
  return std::move(result.value());
}

/// Throws the error of a result, and has no use for its value.
template <class T>
void ensure(const Result<T>& done) {
  if (!done) throw ErrorException(done.error());
}

/// The result that carries a T: Result<T>, and of a result itself.
template <class T>
struct Carrying {
  using type = Result<T>;
};
template <class T>
struct Carrying<Result<T>> {
  using type = Result<T>;
};

/// Returns what work() returns, a Result or its value, or the error that it throws as an ErrorException.
template <class Work>
typename Carrying<std::invoke_result_t<Work>>::type caught(Work work) try {
  if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
    work();
    return {};
  } else {
    return work();
  }
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace kdscope
