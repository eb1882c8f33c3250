#include "algorithms/trace/expression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/expression_parts.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {
namespace expression_parts {
namespace {

Number element_or_nan(const Value& row, std::size_t i) { return i < row.each.size() ? row.each[i] : nan; }

/// Applies an operation to each number of a part.
template <class Function>
Node mapped(Node of, Function function) {
  return [of = std::move(of), function](const States& s) -> Value {
    Value value = of(s);
    if (!value.row) return {false, function(value.one)};
    for (Number& number : value.each) number = function(number);
    return value;
  };
}

bool same(Number a, Number b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Returns the elements of a condition's row at which it holds.
std::vector<std::size_t> true_elements(const Value& row) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < row.each.size(); ++i)
    if (is_true(row.each[i])) found.push_back(i);
  return found;
}

Number element_of(const RowReader& row, const Component& of, std::uint64_t i) {
  if (i >= row.size() || row.is_missing(i)) return nan;
  if (of.type == ElementType::uint64) return static_cast<Number>(row.bits(i));
  return row.number(i);
}

std::string spelled(Number value, const Component* of) {
  if (std::isnan(value)) return "missing";
  if (of && letter_of(of->info->value_space) != 0 && value >= 0)
    return element_name(of->info->value_space, static_cast<std::uint64_t>(value));
  constexpr Number every_integer = 18446744073709551615.0L;
  if (value == std::floor(value) && value >= 0 && value <= every_integer)
    return std::to_string(static_cast<std::uint64_t>(value));
  const auto rounded = static_cast<float>(value);
  if (of && of->printed_as_float() && static_cast<Number>(rounded) == value) return shortest(rounded);
  return shortest(static_cast<double>(value));
}

}  // namespace

Node constant(Number value) {
  return [value](const States&) { return Value{false, value}; };
}

Node step_number() {
  return [](const States& s) { return Value{false, s.now ? static_cast<Number>(s.now->step()) : nan}; };
}

Node violations() {
  return [](const States& s) {
    if (!s.now) return Value{};
    return Value{false, static_cast<Number>(std::ranges::count(s.now->current().checks, false, &CheckResult::passed))};
  };
}

Node on_path(PhasePath path) {
  return [path = std::move(path)](const States& s) {
    return Value{false, s.now ? static_cast<Number>(path.matches(s.now->current())) : nan};
  };
}

Node elements_of(Component of) {
  return [of = std::move(of)](const States& s) {
    Value elements{true};
    if (!s.now) return elements;
    const RowReader row(*s.now, of.info->name, of.number);
    elements.each.resize(row.size());
    for (std::uint64_t i = 0; i < row.size(); ++i) elements.each[i] = element_of(row, of, i);
    return elements;
  };
}

Node element_at(Component of, Node index) {
  return [of = std::move(of), index = std::move(index)](const States& s) {
    if (!s.now) return Value{};
    const Number i = index(s).one;
    const RowReader row(*s.now, of.info->name, of.number);
    if (!(i >= 0) || i >= static_cast<Number>(row.size())) return Value{};
    return Value{false, element_of(row, of, static_cast<std::uint64_t>(i))};
  };
}

Node elements_where(Component of, Node condition) {
  return [of = std::move(of), condition = std::move(condition)](const States& s) {
    Value elements{true};
    if (!s.now) return elements;
    const RowReader row(*s.now, of.info->name, of.number);
    for (const std::size_t i : true_elements(condition(s)))
      if (i < row.size()) elements.each.push_back(element_of(row, of, i));
    return elements;
  };
}

Node negated(Node of) {
  return mapped(std::move(of), [](Number value) { return -value; });
}
Node inverted(Node condition) {
  return mapped(std::move(condition), [](Number value) -> Number { return !is_true(value); });
}
Node missing(Node of) {
  return mapped(std::move(of), [](Number value) -> Number { return std::isnan(value); });
}

Node combined(Node left, Node right, Operation operation) {
  return [left = std::move(left), right = std::move(right), operation](const States& s) -> Value {
    const Value a = left(s), b = right(s);
    if (!a.row && !b.row) return {false, operation(a.one, b.one)};
    const auto at = [](const Value& of, std::size_t i) { return of.row ? element_or_nan(of, i) : of.one; };
    Value result{true};
    result.each.resize(std::max(a.each.size(), b.each.size()));
    for (std::size_t i = 0; i < result.each.size(); ++i) result.each[i] = operation(at(a, i), at(b, i));
    return result;
  };
}

Node before(Node of) {
  return [of = std::move(of)](const States& s) { return of({s.before, nullptr}); };
}

Node changed(Node of) {
  return [is = of, was = before(of)](const States& s) {
    const Value now = is(s), earlier = was(s);
    return Value{false,
                 static_cast<Number>(!same(now.one, earlier.one) || !std::ranges::equal(now.each, earlier.each, same))};
  };
}

Node holds_for_any(Node condition) {
  return [condition = std::move(condition)](const States& s) {
    const Value value = condition(s);
    const bool holds = value.row ? std::ranges::any_of(value.each, is_true) : is_true(value.one);
    return Value{false, static_cast<Number>(holds)};
  };
}

