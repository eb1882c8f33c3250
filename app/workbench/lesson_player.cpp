#include "app/workbench/lesson_player.hpp"

#include <algorithm>
#include <utility>

#include "app/workbench/playback.hpp"
#include "app/workbench/questions.hpp"
#include "visualizer/model/lesson_overlay.hpp"
#include "visualizer/model/question_concealment.hpp"

namespace kdscope {
namespace {

const std::string lesson_writer = "lesson";

}  // namespace

LessonPlayer::LessonPlayer(Playback& playback, Questions& questions, QObject* parent)
    : QObject(parent), playback_(playback), questions_(questions), catalogue_(read_lessons(lessons_folder())) {
  connect(&playback, &Playback::stepped, this, &LessonPlayer::follow_step);
  connect(&playback, &Playback::concealment_changed, this, [this] {
    if (playback_.is_confined() != (questions_.current() >= 0)) return;
    stop_next_ = stop_index_;
    follow_run();
  });
}

bool LessonPlayer::is_listed(const Lesson& lesson) const {
  return std::any_of(catalogue_.lessons.begin(), catalogue_.lessons.end(),
                     [&](const Lesson& each) { return each.id == lesson.id && each.path == lesson.path; });
}

std::string LessonPlayer::name() const {
  return !lesson_ ? std::string() : is_listed(*lesson_) ? lesson_->id : lesson_->path;
}

void LessonPlayer::show(std::optional<Lesson> lesson, int stop) {
  if (!playback_.cursor()) return;
  std::vector<std::uint32_t> stops;
  if (lesson)
    if (auto resolved = resolve_stops(*lesson, *playback_.trace())) stops = std::move(*resolved);
  if (stops.empty()) lesson.reset();
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stops);
  const auto steps = static_cast<int>(stop_steps_.size());
  if (stop >= 0 && stop < steps && stop_steps_[static_cast<std::size_t>(stop)] == playback_.step()) stop_next_ = stop;
  go_to(playback_.step(), at_introduction_ && lesson_ && stop < 0);
  emit shown();
}

void LessonPlayer::take(std::optional<Lesson> lesson, std::vector<std::uint32_t> stop_steps, bool at_introduction) {
  lesson_ = std::move(lesson);
  stop_steps_ = std::move(stop_steps);
  stop_index_ = -1;  // of the lesson before
  at_introduction_ = at_introduction;
}

void LessonPlayer::follow_run() {
  introduction_next_ = at_introduction_;
  playback_.go_to(playback_.step());
}

void LessonPlayer::go_to(std::uint32_t step, bool introduction) {
  playback_.when_here(step, [this, step, introduction] {
    introduction_next_ = introduction;
    playback_.go_to(step);
  });
}

void LessonPlayer::follow_step() {
  const auto stop = std::find(stop_steps_.begin(), stop_steps_.end(), playback_.step());
  at_introduction_ = std::exchange(introduction_next_, false);
  stop_index_ = at_introduction_ || stop == stop_steps_.end() ? -1 : static_cast<int>(stop - stop_steps_.begin());
  // Several stops may share a step.
  if (const int wanted = std::exchange(stop_next_, -1); wanted >= 0) stop_index_ = wanted;
  playback_.add_highlights(highlights(playback_.step()));
  show_marks();
  ask_questions();
}

/// Draws the marks of the stop; on the way to the next one, none.
void LessonPlayer::show_marks() {
  const bool marks = lesson_ && std::ranges::any_of(lesson_->stops, [](const Stop& s) { return !s.marks.empty(); });
  if (!marks && !playback_.added_overlays().contains(lesson_writer)) return;
  const Stop* stop = stop_index_ < 0 ? nullptr : &lesson_->stops[static_cast<std::size_t>(stop_index_)];
  playback_.add_overlay(lesson_writer, marks ? overlay_of(*lesson_, stop) : Overlay());
}

/// A person who performs a step by hand has one exercise; what questions hide stays hidden.
void LessonPlayer::ask_questions() {
  const auto ask = at_introduction_ || playback_.is_confined() ? &Questions::announce : &Questions::ask;
  if ((stop_index_ < 0 && !at_introduction_) || !asks_()) return (questions_.*ask)({}, {}, {});
  // The introduction shows the step of the first stop, and must not give its answers away.
  const Stop& stop = lesson_->stops[static_cast<std::size_t>(std::max(0, stop_index_))];
  questions_.show_before(at_introduction_ ? std::nullopt : stop_before(stop_steps_, playback_.step()));
  (questions_.*ask)(lesson_->id, stop.title, stop.questions);
}

void LessonPlayer::go_to_stop(int index) {
  if (index == -1) {
    if (!stop_steps_.empty() && !at_introduction_ && playback_.allows(stop_steps_.front()))
      go_to(stop_steps_.front(), true);
    return;
  }
  if (index < 0 || index >= static_cast<int>(stop_steps_.size())) return;
  if (!playback_.allows(stop_steps_[index])) return;
  playback_.when_here(stop_steps_[index], [this, index, step = stop_steps_[index]] {
    stop_next_ = index;
    playback_.go_to(step);
  });
}

const std::vector<Highlight>& LessonPlayer::highlights(std::uint32_t step) const {
  static const std::vector<Highlight> none;
  const bool here = step == playback_.step();
  if (here && at_introduction_) return none;
  const auto first = std::find(stop_steps_.begin(), stop_steps_.end(), step);
  if (first == stop_steps_.end()) return none;
  // Several stops may share a step: here the one that is shown, elsewhere the first.
  const auto index = here && stop_index_ >= 0 ? static_cast<std::size_t>(stop_index_)
                                              : static_cast<std::size_t>(first - stop_steps_.begin());
  return lesson_->stops[index].highlights;
}

bool LessonPlayer::can_go_on() const {
  if (!questions_.question() || questions_.is_open()) return false;
  return questions_.next_open() || (stop_index_ >= 0 && !at_last_stop());
}

void LessonPlayer::go_on() {
  if (!can_go_on()) return;
  const auto open = questions_.next_open();
  open ? questions_.go_to(*open) : stop_forward();
}

void LessonPlayer::stop_back() {
  int index = stop_index_ - 1;
  if (stop_index_ < 0)
    for (index = static_cast<int>(stop_steps_.size()) - 1; index >= 0 && stop_steps_[index] >= playback_.step();)
      --index;
  go_to_stop(index);
}

void LessonPlayer::stop_forward() {
  int index = stop_index_ + 1;
  if (stop_index_ < 0 && !at_introduction_)
    while (index < static_cast<int>(stop_steps_.size()) && stop_steps_[index] <= playback_.step()) ++index;
  go_to_stop(index);
}

}  // namespace kdscope
