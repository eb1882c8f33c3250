#include "app/kernel/kernel_practice.hpp"

#include <QDateTime>
#include <QRandomGenerator>
#include <algorithm>
#include <utility>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/element_name.hpp"
#include "app/appearance/labels.hpp"
#include "app/workbench/find_step.hpp"
#include "visualizer/model/missing_values.hpp"
#include "walkthroughs/practice/generate.hpp"

namespace kdscope {
namespace {

/// Runs of more points would take long to search for steps that can be performed.
constexpr std::uint64_t most_searched_points = 2'000;

bool is_open(KernelPractice::Mark mark) {
  return mark != KernelPractice::Mark::right && mark != KernelPractice::Mark::shown;
}

}  // namespace

KernelPractice::KernelPractice(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    if (leaving_) return;
    // The run is shown at its first step after this signal.
    if (pending_)
      QMetaObject::invokeMethod(this, &KernelPractice::resume, Qt::QueuedConnection);
    else if (exercise_)
      end();
  });
  connect(&workbench.messages(), &Messages::failed, this, [this] { pending_.reset(); });
  // Leaves an exercise whose fresh values are lost, or waited for no more
  connect(
      &workbench.coming_values(), &ComingValues::changed, this,
      [this] {
        const Playback& playback = workbench_.playback();
        if (exercise_ && !pending_ && &exercise_->trace() != playback.trace().get() && !playback.wait()) leave();
      },
      Qt::QueuedConnection);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, [this] {
    if (exercise_) emit changed();
  });
  connect(&workbench.playback(), &Playback::refused, this, [this] {
    if (!exercise_) return;
    feedback_ = tr("What comes next is hidden until you leave.");
    found_wrong_ = false;
    emit changed();
  });
}

/// Prepares the exercise of a step; if it has too many cells, that of one thread.
std::optional<KernelExercise> KernelPractice::prepare(std::uint32_t step, const KernelScope& scope) const {
  const auto trace = workbench_.playback().trace();
  if (auto exercise = KernelExercise::at(trace, step, scope)) return std::move(*exercise);
  if (scope.thread || trace->header.n <= most_searched_points || step == 0 || step >= trace->steps.size()) return {};
  std::vector<std::uint64_t> tried{0};
  const Selection& selection = workbench_.playback().selection();
  if (selection.space == Space::position) tried.insert(tried.begin(), selection.index);
  for (const Highlight& highlight : trace->steps[step].highlights)
    if (highlight.role == Role::segment && !highlight.ranges.empty()) tried.push_back(highlight.ranges.front().begin);
  for (const std::uint64_t thread : tried)
    if (auto exercise = KernelExercise::at(trace, step, {thread, scope.arrays})) return std::move(*exercise);
  return {};
}

void KernelPractice::start() {
  if (exercise_ || !workbench_.playback().cursor()) return;
  const Playback& playback = workbench_.playback();
  const Origin origin{playback.step(), workbench_.lessons().stop_index(), workbench_.lessons().at_introduction(),
                      playback.selection()};
  const auto takes = [this, origin](std::uint32_t step) {
    if (!prepare(step, {})) return false;
    workbench_.playback().when_here(step - 1, [this, origin, step] {
      origin_ = origin;
      find_steps();
      workbench_.transport().set_playing(false);
      begin(step, {});
      emit running(true);
    });
    return true;
  };
  find_step(workbench_.playback(), std::max(1u, playback.step()), takes, [this] {
    workbench_.messages().report({ErrorKind::bad_usage, "no step from here on can be performed cell by cell", "",
                                  workbench_.playback().trace()->header.search.empty()
                                      ? "go back to an earlier step, or open another run"
                                      : "open the run of a builder instead of a search"});
  });
}

void KernelPractice::find_steps() {
  const auto trace = workbench_.playback().trace();
  steps_.clear();
  if (trace->header.n <= most_searched_points && !lacks_values(*trace)) steps_ = kernel_steps(trace, 1);
}

bool KernelPractice::begin(std::uint32_t step, const KernelScope& scope) {
  auto exercise = prepare(step, scope);
  if (!exercise) return false;
  exercise_ = std::move(exercise);
  if (!std::binary_search(steps_.begin(), steps_.end(), step)) steps_ = {step};
  const std::vector<KernelCell>& cells = exercise_->cells();
  if (!exercise_->scope().thread || threads_.empty() || !scope.thread) {
    threads_.clear();
    for (const KernelCell& cell : cells) threads_.push_back(cell.index);
    std::sort(threads_.begin(), threads_.end());
    threads_.erase(std::unique(threads_.begin(), threads_.end()), threads_.end());
  }
  // Arrays of one space are performed together, thread by thread.
  const auto space_of = [&](const KernelCell& cell) {
    const Trace::Array* array = workbench_.playback().trace()->find(cell.array);
    return std::pair(array->info.dimensions.size() > 1, array->info.index_space);
  };
  order_.resize(cells.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(space_of(cells[a]), cells[a].index) < std::pair(space_of(cells[b]), cells[b].index);
  });
  marks_.assign(cells.size(), Mark::blank);
  texts_.assign(cells.size(), QString());
  writes_.clear();
  current_ = order_.front();
  kept_ = 0;
  typed_ = hinted_ = found_wrong_ = false;
  feedback_ = tr("All other panes show the state before step %1, which you perform.").arg(step);
  hint_.clear();
  // Show the input; what the step writes is not to be seen.
  workbench_.playback().confine(step - 1);
  workbench_.playback().seek(step - 1);
  emit changed();
  return true;
}

