#include "app/views/code_view.hpp"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <algorithm>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/whole_lines.hpp"

namespace kdscope {

CodeView::CodeView(QWidget* parent) : QTextEdit(parent), theme_(&theme(ThemeId::light)) {
  setReadOnly(true);
  setFrameShape(QFrame::NoFrame);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setUndoRedoEnabled(false);
  document()->setDocumentMargin(0);
  new WholeLines(*this);
}

void CodeView::set_theme(const Theme& theme) {
  theme_ = &theme;
  viewport()->update();
}

double CodeView::margin_width() const {
  int highest = 9;
  for (const CodeLine& line : lines_) highest = std::max(highest, line.number);
  return fontMetrics().horizontalAdvance(QString::number(highest)) + 1.6 * fontMetrics().averageCharWidth();
}

void CodeView::set_lines(const std::vector<CodeLine>& lines) {
  const auto same = [](const CodeLine& a, const CodeLine& b) {
    return a.key == b.key && a.number == b.number && a.indent == b.indent &&
           std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [](const auto& x, const auto& y) { return x.text == y.text && x.format == y.format; });
  };
  if (std::equal(lines.begin(), lines.end(), lines_.begin(), lines_.end(), same)) return;
  const int at = verticalScrollBar()->value(), caret = textCursor().blockNumber();
  lines_ = lines;
  marked_.assign(lines.size(), false);
  // Without a page, Qt lays nothing out; otherwise it would do so again after each line
  const QSizeF page = document()->pageSize();
  document()->setPageSize({0, 0});
  clear();
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  const double em = fontMetrics().averageCharWidth() * 2.0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    QTextBlockFormat block;
    block.setLeftMargin(lines[i].indent * em + em);  // wrapped lines are indented by one em more
    block.setTextIndent(-em);
    block.setLineHeight(108, QTextBlockFormat::ProportionalHeight);
    if (i == 0)
      cursor.setBlockFormat(block);
    else
      cursor.insertBlock(block, QTextCharFormat());
    for (const CodeLine::Run& run : lines[i].runs) cursor.insertText(run.text, run.format);
  }
  cursor.endEditBlock();
  QTextFrameFormat frame = document()->rootFrame()->frameFormat();
  frame.setLeftMargin(margin_width() + em / 2);
  frame.setTopMargin(em / 2);
  frame.setBottomMargin(em / 2);
  frame.setRightMargin(em / 2);
  document()->rootFrame()->setFrameFormat(frame);
  document()->setPageSize(page);
  space_lines();
  rect_of(document()->lastBlock());  // lays out all lines, so that the range of the scroll bar is known
  setTextCursor(QTextCursor(document()->findBlockByNumber(std::min(caret, document()->blockCount() - 1))));
  verticalScrollBar()->setValue(at);
}

void CodeView::space_lines() {
  if (lineWrapMode() == NoWrap) return;
  const auto set = [&](int percent) {
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    QTextBlockFormat block;
    block.setLineHeight(percent, QTextBlockFormat::ProportionalHeight);
    all.mergeBlockFormat(block);
    return document()->size().height() <= viewport()->height();
  };
  if (set(122) || set(111) || set(100)) return;
  if (verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff) set(122);
}

void CodeView::resizeEvent(QResizeEvent* event) {
  QTextEdit::resizeEvent(event);
  space_lines();
}

void CodeView::mark(const std::function<bool(const CodeLine&)>& current, bool to_top) {
  int first = -1, last = -1;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    marked_[i] = lines_[i].key >= 0 && current(lines_[i]);
    if (!marked_[i]) continue;
    if (first < 0) first = static_cast<int>(i);
    last = static_cast<int>(i);
  }
  viewport()->update();
  if (first < 0) return;
  const QRectF top = rect_of(document()->findBlockByNumber(first)),
               bottom = rect_of(document()->findBlockByNumber(last));
  const double room = viewport()->height(), edge = fontMetrics().height() / 2.0;
  int move = 0;
  if (to_top || bottom.bottom() - top.top() > room)
    move = static_cast<int>(top.top() - 2.5 * edge);
  else if (top.top() < edge)
    move = static_cast<int>(top.top() - edge);
  else if (bottom.bottom() > room - edge)
    move = static_cast<int>(bottom.bottom() - room + edge);
  if (move == 0) return;
  QScrollBar& bar = *verticalScrollBar();
  bar.setValue(bar.value() + move);
  // The first line in sight is whole
  const QTextBlock cut = cursorForPosition({0, 0}).block();
  if (const QRectF at = rect_of(cut); cut.blockNumber() < first && at.top() < 0)
    bar.setValue(bar.value() + static_cast<int>(std::ceil(at.bottom())));
}

