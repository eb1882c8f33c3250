#pragma once
// Presentation mode: a full-screen window for the audience, and a window on another screen for the speaker. The
// workbench's own window keeps its docks and its text scale.

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QScreen>
#include <QTime>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/panes/narration_pane.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class ArraysPane;
class WorkbenchWindow;
class SceneView;
class TreeView;

/// The smallest text has at least this many pixels on a screen of 1080 lines, and in proportion on other screens.
inline constexpr double least_text_pixels = 24, least_text_screen = 1080;
/// The least text scale, in percent, that satisfies this in every pane on a screen of this height.
int presentation_scale(int screen_height);

/// Shows view, tree, narration and arrays, without controls.
class AudienceWindow : public QWidget {
  Q_OBJECT

 public:
  AudienceWindow(Workbench& workbench, QWidget* parent, int text_scale);
  SceneView& scene() { return *scene_; }
  TreeView& tree() { return *tree_; }
  ArraysPane& arrays() { return *arrays_; }
  NarrationPane& narration() { return *narration_; }
  bool is_black() const { return !black_->isHidden(); }
  void set_black(bool black);
  void set_text_scale(int percent);
  int text_scale() const { return text_scale_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_step();
  void share_room();

  Workbench& workbench_;
  int text_scale_;
  SceneView* scene_;
  TreeView* tree_;
  NarrationPane* narration_;
  ArraysPane* arrays_;
  QLabel* place_;
  QWidget *top_, *black_;
};

/// Shows the notes of this stop with all answers, the next stop, and the time.
class NotesWindow : public QWidget {
  Q_OBJECT

 public:
  NotesWindow(Workbench& workbench, QWidget* parent, int text_scale, QTime started);
  /// The previewed step: the step of the next stop or, without stops, the next step; empty at the end.
  std::optional<std::uint32_t> next_step() const;

 private:
  void show_step();
  void show_clock();

  Workbench& workbench_;
  NarrationPane* notes_;
  QLabel *place_, *next_title_, *clock_, *elapsed_;
  SceneView* preview_;
  Playback next_;
  QTime started_;
  QTimer tick_;
};

/// Starts and ends presentation mode, and handles its keyboard shortcuts.
class Presentation : public QObject {
  Q_OBJECT

 public:
  explicit Presentation(WorkbenchWindow& window, Workbench& workbench);
  ~Presentation() override;

  /// The action of the View menu and F5. It starts and ends the presentation.
  QAction* action() const { return toggle_; }
  bool running() const { return audience_ != nullptr; }
  void start();
  /// Starts on these screens. `own` is the index of the workbench's screen; the audience gets another one if there is
  /// one.
  void start(std::vector<QRect> screens, std::size_t own);
  void stop();

  AudienceWindow* audience() const { return audience_; }
  NotesWindow* notes() const { return notes_; }

 private:
  void leave();
  void add_keys(QWidget& window);
  void place();
  void show_notes(bool shown);
  void next(bool forward);

  WorkbenchWindow& window_;
  Workbench& workbench_;
  QAction* toggle_;
  QPointer<AudienceWindow> audience_;
  QPointer<NotesWindow> notes_;
  std::vector<QRect> screens_;
  std::size_t audience_screen_ = 0;
  QTime started_;
};

}  // namespace kdscope
