#pragma once
// The parts of a parsed expression: the parser (expression_parser.cpp) builds them, expression.cpp evaluates them.

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/expression.hpp"
#include "algorithms/trace/phase_path.hpp"

namespace kdscope {
namespace expression_parts {

/// Holds every integer of 64 bits and every double exactly.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64, "masks and keys of 64 bits are compared exactly");

constexpr Number nan = std::numeric_limits<Number>::quiet_NaN();

/// The states that an expression reads. before: null at the first step.
struct States {
  const Cursor* now;
  const Cursor* before;
};

/// What a part of an expression is at a step: a number, or one for each element.
struct Value {
  bool row = false;
  Number one = nan;
  std::vector<Number> each = {};
};

/// Computes a part at a step.
using Node = std::function<Value(const States&)>;

/// One component of an array.
struct Component {
  std::shared_ptr<const ArrayInfo> info;
  std::uint32_t number = 0;
  ElementType type = ElementType::uint32;

  /// Returns whether tables show values of type float in as few digits as a float needs; see TypedArray::short_text().
  bool printed_as_float() const {
    const Space& values = info->value_space;
    return type == ElementType::float32 ||
           (type == ElementType::float64 && (values == Space::coordinate || values == Space::split_value));
  }
};

/// A part of an expression while it is parsed, with what is known of its values.
struct Operand {
  Node node;
  bool row = false;                         ///< one value for each element
  bool condition = false;                   ///< true or false
  bool selected = false;                    ///< a row of some elements, which has no indices of its own
  Space index = Space::none;                ///< of a row
  std::optional<Component> component = {};  ///< whose elements the values are
  std::optional<std::string> literal = {};  ///< the text of a number
  bool point = false;                       ///< a point by its name
  std::size_t whole_array_ends = 0;         ///< of an array alone, where '[' might follow
};

/// A part whose value is told to people, with the part that it is about.
struct Reading {
  enum class Kind : std::uint8_t { value, any, changed };
  std::string text;
  Kind kind = Kind::value;
  Operand of;
};

/// An operation on two numbers.
using Operation = Number (*)(Number, Number);

inline bool is_true(Number value) { return value != 0 && !std::isnan(value); }

Node constant(Number value);
/// The number of the step.
Node step_number();
/// How many checks of the step are violated.
Node violations();
/// Whether the step's path is of the form.
Node on_path(PhasePath path);

/// All elements of an array; the one at an index; those at which a condition holds.
Node elements_of(Component of);
Node element_at(Component of, Node index);
Node elements_where(Component of, Node condition);

/// An operation on each element, or on the numbers of two parts, element by element. An element that one of two rows
/// lacks is NaN.
Node negated(Node of);
Node inverted(Node condition);
Node missing(Node of);
Node combined(Node a, Node b, Operation operation);

/// A part at the step before, and whether it is another one now.
Node before(Node of);
Node changed(Node of);
/// Whether a condition holds for some elements, or for all of at least one.
Node holds_for_any(Node condition);
Node holds_for_all(Node condition);
/// min, max, sum, size or count of elements that are not NaN. counted: the value that `count` counts; empty: 1.
Node of_many(const std::string& function, Node of, Node counted);

/// Returns what a part is at a step: "tags[17] is 4".
std::string reading_of(const Reading& reading, const States& states);

}  // namespace expression_parts

struct Expression::Parsed {
  expression_parts::Node node;
  bool looks_before = false;
  std::vector<expression_parts::Reading> readings;
};

}  // namespace kdscope
