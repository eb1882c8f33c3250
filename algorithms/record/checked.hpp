#pragma once
// Vectors in which presenters keep a device's state. A broken kernel may leave arbitrary indices and counts. An attempt
// to follow an index that does not exist ends the presentation of the step, not the program.

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace kdscope {

/// Thrown when a state cannot be followed any further. The recorder turns it into a failed check of the step and keeps
/// everything shown so far.
struct BrokenState : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws the BrokenState of an index i that n elements lack. Apart from followed(), so that this is inlined.
template <std::integral Index>
[[noreturn, gnu::noinline]] void leads_nowhere(Index i, std::size_t n) {
  throw BrokenState("it leads to element " + std::to_string(i) + " of " + std::to_string(n));
}

/// Returns index i if it is below n. Throws BrokenState otherwise.
template <std::integral Index>
std::size_t followed(Index i, std::size_t n) {
  if (static_cast<std::size_t>(i) >= n) leads_nowhere(i, n);
  return static_cast<std::size_t>(i);
}

/// A vector whose elements are read through followed().
template <class T>
class Checked : public std::vector<T> {
  using Base = std::vector<T>;

 public:
  using Base::Base;
  Checked() = default;
  Checked(Base&& values) : Base(std::move(values)) {}
  Checked(const Base& values) : Base(values) {}
  typename Base::reference operator[](std::size_t i) { return Base::operator[](followed(i, this->size())); }
  typename Base::const_reference operator[](std::size_t i) const { return Base::operator[](followed(i, this->size())); }
  /// Returns elements [begin, end). Throws BrokenState if they do not exist.
  Checked slice(std::size_t begin, std::size_t end) const {
    if (begin > end || end > this->size())
      throw BrokenState("it names elements " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                        std::to_string(this->size()));
    const auto at = [&](std::size_t i) { return this->begin() + static_cast<std::ptrdiff_t>(i); };
    return Checked(at(begin), at(end));
  }
  Checked first(std::size_t n) const { return slice(0, n); }
};

}  // namespace kdscope
