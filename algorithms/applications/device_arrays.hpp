#pragma once
// Arrays of an application in a back end's memory: filled from the host, fetched to it, and used again.

#include <cstddef>
#include <span>
#include <vector>

#include "algorithms/exec/memory.hpp"

namespace kdscope {

/// Returns a copy of `from` in the back end's memory.
template <class T, class Exec>
Array<T, Exec> uploaded(Exec& exec, const char* name, const std::vector<T>& from) {
  auto to = exec.template array<T>(name, from.size());
  exec.upload(to.data(), std::span(from));
  return to;
}

/// Returns the first n elements of an array on the host.
template <class T, class Exec>
std::vector<T> downloaded(Exec& exec, const Array<T, Exec>& from, std::size_t n) {
  std::vector<T> to(n);
  exec.download(std::span(to), from.data());
  return to;
}

/// An array that is filled anew by each use, so nothing survives when it becomes longer.
template <class T, class Exec>
class ReusedArray {
 public:
  ReusedArray(Exec& exec, const char* name) : exec_(&exec), name_(name) {}

  /// Makes room for n elements. If there was less, all elements are uninitialised, and the old ones are freed first.
  void make_room(std::size_t n) {
    if (n <= array_.size()) return;
    array_ = {};
    array_ = exec_->template array<T>(name_, n);
  }
  T* data() const { return array_.data(); }
  const Array<T, Exec>& array() const { return array_; }

 private:
  Exec* exec_;
  const char* name_;
  Array<T, Exec> array_;
};

}  // namespace kdscope
