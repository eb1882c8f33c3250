// Tests runs over one pair of streams: kdscope-runner --near starts kdscope-runner --far, here through pipes.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/runners.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/runs_in_runners.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using test::check_equals_here, test::request_on, test::without_times, test::runner_processes, test::runner_program;
using test::content_of;

namespace {

/// Runners that reach a far runner by these words of a shell, in which $RUNNER is this build's.
struct Elsewhere {
  explicit Elsewhere(const std::string& words, int wait_s = 60, int silence_s = 30,
                     std::uint64_t keeps_above = std::uint64_t(1) << 30)
      : runners(remote::near_command(runner_program(), {{"sh", "-c", "RUNNER='" + runner_program() + "'; " + words},
                                                        std::chrono::seconds(wait_s),
                                                        std::chrono::seconds(silence_s)}),
                RunnersAre::elsewhere, {}, keeps_above) {}
  Runners runners;
};
constexpr const char* loopback = "exec $RUNNER --far";

/// Returns the sentence with which a recording of ten points fails.
std::string sentence_of(Runners& there) {
  const auto recording = there.record(request_on("wald-10"));
  REQUIRE_FALSE(recording);
  return recording.error().message();
}

void check_has(const std::string& sentence, const std::string& words) {
  INFO(sentence);
  CHECK(sentence.find(words) != std::string::npos);
}

/// What a far side sends in a recording of ten points.
struct KeptAnswer {
  KeptAnswer() {
    const std::string sent = folder.file("sent"), got = folder.file("got");
    {
      Elsewhere there("tee '" + sent + "' | $RUNNER --far | tee '" + got + "'");
      check_equals_here(there.runners, request);
    }
    requested = content_of(sent).size();
    bytes = content_of(got);
    remote::FrameReader in;
    while (greeting < bytes.size()) {
      in.add(std::string_view(bytes).substr(greeting++, 1));
      if (in.next()) break;
    }
    REQUIRE(greeting < bytes.size());
  }
  /// Returns words that send an answer: its greeting at once, and the rest when the request has come, but for the last
  /// bytes of that, because the names of its files differ.
  std::string again(const std::string& answer) const {
    const std::string path = folder.file("answer");
    std::ofstream(path, std::ios::binary) << answer;
    const std::string first = "head -c " + std::to_string(greeting) + " '" + path + "'";
    if (answer.size() < greeting) return first;
    return first + "; head -c " + std::to_string(requested - 40) + " >/dev/null; tail -c +" +
           std::to_string(greeting + 1) + " '" + path + "'";
  }

  test::TemporaryFolder folder;
  RunRequest request = request_on("wald-10");
  std::string bytes;
  std::size_t greeting = 0, requested = 0;
};

/// Cancels a run after a while.
struct Cancelled {
  Cancelled() { control.stop = stop.get_token(); }
  std::stop_source stop;
  RunControl control;
  std::jthread canceller{[this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.request_stop();
  }};
};

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
    const RunRequest request = request_on(algorithm.takes_triangles ? "zhou-8" : "wald-10", algorithm.id);
    check_equals_here(there.runners, request);
    check_equals_here(there.runners, request);  // the points are there
  }
  check_equals_here(there.runners, request_on("uniform:n=20000,dim=3,seed=5"));
}

TEST_CASE("remote: the first steps arrive while others travel") {
  const test::TemporaryFolder folder;
  const std::string gate = folder.file("gate");
  Elsewhere there(
      "$RUNNER --far | { stdbuf -o0 head -c 4000000; while [ ! -e '" + gate + "' ]; do sleep 0.05; done; cat; }", 60,
      600);
  const RunRequest request = request_on("uniform:n=50000,dim=3,seed=3");
  std::vector<std::shared_ptr<const Trace>> arrived;
  const auto recording = there.runners.record(request, {}, [&](const Recording& so_far) {
    CHECK(so_far.crash.empty());
    arrived.push_back(so_far.trace);
    std::ofstream(gate) << "open";
  });
  REQUIRE(recording);
  REQUIRE_FALSE(arrived.empty());
  const Trace& whole = *recording->trace;
  std::size_t before = 0;
  for (const auto& trace : arrived) {
    REQUIRE(trace->steps.size() > before);
    before = trace->steps.size();
    REQUIRE(before <= whole.steps.size());
    for (std::size_t i = 0; i < before; ++i) CHECK(trace->steps[i].path == whole.steps[i].path);
    for (const Trace::Array& array : trace->arrays) {
      const Trace::Array* same = whole.find(array.info.name);
      REQUIRE(same);
      REQUIRE(array.versions.size() <= same->versions.size());
      for (std::size_t v = 0; v < array.versions.size(); ++v)
        CHECK(array.versions[v].values == same->versions[v].values);
    }
  }
  CHECK(arrived.front()->steps.size() < whole.steps.size());
  CHECK(equal(*without_times(whole), *without_times(**record(request))));
}

