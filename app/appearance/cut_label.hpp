#pragma once
// A label that gives way to what stands beside it.

#include <QLabel>

namespace kdscope {

/// A label that gives way: where its text does not fit, its brief form stands, and what does not fit of that is cut.
class CutLabel : public QLabel {
 public:
  CutLabel() { setTextFormat(Qt::PlainText); }
  /// The least that the label has room for.
  void set_brief(const QString& brief) { brief_ = brief; }
  /// The text as it stands in the label's width.
  QString shown_text() const;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString brief_;
};

}  // namespace kdscope
