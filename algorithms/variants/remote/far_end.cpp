#include "algorithms/variants/remote/far_end.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "algorithms/variants/lines.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/remote/frames.hpp"
#include "algorithms/variants/remote/greeting.hpp"
#include "algorithms/variants/started_process.hpp"

namespace kdscope::variants::remote {
namespace {

/// Takes standard output for the frames. What else is printed goes to standard error, from libraries too.
int take_standard_output() {
  const int frames = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, trace_descriptor + 1);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return frames;
}

std::string this_program() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

/// Frames one way, what the runner sends the other.
class FarEnd {
 public:
  explicit FarEnd(int frames) : out_(frames) {
    input_.reading.close(), prints_.writing.close(), events_.writing.close(), trace_.writing.close();
    ::fcntl(trace_.reading.number(), F_SETPIPE_SZ, 1 << 20);
    for (const Pipe* pipe : {&prints_, &events_, &trace_}) ::fcntl(pipe->reading.number(), F_SETFL, O_NONBLOCK);
    out_.send(FrameKind::greeting, payload_of(greeting_of_device()));
  }

  /// Returns the exit code.
  int run();

 private:
  bool read_frames();
  void take_frame(const Frame& frame);
  void send_request(const std::string& line);
  std::optional<SharedFile>& file_of(FrameKind kind) { return kind == FrameKind::points ? points_ : input_file_; }
  std::string path_of(FrameKind kind);
  bool pass_on(const Pipe& from, FrameKind kind);
  bool pass_on_events();
  void send_event(const std::string& line);
  void send_output();
  void send_end();

  bool busy_ = false;  ///< a request, or a part of one, has no answer yet
  FrameWriter out_;
  FrameReader in_;
  std::optional<SharedFile> points_, input_file_, output_;  ///< the files of the request
  std::string open_request_, open_event_;
  Pipe input_ = open_pipe(), prints_ = open_pipe(), events_ = open_pipe(), trace_ = open_pipe();
  StartedProcess runner_{{this_program()},
                         {input_.reading.number(), prints_.writing.number(), prints_.writing.number(),
                          events_.writing.number(), trace_.writing.number()}};
};

int FarEnd::run() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds second(1);
  for (auto sent = Clock::now();;) {
    pollfd wanted[] = {{STDIN_FILENO, POLLIN, 0},
                       {trace_.reading.number(), POLLIN, 0},
                       {prints_.reading.number(), POLLIN, 0},
                       {events_.reading.number(), POLLIN, 0}};
    if (::poll(wanted, 4, busy_ ? 1000 : -1) < 0) continue;
    if (busy_ && Clock::now() - sent >= second) {
      out_.send(FrameKind::alive, ".");
      sent = Clock::now();
    }
    if (wanted[1].revents != 0) pass_on(trace_, FrameKind::trace);
    if (wanted[2].revents != 0) pass_on(prints_, FrameKind::prints);
    if (wanted[3].revents != 0 && !pass_on_events()) return send_end(), 0;
    if (wanted[0].revents != 0 && !read_frames()) return 0;
  }
}

bool FarEnd::read_frames() {
  std::array<char, 256 << 10> bytes;
  const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  try {
    in_.add({bytes.data(), static_cast<std::size_t>(got)});
    busy_ = true;  // also with a part of a frame
    while (const auto frame = in_.next()) {
      busy_ = frame->kind != FrameKind::greeting;
      take_frame(*frame);
    }
    return true;
  } catch (const ErrorException& e) {
    Event failed{Event::Kind::failed};
    failed.error = e.error();
    out_.send(FrameKind::events, line_of(failed));
    throw;
  }
}

void FarEnd::take_frame(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::greeting: {
      const auto theirs = greeting_from(frame.payload);
      if (theirs && theirs->compresses && has_compression()) out_.compress();
      break;
    }
    case FrameKind::points:
    case FrameKind::input: {
      std::optional<SharedFile>& file = file_of(frame.kind);
      if (!file) file.emplace();
      if (!write_all(file->number(), frame.payload))
        throw ErrorException({ErrorKind::out_of_memory, "memory there does not hold the files of this run", "",
                              "end other programs there, or use fewer points"});
      break;
    }
    case FrameKind::requests:
      take_lines(open_request_, frame.payload, [this](const std::string& line) { send_request(line); });
      break;
    default:
      throw ErrorException({ErrorKind::bad_input, "a frame came that only this side sends", "", ""});
  }
}

