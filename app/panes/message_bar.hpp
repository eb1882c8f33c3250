#pragma once
// A bar over the top of the window. It shows what is running, with progress and Cancel, or what went wrong, with what
// can be done. It is never modal: everything that is open stays usable. It lies over the window's contents, so that
// nothing moves under the mouse. What went wrong goes with the next run or edit that succeeds.

#include <QFrame>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "app/workbench/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(Workbench& workbench, QWidget* parent = nullptr);
  QString text() const { return text_->text(); }
  /// Becomes a part of the window, below its menus and above all else. It is hidden while there is no message.
  void lie_over(QMainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void set_text(const QString& text);
  /// Makes the bar as high as the wrapped text needs at the current width.
  void fit_height();
  void show_busy(const QString& what);
  void show_failure(const Error& error, Offer offer, const RunRequest& run);
  /// Reports how the points of the open run differ from their file, until the message is dismissed.
  void show_warnings();
  void set_tint(Rgb tint);
  void set_shown(bool shown);
  void place();
  void dismiss();

  Workbench& workbench_;
  QLabel *mark_, *text_;
  QProgressBar* progress_;
  QPushButton *action_, *anyway_, *cancel_;
  QToolButton* close_;
  QTimer patience_;  // short runs show nothing
  QTimer lasting_;
  bool just_said_ = false;  // a failure, while the same event is handled
  QString what_, warnings_;
  QColor ground_;
  Offer offer_ = Offer::none;
  std::uint64_t raised_budget_ = 0;  // for "Record anyway"
  RunRequest run_;
};

}  // namespace kdscope
