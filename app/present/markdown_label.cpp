#include "app/present/markdown_label.hpp"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/appearance/lesson_markdown.hpp"
#include "app/appearance/smaller_text.hpp"

namespace kdscope {

MarkdownLabel::MarkdownLabel(QWidget* parent) : QWidget(parent), document_(new ClosedDocument(this)) {
  document_->setDocumentMargin(0);
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void MarkdownLabel::set_markdown(const QString& text) {
  if (text == markdown_) return;
  markdown_ = text;
  lay_out();
}

void MarkdownLabel::lay_out() {
  document_->setDefaultFont(font());
  kdscope::set_markdown(*document_, markdown_, 112);
  QTextCursor first(document_->begin());
  QTextBlockFormat format = first.blockFormat();
  format.setTopMargin(0);
  first.setBlockFormat(format);
  setAccessibleName(document_->toPlainText());
  update();
}

int MarkdownLabel::height_for(int width) const {
  document_->setTextWidth(width);
  return static_cast<int>(std::ceil(document_->size().height()));
}

void MarkdownLabel::fit(const QSize& size, QFont font) {
  smaller_until(std::move(font), 0.94, 0.5, [&](const QFont& tried) {
    setFont(tried);
    return height_for(size.width()) <= size.height();
  });
}

/// Returns where the last line ends that is whole within the height of the widget.
double MarkdownLabel::end_of_whole_lines() const {
  double end = height();
  for (QTextBlock block = document_->begin(); block.isValid(); block = block.next()) {
    const double top = document_->documentLayout()->blockBoundingRect(block).top();
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      const QRectF line = block.layout()->lineAt(i).naturalTextRect().translated(0, top);
      if (line.bottom() > height() && line.top() < height()) end = std::min(end, line.top());
    }
  }
  return end;
}

void MarkdownLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  document_->setTextWidth(width());
  if (!centred_) painter.setClipRect(QRectF(0, 0, width(), end_of_whole_lines()));
  if (centred_) painter.translate(0, std::max(0.0, (height() - document_->size().height()) / 2));
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette();
  document_->documentLayout()->draw(&painter, context);
}

void MarkdownLabel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) lay_out();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace kdscope
