#pragma once
// The workbench's window as features see it. They get one to add docks, menu entries and keys to; the shell's
// MainWindow is the only one.

#include <QMainWindow>
#include <vector>

class QDockWidget;
class QMenu;

namespace kdscope {

class ArraysPane;
class Layouts;
class SceneView;
class TreeView;

class WorkbenchWindow : public QMainWindow {
  Q_OBJECT

 public:
  using QMainWindow::QMainWindow;

  virtual SceneView& scene() = 0;
  virtual TreeView& tree() = 0;
  virtual ArraysPane& arrays() = 0;
  virtual Layouts& layouts() = 0;
  /// Where the docks stand, as bytes; false, with nothing changed, for bytes that are no such state.
  virtual QByteArray layout_state() const = 0;
  virtual bool restore_layout_state(const QByteArray& state) = 0;
  /// What is open, behind the name of the session's file where there is one.
  virtual void show_title(const QString& file) = 0;

  /// A dock with a pane in it; the View menu lists it. It joins the tabs of the dock named `beside`; one that is not
  /// shown at first waits for the View menu.
  virtual QDockWidget* add_dock(const QString& name, const QString& title, QWidget* pane,
                                QWidget* title_extra = nullptr, const QString& beside = QStringLiteral("timing"),
                                bool shown = true) = 0;
  virtual QDockWidget* dock(const QString& name) const = 0;
  virtual std::vector<QDockWidget*> docks() const = 0;
  /// A menu of the bar by its object name: file, edit, go, lessons, experiments, view, help.
  virtual QMenu& menu(const QString& name) const = 0;
};

}  // namespace kdscope
