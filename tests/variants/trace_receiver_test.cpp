// Tests that a trace arrives step by step through a pipe, whatever its sender does.
#include "algorithms/variants/trace_receiver.hpp"

#include <unistd.h>

#include <random>

#include "algorithms/trace/trace_stream.hpp"
#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using namespace std::chrono_literals;

namespace {

struct TestPipe {
  TestPipe() { REQUIRE(::pipe(ends) == 0); }
  ~TestPipe() { ::close(ends[0]), close_writing(); }
  void close_writing() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  int ends[2];
};

/// A trace of three steps; each changes an element of an array.
TraceBuilder three_steps(trace_stream::StepSender& sender, bool releases) {
  TraceBuilder builder(tests::header_of(4, 2, "wald"));
  builder.declare({"tags", "tags"});
  std::vector<std::uint32_t> values(64);
  for (std::uint32_t step = 0; step < 3; ++step) {
    builder.begin_step(tests::named_step({"build", "step"}));
    values[step] = step + 1;
    builder.write("tags", TypedArray::of(values));
    sender.step(builder.so_far());
    if (releases) builder.release_values();
  }
  return builder;
}

}  // namespace

TEST_CASE("trace receiver: a whole trace arrives, with what was added to its last step") {
  TestPipe pipe;
  TraceReceiver receiver(pipe.ends[0], 1 << 20);
  trace_stream::StepSender sender(pipe.ends[1]);
  TraceBuilder builder = three_steps(sender, true);
  builder.current_step().checks.push_back({"tree", "it is one", true, ""});
  builder.header().tree_hash = 7;
  sender.end(*builder.finish());
  const ReceivedTrace received = receiver.take(10s);
  CHECK_FALSE(received.error);
  CHECK(received.complete);
  CHECK(received.trace->header.tree_hash == 7);
  REQUIRE(received.trace->steps.size() == 3);
  CHECK(received.trace->steps.back().checks.size() == 1);
  Cursor cursor(received.trace);
  cursor.seek(2);
  REQUIRE(cursor.array("tags"));
  CHECK(cursor.array("tags")->as<std::uint32_t>()[2] == 3);
}

TEST_CASE("trace receiver: after an early end, the whole steps are there") {
  TestPipe pipe;
  TraceReceiver receiver(pipe.ends[0], 1 << 20);
  trace_stream::StepSender sender(pipe.ends[1]);
  three_steps(sender, false);
  // The beginning of a fourth step: a version without its step.
  trace_stream::Sender more(pipe.ends[1]);
  more.part(trace_stream::Part::version);
  std::uint32_t array = 0;
  ArrayVersion version{3, true, 1, {}, {}};
  more(array, version);
  more.values(ElementType::uint32, 1, [](std::uint64_t, std::uint64_t, void* bytes) { std::memset(bytes, 0, 4); });
  more.part(trace_stream::Part::step);
  more.flush();
  pipe.close_writing();
  const ReceivedTrace received = receiver.take(10s);
  CHECK_FALSE(received.error);
  CHECK_FALSE(received.complete);
  CHECK(received.trace->steps.size() == 3);
  CHECK(received.trace->arrays.front().versions.size() == 3);
}

TEST_CASE("trace receiver: a pipe that another process holds does not hold the receiver") {
  TestPipe pipe;
  TraceReceiver receiver(pipe.ends[0], 1 << 20);
  const ReceivedTrace received = receiver.take(10ms);
  CHECK_FALSE(received.complete);
  CHECK(received.trace->steps.empty());
}

TEST_CASE("trace receiver: bytes that are no trace are refused, and take no memory") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    TestPipe pipe;
    TraceReceiver receiver(pipe.ends[0], 1 << 20);
    std::vector<unsigned char> bytes(1000);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() % (trial % 2 ? 256 : 8));
    REQUIRE(::write(pipe.ends[1], bytes.data(), bytes.size()) == 1000);
    pipe.close_writing();
    const ReceivedTrace received = receiver.take(10s);
    if (!received.error) CHECK(received.trace->stored_bytes() < (1 << 20));
  }
}
