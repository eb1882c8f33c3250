#include "app/workbench/coming_values.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/variants/runners.hpp"

namespace kdscope {

ComingValues::ComingValues(QObject* parent)
    : QObject(parent), thread_([this](const std::stop_token& stop) { fetch(stop); }) {
  Cursor::wait_for_none([this](const TypedArray& contents) { want(contents); });
}

ComingValues::~ComingValues() {
  wait_from_now();
  thread_.request_stop();
  variants::leave_far_values();
}

void ComingValues::wait_from_now() {
  if (std::exchange(serves_, false)) Cursor::wait_for_none({});
}

void ComingValues::want(const TypedArray& contents) {
  if (given_up_) return;
  if (!waits()) {
    progress_ = {};
    wanted_.clear();
  }
  const auto known = [&](const TypedArray& each) { return each.comes_with(contents); };
  if (std::ranges::any_of(wanted_, known)) return;
  wanted_.push_back(contents);
  ++progress_.wanted;
  progress_.wanted_bytes += contents.byte_count();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(contents);
  }
  asked_.notify_one();
  emit changed();
}

void ComingValues::drop_queue() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
  }
  progress_ = {};
  wanted_.clear();
}

void ComingValues::give_up() {
  given_up_ = true;
  drop_queue();
  emit changed();
}

void ComingValues::leave_step() {
  if (!given_up_ && !waits()) return;
  given_up_ = false;
  drop_queue();
  emit changed();
  // Another column may have waited for what is forgotten.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (!waits()) emit came();
      },
      Qt::QueuedConnection);
}

void ComingValues::fetch(std::stop_token stop) {
  for (;;) {
    TypedArray contents;
    {
      std::unique_lock lock(mutex_);
      if (!asked_.wait(lock, stop, [this] { return !queue_.empty(); })) return;
      contents = std::move(queue_.front());
      queue_.pop_front();
    }
    std::optional<Error> error;
    try {
      std::as_const(contents).bytes();
    } catch (const ErrorException& e) {
      error = e.error();
    } catch (const std::bad_alloc&) {
      error = Error{ErrorKind::out_of_memory,
                    "memory does not hold the " + memory_text(contents.byte_count()) + " of an array", "",
                    "close other traces or programs"};
    }
    QMetaObject::invokeMethod(
        this, [this, contents, error] { take(contents, error); }, Qt::QueuedConnection);
  }
}

void ComingValues::take(const TypedArray& contents, const std::optional<Error>& error) {
  if (!error) {
    ++all_arrays_;
    all_bytes_ += contents.byte_count();
  }
  const auto known = [&](const TypedArray& each) { return each.comes_with(contents); };
  if (std::ranges::none_of(wanted_, known)) return;  // of a step that was left
  if (error) {
    drop_queue();
    emit changed();
    emit lost(*error);
    return;
  }
  ++progress_.came;
  progress_.came_bytes += contents.byte_count();
  emit changed();
  if (!waits()) emit came();
}

}  // namespace kdscope
