// Tests runs over one pair of streams: kdscope-runner --near starts kdscope-runner --far, here through pipes.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/runners.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using test::runner_processes;

namespace {

std::string this_runner() {
  const auto program = Runners::find_program();
  REQUIRE(program);
  return *program;
}

/// Runners that reach a far runner by these words of a shell, in which $RUNNER is this build's.
struct Elsewhere {
  explicit Elsewhere(const std::string& words, int wait_s = 60)
      : runners(remote::near_command(this_runner(), {{"sh", "-c", "RUNNER='" + this_runner() + "'; " + words},
                                                     std::chrono::seconds(wait_s)}),
                RunnersAre::elsewhere) {}
  Runners runners;
};
constexpr const char* loopback = "exec $RUNNER --far";

RunRequest run_on(const std::string& data, const std::string& algorithm = "wald") {
  const auto opened = open_data_set(data);
  REQUIRE(opened);
  RunRequest request;
  request.points = *opened;
  request.algorithm = algorithm;
  request.backend = Backend::cpu;
  return request;
}

std::shared_ptr<const Trace> timeless(const Trace& trace) {
  auto copy = std::make_shared<Trace>(trace);
  for (Step& step : copy->steps) step.elapsed_ms = 0;
  return copy;
}

void check_equals_here(Runners& there, const RunRequest& request) {
  const auto recording = there.record(request);
  INFO((recording ? "" : recording.error().message()));
  REQUIRE(recording);
  const auto here = record(request);
  REQUIRE(here);
  CHECK(recording->crash.empty());
  CHECK(equal(*timeless(*recording->trace), *timeless(**here)));
}

/// Returns the sentence with which a recording of ten points fails.
std::string sentence_of(Runners& there) {
  const auto recording = there.record(run_on("wald-10"));
  REQUIRE_FALSE(recording);
  return recording.error().message();
}

void check_has(const std::string& sentence, const std::string& words) {
  INFO(sentence);
  CHECK(sentence.find(words) != std::string::npos);
}

/// Which of the processes of a loopback to end.
enum class Who { near, far, runner };
/// Ends all of these processes that this test started.
void kill_all(Who who, int signal_number = SIGKILL) {
  std::set<pid_t> processes = runner_processes();
  for (int below = static_cast<int>(who); below > 0; --below) {
    std::set<pid_t> next;
    for (const pid_t process : processes) next.merge(runner_processes(process));
    processes = std::move(next);
  }
  for (const pid_t process : processes) ::kill(process, signal_number);
}

}  // namespace

TEST_CASE("remote: recordings of all algorithms are those of this process, bit for bit") {
  Elsewhere there(loopback);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const RunRequest request = run_on(algorithm.takes_triangles ? "zhou-8" : "wald-10", algorithm.id);
    check_equals_here(there.runners, request);
    check_equals_here(there.runners, request);  // the points are there
  }
  check_equals_here(there.runners, run_on("uniform:n=20000,dim=3,seed=5"));
}

TEST_CASE("remote: builds at full speed report what they do in this process") {
  Elsewhere there(loopback);
  RunRequest request = run_on("uniform:n=1000,dim=2,seed=3", "hu");
  request.repeat = 3;
  const auto built = there.runners.build(request);
  REQUIRE(built);
  const auto here = build(request);
  REQUIRE(here);
  CHECK(built->build_hashes == here->build_hashes);
  CHECK(built->build_ms.size() == 3);
  CHECK(built->parameters == here->parameters);
  CHECK(built->device.name == here->device.name);
  CHECK(built->peak_bytes == here->peak_bytes);
}

TEST_CASE("remote: errors are those of this process, and the next run succeeds") {
  Elsewhere there(loopback);
  RunRequest request = run_on("uniform:n=5000,dim=2,seed=3", "no-such-algorithm");
  CHECK(there.runners.record(request).error().message() == record(request).error().message());
  request.algorithm = "wald";
  request.trace_budget_bytes = 200'000;
  const auto too_much = there.runners.record(request);
  REQUIRE_FALSE(too_much);
  CHECK(too_much.error().kind == ErrorKind::over_budget);
  request.trace_budget_bytes = 0;
  check_equals_here(there.runners, request);
}

