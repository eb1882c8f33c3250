#pragma once
// Use of the window by keyboard: F6 and Shift+F6 go from pane to pane, and a ring marks the focused widget.

#include <QPointer>
#include <QWidget>
#include <vector>

namespace kdscope {

class WorkbenchWindow;

/// A frame on top of the focused widget, shown while the keyboard is used.
class FocusRing : public QWidget {
  Q_OBJECT

 public:
  FocusRing();
  /// Moves the ring around this widget; null hides it.
  void surround(QWidget* widget);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  QPointer<QWidget> around_;
};

class PaneKeys : public QObject {
  Q_OBJECT

 public:
  explicit PaneKeys(WorkbenchWindow& window);
  ~PaneKeys() override;
  /// Moves the focus to the next pane: view, docks in the order of the Panes menu, step slider. A pane behind others
  /// comes to the front.
  void next_pane(bool forward);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::vector<QWidget*> panes() const;
  WorkbenchWindow& window_;
  QPointer<FocusRing> ring_;
  bool by_keyboard_ = false;
};

}  // namespace kdscope
