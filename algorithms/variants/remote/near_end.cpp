#include "algorithms/variants/remote/near_end.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stop_token>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/lines.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants::remote {
namespace {

/// The process that asked reads no more, so nobody needs this one.
[[noreturn]] void end_unread() { ::_exit(1); }

void pass_on(int descriptor, std::string_view bytes) {
  if (!write_all(descriptor, bytes)) end_unread();
}

void send_failed(const Error& error) {
  Event event{Event::Kind::failed};
  event.error = error;
  pass_on(event_descriptor, line_of(event));
}

/// Returns whether a request has come, or the end of standard input. Waits at most so many milliseconds, or without end
/// (-1).
bool request_waits(int milliseconds) {
  pollfd wanted{STDIN_FILENO, POLLIN, 0};
  return ::poll(&wanted, 1, milliseconds) > 0;
}

/// Returns whether standard input has ended, so that nobody waits.
bool has_ended() {
  pollfd wanted{STDIN_FILENO, POLLIN, 0};
  return ::poll(&wanted, 1, 0) > 0 && (wanted.revents & POLLHUP) != 0;
}

/// Shows what a command writes while somebody waits for it: a queue says so.
class WaitNotes {
 public:
  void operator()(std::string_view words) {
    if (words.size() == shown_ || !request_waits(0)) return;
    shown_ = words.size();
    const std::size_t end = words.find_last_not_of(" \r\n") + 1, begin = words.rfind('\n', end == 0 ? 0 : end - 1) + 1;
    Event event{Event::Kind::progress, "waiting: " + printable(words.substr(begin, end - begin))};
    pass_on(event_descriptor, line_of(event));
  }

 private:
  std::size_t shown_ = 0;
};

[[noreturn]] void refuse(const char* what) {
  throw ErrorException({ErrorKind::bad_input, what, "", "run again, or install the same version on both sides"});
}

/// Requests one way, answers the other.
class NearEnd {
 public:
  explicit NearEnd(Connection& far) : far_(far) {}

  /// Returns the exit code.
  int run();

 private:
  bool read_requests();
  void send_request(const std::string& line);
  void send_file(FrameKind kind, const std::string& path);
  std::optional<int> take(const Frame& frame);
  void take_event(const std::string& line);
  void take_output(std::string_view bytes);

  Connection& far_;
  std::string open_request_, open_event_;
  std::optional<ProcessRequest> pending_;  ///< the request that has no answer yet
  Descriptor output_{-1};                  ///< its file
  std::uint64_t output_left_ = 0;          ///< the bytes that it may still get
};

int NearEnd::run() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds second(1);
  try {
    auto silent = std::chrono::seconds(0);
    auto counted = Clock::now();
    for (bool more = true;;) {
      while (const auto frame = far_.next())
        if (const auto ended = take(*frame)) return *ended;
      if (!more) throw ErrorException(far_.lost());
      pollfd wanted[] = {
          {STDIN_FILENO, POLLIN, 0}, {far_.frames_descriptor(), POLLIN, 0}, {far_.words_descriptor(), POLLIN, 0}};
      if (::poll(wanted, 3, pending_ ? 1000 : -1) < 0) continue;
      // Count the seconds in which nothing came, one by one: this process may have been stopped itself.
      if (wanted[1].revents != 0 || !pending_) {
        silent = std::chrono::seconds(0), counted = Clock::now();
      } else if (Clock::now() - counted >= second) {
        if (++silent >= far_.most_silence()) throw ErrorException(far_.silent());
        counted = Clock::now();
      }
      if (wanted[0].revents != 0 && !read_requests()) return 0;
      if (wanted[1].revents != 0) more = far_.read_frames();
      if (wanted[2].revents != 0) far_.read_words();
    }
  } catch (const ErrorException& e) {
    const Error& error = e.error();
    if (pending_) send_failed(error.where.empty() ? far_.failure(error.kind, error.what, error.remedy) : error);
    return 1;
  }
}

bool NearEnd::read_requests() {
  std::array<char, 64 << 10> bytes;
  const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  take_lines(open_request_, {bytes.data(), static_cast<std::size_t>(got)},
             [this](const std::string& line) { send_request(line); });
  return true;
}

