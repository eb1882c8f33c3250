#include "app/questioning/questioning.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/element_name.hpp"

namespace kdscope {
namespace {

std::string elements_text(const Space& space, std::vector<std::uint32_t> elements) {
  std::sort(elements.begin(), elements.end());
  std::string text = name_of(space) + std::string(elements.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < elements.size(); ++i)
    text += (i == 0 ? " " : i + 1 == elements.size() ? " and " : ", ") + element_name(space, elements[i]);
  return text;
}

/// The words that tell one answer from another: digits without separators, points as numbers.
std::vector<std::string> telling_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::erase(word, ',');
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto begin = word.find_first_not_of("*_`\""), end = word.find_last_not_of("*_`\".:;");
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    word = without_point_letter(word.substr(begin, end - begin + 1));
    static const std::vector<std::string> nouns{"and", "position", "positions", "point", "points", "node", "nodes"};
    if (std::ranges::find(nouns, word) == nouns.end()) words.push_back(word);
  }
  return words;
}

}  // namespace

bool begins_with_answer(const std::string& explanation, const std::string& answer) {
  constexpr std::size_t others = 2;
  const std::vector<std::string> answered = telling_words(answer);
  std::vector<std::string> first = telling_words(explanation);
  first.resize(std::min(first.size(), answered.size() + others));
  return !answered.empty() &&
         std::ranges::all_of(answered, [&](const std::string& word) { return std::ranges::count(first, word) > 0; });
}

bool is_of_elements(AnswerKind kind) {
  return kind == AnswerKind::positions || kind == AnswerKind::points || kind == AnswerKind::nodes ||
         kind == AnswerKind::cell;
}

std::string how_to_answer(const ExpectedAnswer& expected, std::uint32_t dim, const Concealment& concealed) {
  switch (expected.kind) {
    case AnswerKind::positions:
      return "Click columns of the table, or type positions";
    case AnswerKind::points:
      return "Click points, or type their names";
    case AnswerKind::nodes:
      return concealed.tree ? "Type numbers of nodes" : "Click nodes of the tree, or type their numbers";
    case AnswerKind::cell:
      return "Click a cell of the table, or type its position";
    case AnswerKind::split:
      return "Click a place in the view, or type " + coordinate_name(expected.dimension, dim);
    case AnswerKind::number:
      return "Type a number";
    case AnswerKind::words:
      return "Type the answer";
    case AnswerKind::choice:
      return "Click an answer, or press its number";
  }
  return {};
}

std::string given_answer(const ExpectedAnswer& expected, const GivenAnswer& given, std::uint32_t dim) {
  switch (given.kind) {
    case AnswerKind::positions:
      return elements_text(Space::position, given.elements);
    case AnswerKind::points:
      return elements_text(Space::point, given.elements);
    case AnswerKind::nodes:
      return elements_text(Space::node, given.elements);
    case AnswerKind::cell:
      return elements_text(Space::position, given.elements) + " of " + given.row;
    case AnswerKind::split:
      return coordinate_name(given.dimension, dim) + " = " + short_number(given.number, 6);
    case AnswerKind::choice:
      return given.choice < expected.texts.size() ? expected.texts[given.choice] : text_of(given);
    case AnswerKind::number:
    case AnswerKind::words:
      break;
  }
  return text_of(given);
}

std::string right_answer(const ExpectedAnswer& expected, std::uint32_t dim) {
  GivenAnswer right;
  right.kind = expected.kind;
  right.elements = expected.elements;
  right.row = expected.row;
  right.number = expected.number;
  right.dimension = expected.dimension;
  if (!expected.texts.empty()) right.text = expected.texts.front();
  right.choice = expected.right;
  return given_answer(expected, right, dim);
}

}  // namespace kdscope