/// Returns the name of a file that came for the request.
std::string FarEnd::path_of(FrameKind kind) {
  std::optional<SharedFile>& file = file_of(kind);
  if (!file) file.emplace();
  return file->path();
}

void FarEnd::send_request(const std::string& line) {
  auto request = request_from(line);
  output_.reset();
  if (request) {
    if (!request->points_file.empty()) request->points_file = path_of(FrameKind::points);
    if (!request->input.empty()) request->input = path_of(FrameKind::input);
    if (!request->output.empty()) request->output = output_.emplace().path();
  }
  write_all(input_.writing.number(), request ? line_of(*request) : line + "\n");  // a runner that has ended is noticed
}

/// Passes on what has come. Returns whether there was any.
bool FarEnd::pass_on(const Pipe& from, FrameKind kind) {
  std::array<char, 512 << 10> bytes;
  std::size_t filled = 0;
  for (ssize_t got; filled < bytes.size(); filled += static_cast<std::size_t>(got)) {
    got = ::read(from.reading.number(), bytes.data() + filled, bytes.size() - filled);
    if (got <= 0) break;
  }
  out_.send(kind, {bytes.data(), filled});
  return filled > 0;
}

/// Returns false once the runner has closed its events.
bool FarEnd::pass_on_events() {
  std::array<char, 64 << 10> bytes;
  const ssize_t got = ::read(events_.reading.number(), bytes.data(), bytes.size());
  if (got > 0)
    take_lines(open_event_, {bytes.data(), static_cast<std::size_t>(got)},
               [this](const std::string& line) { send_event(line); });
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

void FarEnd::send_event(const std::string& line) {
  const auto event = event_from(line);
  using Kind = Event::Kind;
  if (event && (event->kind == Kind::failed || event->kind == Kind::replaced || event->kind == Kind::built ||
                event->kind == Kind::done)) {
    // What the runner wrote before its answer comes before it.
    while (pass_on(trace_, FrameKind::trace) || pass_on(prints_, FrameKind::prints)) {
    }
    if (event->kind == Kind::done && output_) send_output();
    points_.reset(), input_file_.reset(), output_.reset();
    busy_ = false;
  }
  out_.send(FrameKind::events, line + "\n");
}

void FarEnd::send_output() {
  std::vector<char> bytes(most_payload);
  off_t at = 0;
  for (ssize_t got; (got = ::pread(output_->number(), bytes.data(), bytes.size(), at)) > 0; at += got)
    out_.send(FrameKind::output, {bytes.data(), static_cast<std::size_t>(got)});
}

void FarEnd::send_end() {
  const auto status = runner_.status_within(std::chrono::seconds(2));
  while (pass_on(trace_, FrameKind::trace) || pass_on(prints_, FrameKind::prints)) {
  }
  RunnerEnd end{SIGKILL, 0};  // one that closes its events and stays is ended
  if (status) end = WIFSIGNALED(*status) ? RunnerEnd{WTERMSIG(*status), 0} : RunnerEnd{0, WEXITSTATUS(*status)};
  out_.send(FrameKind::ended, payload_of(end));
}

}  // namespace

Result<void> limit_memory(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const auto refused = [](const std::string& what) {
    return Error{ErrorKind::bad_usage, what, "", "write --far, or --far --memory with a size such as 8G"};
  };
  if (words.size() != 2 || words.front() != "--memory") return refused("--far does not take '" + words.front() + "'");
  const std::string& text = words.back();
  std::uint64_t size = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const int shift = unit == "G" ? 30 : unit == "M" ? 20 : -1;
  if (failed != std::errc() || shift < 0 || size == 0 || size > (1ull << 62 >> shift))
    return refused("--memory cannot be '" + text + "'");
  // Memory that is reserved and not used, as CUDA does, does not count.
  const rlimit limit{size << shift, size << shift};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0) return refused("--memory " + text + " is more than this user may have");
  return {};
}

int run_far_end() {
  const int frames = take_standard_output();
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file that is too large fails, and does not end this process
  try {
    return FarEnd(frames).run();
  } catch (const ErrorException& e) {
    std::fprintf(stderr, "kdscope-runner: %s\n", e.what());
    return 2;
  }
}

}  // namespace kdscope::variants::remote
