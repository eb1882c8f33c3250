#pragma once
// A message at the bottom of the view. It shows what is running, with progress and Cancel, or what went wrong, with
// what can be done. It is never modal: everything that is open stays usable. It lies over the picture alone, so that
// nothing moves under the mouse and no tool is covered. What went wrong goes with the next thing that succeeds.

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
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
  /// Becomes a part of a picture, at its lower border, with the message that is shown. It is hidden while there is
  /// none.
  void lie_over(QWidget& picture);
  /// Leaves out these warnings, which a dialog has shown, when the next run opens.
  void leave_out(const QStringList& warnings) { left_out_ = warnings; }
  /// Whether a message waits to be dismissed.
  bool can_dismiss() const { return !isHidden() && !close_->isHidden(); }
  /// Takes the message away, and with it the warnings of the open run.
  void dismiss_all();

 signals:
  /// A message came or went.
  void visibility_changed();
  /// The run's file is to be read in another way, which a person chooses.
  void other_reading_wanted(const kdscope::RunRequest& run);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void set_text(const QString& text);
  void show_busy(const QString& what);
  /// Shows that values of the next step are still elsewhere, while nothing runs that is to be shown.
  void show_coming();
  void show_failure(const Error& error, Offer offer, const RunRequest& run);
  /// Reports how the points of the open run differ from their file, until the message is dismissed.
  void show_warnings();
  void set_tint(Rgb tint);
  void set_shown(bool shown);
  /// Makes the message as high as its text needs, within the picture; a longer text scrolls.
  void place();
  void dismiss();
  /// Takes away a message about a failure, unless the same event caused it.
  void forget_failure();

  Workbench& workbench_;
  QLabel *mark_, *text_;
  QScrollArea* scroll_;
  QProgressBar* progress_;
  QPushButton *action_, *anyway_, *cancel_;
  QToolButton* close_;
  QTimer patience_;  // short runs show nothing
  QTimer lasting_;
  bool just_said_ = false;  // a failure, while the same event is handled
  QString what_, warnings_;
  QStringList left_out_;
  bool shows_coming_ = false;
  QColor ground_;
  Offer offer_ = Offer::none;
  std::uint64_t raised_budget_ = 0;  // for "Record anyway"
  RunRequest run_;
};

}  // namespace kdscope
