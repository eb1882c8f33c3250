#include "app/workbench/transport.hpp"

#include <algorithm>

#include "app/recording/navigation.hpp"
#include "app/workbench/inside.hpp"
#include "app/workbench/playback.hpp"
#include "app/workbench/step_motion.hpp"

namespace kdscope {

Transport::Transport(Playback& playback, StepMotion& motion, Inside& inside, QObject* parent)
    : QObject(parent), playback_(playback), motion_(motion), inside_(inside) {
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (inside_.is_open()) return inside_.step(1) ? void() : set_playing(false);
    if (playback_.wait()) return;
    forward();
    if (!playback_.cursor() || playback_.step() >= playback_.last_step()) set_playing(false);
  });
  // What plays goes through one of them
  for (const auto signal : {&Inside::opened, &Inside::closed})
    connect(&inside, signal, this, [this] { set_playing(false); });
}

void Transport::back() {
  if (inside_.is_open()) return void(inside_.step(-1));
  if (playback_.target() > 0) playback_.seek(playback_.target() - 1);
}

void Transport::forward() { inside_.is_open() ? void(inside_.step(1)) : playback_.seek(playback_.target() + 1); }

void Transport::first() { inside_.is_open() ? inside_.go_to_end(-1) : playback_.seek(0); }

void Transport::last() {
  if (inside_.is_open()) return inside_.go_to_end(1);
  if (playback_.cursor()) playback_.seek(playback_.step_count() - 1);
}

void Transport::level_back() {
  if (inside_.is_open()) return void(inside_.leap(-1));
  if (playback_.cursor()) playback_.seek(previous_level(*playback_.trace(), playback_.target()));
}

void Transport::level_forward() {
  if (inside_.is_open()) return void(inside_.leap(1));
  if (playback_.cursor()) playback_.seek(next_level(*playback_.trace(), playback_.target()));
}

void Transport::set_playing(bool playing) {
  if (playing == this->playing() || (playing && !playback_.cursor())) return;
  if (playing) {
    // Playing from the end starts again, as media players do.
    if (!inside_.is_open() && playback_.step() >= playback_.last_step()) first();
    timer_.start(static_cast<int>(1000 / steps_per_second_));
  } else {
    timer_.stop();
  }
  time_motion();
  emit playing_changed();
}

void Transport::time_motion() {
  motion_.set_duration(playing()    ? tokens::move_ms_between(timer_.interval())
                       : has_class_ ? tokens::slow_move_ms
                                    : tokens::move_ms);
}

void Transport::show_class(bool has_class) {
  has_class_ = has_class;
  time_motion();
}

void Transport::set_speed(double steps_per_second) {
  steps_per_second_ = steps_per_second;
  timer_.setInterval(static_cast<int>(1000 / steps_per_second));
  time_motion();
  emit speed_changed();
}

void Transport::change_speed(int direction) {
  const auto at = std::lower_bound(playing_speeds.begin(), playing_speeds.end(), steps_per_second_);
  if (direction > 0 ? at + 1 < playing_speeds.end() : at > playing_speeds.begin())
    set_speed(direction > 0 ? *(at + 1) : *(at - 1));
}

}  // namespace kdscope