TEST_CASE("remote: a login that prints is no part of the stream") {
  Elsewhere there("echo Welcome; echo to the lab; exec $RUNNER --far");
  check_equals_here(there.runners, run_on("wald-10"));
}

TEST_CASE("remote: what fails before a greeting is one sentence with the command and its words") {
  struct {
    const char *words, *sentence;
  } const cases[] = {
      {"exec /nowhere/kdscope-runner --far", "/nowhere/kdscope-runner: not found"},
      {"echo 'ssh: connect to host lab port 22: Connection refused' >&2; exit 255",
       "no kdscope-runner answers (ssh: connect to host lab port 22: Connection refused); try the command"},
      {"echo Welcome; exit 3", "no kdscope-runner answers, but 'Welcome' (it ended with exit code 3)"},
      {"kill -KILL $$", "no kdscope-runner answers (it was ended: Killed)"},
      {"head -c 100000 /dev/urandom; sleep 60", "this is no kdscope-runner --far"},
      {"yes", "this is no kdscope-runner --far"},
      {"printf 'kdscope frames 1\\n'; yes", "what came is no frame of kdscope-runner"},
      {"printf 'kdscope frames 1\\n\\005\\001\\000\\000\\000x'; sleep 60", "kdscope-runner sent no greeting"},
      {"printf 'kdscope frames 1\\n\\000\\001\\000\\000\\000x'; sleep 60", "greeting cannot be read"},
      {"exec >&-; sleep 60", "no kdscope-runner answers"},
  };
  for (const auto& each : cases) {
    INFO(each.words);
    Elsewhere there(each.words);
    for (int turn = 0; turn < 2; ++turn) {
      const std::string sentence = sentence_of(there.runners);
      check_has(sentence, each.sentence);
      CHECK(sentence.find('\n') == std::string::npos);
      CHECK(sentence.size() < 700);
    }
  }
  Runners missing(remote::near_command(this_runner(), {{"/nowhere/ssh", "lab"}}), RunnersAre::elsewhere);
  CHECK(sentence_of(missing) ==
        "/nowhere/ssh lab: no kdscope-runner answers (/nowhere/ssh: No such file or directory); try the command in a "
        "terminal; it has to start kdscope-runner --far and must not ask.");
}

TEST_CASE("remote: a side that says nothing is given up, and Cancel ends the wait at once") {
  {
    Elsewhere there("echo 'a queue' >&2; sleep 600", 1);
    std::vector<std::string> notes;
    RunControl control;
    control.progress = [&](double, std::string_view what) { notes.emplace_back(what); };
    const auto recording = there.runners.record(run_on("wald-10"), control);
    REQUIRE_FALSE(recording);
    check_has(recording.error().message(), "no kdscope-runner has answered for 1 second (a queue)");
    CHECK(std::ranges::find(notes, "waiting: a queue") != notes.end());
  }
  Elsewhere there("sleep 600", 600);
  std::stop_source stop;
  RunControl control;
  control.stop = stop.get_token();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.request_stop();
  });
  const auto recording = there.runners.record(run_on("wald-10"), control);
  REQUIRE_FALSE(recording);
  CHECK(recording.error().kind == ErrorKind::cancelled);
}

TEST_CASE("remote: a device that can be reached again is reached") {
  const test::TemporaryFolder folder;
  Elsewhere there("[ -e '" + folder.file("up") + "' ] || { echo down >&2; exit 255; }; exec $RUNNER --far");
  check_has(sentence_of(there.runners), "(down)");
  std::ofstream(folder.file("up")) << "yes";
  check_equals_here(there.runners, run_on("wald-10"));
}

