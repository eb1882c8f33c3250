#pragma once
// The ledger of a back end's allocations, and the owning array through which builders allocate.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kdscope {

/// The purpose of an allocation: state that an algorithm keeps, or scratch that a sort or scan needs while it runs.
enum class Allocation : std::uint8_t { state, scratch };

/// The byte that fills new memory while a run is recorded (Exec::mark_unwritten), because a recording copies whole
/// arrays, including elements that no step has written yet. It reads as no_id in ids and as NaN in floats, which tables
/// show as a dash.
inline constexpr std::uint8_t unwritten_byte = 0xff;

/// Bytes that a program's code has read and written in arrays of its executors.
struct Traffic {
  std::uint64_t read = 0, written = 0;
  std::uint64_t uncounted = 0;  ///< launches that read more than is counted

  Traffic operator-(const Traffic& before) const {
    return {read - before.read, written - before.written, uncounted - before.uncounted};
  }
};

/// Running totals of a back end's memory, in bytes. Peaks count from the last reset. Libraries may allocate from
/// several threads.
class MemoryLedger {
 public:
  /// Limits the live bytes. An allocation beyond the limit fails as if the memory were used up. Initially there is no
  /// limit.
  void limit_to(std::uint64_t bytes) { limit_ = bytes; }
  bool has_room(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    return limit_ >= live_ && bytes <= limit_ - live_;
  }
  void took(std::uint64_t bytes, Allocation allocation) {
    const std::lock_guard lock(mutex_);
    live_ += bytes;
    if (live_ > peak_) peak_ = live_;
    if (allocation == Allocation::state) return;
    temporary_ += bytes;
    if (temporary_ > peak_temporary_) peak_temporary_ = temporary_;
  }
  void gave(std::uint64_t bytes, Allocation allocation) noexcept {
    const std::lock_guard lock(mutex_);
    live_ -= bytes;
    if (allocation == Allocation::scratch) temporary_ -= bytes;
  }
  void reset_peaks() { peak_ = live_, peak_temporary_ = temporary_; }
  std::uint64_t live() const { return live_; }
  std::uint64_t peak() const { return peak_; }
  std::uint64_t peak_temporary() const { return peak_temporary_; }

 private:
  std::mutex mutex_;
  std::uint64_t live_ = 0, peak_ = 0, temporary_ = 0, peak_temporary_ = 0, limit_ = ~0ull;
};

/// An owning array of uninitialised elements in a back end's memory. It is movable and frees its memory at its end. The
/// back end must outlive it.
template <class T, class Exec>
class Array {
 public:
  Array() = default;
  Array(Exec& exec, const char* name, std::size_t n, Allocation allocation)
      : exec_(&exec),
        n_(n),
        allocation_(allocation),
        data_(n ? static_cast<T*>(exec.allocate(name, n * sizeof(T), allocation)) : nullptr) {}
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array(std::move(other)).swap(*this);
    return *this;
  }
  ~Array() {
    if (data_) exec_->release(data_, n_ * sizeof(T), allocation_);
  }
  void swap(Array& other) noexcept {
    std::swap(exec_, other.exec_);
    std::swap(n_, other.n_);
    std::swap(allocation_, other.allocation_);
    std::swap(data_, other.data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return n_; }

 private:
  Exec* exec_ = nullptr;
  std::size_t n_ = 0;
  Allocation allocation_ = Allocation::state;
  T* data_ = nullptr;
};

/// The two buffers of a sort that alternates between them. `current` holds the data. `alternate` is null on back ends
/// that sort in one buffer.
template <class T>
struct DoubleBuffer {
  T* current = nullptr;
  T* alternate = nullptr;
};

}  // namespace kdscope
