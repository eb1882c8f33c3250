#include "algorithms/trace/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {

/// A part of an expression: calculates its value from the cursor.
struct Expression::Node {
  std::function<double(const Cursor&)> value;
};

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t longest_text = 1000;
constexpr int deepest_nesting = 100;

using Value = std::function<double(const Cursor&)>;

Value number(double value) {
  return [value](const Cursor&) { return value; };
}

/// An operator of two operands; conditions are 0 or 1.
double apply(std::string_view sign, double a, double b) {
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "*") return a * b;
  if (sign == "/") return b == 0 ? nan : a / b;
  if (sign == "%") return b == 0 ? nan : std::fmod(a, b);
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b && !std::isnan(a) && !std::isnan(b);
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  return a >= b;
}

bool is_true(double value) { return value != 0 && !std::isnan(value); }

class Parser {
 public:
  Parser(const std::string& text, const Trace& trace) : text_(text), trace_(trace) {}

  Value parse() {
    if (text_.size() > longest_text) fail("an expression has at most 1000 characters");
    Value value = binary(0);
    if (skip_spaces(); at_ < text_.size()) fail("an operator is expected here");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    throw ErrorException({ErrorKind::bad_usage, what,
                          kdscope::quoted(text_.substr(0, 60)) + ", character " + std::to_string(at_ + 1),
                          remedy.empty() ? example() : remedy});
  }
  /// Returns a remedy that names an array of this run.
  std::string example() const {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (const Trace::Array& array : trace_.arrays)
      if (const std::string& name = array.info.name; !name.empty() && std::ranges::all_of(name, is_word))
        return "for example " + name + "[17] == 4 or count(" + name + ", 0) > 1";
    return "for example step > 3";
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
  void expect(const char* word) {
    if (!take(word)) fail(std::string("'") + word + "' is expected here");
  }

  /// The operators of each precedence, longer ones first.
  static constexpr std::array<std::array<std::string_view, 6>, 5> operators{
      {{"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

  Value binary(std::size_t precedence) {
    if (precedence == operators.size()) return unary();
    Value left = binary(precedence + 1);
    while (true) {
      std::string_view sign;
      for (const std::string_view candidate : operators[precedence])
        if (sign.empty() && !candidate.empty() && take(candidate)) sign = candidate;
      if (sign.empty()) return left;
      Value right = binary(precedence + 1);
      if (sign == "||")
        left = [a = left, b = right](const Cursor& c) { return double(is_true(a(c)) || is_true(b(c))); };
      else if (sign == "&&")
        left = [a = left, b = right](const Cursor& c) { return double(is_true(a(c)) && is_true(b(c))); };
      else
        left = [a = left, b = right, sign](const Cursor& c) { return apply(sign, a(c), b(c)); };
    }
  }

  Value unary() {
    if (++depth_ > deepest_nesting) fail("this is nested too deeply");
    Value value;
    if (take("-")) {
      value = [of = unary()](const Cursor& c) { return -of(c); };
    } else if (next_is("!") && !next_is("!=")) {
      take("!");
      value = [of = unary()](const Cursor& c) { return double(!is_true(of(c))); };
    } else if (take("(")) {
      value = binary(0);
      expect(")");
    } else {
      value = operand();
    }
    --depth_;
    return value;
  }

  Value operand() {
    skip_spaces();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) {
      double value = 0;
      const auto [end, failed] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (failed != std::errc()) fail("this number cannot be read");
      at_ = static_cast<std::size_t>(end - text_.data());
      return number(value);
    }
    // The longest name counts: "rank[i].x" is an array, and no element of "rank".
    if (const Trace::Array* array = take_array()) {
      expect("[");
      Value index = binary(0);
      expect("]");
      return [name = array->info.name, index](const Cursor& c) {
        const double i = index(c);
        const RowReader row(c, name);
        if (!(i >= 0) || i >= static_cast<double>(row.size())) return nan;
        const auto at = static_cast<std::uint64_t>(i);
        return row.is_missing(at) ? nan : row.number(at);
      };
    }
    for (const char* name : {"count", "min", "max", "sum", "size"})
      if (take(name)) return call(name);
    if (take("at")) return step_path();
    if (take("step")) return [](const Cursor& c) { return double(c.step()); };
    if (take("violations"))
      return [](const Cursor& c) {
        const auto& checks = c.current().checks;
        return double(std::count_if(checks.begin(), checks.end(), [](const CheckResult& k) { return !k.passed; }));
      };
    unknown("a number, an array or a function is expected here");
  }

  /// Fails at the word that comes next, which is no array, or with `expected` if there is no word.
  [[noreturn]] void unknown(const std::string& expected) const {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const std::string name = text_.substr(at_, end - at_);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) fail(expected);
    std::vector<std::string> known;
    for (const Trace::Array& array : trace_.arrays) known.push_back(array.info.name);
    fail("there is no array " + kdscope::quoted(name) + " in this run", did_you_mean(name, known));
  }

  /// The array whose name or label comes next; of several the longest.
  const Trace::Array* take_array() {
    const Trace::Array* found = nullptr;
    std::size_t length = 0;
    for (const Trace::Array& array : trace_.arrays)
      for (const std::string* name : {&array.info.name, &array.info.label})
        if (name->size() > length && next_is(*name) && ends_after(*name)) found = &array, length = name->size();
    at_ += length;
    return found;
  }
  /// Returns whether a name that comes next is not only the beginning of a word.
  bool ends_after(const std::string& name) const {
    const std::size_t end = at_ + name.size();
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return end >= text_.size() || !in_word(text_[end]) || !in_word(name.back());
  }

  Value call(const std::string& function) {
    expect("(");
    skip_spaces();
    const Trace::Array* array = take_array();
    if (!array) unknown("an array is expected here");
    Value wanted;
    if (function == "count") {
      expect(",");
      wanted = binary(0);
    }
    expect(")");
    return [function, name = array->info.name, wanted](const Cursor& c) {
      const RowReader row(c, name);
      if (function == "size") return double(row.size());
      const double searched = wanted ? wanted(c) : 0;
      double found = 0, sum = 0, least = nan, most = nan;
      for (std::uint64_t i = 0; i < row.size(); ++i) {
        if (row.is_missing(i)) continue;
        const double value = row.number(i);
        found += value == searched;
        sum += value;
        if (!(least <= value)) least = value;
        if (!(most >= value)) most = value;
      }
      return function == "count" ? found : function == "sum" ? sum : function == "min" ? least : most;
    };
  }

  Value step_path() {
    expect("(");
    expect("\"");
    const std::size_t end = text_.find('"', at_);
    if (end == std::string::npos) fail("the quotation mark that ends the step's path is missing");
    const auto steps = steps_matching(trace_, text_.substr(at_, end - at_));
    if (steps.empty()) fail("no step of this run has this path", "the narration shows the path of each step");
    at_ = end + 1;
    expect(")");
    return [steps](const Cursor& c) { return double(std::binary_search(steps.begin(), steps.end(), c.step())); };
  }

  const std::string& text_;
  const Trace& trace_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Expression> Expression::parse(const std::string& text, const Trace& trace) {
  try {
    return Expression(text, std::make_shared<const Node>(Node{Parser(text, trace).parse()}));
  } catch (const ErrorException& e) {
    return e.error();
  }
}

double Expression::value(const Cursor& cursor) const { return root_->value(cursor); }
bool Expression::holds(const Cursor& cursor) const { return is_true(value(cursor)); }

std::optional<std::uint32_t> step_where(const Expression& expression, const Cursor& from, int direction,
                                        std::stop_token stop) {
  Cursor at = from;
  while (direction > 0 ? at.step() + 1 < at.step_count() : at.step() > 0) {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    at.seek(direction > 0 ? at.step() + 1 : at.step() - 1);
    if (expression.holds(at)) return at.step();
  }
  return std::nullopt;
}

}  // namespace kdscope
