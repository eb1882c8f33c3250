// The parser of expressions: from a text to its parts.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/core/caught.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/expression_parts.hpp"

namespace kdscope {
namespace expression_parts {
namespace {

constexpr std::size_t longest_text = 1000;
constexpr int deepest_nesting = 100;

struct Operator {
  std::string_view sign;
  Operation apply;
  bool compares, gives_condition;
};

/// The operators of each precedence, longer ones first.
const std::array<std::vector<Operator>, 5>& operators() {
  static const std::array<std::vector<Operator>, 5> all{{
      {{"||", [](Number a, Number b) -> Number { return is_true(a) || is_true(b); }, false, true}},
      {{"&&", [](Number a, Number b) -> Number { return is_true(a) && is_true(b); }, false, true}},
      {{"==", [](Number a, Number b) -> Number { return a == b; }, true, true},
       {"!=", [](Number a, Number b) -> Number { return a != b && !std::isnan(a) && !std::isnan(b); }, true, true},
       {"<=", [](Number a, Number b) -> Number { return a <= b; }, true, true},
       {">=", [](Number a, Number b) -> Number { return a >= b; }, true, true},
       {"<", [](Number a, Number b) -> Number { return a < b; }, true, true},
       {">", [](Number a, Number b) -> Number { return a > b; }, true, true}},
      {{"+", [](Number a, Number b) { return a + b; }, false, false},
       {"-", [](Number a, Number b) { return a - b; }, false, false}},
      {{"*", [](Number a, Number b) { return a * b; }, false, false},
       {"/", [](Number a, Number b) { return b == 0 ? nan : a / b; }, false, false},
       {"%", [](Number a, Number b) { return b == 0 ? nan : std::fmod(a, b); }, false, false}},
  }};
  return all;
}

constexpr std::array<std::string_view, 10> functions{"any", "all",  "count",   "min",    "max",
                                                     "sum", "size", "changed", "before", "missing"};
bool is_function(std::string_view name) { return std::ranges::find(functions, name) != functions.end(); }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(const std::string& text, const Trace& trace, Expression::Steps steps)
      : text_(text), trace_(trace), steps_(steps) {}

