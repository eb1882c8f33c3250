#pragma once
// Our own source of the current step: the region that its code anchor names.

#include <QPlainTextEdit>
#include <QWidget>

#include "app/workbench.hpp"

namespace kdscope {

class CodeHighlighter;

class SourcePane : public QWidget {
  Q_OBJECT

 public:
  explicit SourcePane(Workbench& workbench, QWidget* parent = nullptr);
  QString shown_code() const { return code_->toPlainText(); }

 private:
  void show_step();
  void restyle();

  Workbench& workbench_;
  QPlainTextEdit* code_;
  CodeHighlighter* highlighter_;
};

}  // namespace kdscope
