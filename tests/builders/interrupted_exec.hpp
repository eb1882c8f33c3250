#pragma once
// A back end that is interrupted in the middle of a run: a stop is requested at one of its launches, or memory is
// exhausted at one of its arrays.

#include <stop_token>
#include <string>

#include "algorithms/exec/memory.hpp"

namespace kdscope::test {

template <class Base>
class InterruptedExec : public Base {
 public:
  static constexpr std::size_t never = ~std::size_t(0);

  /// Makes a back end. device: its arguments before the stop token.
  template <class... Device>
  explicit InterruptedExec(Device... device) : InterruptedExec(std::stop_source(), device...) {}

  std::size_t stop_at = never,
              full_at = never;           ///< the interrupted launch and the interrupted array, counted from 0
  std::size_t launched = 0, arrays = 0;  ///< numbers requested so far
  std::string interrupted;               ///< name of the interrupted launch or array

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    if (arrays++ == full_at) interrupted = name, this->memory().limit_to(this->memory().live());
    return Base::allocate(name, bytes, allocation);
  }
  template <class T>
  Array<T, InterruptedExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class Body>
  void for_each(const char* name, std::uint32_t n, Body body) {
    launch(name);
    Base::for_each(name, n, body);
  }
  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    launch(name);
    Base::for_each_block(name, blocks, lanes, shared_bytes, body);
  }
  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    launch(name);
    Base::for_each_warp(name, warps, shared_bytes, body);
  }
  template <class Key, class Value>
  void sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                  int key_bits) {
    launch(name);
    Base::sort_pairs(name, keys, values, n, key_bits);
  }
  template <class T, class Map, class Combine>
  T reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity) {
    launch(name);
    return Base::reduce(name, n, map, combine, identity);
  }
  template <class T, class Map>
  void transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out) {
    launch(name);
    Base::transform_exclusive_scan(name, n, map, out);
  }
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of) {
    launch(name);
    Base::compact_indices(name, of);
  }

 private:
  template <class... Device>
  InterruptedExec(std::stop_source stop, Device... device)
      : Base(device..., stop.get_token()), stop_(std::move(stop)) {}
  void launch(const char* name) {
    if (launched++ == stop_at) interrupted = name, stop_.request_stop();
  }
  std::stop_source stop_;
};

}  // namespace kdscope::test
