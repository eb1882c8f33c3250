#pragma once
// Runs work that may crash this process, such as reading an untrusted file, in a child process, which sends its result
// through a pipe.
//
// The child is forked and runs no other program. A separate program would have to be located beside every executable
// and test, and loading it with its libraries takes longer than opening a small trace. POSIX guarantees little to a
// child forked from a process with several threads. Here the child needs only the allocator's lock, which glibc makes
// usable in the child: HDF5, which is not thread-safe and damages a process that lacks memory, runs only in children. A
// child that waits for another lock sends nothing and is ended.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/trace/file_seal.hpp"

namespace kdscope {

/// The most that a child process may use. The reader bounds the bytes that it accepts.
struct ChildLimits {
  std::uint64_t memory_bytes = 256 << 20;     ///< address space beyond what this process has mapped
  std::uint64_t processor_seconds = 10;       ///< of computing time
  std::chrono::milliseconds silence{60'000};  ///< longest time without a byte sent
};

/// A child process that works on one open file. It can neither open another file nor write one.
class ChildProcess {
 public:
  /// Where the child finds its file and its end of the pipe.
  static constexpr int file_descriptor = 0, pipe_descriptor = 1;

  /// Runs work() in a child process, which ends when work() returns or throws. Throws ErrorException if no process can
  /// be created.
  ChildProcess(int file, const ChildLimits& limits, const std::function<void()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the child.
  ~ChildProcess();

  /// Reads at least one and at most `size` bytes that the child sends. Throws ErrorException, with the reason, if the
  /// child has ended or stays silent for too long.
  std::size_t read_some(void* bytes, std::size_t size);

  /// In the child: sends bytes; ends the child if nobody reads them.
  static void send(const void* bytes, std::size_t size);
  /// In the child: changes its limits of memory, beyond that mapped at the fork, and of total computing time.
  static void set_limits(std::uint64_t memory_bytes, std::uint64_t processor_seconds);

 private:
  int wait();
  [[noreturn]] void fail();

  pid_t process_ = -1;
  Descriptor pipe_;
  std::chrono::milliseconds silence_;
};

}  // namespace kdscope
