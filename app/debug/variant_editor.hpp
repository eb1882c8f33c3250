#pragma once
// The text of a variant's file, with line numbers and the lines that the compiler complains about.

#include <QPlainTextEdit>
#include <map>

#include "visualizer/style/theme.hpp"

namespace kdscope {

class VariantEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit VariantEditor(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  /// Lines from 1 with a message each, which is their tool tip.
  void mark_lines(std::map<int, QString> messages);
  /// Moves the caret to a line from 1 and a column from 1, and scrolls it into sight.
  void go_to(int line, int column);
  int current_line() const { return textCursor().blockNumber() + 1; }
  void paint_margin(QPaintEvent* event);
  int margin_width() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void lay_out();
  void show_marks();

  QWidget* margin_;
  std::map<int, QString> messages_;
  const Theme* theme_;
};

}  // namespace kdscope
