#pragma once
// Numbered lines of code or pseudo-code. The current lines are marked; a click chooses a line.

#include <QTextCharFormat>
#include <QTextEdit>
#include <functional>
#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// One line as it is shown. `key` is the argument of line_chosen(); lines without a number belong to the one above.
struct CodeLine {
  int key = -1;       ///< -1: nothing to choose
  int number = 0;     ///< in the margin; 0: none
  double indent = 0;  ///< of the line and its wrapped continuation, in ems
  struct Run {
    QString text;
    QTextCharFormat format;
  };
  std::vector<Run> runs;
};

/// Read-only text. Up and Down move the caret; Return and Shift+Return choose its line. All other keys except Copy and
/// Select All go to the window.
class CodeView : public QTextEdit {
  Q_OBJECT

 public:
  explicit CodeView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  /// Replaces the text if it differs; keeps the scroll position.
  void set_lines(const std::vector<CodeLine>& lines);
  /// Marks lines as current and scrolls them into sight; `to_top` scrolls the first of them to the top.
  void mark(const std::function<bool(const CodeLine&)>& current, bool to_top);
  /// Whether a line is what `wanted` accepts; lines without a key are not asked about.
  bool has_line(const std::function<bool(const CodeLine&)>& wanted) const;
  /// First line of a key, in viewport coordinates; empty when there is none.
  QRect place_of(int key) const;
  /// Keys of the marked lines, each once.
  std::vector<int> marked() const;

 signals:
  void line_chosen(int key, bool backwards);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// Sets wrapped lines closer, down to the font's own spacing, where this brings all of them into sight.
  void space_lines();
  double margin_width() const;
  QRectF rect_of(const QTextBlock& block) const;  // in the viewport
  QTextBlock block_at(QPointF at) const;

  std::vector<CodeLine> lines_;  // one per block
  std::vector<bool> marked_;
  const Theme* theme_;
  QPointF pressed_;
};

}  // namespace kdscope