TEST_CASE("remote: values of a large recording stay there until they are looked at") {
  constexpr std::uint64_t keeps_above = 1 << 20;
  Elsewhere there(loopback, 60, 30, keeps_above);
  const RunRequest request = request_on("uniform:n=20000,dim=3,seed=5");
  const auto here = record(request).value();
  const auto shown = [&] {
    const auto recording = there.runners.record(request, {}, [](const Recording&) {}).value();
    CHECK(recording.crash.empty());
    return recording.trace;
  };
  const auto bytes_here = [](const Trace& trace) {
    std::uint64_t bytes = 0;
    for (const Trace::Array& array : trace.arrays)
      for (const ArrayVersion& version : array.versions)
        if (version.values.present()) bytes += version.values.byte_count();
    return bytes;
  };
  const auto first = shown(), second = shown();  // each has its process
  CHECK(runner_processes().size() == 2);
  CHECK(bytes_here(*first) < 2 * keeps_above);
  CHECK(first->stored_bytes() == here->stored_bytes());
  CHECK(first->stored_bytes() > 4 * keeps_above);

  // A look at one array of one step brings no other
  Cursor cursor(first), local(here);
  cursor.seek(cursor.step_count() - 1), local.seek(cursor.step_count() - 1);
  const std::uint64_t before = bytes_here(*first);
  REQUIRE(cursor.array("tags"));
  CHECK(*cursor.array("tags") == *local.array("tags"));
  CHECK(bytes_here(*first) > before);
  CHECK(bytes_here(*first) < first->stored_bytes() / 2);
  for (std::uint32_t step : {3u, 0u, 7u, 5u}) {
    cursor.seek(step), local.seek(step);
    CHECK(cursor.state_hash() == local.state_hash());
  }
  CHECK(equal(*without_times(*first), *without_times(*here)));
  CHECK(equal(*without_times(*second), *without_times(*here)));

  // Who asks for no first steps gets the whole trace
  const auto whole = there.runners.record(request).value();
  CHECK(bytes_here(*whole.trace) == bytes_here(*here));
}

TEST_CASE("remote: a connection that is lost takes the values along that nobody looked at, and no others") {
  for (const Who who : {Who::near, Who::far, Who::runner}) {
    Elsewhere there(loopback, 60, 30, 1 << 20);
    const RunRequest request = request_on("uniform:n=20000,dim=3,seed=5");
    const auto recording = there.runners.record(request, {}, [](const Recording&) {}).value();
    Cursor cursor(recording.trace);
    cursor.seek(cursor.step_count() - 1);
    const TypedArray tags = *cursor.array("tags");
    kill_all(who);
    CHECK(*cursor.array("tags") == tags);
    cursor.seek(cursor.step_count() / 2);
    for (int look = 0; look < 2; ++look) {
      try {
        cursor.array("tags");
        FAIL("values came over a lost connection");
      } catch (const ErrorException& e) {
        check_has(e.error().message(), "values of this run are lost that were still on");
        check_has(e.error().message(), "what was looked at before is still here");
      }
    }
    cursor.seek(cursor.step_count() - 1);
    CHECK(*cursor.array("tags") == tags);
    check_equals_here(there.runners, request);
  }
}

TEST_CASE("remote: builds at full speed report what they do in this process") {
  Elsewhere there(loopback);
  RunRequest request = request_on("uniform:n=1000,dim=2,seed=3", "hu");
  request.repeat = 3;
  const auto built = there.runners.build(request).value();
  const auto here = build(request).value();
  CHECK(built.build_hashes == here.build_hashes);
  CHECK(built.build_ms.size() == 3);
  CHECK(built.parameters == here.parameters);
  CHECK(built.device.name == here.device.name);
  CHECK(built.peak_bytes == here.peak_bytes);
}

