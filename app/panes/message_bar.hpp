#pragma once
// One line on top of the window: what is running, with progress and Cancel; or what went wrong, with what can be done.
// Never modal: whatever is open stays usable.

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "app/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(Workbench& workbench, QWidget* parent = nullptr);
  QString text() const { return text_->text(); }

 signals:
  /// The bar must be seen, or not. It hides in its container, not by itself.
  void wanted(bool visible);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void set_text(const QString& text);
  /// As high as the wrapped text needs at this width; a tool bar does not ask.
  void fit_height();
  void show_busy(const QString& what);
  void show_failure(const Error& error, Offer offer, const RunSpec& run);
  /// What is otherwise in the open run's points than in their file, until it is dismissed.
  void show_warnings();
  void set_tint(Rgb tint);
  void dismiss();

  Workbench& workbench_;
  QLabel *mark_, *text_;
  QProgressBar* progress_;
  QPushButton *action_, *cancel_;
  QToolButton* close_;
  QTimer patience_;  // short runs show nothing
  QString what_, warnings_;
  QColor ground_;
  Offer offer_ = Offer::none;
  RunSpec run_;
};

}  // namespace kdscope
