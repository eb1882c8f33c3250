#pragma once
// Moves through the steps of the open run: by hand, by level, and by itself. While a step is open inside, through what
// its lanes did.

#include <QObject>
#include <QTimer>
#include <array>

namespace kdscope {

class Inside;
class Playback;
class StepMotion;

/// Steps per second, slowest first.
inline constexpr std::array playing_speeds{0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0};

class Transport : public QObject {
  Q_OBJECT

 public:
  Transport(Playback& playback, StepMotion& motion, Inside& inside, QObject* parent = nullptr);

  /// Moves by a step, to an end or by a level; does nothing beyond either end. Inside: by an interval, lane or access,
  /// to an end, or by a block, interval or lane.
  void back();
  void forward();
  void first();
  void last();
  void level_back();
  void level_forward();

  bool playing() const { return timer_.isActive(); }
  void set_playing(bool playing);
  double steps_per_second() const { return steps_per_second_; }
  void set_speed(double steps_per_second);
  /// Changes to the next faster of playing_speeds, or the next slower (-1); stops at the ends.
  void change_speed(int direction);
  /// In front of a class, steps move so slowly that it can follow.
  void show_class(bool has_class);

 signals:
  void playing_changed();
  void speed_changed();

 private:
  void time_motion();

  Playback& playback_;
  StepMotion& motion_;
  Inside& inside_;
  QTimer timer_;
  double steps_per_second_ = 1.0;
  bool has_class_ = false;
};

}  // namespace kdscope