TEST_CASE("remote: errors are those of this process, and the next run succeeds") {
  Elsewhere there(loopback);
  RunRequest request = request_on("uniform:n=5000,dim=2,seed=3", "no-such-algorithm");
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
  check_equals_here(there.runners, request_on("wald-10"));
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
  Runners missing(remote::near_command(runner_program(), {{"/nowhere/ssh", "lab"}}), RunnersAre::elsewhere);
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
    const auto recording = there.runners.record(request_on("wald-10"), control);
    REQUIRE_FALSE(recording);
    check_has(recording.error().message(), "no kdscope-runner has answered for 1 second (a queue)");
    CHECK(std::ranges::find(notes, "waiting: a queue") != notes.end());
  }
  Elsewhere there("sleep 600", 600);
  const Cancelled cancelled;
  const auto recording = there.runners.record(request_on("wald-10"), cancelled.control);
  REQUIRE_FALSE(recording);
  CHECK(recording.error().kind == ErrorKind::cancelled);
}

TEST_CASE("remote: a side that falls silent during a run is given up, and the next run succeeds", "[slow]") {
  Elsewhere there(loopback, 60, 5);
  const RunRequest request = request_on("uniform:n=200000,dim=2,seed=3");
  RunControl control;
  bool stopped = false;
  control.progress = [&](double share, std::string_view) {
    if (share > 0.1 && !std::exchange(stopped, true)) kill_all(Who::far, SIGSTOP);
  };
  const auto lost = there.runners.record(request, control);
  REQUIRE(stopped);
  REQUIRE(lost);
  check_has(lost->crash, "was lost: nothing has come for 5 seconds");
  CHECK_FALSE(lost->trace->steps.back().checks.back().passed);
  check_equals_here(there.runners, request_on("wald-10"));
}

TEST_CASE("remote: a side that takes no points is given up") {
  const KeptAnswer kept;
  Elsewhere there("head -c " + std::to_string(kept.greeting) + " '" + kept.folder.file("got") + "'; sleep 600", 60, 1);
  const auto recording = there.runners.record(request_on("uniform:n=1000000,dim=3"));
  REQUIRE_FALSE(recording);
  check_has(recording.error().message(), "was lost: nothing has come for 1 second");
}

TEST_CASE("remote: a run that is slower than a connection may be silent is no lost connection", "[slow]") {
  // The far side reads greeting, points and request in one piece, because nothing is passed on for a second.
  const test::TemporaryFolder folder;
  const std::string pipe = "'" + folder.file("pipe") + "'";
  Elsewhere there(
      "mkfifo " + pipe + "; exec 3<&0; { sleep 1; exec cat; } <&3 >" + pipe + " & " + loopback + " <" + pipe, 60, 5);
  RunControl control;
  std::jthread waker;
  control.progress = [&](double share, std::string_view) {
    if (share < 0.1 || waker.joinable()) return;
    kill_all(Who::runner, SIGSTOP);
    waker = std::jthread([] {
      std::this_thread::sleep_for(std::chrono::seconds(7));
      kill_all(Who::runner, SIGCONT);
    });
  };
  const auto recording = there.runners.record(request_on("equal:n=20000,dim=3"), control);
  REQUIRE(waker.joinable());
  REQUIRE(recording);
  CHECK(recording->crash == "");
}

TEST_CASE("remote: a device that can be reached again is reached") {
  const test::TemporaryFolder folder;
  Elsewhere there("[ -e '" + folder.file("up") + "' ] || { echo down >&2; exit 255; }; exec $RUNNER --far");
  check_has(sentence_of(there.runners), "(down)");
  std::ofstream(folder.file("up")) << "yes";
  check_equals_here(there.runners, request_on("wald-10"));
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
  const auto recording = there.runners.record(request_on("uniform:n=100000,dim=3"));
  REQUIRE_FALSE(recording);
  CHECK(recording.error().message() ==
        "memory there does not hold the files of this run; end other programs there, or use fewer points.");
}

TEST_CASE("remote: a crash there is told as one here, with the steps before it") {
  Elsewhere there(loopback);
  const RunRequest request = request_on("uniform:n=200000,dim=2,seed=3");
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
  check_equals_here(there.runners, request_on("wald-10"));
  for (const Who who : {Who::near, Who::far, Who::runner}) {
    kill_all(who);
    check_equals_here(there.runners, request_on("wald-10"));
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
  const auto cancelled = there.runners.record(request_on("uniform:n=200000,dim=3,seed=3"), control);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
  check_equals_here(there.runners, request_on("wald-10"));
}

TEST_CASE("remote: sides that are killed at any moment leave a sentence, and the next run succeeds") {
  Elsewhere there(loopback);
  RunRequest request = request_on("uniform:n=30000,dim=3,seed=3");
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
      request = request_on(turn % 2 == 0 ? "uniform:n=30000,dim=3,seed=3" : "uniform:n=30000,dim=3,seed=4");
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
        check_has(recording->crash,
                  who == Who::far ? "the connection to " : "the process that builds crashed (Killed)");
        REQUIRE_FALSE(recording->trace->steps.empty());
        CHECK_FALSE(recording->trace->steps.back().checks.back().passed);
      }
      check_equals_here(there.runners, request_on("wald-10"));
    }
  CHECK(hit > 0);
}

