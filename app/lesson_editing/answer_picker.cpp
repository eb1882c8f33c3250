#include "app/lesson_editing/answer_picker.hpp"

#include <algorithm>

namespace kdscope {

void AnswerPicker::start(const ExpectedAnswer& form) {
  stop();
  // A question of one's own, which nobody sees, collects clicks just as a lesson's question does.
  Question question;
  question.text = "?";
  question.expects = form;
  if (form.kind != AnswerKind::cell) question.expects->elements = {0, 1};  // several may be clicked
  asking_ = std::make_unique<Questions>(playback_);
  asking_->ask({}, {}, {question});
  connect(asking_.get(), &Questions::changed, this, [this] {
    if (!asking_) return;
    if (const auto given = asking_->given()) emit picked(*given);
  });
}

void AnswerPicker::stop() {
  if (!asking_) return;
  const auto asking = std::move(asking_);
  asking->type({});  // nothing stays marked
}

void take_over(const GivenAnswer& given, ExpectedAnswer& expected) {
  expected.elements = given.elements;
  std::sort(expected.elements.begin(), expected.elements.end());
  expected.elements.erase(std::unique(expected.elements.begin(), expected.elements.end()), expected.elements.end());
  if (!given.row.empty()) expected.row = given.row;
  expected.number = given.number;
}

}  // namespace kdscope
