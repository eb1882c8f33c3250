#pragma once
// The window by keyboard: F6 and Shift+F6 go from pane to pane, and a ring shows what has the focus.

#include <QPointer>
#include <QWidget>
#include <vector>

namespace kdscope {

class WorkbenchWindow;

/// A frame around the focused widget, as long as the keyboard is used; over whatever the widget draws.
class FocusRing : public QWidget {
  Q_OBJECT

 public:
  FocusRing();
  /// Around this widget, or nothing for null.
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
  /// Puts the keyboard into the next pane: view, docks in the order of the Panes menu, step slider. One that is behind
  /// others comes to the front.
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
