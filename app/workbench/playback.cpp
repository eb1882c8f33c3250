#include "app/workbench/playback.hpp"

#include <iterator>
#include <utility>

#include "algorithms/trace/divergence.hpp"
#include "app/recording/navigation.hpp"
#include "visualizer/model/missing_values.hpp"
#include "visualizer/model/row_order.hpp"

namespace kdscope {

Playback::~Playback() {
  if (coming_) coming_->leave(this);
}

void Playback::when_here(std::uint32_t step, std::function<void()> show) {
  std::vector<TypedArray> missing = coming_ && cursor_ ? missing_at(step) : std::vector<TypedArray>();
  if (missing.empty()) {
    stop_waiting();
    return show();
  }
  // Ask again when they have come: another baseline needs others.
  coming_->bring(this, {step, std::move(missing), [this, step, show] { when_here(step, show); }});
}

std::vector<TypedArray> Playback::missing_at(std::uint32_t step) const {
  std::vector<TypedArray> missing = missing_values(*trace(), step);
  const auto add = [&missing](const Trace& trace, std::uint32_t at) {
    std::ranges::move(missing_values(trace, at), std::back_inserter(missing));
  };
  if (step > 0) add(*trace(), step - 1);  // from where elements move
  if (const auto baseline = baseline_of(step)) add(*baseline_trace(), *baseline);
  return missing;
}

void Playback::stop_waiting() {
  if (coming_) coming_->leave(this);
}

void Playback::open(Cursor cursor, Place place, bool continues) {
  stop_waiting();
  const std::uint32_t steps = cursor.step_count();
  cursor_ = std::move(cursor);
  place_ = std::move(place);
  place_.step = std::min(place_.step, steps - 1);
  if (place_.baseline.step >= steps) place_.baseline = {};
  if (place_.axes && !axes_fit(*place_.axes, cursor_->trace().header.dim)) place_.axes.reset();
  elements_ = {};
  added_highlights_.clear();
  concealment_ = {};
  confined_to_.reset();
  added_overlays_.clear();
  baseline_.reset();
  other_ = {};
  if (place_.baseline.with == ComparedWith::other_run) place_.baseline = {};
  linked_.reset();
  leave_change();
  continues_ = continues;
  is_new_ = true;
  emit opened();
}

void Playback::close() {
  stop_waiting();
  cursor_.reset();
  baseline_.reset();
  other_ = {};
  linked_.reset();
  leave_change();
}

void Playback::seek(std::uint32_t step, std::function<void()> then) {
  if (!cursor_) return;
  allows(step);
  step = std::min(step, last_step());
  when_here(step, [this, step, then = std::move(then)] {
    if (step != place_.step) go_to(step);
    if (then) then();
  });
}

bool Playback::allows(std::uint32_t step) {
  const bool allowed = !confined_to_ || step <= *confined_to_;
  if (!allowed) emit refused();
  return allowed;
}

void Playback::confine(std::optional<std::uint32_t> last) {
  if (!cursor_ || last == confined_to_) return;
  confined_to_ = last;
  leave_change();
  if (place_.step > last_step()) return go_to(last_step());
  emit concealment_changed();
  emit change_walked();
}

void Playback::go_to(std::uint32_t step) {
  stop_waiting();
  step = std::min(step, last_step());
  const Selection carried = carried_over(*cursor_, place_.selection, step);
  const bool is_new = std::exchange(is_new_, false), another = is_new || carried != place_.selection;
  place_.selection = carried;
  cursor_->seek(step);
  place_.step = step;
  linked_.reset();
  leave_change();
  place_baseline();
  emit stepped();
  emit step_shown();
  if (another) emit selected();
  if (is_new) emit axes_changed();
}

void Playback::conceal_next(Concealment concealment) {
  concealment_ = std::move(concealment);
  linked_.reset();
  leave_change();
}

void Playback::conceal(Concealment concealment) {
  if (concealment == concealment_) return;
  conceal_next(std::move(concealment));
  emit concealment_changed();
  emit change_walked();
}

void Playback::add_overlay(const std::string& writer, Overlay overlay) {
  added_overlays_[writer] = std::make_shared<const Overlay>(std::move(overlay));
  emit overlay_changed();
}

void Playback::select(Selection selection) {
  // A position stays a position while it is hidden which point it stands for.
  if (cursor_ && !concealment_.hides_points(cursor_->trace())) selection = persist_as_point(*cursor_, selection);
  if (!selection && change_) {  // nothing is marked any more, the change that was walked to included
    change_.reset();
    change_end_ = 0;
    emit change_walked();
  }
  const bool had_elements = elements_ != SelectedElements{};
  if (selection == place_.selection && !had_elements) return;
  place_.selection = std::move(selection);
  elements_ = {};
  linked_.reset();
  emit selected();
}

void Playback::select(SelectedElements elements) {
  if (!place_.selection && elements == elements_) return;
  place_.selection = {};
  elements_ = std::move(elements);
  linked_.reset();
  emit selected();
}

const LinkedSelection& Playback::linked() const {
  if (linked_) return *linked_;
  linked_.emplace();
  if (cursor_ && place_.selection)
    linked_ = resolve_selection(*cursor_, place_.selection);
  else if (cursor_)
    linked_ = resolve_elements(*cursor_, elements_);
  if (cursor_ && concealment_) leave_out(*linked_, concealment_, *cursor_, place_.selection, elements_);
  return *linked_;
}

void Playback::set_axes(const std::optional<Axes>& axes) {
  if (place_.axes == axes || (axes && cursor_ && !axes_fit(*axes, cursor_->trace().header.dim))) return;
  place_.axes = axes;
  leave_change();  // tables of many dimensions have other rows
  emit axes_changed();
  emit change_walked();
}

std::optional<std::uint32_t> Playback::baseline_of(std::uint32_t step) const {
  switch (place_.baseline.with) {
    case ComparedWith::previous_step:
      if (step > 0) return step - 1;
      break;
    case ComparedWith::previous_level: {
      // A level's start belongs to it, so the step before the start is the one to compare with.
      const auto starts = level_starts(cursor_->trace());
      const auto next = std::upper_bound(starts.begin(), starts.end(), step);
      if (next != starts.begin() && *(next - 1) > 0) return *(next - 1) - 1;
      break;
    }
    case ComparedWith::bookmark:
      if (place_.baseline.step != step) return place_.baseline.step;
      break;
    case ComparedWith::other_run:
      return step_of_same_path(cursor_->trace(), step, *other_.trace);
  }
  return std::nullopt;
}

std::shared_ptr<const Trace> Playback::baseline_trace() const {
  return place_.baseline.with == ComparedWith::other_run ? other_.trace : cursor_->shared_trace();
}

void Playback::place_baseline() {
  const auto before = baseline_of(place_.step);
  if (!before) {
    baseline_.reset();
    return;
  }
  const auto trace = baseline_trace();
  if (!baseline_ || baseline_->shared_trace() != trace) baseline_.emplace(trace);
  baseline_->seek(*before);
}

bool Playback::walks_through_steps() const {
  return place_.baseline.with == ComparedWith::previous_step || place_.baseline.with == ComparedWith::other_run;
}

void Playback::compare_with_run(OtherRun other) {
  other_ = std::move(other);
  place_.baseline = {};
  if (other_) place_.baseline.with = ComparedWith::other_run;
  show_baseline();
}

void Playback::show_baseline() {
  leave_change();
  baseline_.reset();
  if (!cursor_) {
    emit baseline_changed();
    return;
  }
  if (wait()) {  // for a step that needs this baseline as well
    emit baseline_changed();
    return seek(target());
  }
  if (!missing_at(step()).empty()) emit baseline_changed();  // until they have come, there is none
  when_here(step(), [this] {
    leave_change();
    place_baseline();
    emit baseline_changed();
  });
}

void Playback::compare_with(Baseline baseline) {
  if (baseline.with == ComparedWith::other_run && !other_) baseline = {};
  if (baseline == place_.baseline) return;
  place_.baseline = baseline;
  show_baseline();
}

QString Playback::baseline_text() const {
  const Baseline& b = place_.baseline;
  const QString what = b.with == ComparedWith::previous_step    ? tr("the step before")
                       : b.with == ComparedWith::previous_level ? tr("the level before")
                       : b.with == ComparedWith::other_run      ? QString::fromStdString(other_.name)
                                                                : tr("the bookmark");
  if (baseline_ && !baseline()) return tr("hidden until the question is answered");
  if (baseline_) return tr("%1: step %2").arg(what).arg(baseline_->step());
  if (b.with == ComparedWith::other_run) return tr("%1: it has no such step").arg(what);
  return b.with == ComparedWith::bookmark ? tr("the bookmark: this step itself") : tr("%1: there is none").arg(what);
}

const ChangeList& Playback::changes() const {
  if (!changes_) changes_ = cursor_ && baseline() ? ChangeList(*baseline(), *cursor_, axes()) : ChangeList();
  return *changes_;
}

void Playback::leave_change() {
  changes_.reset();
  change_.reset();
  change_end_ = 0;
}

void Playback::stand_at_change(std::uint64_t number) {
  const Change change = changes().at(number);
  const bool selectable = change.index_space == Space::position || change.index_space == Space::point ||
                          change.index_space == Space::node || change.seen_in == SeenIn::counts;
  const bool in_array = change.seen_in == SeenIn::counts ||
                        (change.index_space == Space::position && has_orders_by_dimension(cursor_->trace()));
  select(selectable ? Selection{change.index_space, change.index, in_array ? change.array : std::string()}
                    : Selection{});
  change_ = number;
  change_end_ = 0;
  emit change_walked();
}

void Playback::walk_changes(int direction) {
  if (!cursor_) return;
  const auto end = [&] { return direction > 0 ? changes().size() - 1 : 0; };
  if (changes().size() > 0) {
    if (!change_) return stand_at_change(direction > 0 ? 0 : changes().size() - 1);
    if (*change_ != end()) return stand_at_change(direction > 0 ? *change_ + 1 : *change_ - 1);
    if (change_end_ != direction) {
      change_end_ = direction;
      emit change_walked();
      return;
    }
  }
  if (!walks_through_steps()) {
    if (changes().size() > 0) stand_at_change(changes().size() - 1 - end());
    return;
  }
  if (const auto step = step_with_changes(direction))
    seek(*step, [this, direction] {  // a question there may hide them
      if (changes().size() > 0) stand_at_change(direction > 0 ? 0 : changes().size() - 1);
    });
}

std::optional<std::uint32_t> Playback::step_with_changes(int direction) const {
  if (!cursor_ || !walks_through_steps()) return std::nullopt;
  Cursor now = *cursor_, before(baseline_trace());
  while (direction > 0 ? now.step() < last_step() : now.step() > 0) {
    now.seek(direction > 0 ? now.step() + 1 : now.step() - 1);
    const auto baseline = baseline_of(now.step());
    if (!baseline) continue;
    before.seek(*baseline);
    // Whether a step changes values that are not here is shown by going there.
    if (coming_ &&
        (!missing_values(now.trace(), now.step()).empty() || !missing_values(before.trace(), before.step()).empty()))
      return now.step();
    if (ChangeList(before, now, axes()).size() > 0) return now.step();
  }
  return std::nullopt;
}

}  // namespace kdscope
