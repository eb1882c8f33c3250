// kdscope-cli: the headless tool.

#include <signal.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>

#include "app/cli/commands.hpp"
#include "app/cli/guarded_program.hpp"
#include "app/cli/rank_under_mpirun.hpp"

namespace {

/// Turns the first Ctrl-C into a stop request, and ends the program at the second. This thread waits for signals, so no
/// code runs inside a signal handler.
void watch_for_interrupts(std::stop_token program_ends, std::stop_source& work) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  const timespec wait{0, 50'000'000};
  while (!program_ends.stop_requested()) {
    siginfo_t info{};
    if (sigtimedwait(&signals, &info, &wait) < 0) continue;
    if (!kdscope::cli::is_for_this_process(info.si_code, info.si_pid)) continue;
    if (work.stop_requested()) _exit(kdscope::cli::exit_other_failure);
    work.request_stop();
    constexpr char note[] = "\nstopping; press Ctrl-C again to end at once\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, note, sizeof note - 1);
  }
}

int run(int argc, char** argv) {
  // A file that reaches its size limit shall fail the write, not end the program.
  signal(SIGXFSZ, SIG_IGN);
  std::stop_source work;
  std::jthread watcher([&work](std::stop_token program_ends) { watch_for_interrupts(program_ends, work); });

  std::ios::sync_with_stdio(false);
  kdscope::cli::Console console{std::cout, std::cerr, work.get_token(), isatty(STDERR_FILENO) == 1, &std::cin};
  return kdscope::cli::run_command_line({argv + 1, argv + argc}, console);
}

/// Under mpirun, replaces this program by the one of the ranks, which is linked with MPI. Returns an exit code if there
/// is none.
std::optional<int> become_rank(char** argv) {
  const char* rank = kdscope::cli::rank_under_mpirun();
  if (!rank) return std::nullopt;
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto& program : {here / "kdscope-ranks", here / "../ranks/kdscope-ranks"})
    if (access(program.c_str(), X_OK) == 0) execv(program.c_str(), argv);
  if (rank == std::string_view("0"))
    std::cerr << "kdscope-cli: this build has no MPI, so that several ranks cannot share a run; install libopenmpi-dev "
                 "and openmpi-bin, and build kdscope again.\n";
  return kdscope::cli::exit_other_failure;
}

/// Prints a message without allocating memory, which may be exhausted.
int end_with(std::string_view words) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words.data(), words.size());
  return kdscope::cli::exit_other_failure;
}

/// Runs the program, and returns its exit code.
int run_program(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return end_with(kdscope::cli::out_of_memory_words);
  } catch (const std::system_error&) {
    return end_with(
        "kdscope-cli: the system cannot start more threads; end other programs, or raise the process limit.\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto code = become_rank(argv)) return *code;
  // Block the signals before any thread starts, so that only the watching thread receives them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return kdscope::cli::run_guarded("kdscope-cli", [&] { return run_program(argc, argv); });
}
