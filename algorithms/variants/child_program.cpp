#include "algorithms/variants/child_program.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "algorithms/trace/trace_validity.hpp"
#include "algorithms/variants/lines.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/started_process.hpp"

namespace kdscope::variants {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t first_kept_output = 64 << 10, last_kept_output = 96 << 10;

/// The beginning and the end of a text that arrives in pieces.
class KeptOutput {
 public:
  void add(std::string_view text) {
    const std::size_t first = std::min(text.size(), first_kept_output - first_.size());
    first_ += text.substr(0, first);
    last_ += text.substr(first);
    if (last_.size() < 2 * last_kept_output) return;
    left_out_ += last_.size() - last_kept_output;
    last_.erase(0, last_.size() - last_kept_output);
  }
  std::string text() const {
    const std::size_t extra = last_.size() - std::min(last_.size(), last_kept_output), left_out = left_out_ + extra;
    if (left_out == 0) return first_ + last_;
    return first_ + "\n... " + std::to_string(left_out) + " bytes are left out here ...\n" + last_.substr(extra);
  }

 private:
  std::string first_, last_;
  std::size_t left_out_ = 0;
};

/// Returns a name for one program, which all that it starts inherit.
std::string next_program() {
  static std::atomic<unsigned> programs = 0;
  return std::to_string(::getpid()) + "." + std::to_string(++programs);
}

/// Ends all processes that bear a mark, also those that have left the program's group. Repeats this, because they may
/// start others meanwhile.
void end_marked(const std::string& mark) {
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds; ++round) {
    bool found = false;
    DIR* folder = ::opendir("/proc");
    if (!folder) return;
    while (const dirent* entry = ::readdir(folder)) {
      if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
      std::ifstream file(std::string("/proc/") + entry->d_name + "/environ", std::ios::binary);
      for (std::string variable; std::getline(file, variable, '\0');)
        if (variable == mark) {
          found = true;
          ::kill(std::atoi(entry->d_name), SIGKILL);
          break;
        }
    }
    ::closedir(folder);
    if (!found) return;
  }
}

struct Usage {
  std::uint64_t bytes = 0;
  int processes = 0;
};

/// Returns what the processes of a group use, from /proc. Stops counting above `most_processes`, because a group may
/// grow as fast as it is counted.
Usage usage_of(pid_t group, int most_processes) {
  Usage usage;
  DIR* folder = ::opendir("/proc");
  if (!folder) return usage;
  for (const dirent* entry; usage.processes <= most_processes && (entry = ::readdir(folder));) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
    std::string stat;
    std::getline(file, stat);
    // The name in brackets may contain anything. The fields behind it include state, parent and group, and the resident
    // pages as the 22nd.
    const std::size_t behind = stat.rfind(')');
    if (behind == std::string::npos) continue;
    std::istringstream words(stat.substr(behind + 1));
    std::string state;
    long parent = 0, of_group = 0;
    if (!(words >> state >> parent >> of_group) || of_group != group || state == "Z") continue;
    long long value = 0;
    for (int word = 6; word <= 24; ++word) words >> value;
    ++usage.processes;
    usage.bytes += static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  ::closedir(folder);
  return usage;
}

}  // namespace