void KernelPractice::choose_step(std::uint32_t step) {
  if (!exercise_ || step == exercise_->step()) return;
  workbench_.playback().confine(std::nullopt);
  threads_.clear();
  begin(step, {});
}

void KernelPractice::choose_thread(std::optional<std::uint64_t> thread) {
  if (!exercise_ || thread == exercise_->scope().thread) return;
  if (!begin(exercise_->step(), {thread, {}})) emit changed();
}

void KernelPractice::end() {
  exercise_.reset();
  origin_.reset();
  pending_.reset();
  writes_.clear();
  threads_.clear();
  steps_.clear();
  emit changed();
  emit running(false);
}

void KernelPractice::leave() {
  if (!exercise_) return;
  const Origin origin = *origin_;
  leaving_ = true;
  workbench_.playback().confine(std::nullopt);
  if (origin.first && origin.repeats > 0) {
    // Undo the runs on fresh data. If other commands came in between, open the first run again, so that they are kept.
    QUndoStack& undo = workbench_.undo_stack();
    if (undo.index() == origin.first->undo_index + origin.repeats)
      for (int i = 0; i < origin.repeats; ++i) undo.undo();
    if (workbench_.playback().trace() != origin.first->run.trace) {
      workbench_.desk().set_first_step(origin.step);
      go_back_to(*origin.first);
      if (origin.first->lesson) workbench_.lessons().show(origin.first->lesson, origin.stop);
    }
  }
  workbench_.playback().seek(origin.step);
  while (origin.introduction && !workbench_.lessons().at_introduction() && workbench_.lessons().stop_index() >= 0)
    workbench_.lessons().stop_back();
  workbench_.playback().select(origin.selection);
  leaving_ = false;
  end();
}

/// Opens the run again as one that undo takes back.
void KernelPractice::go_back_to(const FirstRun& first) {
  workbench_.desk().show_run(first.run);
  for (const Bookmark& mark : first.bookmarks) workbench_.marks().set(mark.step, mark.note);
  if (first.edited) workbench_.edits().edit(first.edited, tr("edits before the fresh data"));
}

void KernelPractice::go_to(std::size_t cell) {
  if (!exercise_ || cell >= marks_.size()) return;
  commit();
  if (cell != current_) {
    hint_.clear();
    hinted_ = false;
  }
  current_ = cell;
  emit changed();
}

bool KernelPractice::walk(int direction) {
  if (!exercise_) return false;
  const auto here = std::find(order_.begin(), order_.end(), current_) - order_.begin();
  const auto count = static_cast<std::ptrdiff_t>(order_.size());
  for (std::ptrdiff_t at = here + direction; 0 <= at && at < count; at += direction) {
    if (!is_open(marks_[order_[static_cast<std::size_t>(at)]])) continue;
    go_to(order_[static_cast<std::size_t>(at)]);
    return true;
  }
  commit();
  emit changed();
  return false;
}

void KernelPractice::type(QString text) {
  if (!exercise_ || !is_open(marks_[current_])) return;
  const Space& values = exercise_->cells()[current_].values;
  if (const char letter = letter_of(values); letter != 0)
    text = foreign_text(value_name(values, text.remove(QLatin1Char(letter)).toStdString()));
  if (text == texts_[current_]) return;
  texts_[current_] = text;
  marks_[current_] = text.isEmpty() ? Mark::blank : Mark::written;
  typed_ = true;
  emit changed();
}

/// Takes what was typed into the current cell as a write.
void KernelPractice::commit() {
  if (!std::exchange(typed_, false) || texts_[current_].isEmpty()) return;
  writes_.push_back({current_, texts_[current_].toStdString(), QDateTime::currentSecsSinceEpoch(), hinted_});
}

void KernelPractice::grade() {
  commit();
  const std::vector<KernelWrite> writes = std::exchange(writes_, {});
  const std::vector<Verdict> verdicts = exercise_->perform(writes);
  QString unread;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::size_t cell = writes[i].cell;
    if (verdicts[i] == Verdict::unread && unread.isEmpty())
      unread = tr("%1 at %2 = %3 cannot be read as a number.")
                   .arg(foreign_text(exercise_->cells()[cell].row), foreign_text(exercise_->cells()[cell].place),
                        foreign_text(writes[i].text));
    // A cell that was emptied after a write stays empty.
    if (!texts_[cell].isEmpty()) marks_[cell] = verdicts[i] == Verdict::right ? Mark::right : Mark::wrong;
  }
  const auto progress = exercise_->progress();
  found_wrong_ = progress.first_wrong.has_value() || !unread.isEmpty();
  feedback_ = unread.isEmpty() ? foreign_text(exercise_->finding()) : unread;
  keep_attempts();
}