  Expression::Parsed parse() {
    if (text_.size() > longest_text) fail("an expression has at most 1000 characters");
    const Operand whole = binary(0);
    if (skip_spaces(); at_ < text_.size()) fail("an operator is expected here");
    if (whole.row) fail_for_row(whole);
    result_.node = whole.node;
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    fail_at(at_, what, remedy.empty() ? example() : remedy);
  }
  [[noreturn]] void fail_at(std::size_t at, const std::string& what, const std::string& remedy) const {
    // Show the text around the place
    constexpr std::size_t shown = 60, before = 40;
    const std::size_t begin = at > shown - 10 ? at - before : 0;
    const std::string piece =
        (begin > 0 ? "..." : "") + text_.substr(begin, shown) + (text_.size() > begin + shown ? "..." : "");
    throw ErrorException(
        {ErrorKind::bad_usage, what, kdscope::quoted(piece) + ", character " + std::to_string(at + 1), remedy});
  }
  std::string example() const { return "for example " + Expression::examples(trace_); }
  [[noreturn]] void fail_for_row(const Operand& row) const {
    if (row.whole_array_ends > 0)
      fail_at(row.whole_array_ends, "'[' is expected here, because the whole array has many values", example());
    if (row.condition)
      fail_at(0, "this holds for some elements and not for others", "put any(...), all(...) or count(...) around it");
    fail_at(0, "this has one value for each element",
            "put min(...), max(...), sum(...) or changed(...) around it, or compare it inside any(...)");
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool next_is(std::string_view word) {
    skip_spaces();
    return std::string_view(text_).substr(at_).starts_with(word);
  }
  bool take(std::string_view word) {
    if (!next_is(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(const char* word, const std::string& or_what = "") {
    if (!take(word)) fail(std::string("'") + word + "' is expected here" + or_what);
  }
  /// Returns the word that comes next, without taking it.
  std::string word() {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  // ---- operators ----------------------------------------------------------------------------------------------------

  Operand binary(std::size_t precedence) {
    if (precedence == operators().size()) return unary();
    Operand left = binary(precedence + 1);
    while (true) {
      skip_spaces();
      const std::size_t place = at_;
      const Operator* sign = nullptr;
      for (const Operator& candidate : operators()[precedence])
        if (!sign && take(candidate.sign)) sign = &candidate;
      if (!sign) return left;
      left = combine(std::move(left), *sign, place, binary(precedence + 1));
    }
  }

  Operand combine(Operand left, const Operator& sign, std::size_t place, Operand right) {
    check_same_indices(left, right, place);
    if (sign.compares) {
      check_points(left, right, place);
      check_points(right, left, place);
      as_printed(left, right);
      as_printed(right, left);
    }
    Operand result;
    result.row = left.row || right.row;
    result.selected = left.selected || right.selected;
    result.index = left.row ? left.index : right.index;
    result.condition = sign.gives_condition;
    result.node = combined(std::move(left.node), std::move(right.node), sign.apply);
    return result;
  }

  void check_same_indices(const Operand& left, const Operand& right, std::size_t place) const {
    if (!left.row || !right.row) return;
    if (left.selected || right.selected)
      fail_at(place, "a selection has no indices by which it could be combined with another array",
              "combine the arrays inside [ ], or compare the selection with one number");
    if (left.index != right.index)
      fail_at(place,
              std::string("the array on the left is by ") + name_of(left.index) + ", the one on the right by " +
                  name_of(right.index),
              "combine arrays over the same indices");
  }

  /// A point stands beside values that are points.
  void check_points(const Operand& point, const Operand& other, std::size_t place) const {
    if (!point.point || !other.component || other.component->info->value_space == Space::point) return;
    const Space& values = other.component->info->value_space;
    fail_at(place,
            "a point is compared with " + kdscope::quoted(other.component->info->name) +
                (values == Space::none ? ", which holds plain numbers"
                                       : ", whose values are of the kind " + kdscope::quoted(name_of(values))),
            "write the number without the letter p, or compare with an array of points");
  }

  /// Makes a literal beside elements of type float the float that prints like it.
  void as_printed(Operand& literal, const Operand& other) const {
    if (!literal.literal || !other.component || !other.component->printed_as_float()) return;
    constexpr std::ptrdiff_t digits_of_float = 9;
    if (std::ranges::count_if(*literal.literal, [](char c) { return c >= '0' && c <= '9'; }) > digits_of_float) return;
    const auto value = static_cast<double>(literal.node({nullptr, nullptr}).one);
    const auto rounded = static_cast<float>(value);
    if (shortest(rounded) != shortest(value)) return;
    literal.node = constant(rounded);
  }

  Operand unary() {
    if (++depth_ > deepest_nesting) fail("this is nested too deeply");
    Operand result;
    if (take("-")) {
      result = unary();
      result.condition = result.point = false;
      if (result.literal) result.literal = "-" + *result.literal;
      result.whole_array_ends = 0;
      result.node = negated(std::move(result.node));
    } else if (next_is("!") && !next_is("!=")) {
      take("!");
      result = unary();
      result.component.reset(), result.literal.reset();
      result.condition = true, result.point = false, result.whole_array_ends = 0;
      result.node = inverted(std::move(result.node));
    } else if (take("(")) {
      result = binary(0);
      expect(")");
    } else {
      result = operand();
    }
    --depth_;
    return result;
  }

  // ---- operands -----------------------------------------------------------------------------------------------------

  Operand operand() {
    skip_spaces();
    const std::size_t begin = at_;
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return number();
    const std::string name = word();
    const bool calls = is_function(name) && after_word(name) == '(';
    // The longest name counts: "rank[i].x" is an array, and no element of "rank".
    if (!calls)
      if (auto array = take_array()) return array_part(begin, *array);
    if (is_function(name)) {
      at_ += name.size();
      return call(begin, name);
    }
    if (name == "at") return step_path();
    if (name == "step") {
      at_ += name.size();
      return told(begin, step_number());
    }
    if (name == "violations") {
      at_ += name.size();
      return told(begin, violations());
    }
    if (name == "inf") {
      at_ += name.size();
      return {.node = constant(std::numeric_limits<Number>::infinity())};
    }
    if (name.size() > 1 && std::string_view(without_point_letter(name)).size() < name.size()) return point(name);
    unknown("a number, an array or a function is expected here");
  }

  /// Returns the character that follows a word that comes next, behind blanks; 0 at the end.
  char after_word(const std::string& name) const {
    std::size_t at = at_ + name.size();
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
    return at < text_.size() ? text_[at] : '\0';
  }

  Operand number() {
    const char *begin = text_.data() + at_, *all = text_.data() + text_.size(), *end = begin;
    double value = 0;
    std::uint64_t whole = 0;
    const auto [stop, failed] = from_chars(begin, all, value);
    if (failed != std::errc()) fail("this number cannot be read");
    end = stop;
    Operand result;
    result.literal = std::string(begin, end);
    Number exact = value;
    if (const auto [last, problem] = std::from_chars(begin, end, whole); problem == std::errc() && last == end)
      exact = static_cast<Number>(whole);
    at_ += static_cast<std::size_t>(end - begin);
    result.node = constant(exact);
    return result;
  }

  Operand point(const std::string& name) {
    const std::string_view digits = without_point_letter(name);
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc() || end != digits.data() + digits.size())
      unknown("a number, an array or a function is expected here");
    const std::uint64_t n = trace_.header.n;
    if (n > 0 && value >= n)
      fail("there is no point " + name + " in this run",
           "its points are " + point_name(0) + (n > 1 ? " to " + point_name(n - 1) : ""));
    at_ += name.size();
    Operand result;
    result.point = true;
    result.node = constant(static_cast<Number>(value));
    return result;
  }

  /// A part of the kind that is told to people, unless it is inside another one.
  Operand told(std::size_t begin, Node node) {
    Operand result;
    result.node = std::move(node);
    tell(begin, Reading::Kind::value, result);
    return result;
  }
  void tell(std::size_t begin, Reading::Kind kind, const Operand& of) {
    if (inside_ == 0) result_.readings.push_back({text_.substr(begin, at_ - begin), kind, of});
  }

  /// Fails at the word that comes next, which is no array, or with `expected` if there is no word.
  [[noreturn]] void unknown(const std::string& expected) const {
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end])) ++end;
    const std::string name = text_.substr(at_, end - at_);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) fail(expected);
    std::vector<std::string> known;
    for (const Trace::Array& array : trace_.arrays)
      for (const std::string* each : {&array.info.name, &array.info.label})
        if (!each->empty()) known.push_back(*each);
    if (end < text_.size() && text_[end] == '(')
      for (const std::string_view function : functions) known.emplace_back(function);
    fail("there is no array " + kdscope::quoted(name) + " in this run", did_you_mean(name, known));
  }