TEST_CASE("remote: another version is named in one sentence") {
  const test::TemporaryFolder folder;
  remote::Greeting other = remote::own_greeting();
  other.protocol = "other", other.version = "0.0.9", other.host = "lab1";
  {
    const SharedFile stream;
    remote::FrameWriter(stream.number()).send(remote::FrameKind::greeting, payload_of(other));
    std::filesystem::copy_file(stream.path(), folder.file("stream"));
  }
  Elsewhere there("cat '" + folder.file("stream") + "'; sleep 60");
  const std::string sentence = sentence_of(there.runners);
  check_has(sentence, "lab1 has kdscope 0.0.9, and this is " + remote::own_greeting().version +
                          ", so they cannot share a run; install the same version on both");
}

TEST_CASE("remote: memory that is full there is a sentence") {
  Elsewhere there("ulimit -f 1; exec $RUNNER --far");
  const auto recording = there.runners.record(run_on("uniform:n=100000,dim=3"));
  REQUIRE_FALSE(recording);
  CHECK(recording.error().message() ==
        "memory there does not hold the files of this run; end other programs there, or use fewer points.");
}

TEST_CASE("remote: a crash there is told as one here, with the steps before it") {
  Elsewhere there(loopback);
  const RunRequest request = run_on("uniform:n=200000,dim=2,seed=3");
  RunControl control;
  bool killed = false;
  control.progress = [&](double share, std::string_view) {
    if (share > 0.1 && !std::exchange(killed, true)) kill_all(Who::runner, SIGSEGV);
  };
  const auto crashed = there.runners.record(request, control);
  REQUIRE(killed);
  REQUIRE(crashed);
  check_has(crashed->crash, "the process that builds crashed (Segmentation fault) in the step ");
  CHECK_FALSE(crashed->trace->steps.empty());
  check_equals_here(there.runners, request);
}

TEST_CASE("remote: a connection that is lost between runs is made again") {
  Elsewhere there(loopback);
  check_equals_here(there.runners, run_on("wald-10"));
  for (const Who who : {Who::near, Who::far, Who::runner}) {
    kill_all(who);
    check_equals_here(there.runners, run_on("wald-10"));
  }
}

TEST_CASE("remote: a run that is cancelled ends both sides, and the next one succeeds") {
  Elsewhere there(loopback);
  std::stop_source stop;
  RunControl control;
  control.stop = stop.get_token();
  control.progress = [&](double share, std::string_view) {
    if (share > 0.2) stop.request_stop();
  };
  const auto cancelled = there.runners.record(run_on("uniform:n=200000,dim=3,seed=3"), control);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
  check_equals_here(there.runners, run_on("wald-10"));
}

TEST_CASE("remote: sides that are killed at any moment leave a sentence, and the next run succeeds") {
  Elsewhere there(loopback);
  RunRequest request = run_on("uniform:n=30000,dim=3,seed=3");
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  REQUIRE(there.runners.record(request));
  const std::chrono::duration<double> whole = Clock::now() - start;
  std::mt19937 random(7);
  int hit = 0;
  for (const Who who : {Who::near, Who::far, Who::runner})
    for (int turn = 0; turn < 20; ++turn) {
      const double share = std::uniform_real_distribution<double>(0, 0.9)(random);
      INFO(static_cast<int>(who) << " at " << share);
      request = run_on(turn % 2 == 0 ? "uniform:n=30000,dim=3,seed=3" : "uniform:n=30000,dim=3,seed=4");
      std::jthread killer([&] {
        std::this_thread::sleep_for(share * whole);
        kill_all(who);
      });
      const auto recording = there.runners.record(request);
      killer.join();
      if (!recording) {
        ++hit;
        const Error& error = recording.error();
        CHECK(error.kind == ErrorKind::device_failure);
        const std::string words = who == Who::far ? "the connection to " : "the process that builds crashed (Killed)";
        check_has(error.message(), words);
      } else if (!recording->crash.empty()) {
        ++hit;
        check_has(recording->crash, "the process that builds crashed (Killed)");
        CHECK_FALSE(recording->trace->steps.empty());
      }
      check_equals_here(there.runners, run_on("wald-10"));
    }
  CHECK(hit > 0);
}

