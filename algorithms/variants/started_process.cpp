#include "algorithms/variants/started_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

namespace kdscope::variants {
namespace {

/// Replaces this process by the program.
[[noreturn]] void become(char* const* command, char* const* variables, const std::vector<int>& descriptors,
                         std::vector<int>& above, pid_t parent, int ends_with) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, ends_with);
  if (::getppid() != parent) ::_exit(127);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Duplicate the descriptors above their final numbers, so that none overwrites another.
  constexpr int first_above = 10;
  for (std::size_t i = 0; i < descriptors.size(); ++i) above[i] = ::fcntl(descriptors[i], F_DUPFD, first_above);
  for (std::size_t i = 0; i < descriptors.size(); ++i) ::dup2(above[i], static_cast<int>(i));
  ::close_range(static_cast<unsigned>(descriptors.size()), ~0u, 0);
  ::execvpe(command[0], command, variables);
  ::dprintf(STDERR_FILENO, "%s: %s\n", command[0], std::strerror(errno));
  ::_exit(127);
}

/// Returns pointers to texts, with a null behind them, as execvpe() takes them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the environment of this process with another variable in it.
std::vector<std::string> variables_with(const std::string& variable) {
  const std::string name = variable.substr(0, variable.find('=') + 1);
  std::vector<std::string> variables;
  for (char** each = environ; *each; ++each)
    if (name.empty() || !std::string_view(*each).starts_with(name)) variables.emplace_back(*each);
  if (!variable.empty()) variables.push_back(variable);
  return variables;
}

}  // namespace

Pipe open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw ErrorException({ErrorKind::io_failure, std::string("no pipe can be opened (") + std::strerror(errno) + ")",
                          "", "close other files"});
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(descriptor, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

StartedProcess::StartedProcess(const std::vector<std::string>& command, const std::vector<int>& descriptors,
                               const std::string& variable, int ends_with) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> environment = variables_with(variable);
  const std::vector<char*> words = pointers_to(command), variables = pointers_to(environment);
  std::vector<int> above(descriptors.size());
  const pid_t parent = ::getpid();
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  process_ = ::fork();
  if (process_ == 0) become(words.data(), variables.data(), descriptors, above, parent, ends_with);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process_ < 0)
    throw ErrorException({ErrorKind::io_failure,
                          "no process can be started (" + std::string(std::strerror(reason)) + ")", "",
                          "end other programs"});
  ::setpgid(process_, process_);  // both processes call it, because either may come first
}

std::optional<int> StartedProcess::end_within(std::chrono::milliseconds wait) {
  if (status_within(wait / 2)) return status_;
  ::kill(-process_, SIGTERM);
  return status_within(wait - wait / 2);
}

StartedProcess::~StartedProcess() {
  ::kill(-process_, SIGKILL);
  if (!status_) ::kill(process_, SIGKILL);  // it may have left the group
  int status = 0;
  while (!status_ && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> StartedProcess::status() {
  int status = 0;
  if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) status_ = status;
  return status_;
}

std::optional<int> StartedProcess::status_within(std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  while (!status() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return status_;
}

}  // namespace kdscope::variants
