// Tests the frames between two sides: whole, cut, damaged and foreign.
#include <unistd.h>

#include <random>

#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/remote/frames.hpp"
#include "algorithms/variants/remote/greeting.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using namespace kdscope::variants::remote;

namespace {

struct KeptFrame {
  FrameKind kind;
  std::string payload;
  bool operator==(const KeptFrame&) const = default;
};

/// Returns the bytes that a writer sends.
template <class Send>
std::string sent_by(Send send) {
  const SharedFile file;
  FrameWriter out(file.number());
  send(out);
  std::string bytes(static_cast<std::size_t>(::lseek(file.number(), 0, SEEK_END)), '\0');
  REQUIRE(::pread(file.number(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return bytes;
}

/// Returns the whole frames in pieces of a stream. Throws as the reader does.
std::vector<KeptFrame> frames_in(std::string_view bytes, std::size_t piece) {
  FrameReader in;
  std::vector<KeptFrame> frames;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), piece))) {
    in.add(bytes.substr(0, piece));
    while (const auto frame = in.next()) frames.push_back({frame->kind, std::string(frame->payload)});
  }
  return frames;
}

std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

const std::vector<KeptFrame>& sample() {
  static const std::vector<KeptFrame> frames{
      {FrameKind::greeting, payload_of(own_greeting())}, {FrameKind::requests, "{}\n"},
      {FrameKind::points, std::string(5000, 'p')},       {FrameKind::trace, noise(3000, 1)},
      {FrameKind::events, "{\"event\":\"done\"}\n"},     {FrameKind::ended, payload_of(RunnerEnd{9, 0})}};
  return frames;
}

std::string sample_stream(bool compressed) {
  return sent_by([&](FrameWriter& out) {
    if (compressed) out.compress();
    for (const KeptFrame& frame : sample()) out.send(frame.kind, frame.payload);
  });
}

}  // namespace

TEST_CASE("frames: what is sent arrives, in pieces of any length") {
  for (const bool compressed : {false, true}) {
    const std::string stream = sample_stream(compressed);
    for (const std::size_t piece : {1, 2, 5, 4096, 1 << 20}) CHECK(frames_in(stream, piece) == sample());
  }
}

TEST_CASE("frames: a stream cut at any length gives its whole frames and nothing else") {
  for (const bool compressed : {false, true}) {
    const std::string stream = sample_stream(compressed);
    std::size_t whole = 0;
    for (std::size_t length = 0; length <= stream.size(); ++length) {
      const auto frames = frames_in(std::string_view(stream).substr(0, length), 1 << 20);
      REQUIRE(frames.size() <= sample().size());
      REQUIRE(std::equal(frames.begin(), frames.end(), sample().begin()));
      REQUIRE(frames.size() >= whole);
      whole = frames.size();
    }
    CHECK(whole == sample().size());
  }
}

TEST_CASE("frames: long payloads travel in several frames, and equal bytes as few") {
  const std::string zeros(5 << 20, '\0');
  const auto stream_of = [&](bool compressed) {
    return sent_by([&](FrameWriter& out) {
      if (compressed) out.compress();
      out.send(FrameKind::trace, zeros);
    });
  };
  for (const bool compressed : {false, true}) {
    const auto frames = frames_in(stream_of(compressed), 1 << 16);
    REQUIRE(frames.size() == 5);
    for (const KeptFrame& frame : frames) CHECK(frame.payload.size() == most_payload);
  }
  CHECK(stream_of(false).size() > zeros.size());
  if (has_compression()) CHECK(stream_of(true).size() < zeros.size());
}

