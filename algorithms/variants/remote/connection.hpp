#pragma once
// A command that leads to kdscope-runner --far, here or on another machine.

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/variants/remote/frames.hpp"
#include "algorithms/variants/remote/greeting.hpp"
#include "algorithms/variants/started_process.hpp"

namespace kdscope::variants::remote {

/// How a far runner is reached.
struct Way {
  std::vector<std::string> command;        ///< such as ssh -o BatchMode=yes lab kdscope-runner --far
  std::chrono::seconds wait = usual_wait;  ///< the longest time until it greets; a queue may need more

  std::chrono::seconds silence =
      usual_silence;  ///< how long nothing may come during a run; the far side sends each second

  static constexpr std::chrono::seconds usual_wait{60}, usual_silence{30};
};

/// Returns a command as one types it into a shell.
std::string command_text(const std::vector<std::string>& command);

/// An open connection. Its command ends with it: srun and docker give back the place that they have.
class Connection {
 public:
  /// Starts the command and exchanges greetings. waits: called several times per second, with what the command wrote to
  /// its standard error so far. Errors of kind device_failure: the command cannot be started, ends, or does not greet
  /// in time; bad_usage: the far side is another version; bad_input: it is no kdscope-runner; cancelled.
  static Result<std::unique_ptr<Connection>> open(const Way& way, std::stop_token stop = {},
                                                  const std::function<void(std::string_view)>& waits = {});
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// That of the far side, which has a device.
  const Greeting& greeting() const { return greeting_; }
  /// What to wait for with poll(): frames, and words on standard error.
  int frames_descriptor() const { return output_.reading.number(); }
  int words_descriptor() const { return words_.reading.number(); }
  /// Reads what has come, without waiting. Returns false at the end of the stream.
  bool read_frames();
  void read_words();
  std::chrono::seconds most_silence() const { return silence_; }
  /// Returns the next frame that has come as a whole, as FrameReader::next().
  std::optional<Frame> next() { return in_.next(); }
  /// Sends as FrameWriter::send(). Returns false if the far side takes no more. Its last frames, the end of its stream
  /// or its silence name the reason.
  bool send(FrameKind kind, std::string_view bytes);

  /// Returns an error that names the command and quotes what it wrote to standard error. At the end of the stream,
  /// waits up to two seconds for the command to end, because the reason comes last.
  Error failure(ErrorKind kind, std::string what, std::string remedy);
  /// The error of a stream that ends before the run does, or that is silent for longer than its way permits.
  Error lost();
  Error silent();

 private:
  explicit Connection(const Way& way);
  Result<void> greet(const Way& way, std::stop_token stop, const std::function<void(std::string_view)>& waits);

  std::string command_;
  std::chrono::seconds silence_;
  Pipe input_ = open_pipe(), output_ = open_pipe(), words_ = open_pipe();
  StartedProcess process_;
  FrameWriter out_;
  FrameReader in_;
  bool ended_ = false;      ///< the stream
  bool takes_more_ = true;  ///< whether all frames have been sent as a whole
  std::string kept_words_;  ///< the end of standard error
  Greeting greeting_;
};

}  // namespace kdscope::variants::remote
