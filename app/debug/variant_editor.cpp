#include "app/debug/variant_editor.hpp"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {
namespace {

class Margin : public QWidget {
 public:
  explicit Margin(VariantEditor* editor) : QWidget(editor), editor_(editor) {}

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paint_margin(event); }

 private:
  VariantEditor* editor_;
};

}  // namespace

VariantEditor::VariantEditor(QWidget* parent)
    : QPlainTextEdit(parent), margin_(new Margin(this)), theme_(&theme(ThemeId::light)) {
  setLineWrapMode(NoWrap);
  setObjectName(QStringLiteral("variant_text"));
  setAccessibleName(tr("Text of the variant"));
  setTabChangesFocus(true);
  setFrameShape(NoFrame);
  connect(this, &QPlainTextEdit::blockCountChanged, this, &VariantEditor::lay_out);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& at, int moved) {
    moved ? margin_->scroll(0, moved) : margin_->update(0, at.y(), margin_->width(), at.height());
  });
  lay_out();
}

void VariantEditor::set_theme(const Theme& theme) {
  theme_ = &theme;
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(font().pointSizeF());
  document()->setDefaultFont(fixed);
  show_marks();
  lay_out();
}

void VariantEditor::mark_lines(std::map<int, QString> messages) {
  messages_ = std::move(messages);
  show_marks();
}

void VariantEditor::show_marks() {
  QList<QTextEdit::ExtraSelection> marks;
  QColor ground = colour(theme_->failed);
  ground.setAlphaF(0.18F);
  for (const auto& [line, message] : messages_) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) continue;
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.format.setBackground(ground);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    marks.push_back(mark);
  }
  setExtraSelections(marks);
  margin_->update();
}

void VariantEditor::go_to(int line, int column) {
  const QTextBlock block = document()->findBlockByNumber(std::max(1, line) - 1);
  if (!block.isValid()) return;
  QTextCursor caret(block);
  caret.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, std::clamp(column - 1, 0, block.length() - 1));
  setTextCursor(caret);
  centerCursor();
}

int VariantEditor::margin_width() const {
  const QFontMetrics metrics(document()->defaultFont());
  return metrics.horizontalAdvance(QString::number(std::max(99, blockCount()))) + metrics.height();
}

void VariantEditor::lay_out() {
  setViewportMargins(margin_width(), 0, 0, 0);
  const QRect inner = contentsRect();
  margin_->setGeometry(inner.left(), inner.top(), margin_width(), inner.height());
}

void VariantEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  lay_out();
}

void VariantEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange) set_theme(*theme_);
}

void VariantEditor::paint_margin(QPaintEvent* event) {
  QPainter painter(margin_);
  painter.fillRect(event->rect(), palette().color(QPalette::Window));
  painter.setFont(document()->defaultFont());
  const int pad = margin_width() - painter.fontMetrics().height() / 2;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > event->rect().bottom()) break;
    const int line = block.blockNumber() + 1;
    painter.setPen(messages_.contains(line) ? colour(theme_->failed) : palette().color(QPalette::PlaceholderText));
    painter.drawText(QRectF(0, at.top(), pad, at.height()), Qt::AlignRight, QString::number(line));
  }
}

bool VariantEditor::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto found = messages_.find(cursorForPosition(help->pos()).blockNumber() + 1);
  show_plain_tip(help->globalPos(), found == messages_.end() ? QString() : found->second, viewport());
  return true;
}

}  // namespace kdscope