bool CodeView::has_line(const std::function<bool(const CodeLine&)>& wanted) const {
  return std::ranges::any_of(lines_, [&](const CodeLine& line) { return line.key >= 0 && wanted(line); });
}

std::vector<int> CodeView::marked() const {
  std::vector<int> keys;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (marked_[i] && (keys.empty() || keys.back() != lines_[i].key)) keys.push_back(lines_[i].key);
  return keys;
}

QRectF CodeView::rect_of(const QTextBlock& block) const {
  QAbstractTextDocumentLayout* layout = document()->documentLayout();
  QRectF rect = layout->blockBoundingRect(block);
  // The gap between two lines belongs to the upper one.
  if (block.next().isValid()) rect.setBottom(std::max(rect.bottom(), layout->blockBoundingRect(block.next()).top()));
  return rect.translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
}

QRect CodeView::place_of(int key) const {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].key == key) return rect_of(document()->findBlockByNumber(static_cast<int>(i))).toRect();
  return {};
}

QTextBlock CodeView::block_at(QPointF at) const {
  const QTextBlock block = cursorForPosition(at.toPoint()).block();
  const QRectF rect = rect_of(block);
  return at.y() >= rect.top() && at.y() < rect.bottom() ? block : QTextBlock();
}

void CodeView::paintEvent(QPaintEvent* event) {
  const double width = margin_width();
  {
    QPainter painter(viewport());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(mix(theme_->base, theme_->focus, 0.16)));
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
      if (const auto i = static_cast<std::size_t>(block.blockNumber()); i < marked_.size() && marked_[i])
        painter.drawRect(QRectF(0, rect_of(block).top(), viewport()->width(), rect_of(block).height()));
  }
  QTextEdit::paintEvent(event);
  QPainter painter(viewport());
  painter.fillRect(QRectF(0, 0, width, viewport()->height()), colour(mix(theme_->base, theme_->window, 0.6)));
  painter.setFont(font());
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    const auto i = static_cast<std::size_t>(block.blockNumber());
    const QRectF rect = rect_of(block);
    if (i >= lines_.size() || rect.bottom() < 0 || rect.top() > viewport()->height()) continue;
    if (marked_[i]) {
      painter.fillRect(QRectF(0, rect.top(), width, rect.height()), colour(mix(theme_->base, theme_->focus, 0.16)));
      painter.fillRect(QRectF(0, rect.top(), std::max(3.0, width / 8), rect.height()), colour(theme_->focus));
    }
    if (lines_[i].number == 0) continue;
    painter.setPen(colour(marked_[i] ? theme_->text : theme_->muted_text));
    painter.drawText(QRectF(0, rect.top(), width - 0.6 * fontMetrics().averageCharWidth(), fontMetrics().height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(lines_[i].number));
  }
}

bool CodeView::event(QEvent* event) {
  // Leave all shortcuts but Copy to the window: the transport's keys work here too.
  if (event->type() == QEvent::ShortcutOverride && !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
    event->ignore();
    return true;
  }
  return QTextEdit::event(event);
}

void CodeView::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
  if ((key == Qt::Key_Up || key == Qt::Key_Down) && modifiers == Qt::NoModifier) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(key == Qt::Key_Up ? QTextCursor::PreviousBlock : QTextCursor::NextBlock);
    setTextCursor(cursor);
    ensureCursorVisible();
    return;
  }
  if ((key == Qt::Key_Return || key == Qt::Key_Enter) &&
      (modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier)) {
    const auto i = static_cast<std::size_t>(textCursor().blockNumber());
    if (i < lines_.size() && lines_[i].key >= 0) emit line_chosen(lines_[i].key, modifiers == Qt::ShiftModifier);
    return;
  }
  if (event->matches(QKeySequence::Copy) || event->matches(QKeySequence::SelectAll))
    return QTextEdit::keyPressEvent(event);
  event->ignore();
}

void CodeView::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position();
  // Shift+click goes back; it does not select.
  if (!(event->modifiers() & Qt::ShiftModifier)) QTextEdit::mousePressEvent(event);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
  if (!(event->modifiers() & Qt::ShiftModifier)) QTextEdit::mouseReleaseEvent(event);
  if (event->button() != Qt::LeftButton || (event->position() - pressed_).manhattanLength() > 4) return;
  const QTextBlock block = block_at(event->position());
  const auto i = static_cast<std::size_t>(block.blockNumber());
  if (block.isValid() && i < lines_.size() && lines_[i].key >= 0)
    emit line_chosen(lines_[i].key, event->modifiers() & Qt::ShiftModifier);
}

}  // namespace kdscope
