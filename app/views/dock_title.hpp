#pragma once
// A dock's title bar: the pane's own window title, and the buttons to float and close it.
// The dock's name is on its tab already, so it is repeated only where there is no tab.

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace kdscope {

class DockTitle : public QWidget {
  Q_OBJECT

 public:
  /// `extra` is shown before the buttons; it may be null.
  DockTitle(QDockWidget* dock, QWidget* pane, QWidget* extra);
  /// Shows `lead` beside the name, which is then never cut.
  void set_lead(QWidget* lead);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void update_text();
  void scale_buttons();

  QDockWidget* dock_;
  QWidget* pane_;
  QLabel* text_;
  QHBoxLayout* row_;
  QString whole_text_;  // text_ shows as much of it as fits
  bool has_lead_ = false;
};

}  // namespace kdscope
