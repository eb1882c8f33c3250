#pragma once
// Finds arrays of a running variant by address, so that an access out of bounds can be reported as an array and an
// index.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/exec/memory.hpp"
#include "algorithms/text/field.hpp"

namespace kdscope {

/// A place in or near an array.
struct PlaceInArray {
  std::string array;
  std::int64_t index = 0;  ///< index of the element; negative in front of the array
  std::uint64_t size = 0;  ///< number of elements of the array
  bool released = false;   ///< whether the array had been freed
  bool shared = false;     ///< whether it belongs to one block or warp
};
template <class Io>
void fields(Io& io, PlaceInArray& p) {
  io(Field{"array", p.array}, Field{"index", p.index}, Field{"size", p.size}, Field{"released", p.released},
     Field{"shared", p.shared});
}

/// The elements of an array, and the words of which they consist: a device writes a word as a whole.
struct ElementSizes {
  std::size_t bytes = 1, word_bytes = 1;
};
/// Returns the sizes of a type. Words have its alignment, but at most 4 bytes: larger types may be structs, and arrays
/// of 64-bit numbers also hold 32-bit keys.
template <class T>
constexpr ElementSizes sizes_of() {
  constexpr std::size_t largest_word = 4;
  return {sizeof(T), alignof(T) < largest_word ? alignof(T) : largest_word};
}

/// Allocates memory for an array of `elements` elements, with a guarded zone on both sides. With AddressSanitizer,
/// every access to a zone ends the program with a report. Zones are as large as the array, but at least 4 KiB and at
/// most 1 MiB. shared: the array belongs to one block or warp. Returns null if memory is exhausted.
void* allocate_guarded(const std::string& name, ElementSizes sizes, std::size_t elements, bool shared = false);
/// Guards all of the memory from now on. The last 256 MiB that were released stay reserved, so that accesses to them
/// are found.
void release_guarded(void* data) noexcept;

/// Returns the array whose elements or guarded zones hold an address.
std::optional<PlaceInArray> array_at(const void* address);

/// The elements of an array that is not released.
struct GuardedArray {
  std::byte* data;
  std::size_t bytes, word_bytes;
  bool shared;
};
std::vector<GuardedArray> guarded_arrays();

/// An executor on the host whose arrays are guarded and known by name. It must be the outermost layer of an executor.
template <class Exec>
class WithNamedMemory : public Exec {
 public:
  using Exec::Exec;

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    const ElementSizes sizes = std::exchange(sizes_, {});
    void* data = this->memory().has_room(bytes) ? allocate_guarded(name, sizes, bytes / sizes.bytes) : nullptr;
    return this->taken(data, name, bytes, allocation);
  }
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept {
    release_guarded(data);
    this->memory().gave(bytes, allocation);
  }
  template <class T>
  Array<T, WithNamedMemory> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    sizes_ = sizes_of<T>();
    return {*this, name, n, allocation};
  }

 protected:
  ElementSizes sizes_;  // of the array that is being allocated
};

/// Is called for each array that an executor with announced memory allocates.
void announce_array(const char* name, std::size_t element_bytes, const void* data, std::size_t bytes);

/// An executor on a device whose arrays are announced by name, because only the tool that watches the device's accesses
/// knows their addresses. It must be the outermost layer of an executor.
template <class Exec>
class WithAnnouncedMemory : public Exec {
 public:
  using Exec::Exec;

  void* allocate(const char* name, std::size_t bytes, Allocation allocation) {
    const std::size_t element_bytes = std::exchange(element_bytes_, 1);
    void* data = Exec::allocate(name, bytes, allocation);
    announce_array(name, element_bytes, data, bytes);
    return data;
  }
  template <class T>
  Array<T, WithAnnouncedMemory> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    element_bytes_ = sizeof(T);
    return {*this, name, n, allocation};
  }

 private:
  std::size_t element_bytes_ = 1;  // element size of the array that is being allocated
};

}  // namespace kdscope
