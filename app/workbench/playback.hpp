#pragma once
// One recorded run and a place in it. The window has a playback, and so has each column side by side; whatever shows a
// run follows one of them.

#include <QObject>
#include <QPointer>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/recording/run.hpp"
#include "app/select/selection.hpp"
#include "app/session/session.hpp"
#include "app/workbench/coming_values.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/overlay.hpp"

namespace kdscope {

/// The open trace, the current step, the selection, the axes, and the state that changes are shown against. Emits a
/// signal after each change of these; what listens first, hears first.
class Playback : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~Playback() override;

  /// From now on, values that are not in memory come through `coming` before a step is shown; null, as before: whoever
  /// looks at them waits for them.
  void fetch_by(ComingValues* coming) { coming_ = coming; }
  /// Calls `show` when all that a step shows is in memory, that is, the values at it, before it and at its baseline: at
  /// once if they are. Until then everything stays as it is. Another call, another run or stop_waiting() takes its
  /// place, and `show` is dropped.
  void when_here(std::uint32_t step, std::function<void()> show);
  /// What is waited for; null for nothing.
  const ComingValues::Wait* wait() const { return coming_ ? coming_->wait_of(this) : nullptr; }
  void stop_waiting();
  /// The step that is waited for, or else the one that is shown.
  std::uint32_t target() const { return wait() ? wait()->step : step(); }

  /// Opens a trace at a step. What does not fit the trace is dropped: a selection, a baseline or axes of another one.
  /// Emits opened(); the caller goes on to go_to(), which emits stepped(), selected() and
  /// axes_changed(). `continues`: the run is the
  /// one before on moved points, so that whatever shows a part of it stays at that part.
  void open(Cursor cursor, Place place, bool continues = false);
  /// Whether the open trace continues the one before.
  bool continues() const { return continues_; }
  /// Nothing is open afterwards. Emits no signal.
  void close();

  /// The place in the trace; null while nothing is open. The state is that after the current step.
  const Cursor* cursor() const { return cursor_ ? &*cursor_ : nullptr; }
  std::shared_ptr<const Trace> trace() const { return cursor_ ? cursor_->shared_trace() : nullptr; }
  std::uint32_t step_count() const { return cursor_ ? cursor_->step_count() : 0; }
  /// Everything that a session file keeps of this.
  const Place& place() const { return place_; }
  std::uint32_t step() const { return place_.step; }

  /// Ends the run at a step for everything that moves through it, compares steps or follows a point: later steps are
  /// hidden. A later current step is left for it. nullopt: the whole run, as after open().
  void confine(std::optional<std::uint32_t> last);
  bool is_confined() const { return confined_to_.has_value(); }
  /// The last step that can be shown.
  std::uint32_t last_step() const { return std::min(confined_to_.value_or(no_id), step_count() - 1); }
  /// Whether a step can be shown; emits refused() if it comes after last_step().
  bool allows(std::uint32_t step);

  /// Moves to the nearest step that can be shown, once its values are here (when_here()), and calls `then`. Does not
  /// move if that is the current one.
  void seek(std::uint32_t step, std::function<void()> then = {});
  /// Shows a step of the trace even if it is the current one, because what is shown beside it has changed. Waits for
  /// its values if they are not here.
  void go_to(std::uint32_t step);

  /// Highlights that views show beside those of the step: those of a lesson's stop, say.
  const std::vector<Highlight>& added_highlights() const { return added_highlights_; }
  /// Takes effect with the next step shown. Emits no signal.
  void add_highlights(std::vector<Highlight> highlights) { added_highlights_ = std::move(highlights); }

  /// What every viewer leaves out, because a question at this step asks for it.
  const Concealment& concealment() const { return concealment_; }
  /// Takes effect with the next step shown. Emits no signal.
  void conceal_next(Concealment concealment);
  /// Takes effect at once.
  void conceal(Concealment concealment);
  /// Marks that views of space draw beside those of the step, by writer: an answer that is being given, or a cloud that
  /// follows a handle.
  using Overlays = std::map<std::string, std::shared_ptr<const Overlay>>;
  const Overlays& added_overlays() const { return added_overlays_; }
  /// Replaces the marks of one writer until another run is opened; an empty overlay removes them.
  void add_overlay(const std::string& writer, Overlay overlay);

  /// Reports that a person clicked a cell of the table of a space (row: the array, empty for the index row), or a place
  /// in a 2D view (see SceneView::place_clicked). What is selected does not depend on it.
  void click_cell(Space space, const std::string& row, std::uint64_t index) { emit cell_clicked(space, row, index); }
  void click_place(const std::vector<double>& coordinates, const std::vector<double>& pixel) {
    emit place_clicked(coordinates, pixel);
  }

