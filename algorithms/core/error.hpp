#pragma once
// Errors that cross a boundary of `algorithms` or `datasets` are values: a Result<T> holds a T or an Error.

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace kdscope {

/// The kind of an error, by who can act on it. It determines command-line exit codes and dialogs.
enum class ErrorKind {
  bad_usage,       ///< an invalid parameter, command line or combination
  bad_input,       ///< a file or a data set that cannot be read or used
  failed_check,    ///< an invariant or a verification does not hold
  out_of_memory,   ///< host or device memory is too small for the request
  no_device,       ///< no usable CUDA device or driver, or fewer processors than requested
  device_failure,  ///< a CUDA call or a launch failed
  cancelled,       ///< stopped on request
  over_budget,     ///< a recording exceeds its memory budget
  io_failure       ///< writing or reading a file failed
};

/// An error as one clear sentence: what is wrong, where, and what to do.
struct Error {
  ErrorKind kind = ErrorKind::bad_input;  ///< who can act on it
  std::string what;    ///< what is wrong, as a clause: "row 7 has 2 values, the rows before it have 3"
  std::string where;   ///< file:line:column, byte offset, "step 12, level 3"; may be empty
  std::string remedy;  ///< what to do, as a clause; may be empty

  /// Returns the whole sentence for display.
  std::string message() const {
    std::string text = where.empty() ? what : where + ": " + what;
    if (!remedy.empty()) text += "; " + remedy;
    return text.ends_with('?') ? text : text + ".";
  }
};

/// Carries an Error through code that cannot return one (constructors, deep callbacks). It is caught at the boundary.
class ErrorException : public std::exception {
 public:
  explicit ErrorException(Error error) : error_(std::move(error)), text_(error_.message()) {}  ///< Carries the error.
  const Error& error() const { return error_; }                                                ///< Returns the error.
  const char* what() const noexcept override { return text_.c_str(); }  ///< Returns its whole sentence.

 private:
  Error error_;
  std::string text_;
};

/// A T or an Error. `if (!r) return r.error();` is the usual pattern.
template <class T>
class [[nodiscard]] Result {
 public:
  /// A result with a value.
  Result(T value) : state_(std::move(value)) {}  // NOLINT: implicit on purpose
  /// A result with an error.
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit on purpose
  explicit operator bool() const { return state_.index() == 0; }  ///< Whether there is a value.
  bool has_value() const { return state_.index() == 0; }          ///< Whether there is a value.
  /// Returns the value, as * and -> do. Throws ErrorException if there is an error in its place.
  T& value() { return unwrap(*this); }
  const T& value() const { return unwrap(*this); }            ///< See value().
  T& operator*() { return value(); }                          ///< See value().
  const T& operator*() const { return value(); }              ///< See value().
  T* operator->() { return &value(); }                        ///< See value().
  const T* operator->() const { return &value(); }            ///< See value().
  const Error& error() const { return std::get<1>(state_); }  ///< Returns the error. Precondition: there is one.

 private:
  template <class Self>
  static auto& unwrap(Self& self) {
    if (!self) throw ErrorException(self.error());
    return std::get<0>(self.state_);
  }
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;  ///< Success.
  /// A result with an error.
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose
  explicit operator bool() const { return !error_; }  ///< Whether it is a success.
  bool has_value() const { return !error_; }          ///< Whether it is a success.
  const Error& error() const { return *error_; }      ///< Returns the error. Precondition: there is one.

 private:
  std::optional<Error> error_;
};

}  // namespace kdscope
