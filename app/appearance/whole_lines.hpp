#pragma once
// A text that scrolls ends below a whole line: no line is cut in two at its lower edge.

#include <QTextEdit>

namespace kdscope {

/// Where a document, cut at a height, ends below its last whole line.
double end_of_whole_lines(const QTextDocument& document, double height);

/// Covers the rest of the line that a text's lower edge cuts, and shows there that the text goes on below.
class WholeLines : public QWidget {
 public:
  explicit WholeLines(QTextEdit& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void place();

  QTextEdit& text_;
};

}  // namespace kdscope
