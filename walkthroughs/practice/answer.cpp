#include "walkthroughs/practice/answer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"

namespace kdscope {
namespace {

/// Lower-case words with single spaces. Letters beyond ASCII stay as they are.
std::string normalised(const std::string& text) {
  std::string result;
  std::istringstream in(text);
  for (std::string word; in >> word;) result += (result.empty() ? "" : " ") + word;
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool is_near(double given, double expected, double within) {
  return std::isfinite(given) && std::abs(given - expected) <= within;
}

template <class Number>
std::optional<Number> read_whole(std::string_view word) {
  Number number{};
  const auto [end, failed] = from_chars(word.data(), word.data() + word.size(), number);
  if (failed != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

bool is_right(const ExpectedAnswer& expected, const GivenAnswer& given) {
  if (given.kind != expected.kind) return false;
  switch (expected.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
    case AnswerKind::cell: {
      if (expected.kind == AnswerKind::cell && given.row != expected.row) return false;
      std::vector<std::uint32_t> elements = given.elements;
      std::sort(elements.begin(), elements.end());
      return elements == expected.elements;
    }
    case AnswerKind::split:
      return given.dimension == expected.dimension && is_near(given.number, expected.number, expected.within);
    case AnswerKind::number:
      return is_near(given.number, expected.number, expected.within);
    case AnswerKind::words:
      return std::any_of(expected.texts.begin(), expected.texts.end(),
                         [&](const std::string& text) { return normalised(text) == normalised(given.text); });
    case AnswerKind::choice:
      return given.choice == expected.right;
  }
  return false;
}

std::string text_of(const GivenAnswer& given) {
  std::string elements;
  for (const std::uint32_t element : given.elements) elements += " " + std::to_string(element);
  switch (given.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
      return name_of(given.kind) + elements;
    case AnswerKind::cell:
      return "row " + given.row + ", position" + elements;
    case AnswerKind::split:
      return "split " + shortest(given.number) + " along dimension " + std::to_string(given.dimension);
    case AnswerKind::number:
      return shortest(given.number);
    case AnswerKind::words:
      return given.text;
    case AnswerKind::choice:
      return "choice " + std::to_string(given.choice + 1);
  }
  return {};
}

std::optional<GivenAnswer> read_answer(const ExpectedAnswer& expected, const std::string& typed) {
  std::string words = typed;
  if (expected.kind != AnswerKind::words) std::replace(words.begin(), words.end(), ',', ' ');
  words = normalised(words);
  GivenAnswer given;
  given.kind = expected.kind;
  given.dimension = expected.dimension;
  given.row = expected.row;
  if (words.empty()) return std::nullopt;
  switch (expected.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
    case AnswerKind::cell: {
      std::istringstream in(words);
      for (std::string word; in >> word;) {
        const auto element = read_whole<std::uint32_t>(expected.kind == AnswerKind::points ? without_point_letter(word)
                                                                                           : std::string_view(word));
        if (!element) return std::nullopt;
        given.elements.push_back(*element);
      }
      return given;
    }
    case AnswerKind::split:
    case AnswerKind::number: {
      const auto number = read_whole<double>(words);
      if (!number || !std::isfinite(*number)) return std::nullopt;
      given.number = *number;
      return given;
    }
    case AnswerKind::words:
      given.text = typed;
      return given;
    case AnswerKind::choice: {
      for (std::uint32_t i = 0; i < expected.texts.size(); ++i)
        if (normalised(expected.texts[i]) == normalised(typed)) {
          given.choice = i;
          return given;
        }
      const auto number = read_whole<std::uint32_t>(words);
      if (!number || *number < 1 || *number > expected.texts.size()) return std::nullopt;
      given.choice = *number - 1;
      return given;
    }
  }
  return std::nullopt;
}

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::right:
      return "right";
    case Outcome::wrong:
      return "wrong";
    case Outcome::revealed:
      return "revealed";
    case Outcome::skipped:
      return "skipped";
  }
  return "";
}

}  // namespace kdscope