/// A process with its pipes. The destructor ends its process group, and what the process started outside of it.
class Program {
 public:
  Program(const std::vector<std::string>& command, const std::string& input)
      : rest_of_input_(input),
        process_(command,
                 {input_.reading.number(), output_.writing.number(), output_.writing.number(), events_.writing.number(),
                  trace_.writing.number()},
                 mark_) {
    input_.reading.close(), output_.writing.close(), events_.writing.close(), trace_.writing.close();
    ::fcntl(trace_.reading.number(), F_SETPIPE_SZ, 1 << 20);  // reduces switches between the processes
    for (const Pipe* pipe : {&output_, &events_, &trace_}) ::fcntl(pipe->reading.number(), F_SETFL, O_NONBLOCK);
    ::fcntl(input_.writing.number(), F_SETFL, O_NONBLOCK);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t group() const { return process_.group(); }
  /// Adds to the program's input.
  void send(const std::string& text) { rest_of_input_ += text; }

  /// Passes input and output on, after waiting at most `wait`. Returns whether the program has closed both pipes.
  bool pump(std::chrono::milliseconds wait, const std::function<void(const std::string&)>& line) {
    std::array<pollfd, 3> wanted{pollfd{output_.reading.number(), POLLIN, 0},
                                 pollfd{events_.reading.number(), POLLIN, 0},
                                 pollfd{rest_of_input_.empty() ? -1 : input_.writing.number(), POLLOUT, 0}};
    ::poll(wanted.data(), wanted.size(), static_cast<int>(wait.count()));
    if (wanted[2].revents != 0) {
      const ssize_t sent = ::write(input_.writing.number(), rest_of_input_.data(), rest_of_input_.size());
      rest_of_input_.erase(0, sent > 0 ? static_cast<std::size_t>(sent) : sent == 0 || errno == EAGAIN ? 0 : ~0ull);
    }
    const bool output_ended = read_all(output_, [&](std::string_view text) { kept_output_.add(prints_.take(text)); });
    const bool events_ended = read_all(events_, [&](std::string_view text) { take_lines(line_, text, line); });
    return output_ended && events_ended;
  }
  std::uint64_t received() const { return received_; }
  std::size_t open_line() const { return line_.size(); }
  std::string kept_output() const { return kept_output_.text(); }
  Prints prints() const { return prints_.prints(); }
  int trace_descriptor() const { return trace_.reading.number(); }

  std::optional<int> status() { return process_.status(); }
  void end_within(std::chrono::milliseconds wait) {
    input_.writing.close();
    process_.status_within(wait);
  }

 private:
  /// Returns whether the other end is closed. Reads at most 1 MiB, so that limits are checked in between.
  template <class Take>
  bool read_all(Pipe& pipe, Take take) {
    char bytes[16384];
    for (int turn = 0; turn < 64; ++turn) {
      const ssize_t got = ::read(pipe.reading.number(), bytes, sizeof bytes);
      if (got == 0) return true;
      if (got < 0) return errno != EAGAIN && errno != EINTR;
      received_ += static_cast<std::uint64_t>(got);
      take(std::string_view(bytes, static_cast<std::size_t>(got)));
    }
    return false;
  }

  /// Ends what the program started outside of its group, after the program.
  struct EndMarked {
    std::string mark;
    ~EndMarked() { end_marked(mark); }
  };

  Pipe input_ = open_pipe(), output_ = open_pipe(), events_ = open_pipe(), trace_ = open_pipe();
  const std::string name_ = next_program(), mark_ = std::string(program_variable) + "=" + name_;
  std::string rest_of_input_, line_;
  KeptOutput kept_output_;
  PrintReader prints_{name_, last_kept_output};
  std::uint64_t received_ = 0;
  EndMarked end_marked_{mark_};
  StartedProcess process_;
};

namespace {

/// How long to wait for the rest of a trace after the program has ended: a process that it left may hold the pipe.
constexpr std::chrono::milliseconds last_bytes(1000);

/// Passes the program's lines on until `done` returns true. Returns how the program ended, or nullopt if it did not.
std::optional<ProgramEnd> watch(Program& program, const ProgramLimits& limits,
                                const std::function<void(const std::string&)>& line, const std::function<bool()>& done,
                                std::stop_token stop) {
  using Reason = ProgramEnd::Reason;
  const auto end = Clock::now() + limits.time;
  auto next_look = Clock::now() + std::chrono::milliseconds(20);
  const auto ended = [&](Reason reason, int code = 0) {
    program.pump(std::chrono::milliseconds(0), line);
    return ProgramEnd{reason, code, program.kept_output(), program.prints()};
  };
  for (;;) {
    const bool closed = program.pump(std::chrono::milliseconds(10), line);
    if (done()) return std::nullopt;
    if (closed) ::usleep(1000);  // because poll() no longer waits
    if (const auto status = program.status())
      return WIFSIGNALED(*status) ? ended(Reason::signal, WTERMSIG(*status))
                                  : ended(Reason::exit, WEXITSTATUS(*status));
    if (stop.stop_requested()) return ended(Reason::stopped);
    if (program.received() > limits.output_bytes || program.open_line() > longest_line) return ended(Reason::output);
    if (Clock::now() > end) return ended(Reason::time);
    if (Clock::now() < next_look || limits.memory_bytes == no_limits.memory_bytes) continue;
    const Usage usage = usage_of(program.group(), limits.processes);
    if (usage.bytes > limits.memory_bytes) return ended(Reason::memory);
    if (usage.processes > limits.processes) return ended(Reason::processes);
    next_look = Clock::now() + std::chrono::milliseconds(20);
  }
}

}  // namespace

Result<ProgramEnd> run_program(const std::vector<std::string>& command, const std::string& input,
                               const ProgramLimits& limits, const std::function<void(const std::string&)>& line,
                               std::stop_token stop, ReceivedTrace* trace) try {
  Program program(command, input);
  std::optional<TraceReceiver> receiver;
  if (trace) receiver.emplace(program.trace_descriptor(), std::min(limits.memory_bytes, limits.trace_bytes));
  auto end = watch(
      program, limits, line, [&] { return receiver && receiver->refused(); }, stop);
  if (trace) *trace = receiver->take(last_bytes);
  return end ? std::move(*end) : ProgramEnd{ProgramEnd::Reason::stopped, 0, program.kept_output(), program.prints()};
} catch (const ErrorException& e) {
  return e.error();
}

RunningProgram::RunningProgram(const std::vector<std::string>& command)
    : program_(std::make_unique<Program>(command, "")) {}
RunningProgram::~RunningProgram() = default;

void RunningProgram::end_within(std::chrono::milliseconds wait) { program_->end_within(wait); }

std::optional<ProgramEnd> RunningProgram::ask(const std::string& line, const ProgramLimits& limits,
                                              const std::function<bool(const std::string&)>& answers,
                                              std::stop_token stop, ReceivedTrace* trace,
                                              const std::function<void(std::shared_ptr<const Trace>)>& arrived,
                                              std::shared_ptr<const trace_stream::ValueSource> elsewhere) {
  bool answered = false;
  std::optional<TraceReceiver> receiver;
  if (trace)
    receiver.emplace(program_->trace_descriptor(), std::min(limits.memory_bytes, limits.trace_bytes),
                     static_cast<bool>(arrived), std::move(elsewhere));
  program_->send(line);
  constexpr std::chrono::milliseconds between_copies(500);  // a short recording is not shown twice
  auto next_copy = Clock::now() + between_copies;
  const auto pass_on_arrived = [&] {
    if (!arrived || !receiver || Clock::now() < next_copy) return;
    const auto copy = receiver->arrived();
    if (!copy || !check_trace(*copy)) return;  // what is not valid ends the recording with an error
    arrived(copy);
    next_copy = Clock::now() + between_copies;
  };
  auto end = watch(
      *program_, limits, [&](const std::string& each) { answered = answers(each) || answered; },
      [&] {
        pass_on_arrived();
        return answered || (receiver && receiver->refused());
      },
      stop);
  // The end of the trace may come after the answer, or never.
  constexpr std::chrono::milliseconds between_looks(10);
  while (!end && receiver && !receiver->wait(between_looks)) {
    pass_on_arrived();
    if (program_->status()) break;
    if (stop.stop_requested())
      end = ProgramEnd{ProgramEnd::Reason::stopped, 0, program_->kept_output(), program_->prints()};
  }
  if (trace) *trace = receiver->take(last_bytes);
  return end;
}

}  // namespace kdscope::variants