TEST_CASE("remote: an answer that is cut at any length is an error, and no other answer") {
  // Keep what both sides send in a recording of ten points.
  const test::TemporaryFolder folder;
  const std::string sent = folder.file("sent"), got = folder.file("got");
  const RunRequest request = run_on("wald-10");
  {
    Elsewhere there("tee '" + sent + "' | $RUNNER --far | tee '" + got + "'");
    check_equals_here(there.runners, request);
  }
  const auto whole = std::filesystem::file_size(got), requested = std::filesystem::file_size(sent);
  std::ifstream file(got);
  std::string stream(whole, '\0');
  file.read(stream.data(), static_cast<std::streamsize>(whole));
  remote::FrameReader in;
  std::size_t greeting = 0;
  for (std::size_t at = 0; at < whole && greeting == 0; ++at) {
    in.add(std::string_view(stream).substr(at, 1));
    if (in.next()) greeting = at + 1;
  }
  REQUIRE(greeting > 0);

  // Answer with the first bytes of that once the request has come, but for the last bytes of its names.
  const auto play = [&](std::size_t length) {
    const std::string first = "head -c " + std::to_string(std::min(length, greeting)) + " '" + got + "'; ";
    if (length < greeting) return first;
    const std::string rest =
        "head -c " + std::to_string(length) + " '" + got + "' | tail -c +" + std::to_string(greeting + 1) + "; ";
    return first + "head -c " + std::to_string(requested - 40) + " >/dev/null; " + rest;
  };
  {
    Elsewhere there(play(whole) + "sleep 60");
    check_equals_here(there.runners, request);
  }
  std::mt19937 random(3);
  std::vector<std::size_t> lengths{0, 1, greeting - 1, greeting, greeting + 1, whole - 1};
  for (int i = 0; i < 40; ++i) lengths.push_back(greeting + random() % (whole - greeting));
  for (const std::size_t length : lengths) {
    INFO(length << " of " << whole);
    Elsewhere there(play(length));
    const auto recording = there.runners.record(request);
    REQUIRE_FALSE(recording);
    check_has(recording.error().message(),
              length < greeting ? "no kdscope-runner answers" : "the connection to " + remote::own_greeting().host);
  }
}

TEST_CASE("remote: an answer with other bytes is an error or a whole trace") {
  const test::TemporaryFolder folder;
  const std::string sent = folder.file("sent"), got = folder.file("got"), other = folder.file("other");
  const RunRequest request = run_on("wald-10");
  {
    Elsewhere there("tee '" + sent + "' | $RUNNER --far | tee '" + got + "'");
    check_equals_here(there.runners, request);
  }
  std::ifstream file(got);
  const std::string stream{std::istreambuf_iterator<char>(file), {}};
  const std::size_t greeting = stream.find('}') + 1, requested = std::filesystem::file_size(sent);
  std::mt19937 random(11);
  int outcomes = 0;
  for (int turn = 0; turn < 40; ++turn) {
    std::string changed = stream;
    const std::size_t at = greeting + random() % (stream.size() - greeting);
    changed[at] = static_cast<char>(random());
    std::ofstream(other) << changed;
    INFO("byte " << at << " is " << static_cast<int>(changed[at]));
    Elsewhere there("head -c " + std::to_string(greeting) + " '" + other + "'; head -c " +
                    std::to_string(requested - 40) + " >/dev/null; tail -c +" + std::to_string(greeting + 1) + " '" +
                    other + "'");
    const auto recording = there.runners.record(request);
    CHECK((recording ? !recording->trace->steps.empty() : !recording.error().message().empty()));
    ++outcomes;
  }
  CHECK(outcomes == 40);
}
