#pragma once
// The workbench's window: the view in the middle, docks around it, the transport at the bottom.

#include <QLabel>
#include <QMainWindow>
#include <map>

#include "app/panes/transport_bar.hpp"
#include "app/workbench.hpp"

namespace kdscope {

class ArraysPane;
class HistogramPane;
class MessageBar;
class SceneView;
class TreeView;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);

  /// Docks as they were on the first start.
  void reset_layout();
  SceneView& scene() { return *scene_; }
  TreeView& tree() { return *tree_; }
  ArraysPane& arrays() { return *arrays_; }

  /// A dock with a pane in it; the View menu lists it. It joins the tabs of the dock named `beside`; one that is not shown
  /// at first waits for the View menu.
  QDockWidget* add_dock(const QString& name, const QString& title, QWidget* pane, QWidget* title_extra = nullptr,
                        const QString& beside = QStringLiteral("timing"), bool shown = true);
  QDockWidget* dock(const QString& name) const { return docks_.at(name); }
  /// A menu of the bar by its object name: file, edit, go, lessons, experiments, view, help.
  QMenu& menu(const QString& name) const { return *menus_.at(name); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Place {
    QString name, beside;
    bool shown;
  };
  void list_docks();
  QMenu* add_menu(const QString& name, const QString& title);
  void make_docks();
  int side_width() const;
  /// Text so large for this window that there is room for two things only.
  bool is_tight() const;
  /// Sizes of the docks for this window, text scale and number of arrays.
  void fit_docks();
  void make_menus();
  void lay_out_bars();
  void open_run();
  void show_step();
  void show_selection();
  void show_appearance();
  void open_experiment(const std::string& id);
  void choose_file();

  Workbench& workbench_;
  TransportActions actions_;
  SceneView* scene_;
  TreeView* tree_;
  ArraysPane* arrays_;
  HistogramPane* histogram_;
  MessageBar* message_;
  TransportBar* transport_;
  QLabel *lesson_name_, *badge_, *note_;
  std::map<QString, QDockWidget*> docks_;
  std::vector<Place> added_;  // docks that join the tabs of others, in the order of adding
  std::map<QString, QMenu*> menus_;
  bool laid_out_ = false, fitted_ = false, tight_layout_ = false, counted_ = false;
};

}  // namespace kdscope
