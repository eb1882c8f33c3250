#pragma once
// Runs work that may crash its process, such as reading an untrusted file, in a child process. The child sends its
// result through a pipe.
//
// The child is forked and runs no other program. A separate program would have to be located beside every executable
// and test, and loading it with its libraries would take longer than opening a small trace. POSIX guarantees little to
// a child forked from a process with several threads. Here the child needs only the allocator's lock, which glibc makes
// usable in the child. HDF5 is not thread-safe and damages a process that runs out of memory, so it runs only in
// children. A child that waits for another lock sends nothing and is ended.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "algorithms/trace/file_seal.hpp"

namespace kdscope {

/// The most that a child process may use. The reader also bounds the bytes that it accepts.
struct ChildLimits {
  std::uint64_t memory_bytes = 256 << 20;     ///< address space beyond what this process has mapped
  std::uint64_t processor_seconds = 10;       ///< limit of the computing time
  std::chrono::milliseconds silence{60'000};  ///< longest time without any byte from the child
};

/// A child process that works on one open file. It can neither open nor write another file.
class ChildProcess {
 public:
  /// The descriptors at which the child finds its file and its end of the pipe.
  static constexpr int file_descriptor = 0, pipe_descriptor = 1;

  /// Runs work() in a child process, which ends when work() returns or throws. Throws ErrorException if no process can
  /// be created.
  ChildProcess(int file, const ChildLimits& limits, const std::function<void()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the child.
  ~ChildProcess();

  /// Reads at least one and at most `size` bytes from the child. Throws ErrorException with the reason if the child has
  /// ended or stays silent for too long.
  std::size_t read_some(void* bytes, std::size_t size);

  /// In the child: changes the limits of its memory (beyond the memory mapped at the fork) and of its total computing
  /// time.
  static void set_limits(std::uint64_t memory_bytes, std::uint64_t processor_seconds);

 private:
  int wait();
  [[noreturn]] void fail();

  pid_t process_ = -1;
  Descriptor pipe_;
  std::chrono::milliseconds silence_;
};

}  // namespace kdscope