void KernelPractice::check() {
  if (!exercise_) return;
  grade();
  // Go on where something is left to do.
  if (!is_open(marks_[current_])) {
    const auto open =
        std::find_if(order_.begin(), order_.end(), [this](std::size_t cell) { return is_open(marks_[cell]); });
    if (open != order_.end()) current_ = *open;
  }
  emit changed();
}

void KernelPractice::keep_attempts() {
  std::vector<Attempt> attempts = exercise_->attempts();
  attempts.erase(attempts.begin(), attempts.begin() + static_cast<std::ptrdiff_t>(std::min(kept_, attempts.size())));
  kept_ = exercise_->entries().size();
  workbench_.questions().add_attempts(attempts);
}

void KernelPractice::hint() {
  if (!exercise_) return;
  hinted_ = true;
  hint_ = foreign_text(exercise_->hint(current_));
  emit changed();
}

void KernelPractice::show_thread() {
  if (!exercise_) return;
  grade();  // what was written before counts as written before
  const std::vector<KernelCell>& cells = exercise_->cells();
  auto here = std::find(order_.begin(), order_.end(), current_);
  if (!is_open(marks_[current_])) {
    here = std::find_if(here, order_.end(), [this](std::size_t cell) { return is_open(marks_[cell]); });
    if (here == order_.end())
      here = std::find_if(order_.begin(), order_.end(), [this](std::size_t cell) { return is_open(marks_[cell]); });
  }
  if (here == order_.end()) return emit changed();
  const KernelCell& of = cells[*here];
  QStringList written;
  for (const std::size_t cell : order_) {
    if (cells[cell].place != of.place || !exercise_->reveal(cell, QDateTime::currentSecsSinceEpoch())) continue;
    marks_[cell] = Mark::shown;
    texts_[cell] = foreign_text(exercise_->model_answer(cell));
    written << tr("%1 = %2").arg(foreign_text(cells[cell].row), texts_[cell]);
  }
  current_ = *here;
  feedback_ = tr("Model answer at %1: %2.").arg(foreign_text(of.place), written.join(QStringLiteral(", ")));
  found_wrong_ = false;
  keep_attempts();
  const QString said = feedback_;
  walk(1);
  feedback_ = said;
  emit changed();
}

void KernelPractice::repeat() {
  if (!can_repeat()) return;
  grade();
  const RunDesk& desk = workbench_.desk();
  RunRequest spec = desk.request();
  spec.points = nullptr;
  spec.data = fresh_data(*workbench_.playback().trace(), QRandomGenerator::global()->generate64());
  pending_ = Pending{spec.data, workbench_.playback().trace(), exercise_->step(), exercise_->scope()};
  if (origin_->repeats == 0) {
    const Lesson* lesson = workbench_.lessons().lesson();
    origin_->first = FirstRun{{desk.request(), desk.trace_file(), workbench_.playback().trace()},
                              lesson ? std::optional(*lesson) : std::nullopt,
                              workbench_.edits().stale() ? workbench_.edits().points() : nullptr,
                              workbench_.marks().all(),
                              workbench_.undo_stack().index()};
  }
  workbench_.desk().run(spec);
}

void KernelPractice::resume() {
  const auto pending = std::exchange(pending_, std::nullopt);
  if (!pending || !origin_) return;
  if (workbench_.desk().request().data != pending->data) return end();  // another run was opened meanwhile
  ++origin_->repeats;
  const auto step = step_of_same_path(*pending->from, pending->step, *workbench_.playback().trace());
  find_steps();
  threads_.clear();
  const std::uint32_t wanted = std::max(1u, step.value_or(1));
  const auto show = [this, step, thread = pending->scope.thread] {
    if (step && begin(*step, {})) {
      if (thread) choose_thread(thread);
      return;
    }
    workbench_.messages().report(
        {ErrorKind::bad_usage, "the fresh run has no such step to perform", "", "repeat once more"});
    leave();
  };
  workbench_.playback().when_here(wanted, [this, wanted, show] { workbench_.playback().when_here(wanted - 1, show); });
}

QString KernelPractice::task() const { return exercise_ ? foreign_text(exercise_->thread_task(current_)) : QString(); }

QString KernelPractice::progress() const {
  if (!exercise_) return {};
  const auto done = exercise_->progress();
  QString text = tr("%1 of %2 right").arg(done.right).arg(done.cells);
  if (done.revealed > 0) text += tr(", %1 shown").arg(done.revealed);
  return text;
}

}  // namespace kdscope
