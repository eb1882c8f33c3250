#pragma once
// The question panel as a column of the narration pane: it takes the height that it needs, leaves some lines of the
// narration in sight, and scrolls where that is not enough.

#include <QScrollArea>

#include "app/panes/question_panel.hpp"

namespace kdscope {

class QuestionColumn : public QScrollArea {
  Q_OBJECT

 public:
  /// `room` is the pane whose height narration and question share.
  QuestionColumn(Workbench& workbench, QWidget& room);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void show_focus(QWidget* before, QWidget* now);

  QWidget& room_;
  QuestionPanel* panel_;
};

}  // namespace kdscope