TEST_CASE("frames: lines before the mark are no part of the stream, up to 64 KiB") {
  const std::string stream = sample_stream(false);
  for (const std::size_t piece : {1, 4096})
    CHECK(frames_in("Welcome to lab\nkdscope frames\n" + stream, piece) == sample());
  FrameReader in;
  in.add("Welcome to lab\n");
  CHECK_FALSE(in.next());
  CHECK(in.before_mark() == "Welcome to lab\n");
  CHECK_THROWS_AS(frames_in(std::string(70'000, 'x') + stream, 4096), ErrorException);
}

TEST_CASE("frames: bytes that are none are refused before memory is taken") {
  const std::string mark(stream_mark);
  using namespace std::string_literals;
  CHECK_THROWS_AS(frames_in(mark + "\x0a\1\0\0\0x"s, 100), ErrorException);         // an unknown kind
  CHECK_THROWS_AS(frames_in(mark + "\x06\xff\xff\xff\xff"s, 100), ErrorException);  // 4 GiB
  CHECK_THROWS_AS(frames_in(mark + "\x06\1\0\x10\0"s, 100), ErrorException);        // 1 MiB and one byte
  CHECK_THROWS_AS(frames_in(mark + "\x86\4\0\0\0abcd"s, 100), ErrorException);      // no zstd
  // Any bytes give frames or an error
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    try {
      frames_in(mark + noise(300, seed), 64);
    } catch (const ErrorException& e) {
      CHECK(e.error().kind == ErrorKind::bad_input);
      ++refused;
    }
  }
  CHECK(refused > 1500);
}

TEST_CASE("frames: a stream with one other byte gives frames or an error") {
  const std::string stream = sample_stream(true);
  std::size_t outcomes = 0;
  for (std::size_t at = 0; at < stream.size(); ++at) {
    std::string changed = stream;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    try {
      for (const KeptFrame& frame : frames_in(changed, 512)) {
        REQUIRE(frame.payload.size() <= most_payload);
        if (frame.kind == FrameKind::greeting) (void)greeting_from(frame.payload);
        if (frame.kind == FrameKind::ended) (void)end_from(frame.payload);
      }
      ++outcomes;
    } catch (const ErrorException&) {
      ++outcomes;
    }
  }
  CHECK(outcomes == stream.size());
}

TEST_CASE("frames: a compressed frame that would expand beyond a frame is refused") {
  if (!has_compression()) KDSCOPE_SKIP("kdscope was built without zstd");
  std::vector<char> buffer, small(100);
  const std::string zeros(101, '\0');
  const std::string packed(compress_into(buffer, zeros));
  CHECK_FALSE(expand_into(small, packed));
  small.resize(101);
  CHECK(expand_into(small, packed) == zeros);
}

TEST_CASE("frames: compression is chosen where the line is slower than it") {
  CompressionChoice slow_line, fast_line, dense_data, small_gain;
  std::size_t slow = 0, fast = 0, dense = 0, small = 0;
  constexpr double compression = 0.002;  // seconds per piece of 1 MiB, about 500 MB/s
  const auto turn = [&](CompressionChoice& choice, double line, double share, std::size_t& compressed) {
    const bool pays = choice.pays();
    compressed += pays;
    const auto smaller = static_cast<std::size_t>(share * (1 << 20));
    if (pays) choice.note_compressed(1 << 20, smaller, compression);
    choice.note_sent(pays ? smaller : 1 << 20, line * (pays ? share : 1));
  };
  for (int piece = 0; piece < 160; ++piece) {
    turn(slow_line, 0.02, 0.5, slow);      // 50 MB/s
    turn(fast_line, 0.001, 0.5, fast);     // 1 GB/s
    turn(dense_data, 0.02, 1, dense);      // nothing becomes smaller
    turn(small_gain, 0.0045, 0.5, small);  // 230 MB/s: the time of a piece is 6 % shorter
  }
  CHECK(slow == 160);
  CHECK(fast < 16);
  CHECK(dense < 16);
  CHECK(small < 16);
}

TEST_CASE("frames: a greeting arrives, and a foreign one is short and printable") {
  Greeting sent = own_greeting();
  sent.devices = {{{Backend::cuda, 0, "a GPU"}, {Backend::cpu, 0, "2 threads"}}, ""};
  sent.load = 1.5;
  const auto got = greeting_from(payload_of(sent)).value();
  CHECK(got.protocol == sent.protocol);
  CHECK(got.version == sent.version);
  CHECK(got.host == sent.host);
  CHECK(device_lines(got) == device_lines(sent));
  CHECK(device_lines(got).front().starts_with("cuda  a GPU, "));
  CHECK(got.load == 1.5);
  CHECK(got.compresses == has_compression());

  sent.host = "\x1b[2Jlab" + std::string(10'000, 'x');
  sent.devices.devices.assign(500, {Backend::cuda, 0, "GPU\n"});
  sent.devices.cuda_status = std::string(10'000, 'x');
  const auto foreign = greeting_from(payload_of(sent)).value();
  CHECK(foreign.host.size() < 250);
  CHECK(foreign.host.find('\x1b') == std::string::npos);
  CHECK(foreign.devices.devices.size() == 64);
  CHECK(foreign.devices.devices.front().name == "GPU\\n");
  CHECK(foreign.devices.cuda_status.size() < 250);
  for (const char* none : {"", "[]", "{\"protocol\":7}", "{\"host\":", "null"}) {
    INFO(none);
    CHECK_FALSE(greeting_from(none));
  }
  CHECK_FALSE(greeting_from("{\"host\":\"" + std::string(100'000, 'x') + "\"}"));
}

TEST_CASE("frames: the end of a runner names signals that end processes") {
  for (const int number : {11, 6, 9}) CHECK(end_from(payload_of(RunnerEnd{number, 0}))->signal == number);
  CHECK(end_from(payload_of(RunnerEnd{0, 200}))->code == 200);
  for (const int stops : {17, 18, 19, 20, 64, 127}) CHECK(end_from(payload_of(RunnerEnd{stops, 3}))->signal == 0);
  CHECK_FALSE(end_from(""));
  CHECK_FALSE(end_from("abc"));
}