  /// An array's name as it stands in the text. component: empty if the name lacks it and the array has several.
  struct NamedArray {
    const Trace::Array* array = nullptr;
    std::optional<std::uint32_t> component;
  };

  /// The array, or the component of one, whose name or label comes next; of several the longest.
  std::optional<NamedArray> take_array() {
    std::optional<NamedArray> found;
    std::size_t length = 0;
    const auto offer = [&](const std::string& name, const Trace::Array& array, std::optional<std::uint32_t> component) {
      if (name.size() > length && next_is(name) && ends_after(name)) found = {&array, component}, length = name.size();
    };
    for (const Trace::Array& array : trace_.arrays)
      for (const std::string* name : {&array.info.name, &array.info.label}) {
        if (name->empty() || !next_is(*name)) continue;
        const std::uint32_t components = array.info.gather ? 1 : std::max(1u, array.info.components);
        offer(*name, array, components == 1 ? std::optional(0u) : std::nullopt);
        for (std::uint32_t c = 0; components > 1 && c < components; ++c)
          offer(*name + component_suffix(array.info, c, trace_.header.dim), array, c);
      }
    at_ += length;
    return found;
  }
  /// Returns whether a name that comes next is not only the beginning of a word.
  bool ends_after(const std::string& name) const {
    const std::size_t end = at_ + name.size();
    return end >= text_.size() || !in_word(text_[end]) || !in_word(name.back());
  }

  Component component_of(const NamedArray& named) const {
    const ArrayInfo& info = named.array->info;
    if (!named.component) {
      std::string names;
      const std::uint32_t listed = std::min(info.components, 4u);
      for (std::uint32_t c = 0; c < listed; ++c)
        names += (c ? ", " : "") + info.name + component_suffix(info, c, trace_.header.dim);
      fail(kdscope::quoted(info.name) + " has " + std::to_string(info.components) + " values at each index",
           "name one of them: " + names + (listed < info.components ? " ..." : ""));
    }
    ElementType type = info.type;
    if (info.gather)
      if (const Trace::Array* source = trace_.find(info.gather->source)) type = source->info.type;
    return {std::make_shared<const ArrayInfo>(info), *named.component, type};
  }

  /// An array, one element of it, or those at which a condition holds.
  Operand array_part(std::size_t begin, const NamedArray& named) {
    Operand result;
    const Component component = component_of(named);
    result.component = component;
    const std::size_t end = at_;
    if (!next_is("[")) {
      at_ = end;
      result.row = true;
      result.index = component.info->index_space;
      result.whole_array_ends = end;
      result.node = elements_of(component);
      return result;
    }
    take("[");
    skip_spaces();
    const std::size_t place = at_;
    ++inside_;
    Operand index = binary(0);
    --inside_;
    expect("]");
    const Space& by = component.info->index_space;
    if (index.point && by != Space::point)
      fail_at(place, kdscope::quoted(component.info->name) + " is by " + name_of(by) + ", not by point",
              "write " + std::string(name_of(by)) +
                  "s without the letter p, or select by a condition such as index == " +
                  text_.substr(place, text_.find(']', place) - place));
    if (index.row) {
      if (!index.condition)
        fail_at(place, "an index, or a condition on each element, is expected here",
                "for example " + component.info->name + "[17] or " + component.info->name + "[" + component.info->name +
                    " == 4]");
      if (index.selected || index.index != by)
        fail_at(place,
                index.selected ? "a selection has no indices by which it could select"
                               : "the condition is by " + std::string(name_of(index.index)) + ", but " +
                                     kdscope::quoted(component.info->name) + " by " + name_of(by),
                "select by a condition on an array over the same indices");
      result.row = result.selected = true;
      result.node = elements_where(component, std::move(index.node));
      return result;
    }
    result.node = element_at(component, std::move(index.node));
    tell(begin, Reading::Kind::value, result);
    return result;
  }

