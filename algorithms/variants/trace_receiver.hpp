#pragma once
// Receives the trace that another process sends while it records.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope::variants {

/// What arrived of a recording.
struct ReceivedTrace {
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();  ///< the steps that arrived as a whole; may have none
  bool complete = false;                                     ///< whether the sender ended the stream
  std::optional<Error> error = {};  ///< of kind bad_input if the bytes are no trace; out_of_memory
};

inline constexpr const char* end_check = "end of the run";
/// Adds a failed check of that name to the last step of a recording that ended early.
void mark_end(Trace& trace, std::string detail);

/// Reads one recording from a pipe on a thread of its own, while the process that sends it is watched.
class TraceReceiver {
 public:
  /// Starts to read. The trace may take at most `most_bytes` of memory. copies: whether arrived() is asked. elsewhere:
  /// gives the values that the sender keeps; null if it is to send all. Throws ErrorException of kind io_failure if no
  /// thread can be started.
  TraceReceiver(int descriptor, std::uint64_t most_bytes, bool copies = false,
                std::shared_ptr<const trace_stream::ValueSource> elsewhere = nullptr);
  ~TraceReceiver();
  TraceReceiver(const TraceReceiver&) = delete;
  TraceReceiver& operator=(const TraceReceiver&) = delete;

  /// Returns whether the bytes were no trace. None is read any more, so the sender may wait forever.
  bool refused() const { return done_ && thrown_; }
  /// Returns a copy of the steps that have arrived, not yet checked; null if there is no new one. One is made at the
  /// first step and each time that the steps have doubled, up to a quarter of the memory, so all of them together take
  /// the work of copying the trace once. None is made once the sender keeps values, because it is busy.
  std::shared_ptr<Trace> arrived();
  /// Waits until the recording has ended or its pipe is closed, at most so long. Returns whether it has.
  bool wait(std::chrono::milliseconds most) const;
  /// Waits as wait(). Returns what arrived, checked as a trace from a file is. Call once.
  ReceivedTrace take(std::chrono::milliseconds most);

 private:
  void receive(int descriptor, std::uint64_t most_bytes);
  void copy_steps(std::uint64_t most_bytes);
  std::size_t read_some(int descriptor, void* bytes, std::size_t size);

  void stop();

  bool copies_;
  std::shared_ptr<const trace_stream::ValueSource> elsewhere_;
  std::size_t next_copy_ = 1;  ///< the number of steps at which it is made
  std::mutex mutex_;
  std::shared_ptr<Trace> arrived_;
  ReceivedTrace received_;
  std::exception_ptr thrown_;  ///< what ended the reading early; the thread's until done_
  std::atomic<bool> done_ = false;
  Descriptor wake_;  ///< eventfd: a signal to read no more
  std::thread thread_;
};

}  // namespace kdscope::variants
