#pragma once
// Presentation mode: a full-screen window for the audience, and a window on another screen for the speaker. The
// workbench's own window keeps its docks and its text scale.

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QPointer>
#include <QScreen>
#include <QTime>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/panes/narration_pane.hpp"
#include "app/present/audience_panes.hpp"
#include "app/present/drawing_layer.hpp"
#include "app/present/lecturer_notes.hpp"
#include "app/workbench/workbench.hpp"

class QPlainTextEdit;

namespace kdscope {

class ArraysPane;
class KeyList;
class BeforeBadge;
class LegendStrip;
class MarkdownLabel;
class QuestionPanel;
class WorkbenchWindow;
class SceneView;
class StepSlider;
class TreeView;

/// The smallest text has at least this many pixels on a screen of 1080 lines, and in proportion on other screens.
inline constexpr double least_text_pixels = 24, least_text_screen = 1080;
/// Digits of a table may be smaller where this keeps all of its columns in sight.
inline constexpr double least_digit_pixels = 21;
/// The least text scale, in percent, that satisfies this in every pane on a screen of this height.
int presentation_scale(int screen_height);

/// Shows the title of the stop, its question, and the panes that it names, without controls. A lesson's introduction is
/// a card that fills the window. Panes are made when a stop or a key first asks for them.
class AudienceWindow : public QWidget {
  Q_OBJECT

 public:
  AudienceWindow(Workbench& workbench, QWidget* parent, int text_scale);
  SceneView& scene() { return *scene_; }
  TreeView& tree();
  ArraysPane& arrays();
  NarrationPane& narration();
  /// A pane by its name of lesson_panes().
  QWidget& pane(const std::string& name);
  /// The panes in sight, the largest first. None on the introduction. A stop's table without columns is left out, and
  /// beside a view a tree without nodes.
  std::vector<std::string> shown_panes();
  /// Shows one pane alone; empty, or the one that is alone already: as the stop asks.
  void show_alone(const std::string& name);
  /// Shows the question beside a pane alone, or hides it there.
  void ask_alone();
  /// Shows the question as before it was answered, and the texts that the answer covers, or the answer again.
  void put_answer_away();
  /// Shows all of a shortened text over the question, then scrolls it. At its top, up brings the question back.
  void read_on(bool down);
  QString heading() const;
  DrawingLayer& drawing() { return *drawing_; }
  /// Shows the card behind the last stop, until another step is shown: what was done, and the next lesson, if any.
  void show_end(const QString& next);
  void leave_end() { show_step(); }
  bool at_end() const { return end_; }
  bool is_black() const { return !black_->isHidden(); }
  void set_black(bool black);
  void set_text_scale(int percent);
  int text_scale() const { return text_scale_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  const Stop* stop_in_force() const;
  void show_step();
  void show_stops();
  void restyle();
  void apply_scale();
  void share_room();
  void fit_card();
  void place_badge(const std::vector<std::string>& names, const std::vector<PaneRoom>& rooms,
                   const std::vector<QRect>& rects, bool titled);
  std::vector<PaneRoom> rooms_of(const std::vector<std::string>& names, bool settled);
  int least_width(const std::string& name) const;
  int width_of_column();
  /// Sizes of texts, relative to the interface font, and how much of the narration is left. Narration and question have
  /// one size.
  struct TextForm {
    double words = 1.12, search = 1;  ///< 0: what the search says is left out
    NarrationPane::Left left = NarrationPane::Left::most;
  };
  void set_text_form(const TextForm& form);
  double least_text() const;
  int height_of_question(int width, bool with_answer);
  double words_of_lesson(int column, int height);
  void fit_texts(const QRect& room, std::vector<PaneRoom>& rooms, bool usually_tall, bool may_be_tall);
  /// The place for which the areas are shared out: the step, the stop and the pane that is alone.
  QString place_of_areas() const;
  QString place_of_question() const;
  /// Whether no question of the stop is answered yet.
  bool nothing_answered() const;

  Workbench& workbench_;
  int text_scale_;
  SceneView* scene_;
  std::map<std::string, QWidget*> panes_;
  MarkdownLabel *heading_, *card_;
  BeforeBadge* before_;
  QuestionPanel* question_;
  QLabel* place_;
  LegendStrip* legend_;
  StepSlider* stops_;  ///< a line at the bottom: where the introduction and the stops are
  DrawingLayer* drawing_;
  QWidget* black_;
  std::string alone_;        // empty: as the stop asks
  bool asks_alone_ = false;  ///< the question stands beside that pane
  QString read_;             ///< the place whose whole text is shown
  QString away_;             ///< the place and the question whose answer is put away
  bool end_ = false;         ///< the card behind the last stop is shown
  QString end_text_, place_text_;
  QString open_place_;  // of the areas below, measured before anything was answered; empty: they are measured each time
  int open_question_ = -1;  ///< that was asked then
  int foot_height_ = 0, table_height_ = 0;
  TextForm text_form_;
  QString lesson_measured_;  // the lesson, and the room, in which all stops have words of this size
  double lesson_words_ = 0;
  bool tall_ = false;  ///< the column of texts stands beside the table, too
};

/// Shows the notes of this stop with all answers, the next stop, and the time. The lecturer's own notes stand below. On
/// the audience's own screen, it shows no answer and no preview of one before the question is settled.
class NotesWindow : public QWidget {
  Q_OBJECT

 public:
  NotesWindow(Workbench& workbench, LecturerNotes& own, QWidget* parent, int text_scale, QTime started,
              bool overlooked);
  ~NotesWindow() override;
  /// The previewed step: the step of the next stop or, without stops, the next step; empty at the end.
  std::optional<std::uint32_t> next_step() const;
  /// Moves the keyboard focus to the lecturer's own notes; Escape leaves them.
  void edit();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_step();
  void show_coming();
  void show_next(std::uint32_t next);
  void show_clock();
  void keep_own();

  Workbench& workbench_;
  LecturerNotes& own_;
  NarrationPane* notes_;
  QPlainTextEdit* editor_;
  std::string edited_lesson_, edited_stop_;  // what the editor's text belongs to; empty: nothing
  QLabel *place_, *next_title_, *clock_, *elapsed_;
  SceneView* preview_;
  Playback next_;
  QTime started_;
  bool overlooked_;
  QTimer tick_, rest_;
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
  /// From now on, the lecturer's own notes are kept in this folder.
  void keep_notes_in(const QString& folder);

 private:
  int usual_scale() const;
  void make_keys();
  void leave();
  void add_keys(QWidget& window);
  void place();
  void show_notes(bool shown);
  void next(bool forward);
  void draw(const std::function<void(DrawingLayer&)>& change);

  WorkbenchWindow& window_;
  Workbench& workbench_;
  QAction* toggle_;
  std::vector<QAction*> keys_;  // of a presentation's windows
  LecturerNotes own_notes_;
  QPointer<AudienceWindow> audience_;
  QPointer<NotesWindow> notes_;
  std::vector<QRect> screens_;
  std::size_t audience_screen_ = 0;
  QTime started_;
};

}  // namespace kdscope
