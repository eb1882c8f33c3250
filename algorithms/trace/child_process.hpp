#pragma once
// Work that this process does not survive, such as reading a file from strangers, in a child process, which sends its
// result through a pipe.
//
// The child is forked and runs no other program. A separate program would have to be found beside every executable and
// test, and loading it with its libraries takes longer than opening a small trace. POSIX promises little to a child
// that is forked from a process with several threads. Here it needs one lock, the allocator's, which glibc makes usable
// in the child: HDF5, which is not made for several threads and damages a process that lacks memory, runs in children
// alone. A child that waits for another lock sends nothing and is ended.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/trace/file_seal.hpp"

namespace kdscope {

/// What a child process may use at most. The reader bounds the bytes that it accepts.
struct ChildLimits {
  std::uint64_t memory_bytes = 256 << 20;     ///< address space beyond what this process has mapped
  std::uint64_t processor_seconds = 10;       ///< of computing
  std::chrono::milliseconds silence{60'000};  ///< without a byte sent
};

/// A child process that works on one open file. It can open no other, and write none.
class ChildProcess {
 public:
  /// Where the child finds its file and its end of the pipe.
  static constexpr int file_descriptor = 0, pipe_descriptor = 1;

  /// Runs work() in a child process, which ends when it returns or throws. Throws ErrorException when no process can be
  /// created.
  ChildProcess(int file, const ChildLimits& limits, const std::function<void()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the child.
  ~ChildProcess();

  /// Reads at least one and at most `size` bytes that the child sends. Throws ErrorException when the child has ended
  /// or stays silent for too long; the error names the reason.
  std::size_t read_some(void* bytes, std::size_t size);

  /// In the child: sends bytes; ends the child if nobody reads them.
  static void send(const void* bytes, std::size_t size);
  /// In the child: changes its limits of memory, beyond that at the fork, and of computing time in all.
  static void set_limits(std::uint64_t memory_bytes, std::uint64_t processor_seconds);

 private:
  int wait();
  [[noreturn]] void fail();

  pid_t process_ = -1;
  Descriptor pipe_;
  std::chrono::milliseconds silence_;
};

}  // namespace kdscope
