#pragma once
// Runs another program within limits, and passes on its lines and the trace that it records as they arrive.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/printed_steps.hpp"
#include "algorithms/variants/trace_receiver.hpp"

namespace kdscope::variants {

/// The most that a program and the processes that it starts may use together.
struct ProgramLimits {
  std::chrono::milliseconds time{60'000};
  std::uint64_t memory_bytes = std::uint64_t(4) << 30;  ///< resident memory
  std::uint64_t output_bytes = 16 << 20;                ///< standard output, standard error and events
  int processes = 16;
  std::uint64_t trace_bytes = ~std::uint64_t(0);  ///< memory of the trace that it sends, also at most memory_bytes
};

/// How a program ended.
struct ProgramEnd {
  enum class Reason : std::uint8_t { exit, signal, time, memory, output, processes, stopped };
  Reason reason = Reason::exit;
  int code = 0;        ///< exit code, or the signal's number
  std::string output;  ///< standard output and standard error: the first 64 KiB, and the last 96 KiB of the rest; a
                       ///< line in between counts the bytes that are left out
  Prints prints = {};  ///< the last 96 KiB at least, by steps
};

/// Limits that are never reached. They save looking at the processes' memory.
inline constexpr ProgramLimits no_limits{std::chrono::hours(24 * 3650), ~std::uint64_t(0), ~std::uint64_t(0),
                                         0x7fffffff};

/// Runs `command` (a path and its arguments) in a process group of its own, with `input` at its standard input. Calls
/// `line` for each line that the program writes to descriptor 3 (event_descriptor); a line of over 4 MiB counts as too
/// much output. Sets `trace`, unless it is null, to the recording that the program sends to descriptor 4
/// (trace_descriptor). Ends the whole group, and all that the program started
/// outside of it, when the program ends, exceeds a limit or sends no trace, or on a stop request. Errors of kind
/// io_failure: the program cannot be started.
Result<ProgramEnd> run_program(const std::vector<std::string>& command, const std::string& input,
                               const ProgramLimits& limits, const std::function<void(const std::string&)>& line,
                               std::stop_token stop = {}, ReceivedTrace* trace = nullptr);

/// A program that is asked one line at a time and stays for the next one. The destructor ends it.
class RunningProgram {
 public:
  /// Throws ErrorException of kind io_failure if it cannot be started.
  explicit RunningProgram(const std::vector<std::string>& command);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Sends a line, which ends with '\n', and passes on the program's lines until `answers` returns true. Limits count
  /// for this line alone, except that of output. Returns how the program ended, or nullopt if it answered. trace: as
  /// for run_program(). arrived: called with copies of the valid trace so far, at most twice per second. elsewhere: as
  /// for TraceReceiver. Do not ask again after the program ended, or after the trace had an error.
  std::optional<ProgramEnd> ask(const std::string& line, const ProgramLimits& limits,
                                const std::function<bool(const std::string&)>& answers, std::stop_token stop = {},
                                ReceivedTrace* trace = nullptr,
                                const std::function<void(std::shared_ptr<const Trace>)>& arrived = {},
                                std::shared_ptr<const trace_stream::ValueSource> elsewhere = nullptr);
  /// Closes the program's input, and waits at most so long for its end. Do not ask again.
  void end_within(std::chrono::milliseconds wait);

 private:
  std::unique_ptr<class Program> program_;
};

}  // namespace kdscope::variants
