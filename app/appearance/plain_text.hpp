#pragma once
// Texts from files in the window. Qt draws a text that looks like HTML as HTML and opens the files that it names. Every
// label is therefore created either as plain text or, only for this program's own markup, as rich text.

#include <QImage>
#include <QLabel>
#include <QTextDocument>
#include <QToolTip>

#include "app/appearance/labels.hpp"

namespace kdscope {

/// A label that shows its text as it is.
inline QLabel* plain_label(const QString& text = {}, QWidget* parent = nullptr) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setText(text);
  return label;
}

/// A label for this program's own markup. Foreign texts must pass through toHtmlEscaped().
inline QLabel* rich_label(const QString& html = {}, QWidget* parent = nullptr) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::RichText);
  label->setText(html);
  return label;
}

/// The tool tip that shows a text as it is.
inline QString plain_tip(const QString& text) {
  const QString shown = foreign_text(text);
  return Qt::mightBeRichText(shown) ? Qt::convertFromPlainText(shown) : shown;
}
inline void show_plain_tip(QPoint at, const QString& text, QWidget* widget, const QRect& rect = {}) {
  QToolTip::showText(at, plain_tip(text), widget, rect);
}

/// A page that loads no resources. It answers with one transparent pixel, because without an answer Qt would open an
/// image's name as a file.
class ClosedDocument : public QTextDocument {
 public:
  using QTextDocument::QTextDocument;

 protected:
  QVariant loadResource(int, const QUrl&) override {
    QImage pixel(1, 1, QImage::Format_ARGB32);
    pixel.fill(Qt::transparent);
    return pixel;
  }
};

}  // namespace kdscope