  /// One thing that was picked in this run, or nothing.
  const Selection& selection() const { return place_.selection; }
  void select(Selection selection);
  /// Elements that were picked in another run on the same data, or several of this run. Clears selection().
  void select(SelectedElements elements);
  /// What is selected, in every space at this step, except for what is hidden. Computed once per step and selection.
  const LinkedSelection& linked() const;

  /// The dimensions on the axes: the first ones until others are chosen.
  Axes axes() const { return axes_or_first(place_.axes, cursor_ ? cursor_->trace().header.dim : 0); }
  /// nullopt: the first ones. Axes that the trace does not have are ignored.
  void set_axes(const std::optional<Axes>& axes);

  /// The state that changes are shown against; null where there is none, as before the first step, and where changes
  /// would reveal what is hidden.
  const Cursor* baseline() const {
    return baseline_ && !concealment_.hides_values() && !is_later(*baseline_) ? &*baseline_ : nullptr;
  }
  /// What the baseline is, in words: "the level before: step 3".
  QString baseline_text() const;
  /// Of ComparedWith::other_run without another run, the step before.
  void compare_with(Baseline baseline);
  /// From now on, the baseline is the state of another run at the step of the same path. Null: no other run. Opening a
  /// trace drops the other run.
  void compare_with_run(OtherRun other);
  const OtherRun& other_run() const { return other_; }
  /// Whether a walk over the changes goes on to the next step that has some.
  bool walks_through_steps() const;
  /// Everything that differs from baseline(); computed once per step and baseline. Empty where there is none.
  const ChangeList& changes() const;
  /// The change at which the walk over changes() stands; none until a person walks, and again after each step.
  std::optional<std::uint64_t> change() const { return change_; }
  /// -1 or 1 after the walk reached that end of the changes; walking on leaves the step, or starts over.
  int change_end() const { return change_end_; }
  /// Goes to the next change, or the one before (-1), and selects it. At an end it stays and reports that; from there
  /// it goes on to the next step that changes something, or, if !walks_through_steps(), to the other end.
  void walk_changes(int direction);
  /// The next step in a direction that differs from its baseline, if walks_through_steps(); nullopt if there is none.
  /// Work: a seek and a comparison per step that changes nothing.
  std::optional<std::uint32_t> step_with_changes(int direction) const;

 signals:
  void opened();  ///< another trace; stepped() follows
  void stepped();
  void step_shown();  ///< after stepped(): no viewer shows the step before any more, so panes may change their size
  void selected();
  void axes_changed();
  void baseline_changed();     ///< other changes are to be shown, the step is the same; there may be none yet
  void change_walked();        ///< change() or change_end() differs
  void concealment_changed();  ///< the step is the same; also after confine()
  void refused();              ///< a step after last_step() was asked for
  void overlay_changed();      ///< added_overlays() differ
  void cell_clicked(kdscope::Space space, const std::string& row, std::uint64_t index);
  void place_clicked(const std::vector<double>& coordinates, const std::vector<double>& pixel);

 private:
  /// Those of when_here() that are not in memory.
  std::vector<TypedArray> missing_at(std::uint32_t step) const;
  void show_baseline();
  /// The baseline of a step: a step of baseline_trace().
  std::optional<std::uint32_t> baseline_of(std::uint32_t step) const;
  std::shared_ptr<const Trace> baseline_trace() const;
  void place_baseline();
  bool is_later(const Cursor& baseline) const {
    return confined_to_ && baseline.shared_trace() == trace() && baseline.step() > *confined_to_;
  }
  void leave_change();
  void stand_at_change(std::uint64_t number);

  QPointer<ComingValues> coming_;
  Place place_;
  SelectedElements elements_;  ///< while selection() is nothing
  std::vector<Highlight> added_highlights_;
  Concealment concealment_;
  std::optional<std::uint32_t> confined_to_;
  Overlays added_overlays_;
  std::optional<Cursor> cursor_, baseline_;
  OtherRun other_;
  mutable std::optional<LinkedSelection> linked_;  ///< of this step and selection, once asked for
  mutable std::optional<ChangeList> changes_;      ///< of this step and baseline, once asked for
  std::optional<std::uint64_t> change_;
  int change_end_ = 0;
  bool continues_ = false;
  bool is_new_ = false;  ///< selected() and axes_changed() are still to be emitted for the open trace
};

}  // namespace kdscope
