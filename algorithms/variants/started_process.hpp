#pragma once
// Starts another program with descriptors of this one, and ends it.

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/file_seal.hpp"

namespace kdscope::variants {

struct Pipe {
  Descriptor reading, writing;
};

/// Opens a pipe whose ends no other program inherits. Throws ErrorException of kind io_failure.
Pipe open_pipe();

/// Writes all bytes, and waits while the descriptor's buffer is full. Returns whether the other end takes them. SIGPIPE
/// must be ignored.
bool write_all(int descriptor, std::string_view bytes);

/// A program in a process group of its own. The group ends with this object, and the program with the thread that
/// started it.
class StartedProcess {
 public:
  /// Starts `command`: a path, or a name in PATH, and its arguments. Its descriptors are `descriptors`, from 0, and no
  /// others. The process ignores SIGPIPE from now on, because a program may end before it has read its input. A program
  /// that cannot be executed prints the reason to its descriptor 2 and ends with code 127. variable: "NAME=VALUE" in
  /// its environment, or empty. ends_with: the signal that it gets when the thread ends before this object. Throws
  /// ErrorException of kind io_failure if no process can be started.
  StartedProcess(const std::vector<std::string>& command, const std::vector<int>& descriptors,
                 const std::string& variable = "", int ends_with = SIGKILL);
  ~StartedProcess();
  StartedProcess(const StartedProcess&) = delete;
  StartedProcess& operator=(const StartedProcess&) = delete;

  pid_t group() const { return process_; }
  /// Returns how the program ended, as waitpid() reports it, or nullopt while it runs.
  std::optional<int> status();
  /// Waits at most so long for that.
  std::optional<int> status_within(std::chrono::milliseconds wait);
  /// Waits for that, and asks the program to end (SIGTERM) after half of the time. The destructor does not ask.
  std::optional<int> end_within(std::chrono::milliseconds wait);

 private:
  pid_t process_ = -1;
  std::optional<int> status_;
};

}  // namespace kdscope::variants
