#pragma once
// The workbench's window: the view in the middle, docks around it, the transport at the bottom.

#include <QLabel>
#include <map>

#include "app/panes/motion_actions.hpp"
#include "app/panes/practice_actions.hpp"
#include "app/panes/transport_bar.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

class ArraysPane;
class BookmarksPane;
class CandidatesPane;
class ChangeBar;
class ExperimentPane;
class HistogramPane;
class Layouts;
class MessageBar;
class Presentation;
class SceneView;
class TreePane;
class TreeView;
class ViolationBadge;
class Workspace;

class MainWindow : public WorkbenchWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);

  Layouts& layouts() override { return *layouts_; }
  QByteArray layout_state() const override;
  bool restore_layout_state(const QByteArray& state) override;
  Workspace& workspace() { return *workspace_; }
  Presentation& presentation() { return *presentation_; }
  void show_title(const QString& file) override;
  SceneView& scene() override { return *scene_; }
  TreeView& tree() override { return *tree_; }
  ArraysPane& arrays() override { return *arrays_; }

  QDockWidget* add_dock(const QString& id, QWidget* pane, QWidget* title_extra = nullptr,
                        const QString& beside = QStringLiteral("timing"), bool shown = true) override;
  QDockWidget* dock(const QString& name) const override { return docks_.at(name); }
  std::vector<QDockWidget*> docks() const override { return listed_; }
  QMenu& menu(const QString& name) const override { return *menus_.at(name); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void list_docks();
  QMenu* add_menu(const QString& name, const QString& title);
  void make_docks();
  void fill_edit_menu(QMenu& edit);
  void fill_go_menu(QMenu& go);
  void fill_experiment_menu(QMenu& experiments_menu);
  void make_menus();
  void make_corner();
  void lay_out_bars();
  void show_device();
  void open_run();
  void show_step();
  void show_note();
  void show_appearance();
  void open_experiment(const std::string& id);
  /// Shows the dock of experiments, in a window of its own if it was hidden.
  ExperimentPane* show_experiments();

  Workbench& workbench_;
  TransportActions actions_;
  PracticeActions practice_;
  MotionActions motion_;
  SceneView* scene_;
  TreePane* tree_pane_;
  TreeView* tree_;
  ArraysPane* arrays_;
  HistogramPane* histogram_;
  CandidatesPane* candidates_;
  MessageBar* message_;
  TransportBar* transport_;
  ChangeBar* change_bar_;
  BookmarksPane* bookmarks_;
  QLabel *lesson_name_, *badge_;
  ViolationBadge* violations_;
  QLabel* note_;
  QString run_name_, badge_text_;  // the full texts, even if only a part fits
  QString next_device_;            // of the next run, if that is another one
  std::map<QString, QDockWidget*> docks_;
  std::vector<QDockWidget*> listed_;  // in the order in which they were added
  Layouts* layouts_;
  Workspace* workspace_ = nullptr;
  Presentation* presentation_ = nullptr;
  QString session_file_;
  std::map<QString, QMenu*> menus_;
  bool laid_out_ = false, fitted_ = false;
  int fitted_text_scale_ = 0;  ///< the text scale that the docks were last fitted to
};

}  // namespace kdscope
