#include "algorithms/variants/named_memory.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <new>
#include <set>

// Present only in a program with AddressSanitizer.
extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(void const volatile* begin, std::size_t bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(void const volatile* begin, std::size_t bytes);
}

namespace kdscope {
namespace {

constexpr std::size_t alignment = 64, smallest_zone = 4096, largest_zone = 1 << 20;
constexpr std::size_t most_released_bytes = std::size_t(256) << 20;

/// The memory of an array: a zone, the elements, and another zone.
struct Block {
  std::string name;
  std::size_t element_bytes, word_bytes, elements, zone;
  bool shared = false, released = false;

  std::size_t bytes() const { return element_bytes * elements; }
  std::size_t total() const { return 2 * zone + bytes(); }
};

/// All blocks. There is no lock, because variants run on one thread.
struct Blocks {
  std::map<std::byte*, Block> at;  ///< by the address of the first element
  std::set<std::byte*> live;       ///< those that are not released
  std::deque<std::byte*> released;
  std::size_t released_bytes = 0;
};
Blocks& blocks() {
  static Blocks all;
  return all;
}

void guard(std::byte* begin, std::size_t bytes, bool forbidden) {
  const auto change = forbidden ? __asan_poison_memory_region : __asan_unpoison_memory_region;
  if (change) change(begin, bytes);
}

void free_block(std::byte* data) {
  Blocks& all = blocks();
  const Block& block = all.at.at(data);
  guard(data - block.zone, block.total(), false);
  ::operator delete (data - block.zone, std::align_val_t{alignment});
  all.at.erase(data);
}

}  // namespace

void* allocate_guarded(const std::string& name, ElementSizes sizes, std::size_t elements, bool shared) {
  const std::size_t bytes = sizes.bytes * elements;
  const std::size_t zone = (std::clamp(bytes, smallest_zone, largest_zone) + alignment - 1) / alignment * alignment;
  Block block{name, sizes.bytes, sizes.word_bytes, elements, zone, shared};
  auto* begin = static_cast<std::byte*>(::operator new (block.total(), std::align_val_t{alignment}, std::nothrow));
  if (!begin) return nullptr;
  std::byte* data = begin + zone;
  guard(begin, zone, true);
  guard(data + bytes, zone, true);
  blocks().at.emplace(data, std::move(block));
  blocks().live.insert(data);
  return data;
}

void release_guarded(void* data) noexcept {
  Blocks& all = blocks();
  const auto found = all.at.find(static_cast<std::byte*>(data));
  found->second.released = true;
  all.live.erase(found->first);
  guard(found->first, found->second.bytes(), true);
  all.released.push_back(found->first);
  all.released_bytes += found->second.total();
  while (all.released_bytes > most_released_bytes) {
    all.released_bytes -= all.at.at(all.released.front()).total();
    free_block(all.released.front());
    all.released.pop_front();
  }
}

std::optional<PlaceInArray> array_at(const void* address) {
  // The zones of an array lie within its memory, so only its neighbours by address can hold the address
  auto* at = const_cast<std::byte*>(static_cast<const std::byte*>(address));
  const auto after = blocks().at.upper_bound(at);
  for (auto each = after == blocks().at.begin() ? after : std::prev(after); each != blocks().at.end(); ++each) {
    const auto& [data, block] = *each;
    if (at >= data - block.zone && at < data + block.bytes() + block.zone) {
      const std::ptrdiff_t offset = at - data, width = static_cast<std::ptrdiff_t>(block.element_bytes);
      const std::ptrdiff_t index = offset >= 0 ? offset / width : -((-offset + width - 1) / width);
      return PlaceInArray{block.name, index, block.elements, block.released, block.shared};
    }
    if (each == after) break;
  }
  return std::nullopt;
}

std::vector<GuardedArray> guarded_arrays() {
  std::vector<GuardedArray> arrays;
  for (std::byte* data : blocks().live) {
    const Block& block = blocks().at.at(data);
    arrays.push_back({data, block.bytes(), block.word_bytes, block.shared});
  }
  return arrays;
}

}  // namespace kdscope
