#pragma once
// Expressions over the arrays of a trace, for watches and for conditions to stop at.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A number or a condition over the state of a run:
///
///   tags[17] == 4                 an element, by index; arrays are named or labelled as in the tables
///   count(tags, 0) > 1            elements of an array with this value
///   max(index) - min(index)       also sum(array) and size(array)
///   at("update tags") && step > 2 the step's path, as in steps_matching(), and its number
///   violations > 0                the number of the step's violated checks
///
/// Operators by precedence: ! and unary -; * / %; + -; == != < <= > >=; &&; ||. Conditions are 0 or 1. An element that
/// does not exist at a step is NaN, and so is everything that is calculated from it; a comparison with NaN is 0.
class Expression {
 public:
  /// Parses an expression of at most 1,000 characters. Errors of kind bad_usage give the place and what was expected
  /// there; unknown arrays get the most similar name.
  static Result<Expression> parse(const std::string& text, const Trace& trace);

  const std::string& text() const { return text_; }
  /// Returns the value after the cursor's step. Work O(elements of the arrays in calls).
  double value(const Cursor& cursor) const;
  /// Returns whether the value is a number other than 0.
  bool holds(const Cursor& cursor) const;

  struct Node;  ///< of the syntax tree

 private:
  Expression(std::string text, std::shared_ptr<const Node> root) : text_(std::move(text)), root_(std::move(root)) {}
  std::string text_;
  std::shared_ptr<const Node> root_;
};

/// Returns the next step in a direction (1 or -1) after the cursor's at which the expression holds, or nullopt. Work: a
/// seek and an evaluation per step. Throws ErrorException of kind cancelled.
std::optional<std::uint32_t> step_where(const Expression& expression, const Cursor& from, int direction,
                                        std::stop_token stop = {});

}  // namespace kdscope
