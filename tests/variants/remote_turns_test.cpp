// Tests the queue of a GPU that several runners share. The GPU is emulated: with KDSCOPE_QUEUE, runs of the CPU wait
// for their turns in the same way.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/remote/turns.hpp"
#include "algorithms/variants/runners.hpp"
#include "algorithms/variants/started_process.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/runs_in_runners.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using remote::Turn, remote::Turns;

namespace {

/// A queue for all runs of this machine, while it exists.
struct EmulatedGpu {
  EmulatedGpu() { ::setenv("KDSCOPE_QUEUE", queue.c_str(), 1); }
  ~EmulatedGpu() { ::unsetenv("KDSCOPE_QUEUE"); }
  std::size_t tickets() const {
    std::size_t count = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(queue, ignored))
      count += entry.path().filename().string().starts_with("ticket-");
    return count;
  }
  void wait_for_tickets(std::size_t count) const {
    while (tickets() < count) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::unique_ptr<Turn> take() const {
    auto turn = Turns(queue).take([](std::size_t) {});
    REQUIRE(turn);
    return std::move(*turn);
  }
  test::TemporaryFolder folder;
  std::string queue = folder.file("queue");
};

/// A runner whose events come through a pipe that others share.
struct QueuedRunner {
  explicit QueuedRunner(const Pipe& events)
      : process({test::runner_program()}, {input.reading.number(), nowhere.number(), nowhere.number(),
                                           events.writing.number(), nowhere.number()}) {
    input.reading.close();
  }
  void build(int leaf_size) const {
    ProcessRequest request{{"uniform:n=500,dim=2", "hu", {{"leaf_size", std::to_string(leaf_size)}}, Backend::cpu}};
    request.timed = true;
    REQUIRE(write_all(input.writing.number(), line_of(request)));
  }
  Pipe input = open_pipe();
  Descriptor nowhere{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  StartedProcess process;
};

}  // namespace

TEST_CASE("remote: twenty runners on one emulated GPU finish in the order in which they asked") {
  const EmulatedGpu gpu;
  Pipe events = open_pipe();
  auto busy = gpu.take();
  std::vector<std::unique_ptr<QueuedRunner>> runners;
  for (int i = 0; i < 20; ++i) {
    runners.push_back(std::make_unique<QueuedRunner>(events));
    runners.back()->build(i + 1);
    gpu.wait_for_tickets(runners.size());
  }
  events.writing.close();
  busy.reset();
  // What one sends about its end comes before what the next one sends, because that waits for its turn.
  std::vector<std::string> order;
  std::size_t places = 0, most_before = 0;
  std::string open;
  while (order.size() < 20) {
    char bytes[4096];
    const ssize_t got = ::read(events.reading.number(), bytes, sizeof bytes);
    REQUIRE(got > 0);
    open.append(bytes, static_cast<std::size_t>(got));
    for (std::size_t end; (end = open.find('\n')) != std::string::npos; open.erase(0, end + 1)) {
      const auto event = event_from(open.substr(0, end)).value();
      REQUIRE(event.kind != Event::Kind::failed);
      if (event.kind == Event::Kind::built) order.push_back(event.report->parameters.at("leaf_size"));
      if (event.kind == Event::Kind::progress && event.text.starts_with("waiting for the GPU: ")) {
        ++places;
        most_before = std::max<std::size_t>(most_before, std::stoul(event.text.substr(21)));
      }
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == std::to_string(i + 1));
  CHECK(places >= 20);
  CHECK(most_before == 20);  // of the last one
  CHECK(gpu.tickets() == 0);
}

TEST_CASE("remote: of the users who wait for a GPU, the one comes first who had no turn for longest") {
  const EmulatedGpu gpu;
  auto busy = gpu.take();
  std::mutex mutex;
  std::string order;
  std::vector<std::jthread> waiting;
  std::size_t count = 0;
  for (const std::uint64_t user : {'a', 'a', 'a', 'b', 'a', 'c', 'b'}) {
    waiting.emplace_back([&, user] {
      const auto turn = Turns(gpu.queue).take([](std::size_t) {}, user);
      const std::lock_guard lock(mutex);
      order += turn ? static_cast<char>(user) : '?';
    });
    gpu.wait_for_tickets(++count);
  }
  busy.reset();
  waiting.clear();
  CHECK(order == "abcabaa");
}

TEST_CASE("remote: runners that are killed keep nobody waiting") {
  const EmulatedGpu gpu;
  Pipe events = open_pipe();
  auto busy = gpu.take();
  QueuedRunner first(events), second(events);
  first.build(1);
  gpu.wait_for_tickets(1);
  second.build(2);
  gpu.wait_for_tickets(2);
  ::kill(first.process.group(), SIGKILL);
  REQUIRE(first.process.status_within(std::chrono::seconds(60)));
  busy.reset();
  auto next = gpu.take();  // behind the second
  CHECK(gpu.tickets() == 0);

  // One that is killed at work
  Runners at_work({test::runner_program()});
  auto run = std::async(std::launch::async, [&] {
    RunRequest request = test::request_on("uniform:n=1000,dim=2", "hu");
    request.repeat = 1'000'000;
    return at_work.build(request);
  });
  gpu.wait_for_tickets(1);
  next.reset();
  while (gpu.tickets() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const pid_t process : test::runner_processes()) ::kill(process, SIGKILL);
  CHECK_FALSE(run.get());
  gpu.take();
}

TEST_CASE("remote: a queue that cannot be used keeps no run waiting") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("no-folder")) << "x";
  const auto refused = Turns(folder.file("no-folder")).take([](std::size_t) {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("the queue of the GPU cannot be used") != std::string::npos);
  ::setenv("KDSCOPE_QUEUE", folder.file("no-folder").c_str(), 1);
  Runners runners({test::runner_program()});
  CHECK(runners.record(test::request_on("wald-10")));
  ::unsetenv("KDSCOPE_QUEUE");

  // A link leads nowhere
  const std::string queue = folder.file("queue");
  std::filesystem::create_directory(queue);
  std::filesystem::create_symlink(folder.file("no-folder"), queue + "/book");
  CHECK_FALSE(Turns(queue).take([](std::size_t) {}));
  CHECK(std::filesystem::file_size(folder.file("no-folder")) == 1);
}

TEST_CASE("remote: a damaged book of the queue is begun again") {
  const EmulatedGpu gpu;
  gpu.take();
  std::ofstream(gpu.queue + "/book") << "\x01 nonsense -5";
  gpu.take();
  gpu.take();
  CHECK(gpu.tickets() == 0);
}

TEST_CASE("remote: a run that needs more memory than a device permits is one sentence, and the next run succeeds") {
  Runners limited(remote::near_command(test::runner_program(), {{test::runner_program(), "--far", "--memory", "150M"}}),
                  RunnersAre::elsewhere);
  RunRequest large = test::request_on("uniform:n=3000000,dim=4,seed=1");
  const auto refused = limited.build(large);
  REQUIRE_FALSE(refused);
  INFO(refused.error().message());
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  test::check_equals_here(limited, test::request_on("wald-10"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--memory"}, {"--memory", "0G"}, {"--memory", "8"}, {"--memory", "x"}, {"--quick"}}) {
    Runners wrong(remote::near_command(test::runner_program(), {[&] {
                                         std::vector<std::string> command{test::runner_program(), "--far"};
                                         command.insert(command.end(), words.begin(), words.end());
                                         return command;
                                       }()}),
                  RunnersAre::elsewhere);
    const auto recorded = wrong.record(test::request_on("wald-10"));
    REQUIRE_FALSE(recorded);
    CHECK(recorded.error().message().find("no kdscope-runner answers (kdscope-runner: --") != std::string::npos);
  }
}
