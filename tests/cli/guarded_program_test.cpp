// Tests that a program which crashes ends in one sentence: with faults that are planted here, one of them in a search.
#include "app/cli/guarded_program.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/queries/morton_keys.hpp"
#include "algorithms/queries/run.hpp"
#include "algorithms/queries/wald/wald.hpp"
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A search whose stack is too small for any tree of more than one point: it calls itself for ever.
struct StackTooSmall : queries::wald::SearchesLeftBalanced {
  template <class View, class Query, class Found, class Log>
  std::uint32_t run(const View& tree, const Query& query, Found& found, Log log) const {
    volatile char room[4096] = {};
    if (tree.n > 1) return run(tree, query, found, log) + static_cast<std::uint32_t>(room[0]);
    return 1;
  }
};

struct Ended {
  int status = 0;
  std::string err;
};

/// Runs a program guarded, in a process whose standard error is caught.
Ended guarded(const std::function<int()>& program) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    for (const int fault : {SIGSEGV, SIGABRT, SIGFPE, SIGPIPE}) ::signal(fault, SIG_DFL);  // as a program starts
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(cli::run_guarded("program", program));
  }
  ::close(ends[1]);
  Ended ended;
  char bytes[256];
  for (ssize_t count; (count = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    ended.err.append(bytes, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(process, &ended.status, 0);
  return ended;
}

}  // namespace

TEST_CASE("guarded program: exit codes and prints are those of the program") {
  for (const int code : {0, 4, 200}) {
    const Ended ended = guarded([code] {
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, "words", 5);
      return code;
    });
    REQUIRE(WIFEXITED(ended.status));
    CHECK(WEXITSTATUS(ended.status) == code);
    CHECK(ended.err == "words");
  }
}

TEST_CASE("guarded program: a search whose stack is too small ends in a sentence") {
  const auto data = open_data_set("uniform:n=100,dim=2,seed=1").value();
  auto built = build({{}, "wald", {}, Backend::cpu, false, data}).value();
  SearchRequest request;
  request.tree = std::make_shared<const Tree>(std::move(built.tree));
  request.queries = data;
  const Ended ended = guarded([&] {
    cli::note_running("search with stack-too-small");
    SequentialExec exec;  // oneTBB's threads did not come along
    queries::search_on<StackTooSmall>(exec, request, {});
    return 0;
  });
  REQUIRE(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == cli::exit_other_failure);
  CHECK(ended.err ==
        "program: the run crashed (Segmentation fault) in search with stack-too-small; this is an error in kdscope, or "
        "in the code that was changed: run it under a debugger.\n");
}

TEST_CASE("guarded program: every way to crash is a sentence") {
  for (const auto& [signal, name] :
       {std::pair{SIGABRT, "Aborted"}, {SIGFPE, "Floating point exception"}, {SIGBUS, "Bus error"}}) {
    const Ended ended = guarded([signal = signal] { return ::raise(signal); });
    REQUIRE(WIFEXITED(ended.status));
    CHECK(WEXITSTATUS(ended.status) == cli::exit_other_failure);
    CHECK(ended.err.starts_with("program: the run crashed (" + std::string(name) + "); "));
  }
  const Ended killed = guarded([] { return ::raise(SIGKILL); });
  REQUIRE(WIFEXITED(killed.status));
  CHECK(killed.err.starts_with("program: the system ended the run (Killed); "));
}

TEST_CASE("guarded program: a closed pipe ends it as it ends other programs") {
  const Ended ended = guarded([] { return ::raise(SIGPIPE); });
  REQUIRE(WIFSIGNALED(ended.status));
  CHECK(WTERMSIG(ended.status) == SIGPIPE);
  CHECK(ended.err.empty());
}
