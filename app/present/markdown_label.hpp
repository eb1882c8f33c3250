#pragma once
// A text in Markdown that takes the height that it needs: no scroll bar, no links, no focus.

#include <QWidget>

#include "app/appearance/plain_text.hpp"

namespace kdscope {

class MarkdownLabel : public QWidget {
  Q_OBJECT

 public:
  explicit MarkdownLabel(QWidget* parent = nullptr);
  /// Shows a text without HTML and without pictures, in the widget's font.
  void set_markdown(const QString& text);
  QString text() const { return document_->toPlainText(); }
  /// The height of the text in lines of this width.
  int height_for(int width) const;
  /// Takes a font, or a smaller one with which the text fits into a size.
  void fit(const QSize& size, QFont font);
  /// Puts the text in the middle of a taller widget.
  void set_centred(bool centred) { centred_ = centred; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void lay_out();
  double end_of_whole_lines() const;

  ClosedDocument* document_;
  QString markdown_;
  bool centred_ = false;
};

}  // namespace kdscope
