#include "walkthroughs/practice/answer_checks.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <regex>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

bool states(const std::vector<double>& numbers, double number, double within) {
  return std::any_of(numbers.begin(), numbers.end(), [&](double n) { return std::abs(n - number) <= within + 1e-9; });
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The most columns of a row by position after the cursor's step.
std::uint64_t positions_at(const Cursor& cursor) {
  std::uint64_t most = 0;
  for (const Trace::Array& array : cursor.trace().arrays)
    if (array.info.index_space == Space::position) most = std::max(most, cursor.row_size(array.info.name));
  return most;
}

bool node_exists(const Cursor& cursor, std::uint32_t node) {
  if (node >= cursor.row_size(partition_arrays::parent)) return false;
  return node == 0 || cursor.number(partition_arrays::parent, node) != no_id;
}

Error impossible(const std::string& what, const std::string& remedy) {
  return {ErrorKind::failed_check, what, "", remedy};
}

std::string numbered_from_zero(std::uint64_t count, const std::string& what) {
  return count == 0 ? "this step has no " + what + "s" : what + "s are 0 to " + std::to_string(count - 1);
}

Result<void> element_exists(const ExpectedAnswer& answer, std::uint32_t element, const Cursor& cursor) {
  const Trace& trace = cursor.trace();
  const auto below = [&](std::uint64_t count, const std::string& what) -> Result<void> {
    if (element < count) return {};
    return impossible("there is no " + what + " " + std::to_string(element) + " at this step",
                      numbered_from_zero(count, what));
  };
  switch (answer.kind) {
    case AnswerKind::positions:
      return below(positions_at(cursor), "position");
    case AnswerKind::points:
      return below(sorts_triangles(trace) ? cursor.row_size(triangles_array) / 3 : trace.header.n, "point");
    case AnswerKind::nodes:
      if (node_exists(cursor, element)) return {};
      return impossible("there is no node " + std::to_string(element) + " at this step", "name a node of the tree");
    case AnswerKind::cell:
      if (element < cursor.row_size(answer.row)) return {};
      return impossible("row '" + answer.row + "' has no position " + std::to_string(element) + " at this step",
                        "choose a row that has values");
    default:
      return {};
  }
}

}  // namespace

Result<void> can_be_given(const ExpectedAnswer& answer, const Cursor& cursor) {
  for (const std::uint32_t element : answer.elements)
    if (auto exists = element_exists(answer, element, cursor); !exists) return exists;
  if (answer.kind != AnswerKind::split) return {};
  const std::uint32_t dim = cursor.trace().header.dim;
  if (answer.dimension >= dim)
    return impossible("the points have no dimension " + std::to_string(answer.dimension),
                      numbered_from_zero(dim, "dimension"));
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::uint64_t i = answer.dimension; i < cursor.row_size(points_array); i += dim) {
    least = std::min(least, cursor.number(points_array, i));
    most = std::max(most, cursor.number(points_array, i));
  }
  if (!(answer.number > least && answer.number < most))
    return impossible("the place " + short_number(answer.number) + " is not between the points",
                      "they reach from " + short_number(least) + " to " + short_number(most));
  const double extent = most - least;
  if (!(answer.within > extent / 500 && answer.within < extent / 10))
    return impossible(
        "a click cannot be within " + short_number(answer.within) + " of the place, or is so nearly anywhere",
        "choose a difference between " + short_number(extent / 500) + " and " + short_number(extent / 10));
  return {};
}

bool agrees(const ExpectedAnswer& expected, const std::string& answer) {
  const std::string words = lower_case(answer);
  switch (expected.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
    case AnswerKind::cell: {
      const std::vector<double> numbers = numbers_in(answer);
      return std::all_of(expected.elements.begin(), expected.elements.end(),
                         [&](std::uint32_t element) { return states(numbers, element, 0); });
    }
    case AnswerKind::number:
    case AnswerKind::split:
      return states(numbers_in(answer), expected.number, expected.within);
    case AnswerKind::words:
      return std::any_of(expected.texts.begin(), expected.texts.end(),
                         [&](const std::string& text) { return words.find(lower_case(text)) != std::string::npos; });
    case AnswerKind::choice:
      if (expected.texts == std::vector<std::string>{"yes", "no"})
        for (const char* end : {",", "."})
          if (words.starts_with((expected.right == 0 ? "no" : "yes") + std::string(end))) return false;
      return true;
  }
  return true;
}

std::vector<double> numbers_in(const std::string& text) {
  static const char* const words[] = {"zero",     "one",     "two",     "three",     "four",     "five",     "six",
                                      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
                                      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  std::vector<double> numbers;
  static const std::regex token("[A-Za-z]+|-?[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]+)?|-?[0-9]+(\\.[0-9]+)?");
  for (std::sregex_iterator it(text.begin(), text.end(), token), end; it != end; ++it) {
    std::string found = it->str();
    if (std::isalpha(static_cast<unsigned char>(found[0]))) {
      found = lower_case(found);
      const auto word = std::find(std::begin(words), std::end(words), found);
      if (word != std::end(words)) numbers.push_back(static_cast<double>(word - std::begin(words)));
      continue;
    }
    std::erase(found, ',');
    double number = 0;
    from_chars(found.data(), found.data() + found.size(), number);
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace kdscope
