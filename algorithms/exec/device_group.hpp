#pragma once
// Several executors that share one task: those of several devices, or of parts of one device. One host thread drives
// all of them.

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/memory.hpp"

namespace kdscope {

/// A group of at least one executor; results are on the first one. Kernels of each executor may use the memory of all,
/// in the order that meet() enforces.
template <class Exec>
class DeviceGroup {
 public:
  using Event = typename Exec::Event;

  /// Makes the members: make(member) returns a unique_ptr<Exec>. Throws if a member's device cannot reach another's
  /// memory.
  template <class Make>
  DeviceGroup(std::uint32_t members, Make make) {
    for (std::uint32_t member = 0; member < members; ++member) members_.push_back(make(member));
    for (auto& owner : members_)
      for (auto& other : members_)
        if (owner != other) owner->share_memory_with(*other);
  }
  /// Waits for all members, because after an error one member may still use memory that another one owns.
  ~DeviceGroup() {
    for (auto& member : members_) try {
        member->synchronize();
      } catch (const ErrorException&) {  // the device has failed; its error was thrown before
      }
  }
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  Exec& operator[](std::uint32_t member) { return *members_[member]; }
  Exec& first() { return *members_.front(); }

  /// Orders work: whatever is submitted to any member after this call starts after everything submitted before to any
  /// member.
  void meet() {
    if (size() == 1) return;
    for (auto& member : members_)
      if (member != members_.front()) first().wait_for(member->event());
    const Event all = first().event();
    for (auto& member : members_)
      if (member != members_.front()) member->wait_for(all);
  }
  /// Times are those of the first member. They hold for all members if these have equal work or if the first one waits
  /// for them.
  Event event() { return first().event(); }
  double elapsed_ms(const Event& from, const Event& to) { return first().elapsed_ms(from, to); }
  void synchronize() {
    for (auto& member : members_) member->synchronize();
  }
  std::uint64_t launches() const {
    std::uint64_t all = 0;
    for (const auto& member : members_) all += member->launches();
    return all;
  }
  static Traffic traffic() requires requires { Exec::traffic(); }
  { return Exec::traffic(); }
  void mark_unwritten(std::uint8_t byte) {
    for (auto& member : members_) member->mark_unwritten(byte);
  }
  void open_range(const char* name) { first().open_range(name); }
  void close_range() { first().close_range(); }

  /// The memory of all members together. Peaks are summed, although they need not occur at the same time.
  class Memory {
   public:
    explicit Memory(DeviceGroup& group) : group_(group) {}
    void reset_peaks() {
      for (auto& member : group_.members_) member->memory().reset_peaks();
    }
    std::uint64_t peak() const { return sum(&MemoryLedger::peak); }
    std::uint64_t peak_temporary() const { return sum(&MemoryLedger::peak_temporary); }

   private:
    std::uint64_t sum(std::uint64_t (MemoryLedger::*bytes)() const) const {
      std::uint64_t all = 0;
      for (auto& member : group_.members_) all += (member->memory().*bytes)();
      return all;
    }
    DeviceGroup& group_;
  };
  Memory memory() { return Memory(*this); }

 private:
  std::vector<std::unique_ptr<Exec>> members_;
};

}  // namespace kdscope
