#pragma once
// The narration and, below it, the question at hand. What answers the question has its room before both texts, which
// scroll, each by itself. An explanation, or a question that is higher than the pane, scrolls with the narration as one
// page, which begins at an open question. The buttons of the question are always in sight.

#include <QScrollArea>

#include "app/panes/question_panel.hpp"

namespace kdscope {

class QuestionColumn : public QWidget {
  Q_OBJECT

 public:
  /// Takes the narration's text. `room` is the pane.
  QuestionColumn(Workbench& workbench, QTextBrowser& text, QWidget& room);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void show_news();
  double end_of_whole_lines_within(double height) const;

  QTextBrowser& text_;
  QuestionPanel* panel_;
  QScrollArea* area_;
  static constexpr int none = -1;
  int asked_ = none;  // the question of the stop that was brought into sight
};

}  // namespace kdscope
