#pragma once
// A text that scrolls ends below a whole line: no line is cut in two at its lower edge.

#include <QTextEdit>
#include <functional>

namespace kdscope {

/// Where a document, cut at a height, ends below its last whole line.
double end_of_whole_lines(const QTextDocument& document, double height);

/// The height of the text at this width, or of so many of its lines above the sign that it goes on. Afterwards it is as
/// wide as its page, whose bar may take some room.
int height_of_text(QTextEdit& page, int width, int most_lines = 1 << 20);

/// Covers the rest of the line that a lower edge cuts, and shows there that the text goes on below.
class WholeLines : public QWidget {
 public:
  explicit WholeLines(QTextEdit& text);
  /// The same of any area: `end` returns where its content, cut at a height, ends below its last whole line.
  WholeLines(QAbstractScrollArea& area, std::function<double(double)> end);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void place();

  QAbstractScrollArea& area_;
  std::function<double(double)> end_;
};

}  // namespace kdscope
