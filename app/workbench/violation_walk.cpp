#include "app/workbench/violation_walk.hpp"

#include <algorithm>
#include <utility>

#include "app/workbench/playback.hpp"

namespace kdscope {

ViolationWalk::ViolationWalk(Playback& playback, QObject* parent) : QObject(parent), playback_(playback) {
  connect(&playback, &Playback::stepped, this, [this] { current_.reset(); });
}

void ViolationWalk::take(std::vector<Violation> violations) {
  violations_ = std::move(violations);
  current_.reset();
}

void ViolationWalk::go_to(std::size_t violation) {
  if (!playback_.cursor() || violation >= violations_.size()) return;
  const Violation& to = violations_[violation];
  if (!playback_.allows(to.step)) return;
  playback_.seek(to.step, [this, violation, check = to.check] {
    current_ = violation;
    const auto first = selection_of_violation(*playback_.trace(), playback_.cursor()->current().checks[check]);
    playback_.select(first.value_or(Selection{}));
    emit walked();
  });
}

void ViolationWalk::walk(int direction) {
  if (violations_.empty()) return;
  const auto at_or_after = [this](std::uint32_t step) {
    return static_cast<std::size_t>(std::partition_point(violations_.begin(), violations_.end(),
                                                         [&](const Violation& v) { return v.step < step; }) -
                                    violations_.begin());
  };
  // From a place between violations, those of the step itself are the next ones in either direction.
  const std::size_t end = violations_.size();
  std::size_t next = end;
  if (direction > 0)
    next = current_ ? *current_ + 1 : at_or_after(playback_.step());
  else if (const std::size_t after = current_ ? *current_ : at_or_after(playback_.step() + 1); after > 0)
    next = after - 1;
  if (next < end) go_to(next);
}

}  // namespace kdscope
