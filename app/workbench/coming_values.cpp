#include "app/workbench/coming_values.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/variants/runners.hpp"

namespace kdscope {
namespace {

/// Returns the sum of the bytes of those arrays that are in memory, or of all.
std::uint64_t bytes_of(const std::vector<TypedArray>& arrays, bool present_alone) {
  std::uint64_t sum = 0;
  for (const TypedArray& array : arrays)
    if (!present_alone || array.present()) sum += array.byte_count();
  return sum;
}

}  // namespace

std::size_t ComingValues::Wait::came() const {
  return static_cast<std::size_t>(std::ranges::count_if(arrays, &TypedArray::present));
}
std::uint64_t ComingValues::Wait::bytes() const { return bytes_of(arrays, false); }
std::uint64_t ComingValues::Wait::came_bytes() const { return bytes_of(arrays, true); }

ComingValues::ComingValues(QObject* parent) : QObject(parent) {}

ComingValues::~ComingValues() {
  if (job_.running()) variants::leave_far_values();
}

void ComingValues::bring(const QObject* owner, Wait wait) {
  waits_[owner] = std::move(wait);
  emit changed();
  fetch_next();
}

void ComingValues::leave(const QObject* owner) {
  if (waits_.erase(owner) > 0) emit changed();
}

const ComingValues::Wait* ComingValues::wait_of(const QObject* owner) const {
  const auto found = waits_.find(owner);
  return found == waits_.end() ? nullptr : &found->second;
}

void ComingValues::fetch_next() {
  if (job_.running()) return;  // its end goes on
  for (const auto& [owner, wait] : waits_) {
    const auto next = std::ranges::find_if_not(wait.arrays, &TypedArray::present);
    const bool all_came = next == wait.arrays.end();
    job_.start(
        {},
        [this, owner, array = all_came ? TypedArray() : *next](const RunControl&) -> BackgroundJob::Finish {
          try {
            std::as_const(array).bytes();
          } catch (const std::bad_alloc&) {
            throw ErrorException({ErrorKind::out_of_memory,
                                  "memory does not hold the " + memory_text(array.byte_count()) + " of an array", "",
                                  "close other traces or programs"});
          }
          return [this, owner, bytes = array.byte_count()] {
            if (bytes > 0) ++all_arrays_, all_bytes_ += bytes;
            // Take the wait away first: what is shown may ask for more.
            const auto found = waits_.find(owner);
            if (found != waits_.end() && found->second.came() == found->second.arrays.size()) {
              const std::function<void()> show = std::move(found->second.show);
              waits_.erase(found);
              emit changed();
              show();
            } else {
              emit changed();
            }
            fetch_next();
          };
        },
        [this](const Error& error) { give_up(error); });
    return;
  }
}

void ComingValues::give_up(const Error& error) {
  waits_.clear();
  emit changed();
  emit lost(error);
}

}  // namespace kdscope
