#pragma once
// Picks a question's expected answer by clicks in the views, as a student will give it.

#include <QObject>
#include <memory>

#include "app/workbench/questions.hpp"

namespace kdscope {

/// While it picks, clicks in any viewer of the playback become an answer of the asked form, and are marked there.
class AnswerPicker : public QObject {
  Q_OBJECT

 public:
  explicit AnswerPicker(Playback& playback, QObject* parent = nullptr) : QObject(parent), playback_(playback) {}

  bool picks() const { return asking_ != nullptr; }
  /// `form` states the kind, and the dimension of a place; an answer that it already holds stays until the first click.
  void start(const ExpectedAnswer& form);
  void stop();

 signals:
  void picked(const kdscope::GivenAnswer& answer);

 private:
  Playback& playback_;
  std::unique_ptr<Questions> asking_;
};

/// Takes a picked answer over into the one that a question expects.
void take_over(const GivenAnswer& given, ExpectedAnswer& expected);

}  // namespace kdscope
