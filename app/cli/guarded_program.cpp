#include "app/cli/guarded_program.hpp"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "algorithms/text/printable_text.hpp"
#include "app/cli/commands.hpp"

namespace kdscope::cli {
namespace {

/// What the child notes, in memory that both processes have.
struct RunningNote {
  static constexpr std::size_t room = 200;
  char text[room + 1];
};
RunningNote* running_note = nullptr;
pid_t guard = 0;  // the parent of a guarded child

bool is_traced() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  return false;
}

bool is_crash(int signal) {
  constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
  return std::ranges::count(crashes, signal) > 0;
}

std::string crash_sentence(std::string_view name, int signal) {
  std::string text = std::string(name) + ": ";
  const bool killed = signal == SIGKILL;
  text += killed ? "the system ended the run (" : "the run crashed (";
  text += std::string(::strsignal(signal)) + ")";
  if (running_note && running_note->text[0]) text += " in " + printable(running_note->text);
  return text + (killed ? "; use fewer points if memory is short, or run again.\n"
                        : "; this is an error in kdscope, or in the code that was changed: run it under a debugger.\n");
}

/// Waits for the child's end, and passes signals on until then.
int end_of(pid_t child) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&signals, each);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t info{};
    const int received = ::sigwaitinfo(&signals, &info);
    if ((received == SIGINT || received == SIGTERM) && info.si_code == SI_USER) ::kill(child, received);
  }
  return status;
}

}  // namespace

void note_running(std::string_view what) {
  if (!running_note) return;
  const std::size_t length = std::min(what.size(), RunningNote::room);
  std::copy_n(what.data(), length, running_note->text);
  running_note->text[length] = '\0';
}

bool is_for_this_process(int code, int sender) { return guard == 0 || code != SI_USER || sender == guard; }

int run_guarded(std::string_view name, const std::function<int()>& program) {
  if (is_traced()) return program();
  void* page = ::mmap(nullptr, sizeof(RunningNote), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  running_note = page == MAP_FAILED ? nullptr : static_cast<RunningNote*>(page);
  // Blocked, so that the end of the child is not missed between a look for it and the wait
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &ends, &before);
  ::signal(SIGCHLD, SIG_DFL);  // ignored, it would take the child's end away
  const pid_t parent = ::getpid(), child = ::fork();
  if (child <= 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) return program();
  if (child == 0) {
    guard = parent;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(exit_other_failure);  // it has ended already
    return program();
  }
  const int status = end_of(child);
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (is_crash(signal) || signal == SIGKILL) {
    const std::string sentence = crash_sentence(name, signal);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
    ::_exit(exit_other_failure);
  }
  // End as the child did, for example at a closed pipe
  ::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  ::raise(signal);
  ::_exit(exit_other_failure);
}

}  // namespace kdscope::cli