void NearEnd::send_request(const std::string& line) {
  const auto request = value_of(request_from(line));
  pending_ = request;
  output_.close();
  output_left_ = available_memory();
  if (!request.points_file.empty()) send_file(FrameKind::points, request.points_file);
  if (!request.input.empty()) send_file(FrameKind::input, request.input);
  far_.send(FrameKind::requests, line + "\n");
}

void NearEnd::send_file(FrameKind kind, const std::string& path) {
  const Descriptor file = open_shared(path, O_RDONLY);
  std::vector<char> bytes(most_payload);
  for (ssize_t got; (got = ::read(file.number(), bytes.data(), bytes.size())) != 0;) {
    if (got > 0 && !far_.send(kind, {bytes.data(), static_cast<std::size_t>(got)})) return;
    if (got < 0 && errno != EINTR)
      throw ErrorException({ErrorKind::io_failure, "a file of another process cannot be read", path, "run again"});
  }
}

/// Returns an exit code after the last frame.
std::optional<int> NearEnd::take(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::events:
      take_lines(open_event_, frame.payload, [this](const std::string& line) { take_event(line); });
      if (open_event_.size() > longest_line) refuse("an event of the far runner is too long");
      return std::nullopt;
    case FrameKind::trace:
      // Nobody would read it, and this process would wait.
      if (!pending_ || pending_->timed || !pending_->work.empty()) refuse("the far runner sent a trace unasked");
      pass_on(trace_descriptor, frame.payload);
      return std::nullopt;
    case FrameKind::prints:
      pass_on(STDOUT_FILENO, frame.payload);
      return std::nullopt;
    case FrameKind::output:
      take_output(frame.payload);
      return std::nullopt;
    case FrameKind::alive:
      return std::nullopt;
    case FrameKind::ended: {
      const auto end = end_from(frame.payload);
      if (!end) refuse("what came is no frame of kdscope-runner");
      if (end->signal == 0) return end->code;
      ::signal(end->signal, SIG_DFL);
      ::raise(end->signal);
      return 1;
    }
    case FrameKind::greeting:
    case FrameKind::requests:
    case FrameKind::points:
    case FrameKind::input:
      break;
  }
  refuse("the far runner sent what only this side sends");
}

void NearEnd::take_event(const std::string& line) {
  const auto event = event_from(line);
  if (!event) refuse("the far runner sent a line that is no event");
  using Kind = Event::Kind;
  if (!pending_ && event->kind != Kind::ready) refuse("the far runner sent an event unasked");
  if (event->kind == Kind::failed || event->kind == Kind::replaced || event->kind == Kind::built ||
      event->kind == Kind::done) {
    if (pending_ && event->kind == Kind::done && !pending_->output.empty()) take_output({});
    pending_.reset();
  }
  pass_on(event_descriptor, line + "\n");
}

void NearEnd::take_output(std::string_view bytes) {
  if (!pending_ || pending_->output.empty()) refuse("the far runner sent a file unasked");
  if (bytes.size() > output_left_) refuse("the far runner sent more than memory holds");
  output_left_ -= bytes.size();
  if (output_.number() < 0) output_ = open_shared(pending_->output, O_WRONLY | O_TRUNC);
  if (!write_all(output_.number(), bytes))
    throw ErrorException(
        {ErrorKind::out_of_memory, "memory does not hold what came", pending_->output, "close other programs"});
}

}  // namespace

int run_near_end(const Way& way) {
  if (::fcntl(event_descriptor, F_GETFD) < 0) {
    std::fputs("kdscope-runner --near stands for a runner elsewhere. kdscope --device NAME starts it.\n", stderr);
    return 2;
  }
  for (;;) {
    std::stop_source stop;
    const auto far = Connection::open(way, stop.get_token(), [&, notes = WaitNotes()](std::string_view words) mutable {
      if (has_ended()) stop.request_stop();
      notes(words);
    });
    if (far) return NearEnd(**far).run();
    if (has_ended()) return 0;
    if (request_waits(0)) return send_failed(far.error()), 1;
    request_waits(-1);
  }
}

}  // namespace kdscope::variants::remote