Node holds_for_all(Node condition) {
  return [condition = std::move(condition)](const States& s) {
    const Value value = condition(s);
    const bool holds = value.row ? !value.each.empty() && std::ranges::all_of(value.each, is_true) : is_true(value.one);
    return Value{false, static_cast<Number>(holds)};
  };
}

Node of_many(const std::string& function, Node of, Node counted) {
  return [function, of = std::move(of), counted = std::move(counted)](const States& s) -> Value {
    const Value row = of(s);
    if (function == "size") return {false, static_cast<Number>(row.each.size())};
    const Number searched = counted ? counted(s).one : 1;
    Number found = 0, sum = 0, least = nan, most = nan;
    for (const Number value : row.each) {
      if (std::isnan(value)) continue;
      found += value == searched;
      sum += value;
      if (!(least <= value)) least = value;
      if (!(most >= value)) most = value;
    }
    return {false, function == "count" ? found : function == "sum" ? sum : function == "min" ? least : most};
  };
}

std::string reading_of(const Reading& reading, const States& states) {
  constexpr std::size_t most_elements = 4;
  const Component* const of = reading.of.component ? &*reading.of.component : nullptr;
  const Value is = reading.of.node(states);
  if (reading.kind == Reading::Kind::value) return reading.text + " is " + spelled(is.one, of);
  if (reading.kind == Reading::Kind::any) {
    const std::vector<std::size_t> found = true_elements(is);
    if (found.empty()) return reading.text + " holds at no element";
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), most_elements); ++i)
      text += (i ? ", " : "") + element_name(reading.of.index, found[i]);
    if (found.size() > most_elements) text += " and " + std::to_string(found.size() - most_elements) + " more";
    return reading.text + " holds at " + text;
  }
  const Value was = reading.of.node({states.before, nullptr});
  if (!is.row) return reading.text + ": " + spelled(is.one, of) + ", before " + spelled(was.one, of);
  if (is.each.size() == 1 && was.each.size() <= 1)
    return reading.text + ": " + spelled(is.each[0], of) + ", before " +
           spelled(was.each.empty() ? nan : was.each[0], of);
  std::size_t different = 0, first = 0;
  const std::size_t both = std::max(is.each.size(), was.each.size());
  for (std::size_t i = 0; i < both; ++i)
    if (!same(element_or_nan(is, i), element_or_nan(was, i)) && different++ == 0) first = i;
  std::string text = reading.text + ": " + std::to_string(different) + " of " + count_text(both, "value", "values");
  if (different > 0)
    text += ", first [" + std::to_string(first) + "]: " + spelled(element_or_nan(is, first), of) + ", before " +
            spelled(element_or_nan(was, first), of);
  return text;
}

}  // namespace expression_parts

double Expression::value(const Cursor& cursor) const {
  std::optional<Cursor> before;
  if (parsed_->looks_before && cursor.step() > 0) {
    before.emplace(cursor.shared_trace());
    before->seek(cursor.step() - 1);
  }
  return static_cast<double>(parsed_->node({&cursor, before ? &*before : nullptr}).one);
}
bool Expression::holds(const Cursor& cursor) const {
  const double number = value(cursor);
  return number != 0 && !std::isnan(number);
}

ExpressionWalk::ExpressionWalk(Expression expression, std::shared_ptr<const Trace> trace)
    : expression_(std::move(expression)), now_(std::move(trace)) {}

void ExpressionWalk::seek(std::uint32_t step) {
  now_.seek(step);
  if (!expression_.parsed_->looks_before) return;
  if (step == 0) return before_.reset();
  if (!before_) before_.emplace(now_.shared_trace());
  before_->seek(step - 1);
}

bool ExpressionWalk::holds() const {
  return expression_parts::is_true(expression_.parsed_->node({&now_, before_ ? &*before_ : nullptr}).one);
}

std::string ExpressionWalk::reading() const {
  std::string text;
  for (const expression_parts::Reading& reading : expression_.parsed_->readings) {
    const std::string one = reading_of(reading, {&now_, before_ ? &*before_ : nullptr});
    if (text.find(one) == std::string::npos) text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

std::optional<std::uint32_t> step_where(const Expression& expression, const Cursor& from, int direction,
                                        std::stop_token stop, const std::function<void(double)>& progress) {
  ExpressionWalk at(expression, from.shared_trace());
  const std::uint32_t last = direction > 0 ? std::max(1u, from.step_count()) - 1 : 0;
  const double all = std::abs(double(last) - double(from.step()));
  for (std::uint32_t step = from.step(); step != last;) {
    if (progress) progress(std::abs(double(step) - double(from.step())) / all);
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    at.seek(direction > 0 ? ++step : --step);
    if (at.holds()) return step;
  }
  return std::nullopt;
}

std::vector<MetStep> steps_where(const Expression& expression, std::shared_ptr<const Trace> trace,
                                 std::stop_token stop) {
  std::vector<MetStep> met;
  const auto count = static_cast<std::uint32_t>(trace->steps.size());
  if (count == 0) return met;
  ExpressionWalk at(expression, std::move(trace));
  for (std::uint32_t step = 0; step < count; ++step) {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    at.seek(step);
    if (at.holds()) met.push_back({step, at.reading()});
  }
  return met;
}

}  // namespace kdscope
