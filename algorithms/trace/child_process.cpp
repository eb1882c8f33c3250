#include "algorithms/trace/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace kdscope {
namespace {

/// Number of bytes of address space mapped at the fork. Limits count from there, because sanitizers and CUDA map
/// terabytes.
std::uint64_t mapped_before = 0;

std::uint64_t mapped_bytes() {
  unsigned long long pages = 0;
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  char text[32]{};
  if (::read(file.number(), text, sizeof text - 1) > 0) std::sscanf(text, "%20llu", &pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Sets a limit that the child may change later, at most the parent's own limit.
void limit(int resource, std::uint64_t most) {
  struct rlimit now {};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, most);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

void limit_for_good(int resource, rlim_t most) {
  const struct rlimit both { most, most };
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Moves two descriptors to the numbers that the child expects and closes all others, so that a compromised child
/// cannot reach the window system or the parent's files.
void keep_only(int file, int pipe) {
  const int file_above = ::fcntl(file, F_DUPFD, 3), pipe_above = ::fcntl(pipe, F_DUPFD, 3);
  if (::dup2(file_above, ChildProcess::file_descriptor) < 0 || ::dup2(pipe_above, ChildProcess::pipe_descriptor) < 0)
    ::_exit(1);
  constexpr unsigned first = ChildProcess::pipe_descriptor + 1;
  if (::close_range(first, ~0u, 0) != 0)
    for (int other = first; other < ::sysconf(_SC_OPEN_MAX); ++other) ::close(other);
}

/// Restores the default actions of signals. The parent's handlers would show dialogs, or make the child report a test.
void forget_handlers() {
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  // Ctrl-C reaches every process of a terminal. The parent handles it; the child ends with the parent.
  std::signal(SIGINT, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(int file, int pipe, pid_t parent, const ChildLimits& limits,
                            const std::function<void()>& work) noexcept {
  forget_handlers();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  keep_only(file, pipe);
  limit_for_good(RLIMIT_NOFILE, ChildProcess::pipe_descriptor + 1);
  limit_for_good(RLIMIT_FSIZE, 0);
  limit_for_good(RLIMIT_CORE, 0);
  ChildProcess::set_limits(limits.memory_bytes, limits.processor_seconds);
  // HDF5 calls exit() when it runs out of memory; the child must not run the parent's clean-up.
  std::atexit([] { ::_exit(1); });
  work();
  ::_exit(0);
}

[[noreturn]] void refuse(ErrorKind kind, std::string what, std::string remedy) {
  throw ErrorException({kind, std::move(what), "", std::move(remedy)});
}

constexpr const char* harmful = "record it again, or ask for another copy";

}  // namespace

ChildProcess::ChildProcess(int file, const ChildLimits& limits, const std::function<void()>& work)
    : pipe_(-1), silence_(limits.silence) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    refuse(ErrorKind::io_failure, std::string("cannot be opened: no pipe (") + std::strerror(errno) + ")",
           "close other files");
  pipe_ = Descriptor(ends[0]);
  const Descriptor sending(ends[1]);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);  // reduces switches between the processes; a smaller pipe also works

  // Block signals until the child has removed the handlers
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  mapped_before = mapped_bytes();
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) run_child(file, ends[1], parent, limits, work);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process_ < 0)
    refuse(ErrorKind::io_failure, std::string("cannot be opened: no process (") + std::strerror(reason) + ")",
           "end other programs");
}

ChildProcess::~ChildProcess() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  wait();
}

int ChildProcess::wait() {
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(process_, &status, 0);
  while (ended < 0 && errno == EINTR);
  process_ = -1;
  return ended < 0 ? 0 : status;  // 0 if the status is unknown, because this process ignores the end of its children
}

void ChildProcess::fail() {
  // A compromised child may close its pipe and keep running, so wait up to a second
  siginfo_t ended{};
  for (int turn = 0; turn < 1000; ++turn) {
    if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(process_, SIGKILL);
  const int status = wait(), number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (number == SIGXCPU) refuse(ErrorKind::bad_input, "takes longer to read than a file of its size can", harmful);
  if (number != 0) refuse(ErrorKind::bad_input, std::string("makes HDF5 crash (") + ::strsignal(number) + ")", harmful);
  refuse(ErrorKind::bad_input, "cannot be read: HDF5 ended the process that reads it", harmful);
}

std::size_t ChildProcess::read_some(void* bytes, std::size_t size) {
  for (;;) {
    struct pollfd wanted {
      pipe_.number(), POLLIN, 0
    };
    const int ready = ::poll(&wanted, 1, static_cast<int>(silence_.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      ::kill(process_, SIGKILL);
      wait();
      refuse(ErrorKind::bad_input, "makes HDF5 hang", harmful);
    }
    const ssize_t got = ::read(pipe_.number(), bytes, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0 || errno != EINTR) fail();
  }
}

void ChildProcess::set_limits(std::uint64_t memory_bytes, std::uint64_t processor_seconds) {
  limit(RLIMIT_AS, mapped_before + memory_bytes);
  limit(RLIMIT_CPU, processor_seconds);
}

}  // namespace kdscope
