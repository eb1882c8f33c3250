#include "app/workbench/step_motion.hpp"

#include <QElapsedTimer>
#include <QEvent>
#include <algorithm>
#include <cmath>

#include "visualizer/model/array_table.hpp"

namespace kdscope {
namespace {

// Up to so many points, and splits of one step, panes are drawn again within a frame.
constexpr std::uint64_t most_points = 10000;
constexpr std::size_t most_growing = 256;

/// Keeps the time of motions from leaping while the window draws for long: each shows a few frames of its way.
class NoLeaps : public QObject {
 public:
  NoLeaps(QTimeLine& line, QObject* parent) : QObject(parent), line_(line) {
    connect(&line, &QTimeLine::stateChanged, this, [this] { since_.start(); });
    line.installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    const int most = line_.duration() / 6;
    if (event->type() != QEvent::Timer || since_.restart() <= most) return false;
    const int time = line_.currentTime() + most;
    line_.stop();  // a running line that is set to a time goes on from its beginning
    line_.setCurrentTime(time);
    line_.resume();
    return true;
  }

 private:
  QTimeLine& line_;
  QElapsedTimer since_;  // the last frame
};

}  // namespace

StepMotion::StepMotion(Playback& playback, QObject* parent) : QObject(parent), playback_(playback) {
  line_.setUpdateInterval(16);
  new NoLeaps(line_, this);
  connect(&line_, &QTimeLine::valueChanged, this, [this] {
    if (under_way()) emit moved();
  });
  connect(&line_, &QTimeLine::finished, this, &StepMotion::finish);
  connect(&playback_, &Playback::opened, this, &StepMotion::forget);
  connect(&playback_, &Playback::concealment_changed, this, [this] {
    const bool answered = now_ && std::exchange(now_->second, playback_.concealment()).hides_values() &&
                          !playback_.concealment().hides_values();
    if (!under_way()) return answered && enabled_ ? replay() : void();
    find_motions();
    nothing_moves() ? finish() : emit moved();
  });
}

void StepMotion::set_enabled(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  if (!enabled) finish();
  emit enabled_changed();
}

std::shared_ptr<const Motion> StepMotion::in(Space space) const {
  const auto found = motions_.find(space);
  return found == motions_.end() ? nullptr : found->second;
}

Growth StepMotion::growth() const {
  if (!under_way() || !enters_) return {};
  const double begin = motions_.empty() ? 0 : tokens::travels_until;
  Growth now = growth_;
  now.time = std::clamp((time() - begin) / (1 - begin), 0.0, 1.0);
  return now;
}

bool StepMotion::moves_here() {
  if (!playback_.cursor() || playback_.step() == 0) return false;
  if (playback_.trace()->header.n > most_points) return true;
  const bool looks = !under_way();
  if (looks) from_ = playback_.step() - 1, find_motions();
  const bool any = !motions_.empty() || !growth_.split.empty();
  if (looks) forget_motions();
  return any;
}

void StepMotion::forget_motions() {
  from_.reset();
  motions_.clear();
  growth_ = {};
  enters_ = false;
}

void StepMotion::find_motions() {
  motions_.clear();
  growth_ = {};
  enters_ = false;
  if (*from_ > playback_.last_step()) return;  // hidden
  // A motion must not reveal what either step hides.
  Concealment concealed = playback_.concealment();
  if (before_ && before_->first == *from_) concealed.add(before_->second);
  Cursor from(playback_.trace());
  from.seek(*from_);
  for (const Space space : table_spaces(from.trace()))
    if (Motion motion(from, *playback_.cursor(), space, concealed); !motion.empty())
      motions_[space] = std::make_shared<const Motion>(std::move(motion));
  if (*from_ >= playback_.step() || from.trace().header.n > most_points) return;
  // The views mark what is new, whatever the step before hides
  growth_.split = split_since(*playback_.cursor(), *from_, playback_.concealment());
  if (growth_.split.size() > most_growing) growth_.split.clear();
  growth_.turns = turns_of(growth_.split, *playback_.cursor());
  enters_ = !growth_.split.empty() || (*from_ + 1 == playback_.step() && !playback_.concealment().changes);
  growth_.from_old = !concealed.hides_values();
}

bool StepMotion::prepare(std::uint32_t from, double time) {
  line_.stop();
  from_ = from;
  find_motions();
  if (nothing_moves()) {
    finish();
    return false;
  }
  line_.setDuration(duration_ms_);
  line_.setCurrentTime(static_cast<int>(std::clamp(time, 0.0, 1.0) * (line_.duration() - 1)));
  emit moved();
  return true;
}

void StepMotion::replay() {
  if (playback_.cursor() && playback_.step() > 0 && prepare(playback_.step() - 1, 0)) line_.resume();
}

void StepMotion::hold(double time) {
  if (time >= 1) return finish();
  line_.stop();
  if (under_way())
    line_.setCurrentTime(static_cast<int>(std::max(time, 0.0) * line_.duration()));
  else if (playback_.cursor() && playback_.step() > 0)
    prepare(playback_.step() - 1, time);
}

void StepMotion::pause() {
  if (!under_way()) return;
  held() ? line_.resume() : line_.stop();
}

void StepMotion::finish() {
  line_.stop();
  const bool showed = under_way();
  forget_motions();
  if (showed) emit moved();
}

void StepMotion::forget() {
  now_.reset();
  before_.reset();
  finish();
}

void StepMotion::follow_step() {
  const std::uint32_t step = playback_.step();
  if (now_ && now_->first == step) {  // shown again, with other highlights or questions
    now_->second = playback_.concealment();
    if (under_way()) find_motions();
    if (nothing_moves()) finish();
    return;
  }
  before_ = std::exchange(now_, std::pair(step, playback_.concealment()));
  const bool follows = before_ && before_->first <= step + 1;  // or a jump forwards
  // Elements that are called back turn round where they are.
  const bool turn_round = follows && from_ == step;
  const double begin = turn_round ? std::lerp(tokens::fades_until, 1.0, 1 - travelled()) : 0;
  // Who steps during a motion is in a hurry, and remains so while the steps follow each other as fast
  const bool hurries = !turn_round && line_.state() == QTimeLine::Running;
  if (!enabled_ || !follows || hurries) finish();
  if (!enabled_ || !follows) return;
  if (hurries)
    line_.start();
  else if (prepare(before_->first, begin))
    line_.resume();
}

}  // namespace kdscope
