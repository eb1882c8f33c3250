#pragma once
// Postpones work that only serves the picture of a pane until the pane is visible.

#include <QEvent>
#include <QObject>
#include <QWidget>
#include <functional>
#include <utility>

namespace kdscope {

/// Runs an update at once if the pane is visible; otherwise marks it stale and runs it once when the pane is shown.
/// Panes behind another tab, closed panes and panes of a hidden window cost nothing. Belongs to the pane; several
/// updates of one pane run in the order in which they were made.
class ShownUpdate : public QObject {
 public:
  ShownUpdate(QWidget* pane, std::function<void()> update) : QObject(pane), pane_(pane), update_(std::move(update)) {
    pane->installEventFilter(this);
  }

  /// The picture is out of date. Fits as the slot of a signal, whatever its arguments.
  void request() {
    if (pane_->isVisible())
      run();
    else
      stale_ = true;
  }
  /// Whether the update waits for the pane to be shown.
  bool is_stale() const { return stale_; }
  /// Brings a hidden pane up to date, for those that read it without showing it.
  void run_if_stale() {
    if (stale_) run();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // Qt calls the last filter first, so it runs the updates of all.
    if (watched == pane_ && event->type() == QEvent::Show)
      for (QObject* child : pane_->children())
        if (auto* update = dynamic_cast<ShownUpdate*>(child)) update->run_if_stale();
    return QObject::eventFilter(watched, event);
  }

 private:
  void run() {
    stale_ = false;
    update_();
  }

  QWidget* pane_;
  std::function<void()> update_;
  bool stale_ = false;
};

}  // namespace kdscope