TEST_CASE("remote: an answer that is cut at any length is an error, or the steps before it with that error") {
  const KeptAnswer kept;
  {
    Elsewhere there(kept.again(kept.bytes) + "; sleep 60");
    check_equals_here(there.runners, kept.request);
  }
  const std::size_t whole = kept.bytes.size(), greeting = kept.greeting;
  std::mt19937 random(3);
  std::vector<std::size_t> lengths{0, 1, greeting - 1, greeting, greeting + 1, whole - 1};
  for (int i = 0; i < 40; ++i) lengths.push_back(greeting + random() % (whole - greeting));
  int incomplete = 0;
  for (const std::size_t length : lengths) {
    INFO(length << " of " << whole);
    Elsewhere there(kept.again(kept.bytes.substr(0, length)));
    const auto recording = there.runners.record(kept.request);
    const std::string lost = "the connection to " + remote::own_greeting().host;
    if (!recording) {
      check_has(recording.error().message(), length < greeting ? "no kdscope-runner answers" : lost);
    } else {  // the steps that came as a whole
      ++incomplete;
      check_has(recording->crash, lost);
      CHECK_FALSE(recording->trace->steps.back().checks.back().passed);
    }
  }
  CHECK(incomplete > 0);
  CHECK(incomplete < 46);
}

TEST_CASE("remote: an answer with other bytes is an error or a whole trace") {
  const KeptAnswer kept;
  std::mt19937 random(11);
  int outcomes = 0;
  for (int turn = 0; turn < 40; ++turn) {
    std::string changed = kept.bytes;
    const std::size_t at = kept.greeting + random() % (changed.size() - kept.greeting);
    changed[at] = static_cast<char>(random());
    INFO("byte " << at << " is " << static_cast<int>(changed[at]));
    Elsewhere there(kept.again(changed));
    const auto recording = there.runners.record(kept.request);
    CHECK((recording ? !recording->trace->steps.empty() : !recording.error().message().empty()));
    ++outcomes;
  }
  CHECK(outcomes == 40);
}

TEST_CASE("remote: an answer of another kind, or that claims more than memory holds, is refused") {
  using remote::FrameKind;
  const KeptAnswer kept;
  /// Words that answer with the greeting and one frame, and then say nothing.
  const auto answer = [&](FrameKind kind, const std::string& payload) {
    const SharedFile stream;
    remote::FrameWriter(stream.number()).send(kind, payload);
    const std::string frame = content_of(stream.path()).substr(remote::stream_mark.size());
    return kept.again(kept.bytes.substr(0, kept.greeting) + frame) + "; sleep 600";
  };
  struct {
    FrameKind kind;
    std::string payload, sentence;
  } const cases[] = {
      {FrameKind::trace, std::string(1, '\0') + std::string(64, '\xff'), "takes more memory than a trace"},
      {FrameKind::output, "x", "the far runner sent a file unasked"},
      {FrameKind::points, "x", "the far runner sent what only this side sends"},
      {FrameKind::greeting, "{}", "the far runner sent what only this side sends"},
      {FrameKind::events, "nothing\n", "the far runner sent a line that is no event"},
      {FrameKind::events, "{\"event\":\"built\"}\n", "the far runner sent a line that is no event"},
      {FrameKind::events, std::string(5 << 20, 'x'), "an event of the far runner is too long"},
      {FrameKind::ended, "x", "what came is no frame of kdscope-runner"}};
  for (const auto& each : cases) {
    INFO(each.sentence);
    Elsewhere there(answer(each.kind, each.payload));
    check_has(sentence_of(there.runners), each.sentence);
  }
  const std::string recorded = "{\"event\":\"replaced\"}\n";
  Elsewhere builds(answer(FrameKind::events, recorded));
  const auto built = builds.runners.build(kept.request);
  REQUIRE_FALSE(built);
  check_has(built.error().message(), "the runner sent another answer than was asked for");

  // A recording without a trace is waited for, until Cancel.
  Elsewhere records(answer(FrameKind::events, recorded));
  const Cancelled cancelled;
  const auto recording = records.runners.record(kept.request, cancelled.control);
  REQUIRE_FALSE(recording);
  CHECK(recording.error().kind == ErrorKind::cancelled);
}
