#include "visualizer/web/baked_question.hpp"

#include "algorithms/text/numbers.hpp"
#include "visualizer/web/baked_steps.hpp"
#include "visualizer/web/html_text.hpp"
#include "walkthroughs/reader/question_text.hpp"

namespace kdscope {
namespace {

/// The texts of a question may begin with a number, which is no list.
std::string json_prose(const std::string& markdown) { return json_html(starting_with_prose(markdown)); }

}  // namespace

std::string json_html(const std::string& markdown) { return json_text(html_of_markdown(markdown)); }

std::string json_question(const Question& question, int bit, const std::string& asked) {
  JsonObject baked;
  baked.add("asked", json_text(asked))
      .add("text", json_prose(question.text))
      .add("answer", json_prose(question.answer))
      .add("bit", bit);
  if (!question.hint.empty()) baked.add("hint", json_prose(question.hint));
  if (const auto& expected = question.expects) {
    JsonObject answer;
    answer.add("kind", json_text(name_of(expected->kind)))
        .add("elements", json_numbers(expected->elements))
        .add("row", json_text(expected->row))
        .add("number", shortest(expected->number))
        .add("within", shortest(expected->within))
        .add("dimension", expected->dimension)
        .add("texts", json_texts(expected->texts))
        .add("right", expected->right);
    baked.add("expects", answer.text());
  }
  return baked.text();
}

}  // namespace kdscope
