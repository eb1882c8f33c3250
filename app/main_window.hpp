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

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QDockWidget* add_dock(const QString& name, const QString& title, QWidget* pane, QWidget* title_extra = nullptr);
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
  bool laid_out_ = false, fitted_ = false, tight_layout_ = false, counted_ = false;
};

}  // namespace kdscope
