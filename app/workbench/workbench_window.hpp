#pragma once
// The interface of the workbench's window to its features, which add docks, menu entries and keys. The shell's
// MainWindow implements it.

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
  /// The arrangement of the docks as bytes. Restoring other bytes returns false and changes nothing.
  virtual QByteArray layout_state() const = 0;
  virtual bool restore_layout_state(const QByteArray& state) = 0;
  /// Shows the title: the name of the session's file, if there is one, and what is open.
  virtual void show_title(const QString& file) = 0;

  /// Adds a dock for the pane with this id in all_panes(), which has its title. The View menu lists it. The dock joins
  /// the tabs of the dock named `beside`; if it is not `shown`, it stays closed until the user opens it.
  virtual QDockWidget* add_dock(const QString& id, QWidget* pane, QWidget* title_extra = nullptr,
                                const QString& beside = QStringLiteral("timing"), bool shown = true) = 0;
  virtual QDockWidget* dock(const QString& name) const = 0;
  virtual std::vector<QDockWidget*> docks() const = 0;
  /// Returns a menu of the menu bar by its object name: file, edit, go, practise, lessons, experiments,
  /// devices, view, help.
  virtual QMenu& menu(const QString& name) const = 0;
};

}  // namespace kdscope
