#pragma once
// The lesson that is open on the run: its stops, the one at the current step, and the questions asked there.

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

class Playback;
class Questions;

class LessonPlayer : public QObject {
  Q_OBJECT

 public:
  LessonPlayer(Playback& playback, Questions& questions, QObject* parent = nullptr);

  const LessonCatalogue& catalogue() const { return catalogue_; }
  /// Returns whether a lesson is one of the catalogue.
  bool is_listed(const Lesson& lesson) const;

  /// The open lesson, the steps of its stops, and the stop at the current step (-1: between stops, or the
  /// introduction).
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  const std::vector<std::uint32_t>& stop_steps() const { return stop_steps_; }
  int stop_index() const { return stop_index_; }
  /// A lesson opens on its introduction: the step of its first stop, with title, source and aim instead of the stop's
  /// text.
  bool at_introduction() const { return at_introduction_; }
  /// The open lesson as a session file names it; empty for none.
  std::string name() const;
  /// The highlights that the lesson adds to those of a step: those of the stop there, none on the introduction.
  const std::vector<Highlight>& highlights(std::uint32_t step) const;

  /// Goes to a stop of the open lesson, counted from 0, or to its introduction (-1), unless a stop does not exist or
  /// the playback does not allow its step.
  void go_to_stop(int stop);
  /// Moves from stop to stop; the introduction comes before the first one.
  void stop_back();
  void stop_forward();
  bool at_last_stop() const { return stop_index_ >= 0 && stop_index_ + 1 == static_cast<int>(stop_steps_.size()); }
  /// Moves on from a settled question: to the next open one of the stop, or else to the next stop.
  void go_on();
  bool can_go_on() const;

  /// Puts a lesson in the place of the open one without another run, and shows this step again: as the stop `stop`, if
  /// that is here. Without a lesson, or with one whose stops the run does not have, the run alone is open.
  void show(std::optional<Lesson> lesson, int stop = -1);
  /// From now on, questions are asked only where this returns true: not while they are being written.
  void ask_only_if(std::function<bool()> asks) { asks_ = std::move(asks); }

  /// For the desk, before a run opens: its lesson, if any, and the steps of the lesson's stops. Emits no signal.
  void take(std::optional<Lesson> lesson, std::vector<std::uint32_t> stop_steps, bool at_introduction);
  /// For the desk, once the run is open: shows its step, or the introduction.
  void follow_run();

 signals:
  void shown();  ///< another lesson is shown on the open run

 private:
  void follow_step();
  void show_marks();
  void ask_questions();
  void go_to(std::uint32_t step, bool introduction);

  Playback& playback_;
  Questions& questions_;
  LessonCatalogue catalogue_;
  std::function<bool()> asks_ = [] { return true; };
  std::optional<Lesson> lesson_;
  std::vector<std::uint32_t> stop_steps_;
  int stop_index_ = -1, stop_next_ = -1;  ///< of the current step; of the one to come, where stops share it
  bool at_introduction_ = false, introduction_next_ = false;  ///< now; at the step to come
};

}  // namespace kdscope