  // ---- functions ----------------------------------------------------------------------------------------------------

  Operand call(std::size_t begin, const std::string& function) {
    expect("(");
    skip_spaces();
    const std::size_t place = at_;
    ++inside_;
    const bool looks_before = function == "changed" || function == "before";
    if (looks_before && looking_before_)
      fail("only the step before can be looked at", "write changed(...) and before(...) beside each other");
    looking_before_ = looking_before_ || looks_before;
    Operand of = binary(0);
    if (looks_before) looking_before_ = false, result_.looks_before = true;
    Operand result;
    auto kind = Reading::Kind::value;
    if (function == "before") {
      result = of;
      result.literal.reset(), result.point = false, result.whole_array_ends = 0;
      result.node = before(of.node);
    } else if (function == "changed") {
      result.condition = true;
      result.node = changed(of.node);
      kind = Reading::Kind::changed;
    } else if (function == "missing") {
      result = of;
      result.component.reset(), result.literal.reset();
      result.condition = true, result.point = false, result.whole_array_ends = 0;
      result.node = missing(of.node);
    } else if (function == "any" || function == "all") {
      if (!of.condition) fail_at(place, "a condition on each element is expected here", "for example " + for_each());
      result.condition = true;
      const bool any = function == "any";
      result.node = any ? holds_for_any(of.node) : holds_for_all(of.node);
      if (any && of.row && !of.selected) kind = Reading::Kind::any;
    } else {
      result.node = of_many(function, of.node, counted_by(function, of, place));
      if (function == "min" || function == "max") result.component = of.component;
    }
    --inside_;
    expect(")");
    if (!result.row) tell(begin, kind, kind == Reading::Kind::value ? result : of);
    return result;
  }

  std::string for_each() const {
    const std::string text = Expression::examples(trace_);  // "tags[17] == 4 or ..."
    const std::size_t bracket = text.find('[');
    return "any(" + (bracket == std::string::npos ? "tags" : text.substr(0, bracket)) + " == 4)";
  }

  /// The value that `count` counts among the elements of an array. Empty for a condition and for other functions.
  Node counted_by(const std::string& function, const Operand& of, std::size_t place) {
    if (!of.row) fail_at(place, "an array is expected here", example());
    if (function != "count" || of.condition) return {};
    expect(",", ", and a value, or a condition in place of the array");
    skip_spaces();
    const std::size_t at = at_;
    Operand value = binary(0);
    if (value.row) fail_at(at, "one value is expected here", example());
    check_points(value, of, at);
    as_printed(value, of);
    return std::move(value.node);
  }

  Operand step_path() {
    const std::size_t begin = at_;
    take("at");
    expect("(");
    expect("\"");
    const std::size_t end = text_.find('"', at_);
    if (end == std::string::npos) fail("the quotation mark that ends the step's path is missing");
    const PhasePath path(text_.substr(at_, end - at_));
    if (steps_ == Expression::Steps::complete &&
        std::ranges::none_of(trace_.steps, [&](const Step& step) { return path.matches(step); }))
      fail("no step of this run has this path", "the narration shows the path of each step");
    at_ = end + 1;
    expect(")");
    Operand result = told(begin, on_path(path));
    result.condition = true;
    return result;
  }

  const std::string& text_;
  const Trace& trace_;
  const Expression::Steps steps_;
  Expression::Parsed result_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int inside_ = 0;               // calls and indices around the place
  bool looking_before_ = false;  // inside changed() or before()
};

}  // namespace
}  // namespace expression_parts

Result<Expression> Expression::parse(const std::string& text, const Trace& trace, Steps steps) {
  return caught([&] {
    return Expression(text, std::make_shared<const Parsed>(expression_parts::Parser(text, trace, steps).parse()));
  });
}

std::string Expression::examples(const Trace& trace) {
  const auto is_plain = [](char c) { return expression_parts::in_word(c) || c == '.'; };
  for (const bool shown : {true, false})
    for (const Trace::Array& array : trace.arrays)
      if (const std::string& name = array.info.name;
          array.info.shown_as_row == shown && !name.empty() && array.info.components == 1 &&
          !expression_parts::is_function(name) && std::ranges::all_of(name, is_plain))
        return name + "[17] == 4 or count(" + name + ", 0) > 1";
  return "step > 3";
}

}  // namespace kdscope
