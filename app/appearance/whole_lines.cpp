#include "app/appearance/whole_lines.hpp"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>

#include "visualizer/style/tokens.hpp"

namespace kdscope {

namespace {

/// Calls `what` with the rectangle of each line, in the document; those of a table's last row reach to its frame.
template <class What>
void for_each_line(const QTextDocument& document, const What& what) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const double top = document.documentLayout()->blockBoundingRect(block).top();
    QTextTable* table = QTextCursor(block).currentTable();
    const bool is_last = table && table->cellAt(block.position()).row() + 1 == table->rows();
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      QRectF line = block.layout()->lineAt(i).rect().translated(0, top);
      if (is_last) line.setBottom(document.documentLayout()->frameBoundingRect(table).bottom());
      what(line);
    }
  }
}

}  // namespace

double end_of_whole_lines(const QTextDocument& document, double height) {
  double end = height;
  for_each_line(document, [&](const QRectF& line) {
    if (line.bottom() > height && line.top() < height) end = std::min(end, line.top());
  });
  return end;
}

int height_of_text(QTextEdit& page, int width, int most_lines) {
  page.document()->setTextWidth(std::max(50, width));
  double height = page.document()->size().height();
  for_each_line(*page.document(), [&](const QRectF& line) {
    if (--most_lines == 0) height = std::min(height, line.bottom() + tokens::space);
  });
  page.document()->setTextWidth(page.viewport()->width());
  return static_cast<int>(height) + 2;
}

WholeLines::WholeLines(QTextEdit& text)
    : WholeLines(text, [&text](double height) { return end_of_whole_lines(*text.document(), height); }) {
  connect(&text, &QTextEdit::textChanged, this, &WholeLines::place);
}

WholeLines::WholeLines(QAbstractScrollArea& area, std::function<double(double)> end)
    : QWidget(&area), area_(area), end_(std::move(end)) {
  setObjectName(QStringLiteral("end_of_lines"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  area.viewport()->installEventFilter(this);
  connect(area.verticalScrollBar(), &QScrollBar::valueChanged, this, &WholeLines::place);
  connect(area.verticalScrollBar(), &QScrollBar::rangeChanged, this, &WholeLines::place);
  place();
}

bool WholeLines::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Move) place();
  return false;
}

void WholeLines::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QWidget& room = *area_.viewport();
  const QWidget* under = room.childAt(0, room.height() - 1);
  if (!under) under = &room;
  painter.fillRect(rect(),
                   area_.palette().color(under->autoFillBackground() ? under->backgroundRole() : QPalette::Window));
  const QPointF middle(width() / 2.0, height() - tokens::space_small);
  const QPointF reach(tokens::space, -tokens::space_small);
  painter.setPen(QPen(area_.palette().color(QPalette::PlaceholderText), tokens::accent_line, Qt::SolidLine,
                      Qt::RoundCap, Qt::RoundJoin));
  const QPointF chevron[] = {middle + QPointF(-reach.x(), reach.y()), middle, middle + reach};
  painter.drawPolyline(chevron, 3);
}

void WholeLines::place() {
  const QScrollBar& bar = *area_.verticalScrollBar();
  const QRect room = area_.viewport()->geometry();
  const double top = bar.value();
  const int high = room.height() - static_cast<int>(end_(top + room.height() - tokens::space) - top);
  setGeometry(room.left(), room.bottom() + 1 - high, room.width(), high);
  setVisible(bar.value() < bar.maximum() && high < room.height());
}

}  // namespace kdscope
