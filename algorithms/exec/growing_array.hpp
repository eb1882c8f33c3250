#pragma once
// An array in a back end's memory that doubles when it is full, for lists whose length becomes known only while they
// are built.

#include <algorithm>
#include <cstddef>

#include "algorithms/exec/memory.hpp"

namespace kdscope {

/// Keeps elements [0, size) when the array grows; new elements are uninitialised. While it grows, both copies exist.
template <class T, class Exec>
class GrowingArray {
 public:
  GrowingArray() = default;  ///< makes an array that stays empty
  GrowingArray(Exec& exec, const char* name) : exec_(&exec), name_(name) {}

  T* data() const { return array_.data(); }
  std::size_t size() const { return size_; }
  /// Makes room for `capacity` elements, so that growing to that size allocates nothing.
  void reserve(std::size_t capacity) {
    if (capacity <= array_.size()) return;
    Array<T, Exec> longer = exec_->template array<T>(name_, capacity);
    exec_->copy(longer.data(), array_.data(), size_);
    array_ = std::move(longer);
  }
  /// Grows the array to at least `size` elements. Amortised O(1) per added element.
  void grow_to(std::size_t size) {
    if (size > array_.size()) reserve(std::max(size, 2 * array_.size()));
    size_ = std::max(size_, size);
  }

 private:
  Exec* exec_ = nullptr;
  const char* name_ = "";
  Array<T, Exec> array_;
  std::size_t size_ = 0;
};

}  // namespace kdscope
