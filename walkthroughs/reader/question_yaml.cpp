#include "walkthroughs/reader/question_yaml.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/text/similar_names.hpp"

namespace kdscope {
namespace {

constexpr std::size_t max_choices = 9;  ///< each has a key from 1 to 9

std::vector<std::uint32_t> elements_of(const YamlField& field) {
  std::vector<std::uint32_t> elements;
  for (const std::string& word : field.words())
    elements.push_back(static_cast<std::uint32_t>(field.natural(word, 0, max_index)));
  std::sort(elements.begin(), elements.end());
  if (std::adjacent_find(elements.begin(), elements.end()) != elements.end())
    field.fail(field.name() + " names an element twice");
  return elements;
}

double tolerance_of(const YamlFields& fields) {
  const YamlField* given = find(fields, "within");
  if (!given) return 0;
  const double within = given->real();
  if (within < 0) given->fail("'within' is negative", "give the largest difference of a right answer");
  return within;
}

/// The kind of an answer is the key that states it.
ExpectedAnswer expected_answer_of(const YamlField& field) {
  ExpectedAnswer answer;
  const auto keys = field.pairs();
  const auto states = [&](AnswerKind kind) {
    return std::any_of(keys.begin(), keys.end(), [&](const auto& entry) { return entry.first == name_of(kind); });
  };
  const auto fields = [&](AnswerKind kind, std::set<std::string> required, const std::set<std::string>& optional) {
    answer.kind = kind;
    required.insert(name_of(kind));
    return field.fields(required, optional);
  };
  for (const AnswerKind kind : {AnswerKind::positions, AnswerKind::points, AnswerKind::nodes}) {
    if (!states(kind)) continue;
    answer.elements = elements_of(fields(kind, {}, {}).at(name_of(kind)));
    return answer;
  }
  if (states(AnswerKind::cell)) {
    const YamlFields given = fields(AnswerKind::cell, {"row"}, {});
    const YamlField& position = given.at("cell");
    answer.elements = {static_cast<std::uint32_t>(position.natural(0, max_index))};
    answer.row = given.at("row").text();
  } else if (states(AnswerKind::split)) {
    const YamlFields given = fields(AnswerKind::split, {"dimension"}, {"within"});
    answer.number = given.at("split").real();
    answer.dimension = static_cast<std::uint32_t>(given.at("dimension").natural(0, max_index));
    answer.within = tolerance_of(given);
  } else if (states(AnswerKind::number)) {
    const YamlFields given = fields(AnswerKind::number, {}, {"within"});
    answer.number = given.at("number").real();
    answer.within = tolerance_of(given);
  } else if (states(AnswerKind::choice)) {
    const YamlFields given = fields(AnswerKind::choice, {"among"}, {});
    const YamlField& among = given.at("among");
    answer.texts = texts_of(among);
    if (answer.texts.size() < 2 || answer.texts.size() > max_choices)
      among.fail("'among' has " + std::to_string(answer.texts.size()) + " texts; a choice is among 2 to " +
                 std::to_string(max_choices));
    const auto right = std::find(answer.texts.begin(), answer.texts.end(), given.at("choice").text());
    if (right == answer.texts.end()) given.at("choice").fail("'choice' is not one of the texts in 'among'");
    if (std::count(answer.texts.begin(), answer.texts.end(), *right) > 1) among.fail("'among' has the choice twice");
    answer.right = static_cast<std::uint32_t>(right - answer.texts.begin());
  } else if (states(AnswerKind::words)) {
    const YamlField words = fields(AnswerKind::words, {}, {}).at("words");
    answer.texts = words.is_list() ? texts_of(words) : std::vector<std::string>{words.text()};
    if (answer.texts.empty()) words.fail("'words' has no text");
  } else {
    field.fail("'expects' states no answer",
               "give one of positions, points, nodes, cell, split, number, words and choice");
  }
  return answer;
}

}  // namespace

std::vector<std::string> words_among(const YamlField& field, const std::vector<std::string>& names) {
  const std::vector<std::string> words = field.words();
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (std::find(names.begin(), names.end(), *word) == names.end()) {
      std::string remedy = did_you_mean(*word, names);
      if (remedy.empty()) {
        remedy = "use";
        for (const std::string& name : names) remedy += (name == names.front() ? " " : ", ") + name;
      }
      field.fail("nothing in " + field.name() + " is called '" + *word + "'", remedy);
    }
    if (std::find(words.begin(), word, *word) != word) field.fail(field.name() + " has '" + *word + "' twice");
  }
  return words;
}

std::vector<std::string> texts_of(const YamlField& field) {
  std::vector<std::string> texts;
  for (const YamlField& item : field.items()) texts.push_back(item.text());
  return texts;
}

Question question_of(const YamlField& field) {
  const YamlFields fields = field.fields({"ask", "answer"}, {"hint", "expects", "hides", "hides_rows"});
  Question question{fields.at("ask").text(), fields.at("answer").text(), "", {}, {}, {}};
  if (const YamlField* given = find(fields, "hint")) question.hint = given->text();
  if (const YamlField* given = find(fields, "expects")) question.expects = expected_answer_of(*given);
  if (const YamlField* given = find(fields, "hides")) {
    std::vector<std::string> names;
    for (const HiddenPart part : hidden_parts) names.emplace_back(name_of(part));
    for (const std::string& word : words_among(*given, names)) question.hides.push_back(*hidden_part_named(word));
  }
  if (const YamlField* given = find(fields, "hides_rows")) question.hidden_rows = texts_of(*given);
  return question;
}

}  // namespace kdscope
