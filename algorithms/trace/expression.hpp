#pragma once
// Expressions over the arrays of a trace, for watches and for conditions to stop at: one language for the window and
// the command line.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A number or a condition over the state of a run:
///
///   tags[17] == 4                 an element, by index; arrays and their components are named or labelled as in the
///                                 tables ("points.x"), points by their names ("points.x[p7]", "index[3] == p7")
///   any(tags == 4)                a condition on each element, also all(...); arrays over the same indices may be
///                                 compared: all(tags <= owner)
///   count(tags, 0) > 1            elements of an array with this value, or that meet a condition: count(tags > 2)
///   max(index) - min(index)       also sum(array) and size(array)
///   tags[index == 7]              the elements at which a condition holds
///   changed(tags[index == 7])     whether a value, or any of several, is another than at the step before
///   before(tags[3])               the value at the step before
///   missing(tags[17])             whether an element does not exist at this step: not written yet, behind the end, or
///   a
///                                 dash in the tables; also any(missing(tags))
///   at("update tags") && step > 2 the step's path, as in steps_matching(), and its number
///   violations > 0                the number of the step's violated checks
///
/// Operators by precedence: ! and unary -; * / %; + -; == != < <= > >=; &&; ||. Conditions are 0 or 1. An element that
/// does not exist is NaN, and so is everything that is calculated from it; a comparison with NaN is 0. inf is infinity.
/// Integers are compared exactly. A literal beside an array of floats is the number that prints like it: cost[3] == 0.1
/// holds for the float 0.1. At the first step, nothing exists before.
class Expression {
 public:
  /// Whether a trace holds all steps of its run, or more may follow.
  enum class Steps : std::uint8_t { complete, recording };

  /// Parses an expression of at most 1,000 characters. Errors of kind bad_usage give the place and what was expected
  /// there; unknown arrays get the most similar name. Steps::recording: at() may name steps that are not there yet.
  static Result<Expression> parse(const std::string& text, const Trace& trace, Steps steps = Steps::complete);

  /// Returns two expressions over an array of this run: "tags[17] == 4 or count(tags, 0) > 1".
  static std::string examples(const Trace& trace);

  const std::string& text() const { return text_; }
  /// Returns the value after the cursor's step. Work O(elements of the arrays that are used as a whole), and a seek if
  /// the expression looks at the step before.
  double value(const Cursor& cursor) const;
  /// Returns whether the value is a number other than 0.
  bool holds(const Cursor& cursor) const;

  struct Parsed;

 private:
  friend class ExpressionWalk;
  Expression(std::string text, std::shared_ptr<const Parsed> parsed)
      : text_(std::move(text)), parsed_(std::move(parsed)) {}
  std::string text_;
  std::shared_ptr<const Parsed> parsed_;
};

/// Evaluates an expression at one step after another of a trace, which may grow meanwhile. Keeps one copy of the state,
/// and a second one if the expression looks at the step before.
class ExpressionWalk {
 public:
  /// Starts at the first step, of which there must be one.
  ExpressionWalk(Expression expression, std::shared_ptr<const Trace> trace);
  /// Goes to a step. Work O(changes on the way).
  void seek(std::uint32_t step);
  bool holds() const;
  /// Returns what the elements and functions of the expression are at the step: "tags[17] is 4", "any(tags == 4) holds
  /// at 3 and 7", "changed(tags[6]): 0, before 1".
  std::string reading() const;

 private:
  Expression expression_;
  Cursor now_;
  std::optional<Cursor> before_;
};

/// Returns the next step in a direction (1 or -1) after the cursor's at which the expression holds, or nullopt. Work: a
/// seek and an evaluation per step. progress: called with the share of these steps that was tried; may be empty. Throws
/// ErrorException of kind cancelled.
std::optional<std::uint32_t> step_where(const Expression& expression, const Cursor& from, int direction,
                                        std::stop_token stop = {}, const std::function<void(double)>& progress = {});

/// A step at which an expression holds, and its reading there.
struct MetStep {
  std::uint32_t step = 0;
  std::string reading;
};

/// Returns all steps at which the expression holds. Throws ErrorException of kind cancelled.
std::vector<MetStep> steps_where(const Expression& expression, std::shared_ptr<const Trace> trace,
                                 std::stop_token stop = {});

}  // namespace kdscope
