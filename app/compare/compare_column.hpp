#pragma once
// One of several runs side by side: its name, view, tree, step and costs.

#include <QWidget>
#include <optional>

#include "app/compare/cost_cell.hpp"
#include "app/recording/run.hpp"
#include "app/workbench/playback.hpp"
#include "app/workbench/step_motion.hpp"

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace kdscope {

class SceneView;
class TreeView;
class Workbench;

class CompareColumn : public QWidget {
  Q_OBJECT

 public:
  /// Takes only theme and text scale from the workbench.
  CompareColumn(RunRequest run, Workbench& workbench, QWidget* parent = nullptr);

  const RunRequest& run() const { return run_; }
  /// Takes other points or another back end. The shown run is outdated afterwards.
  void set_run(const RunRequest& run);
  /// The column's run and the step in it, which the views follow.
  Playback& playback() { return playback_; }
  /// How the views come to the step, if steps are animated.
  StepMotion& motion() { return motion_; }
  std::shared_ptr<const Trace> trace() const { return playback_.trace(); }
  const std::optional<BuildReport>& timing() const { return timing_; }
  ColumnCosts costs() const;

  /// Shows that the column is still to be run.
  void show_waiting(const QString& words);
  /// Shows why the run failed, in place of the views.
  void show_error(const Error& error);
  void show_run(std::shared_ptr<const Trace> trace, std::optional<BuildReport> timing);
  /// `waits`: this run has finished the level that others are in. `added`: highlights beside those of the step.
  /// `concealed`: what an open question hides.
  void show_step(std::uint32_t step, bool waits, std::vector<Highlight> added = {}, const Concealment& concealed = {});
  void show_costs(const CostScale& scale);
  void set_removable(bool removable);
  SceneView& scene() { return *scene_; }
  TreeView& tree() { return *tree_; }

 signals:
  void run_changed();
  void removed();
  void moved(int steps);
  void camera_changed();
  /// Emitted with the clicked elements; empty for none.
  void picked(const kdscope::SelectedElements& elements);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit_texts();
  void show_appearance();
  void make_parameter_menu();
  /// Offers the searches of the tree that is shown.
  /// Shows which step of how many is shown.
  void show_place(std::uint32_t step, bool waits, const Concealment& concealed);
  void offer_searches();
  void set_parameter(const std::string& name, const std::string& value);
  void show_head();
  void show_message(const QString& words, bool problem);

  RunRequest run_;
  QString name_;  // the source, and the parameters that differ from the defaults
  Workbench& workbench_;
  Playback playback_;
  StepMotion motion_{playback_};
  std::optional<BuildReport> timing_;
  QComboBox *algorithm_, *search_;  // search_ is hidden for builds
  QToolButton *parameters_, *remove_, *back_, *forward_;
  QLabel *badge_, *message_, *place_;
  QStackedWidget* stack_;
  QSplitter* views_;
  SceneView* scene_;
  TreeView* tree_;
  CostCell* costs_;
};

}  // namespace kdscope
