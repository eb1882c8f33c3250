// Tests that a recording holds everything up to the access that ends its program, however the program ends.
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "algorithms/variants/inside/recording_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/variants/inside_program.hpp"

namespace kdscope::crashed_recordings_test {
using namespace kdscope::access_log;

namespace {

/// A kernel of two blocks. Lane 5 of block 1 ends the program in interval 1, in a way that the number of points
/// chooses.
constexpr const char* kernel = R"(
inline std::uint32_t without_end(const std::uint32_t* out, std::uint32_t turn) {
  volatile std::uint32_t here[64];
  here[turn % 64] = out[0];
  return without_end(out, turn + 1) + here[turn % 64];
}
struct Breaks {
  std::uint32_t* out;
  std::uint32_t way;
  template <class Block>
  void operator()(Block& block) const {
    auto* h = block.template shared<std::uint32_t>(32);
    block.lanes([&](int lane) { h[lane] = static_cast<std::uint32_t>(lane); });
    block.lanes([&](int lane) {
      const std::uint32_t i = 32 * block.index() + static_cast<std::uint32_t>(lane);
      out[i] = h[lane] + 100;
      if (i != 37) return;
      volatile std::uint32_t zero = 0;
      switch (way) {
        case 10:
          for (std::uint32_t far = 1000; far < 200'000; ++far) out[64 + far] = 0x41414141u;  // past the array
          break;
        case 11:
          *reinterpret_cast<volatile std::uint32_t*>(static_cast<std::size_t>(zero)) = 1;
          break;
        case 12:
          out[i] = without_end(out, 0);
          break;
        case 13:
          while (zero == 0) {
          }
          break;
        case 14:
          std::abort();
        case 15:
          out[i] = 7 / zero;
          break;
        case 16: {
          auto* far = reinterpret_cast<std::uint32_t*>(static_cast<std::size_t>(zero + 1) << 62);
          *far = 1;
          break;
        }
        default:
          break;
      }
    });
  }
};

)";

const std::string ended_at = ", in 'break', block 1, interval 1, lane 5; the last access was: ";

}  // namespace

TEST_CASE("inside: a recording holds what happened before its program ended", "[slow]") {
  const auto kit = variants::find_kit().value();
  auto text = variants::new_builder("textbook", kit.include_folders.front(), "x.cu").value();
  const auto insert = [&](const std::string& before, const std::string& what) {
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.insert(at, what);
  };
  insert("#include", "#include <cstdlib>\n");
  insert("/// Builds the left-balanced tree", kernel);
  insert("  // Give all points to the root\n  rec.step(",
         "  auto out = exec.template array<std::uint32_t>(\"out\", 64);\n"
         "  rec.step(StepLabel{\"break\"}, [&](const char* name) { exec.for_each_block(name, 2, 32, 128, "
         "Breaks{out.data(), n}); });\n");
  const test::TemporaryFolder folder;
  const std::string path = folder.file("crash.cu");
  std::ofstream(path) << text;
  const auto line = [&](const std::string& part) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return "crash.cu:" +
           std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  const test::InsideProgram program(path);
  const std::string place = " (block 1, interval 1, lane 5)";
  const std::string own = line("out[i] = h[lane] + 100") + " writes out[37]" + place;

  const auto look = [&](int way) {
    INFO("way " << way);
    variants::ProgramLimits limits;
    limits.time = std::chrono::seconds(way == 13 ? 3 : 60);
    const std::string data = "uniform:n=" + std::to_string(way) + ",dim=2";
    const Look look = program.look({{data, program.algorithm(), {}, Backend::cpu}}, {}, limits);
    CHECK(look.recording.end.known);
    // All accesses of block 0, and of block 1 up to there
    const auto& all = look.recording.accesses;
    const auto of = [&](std::uint32_t group) {
      return std::ranges::count_if(all, [&](const Access& a) {
        return look.recording.launches[a.launch].name == "break" && a.group == group &&
               !look.recording.out_of_bounds(a);
      });
    };
    CHECK(of(0) == 32 * 3);
    CHECK(of(1) >= 32 + 6 * 2);
    return look;
  };
  const auto sentences = [](const Look& look) {
    std::vector<std::string> sentences;
    for (const Fault& fault : look.faults) sentences.push_back(fault.sentence);
    return sentences;
  };
  const std::string segmentation = "the variant crashed (Segmentation fault)";

  SECTION("writes far behind an array damage the memory of the program") {
    const Look heap = look(10);
    const std::string writes = line("out[64 + far]") + " writes ";
    // What ends the program depends on where its memory lies
    CHECK(heap.crash.find(ended_at + writes) != std::string::npos);
    REQUIRE_FALSE(heap.faults.empty());
    CHECK(heap.faults[0].sentence == writes + "out[1064], but 'out' has 64 elements" + place);
  }
  SECTION("a null pointer") {
    const Look null = look(11);
    const std::string sentence = line("*reinterpret_cast") + " writes through a null pointer" + place;
    CHECK(null.crash == segmentation + ended_at + sentence);
    CHECK(sentences(null) == std::vector{sentence});
  }
  SECTION("a recursion without end") {
    CHECK(look(12).crash ==
          segmentation + ", because its stack was used up: a recursion does not end, or local variables are too large" +
              ended_at + line("here[turn % 64] = out[0]") + " reads out[0] = 100" + place);
  }
  SECTION("a loop without end") {
    CHECK(look(13).crash == "the variant did not end within 3 seconds" + ended_at + own);
  }
  SECTION("a loop without end, of lanes that are not recorded") {
    Wanted wanted;
    wanted.groups = {0, 1};
    variants::ProgramLimits limits;
    limits.time = std::chrono::seconds(3);
    const Look part = program.look({{"uniform:n=13,dim=2", program.algorithm(), {}, Backend::cpu}}, wanted, limits);
    CHECK(part.crash ==
          "the variant did not end within 3 seconds, in 'break', block 1, interval 1, lane 5; the last "
          "access of the recorded lanes was: " +
              line("out[i] = h[lane] + 100") + " writes out[31] <- 131 (block 0, interval 1, lane 31)");
  }
  SECTION("a call of abort()") {
    const Look aborted = look(14);
    CHECK(aborted.crash == "the variant crashed (Aborted)" + ended_at + own);
    CHECK(aborted.faults.empty());
  }
  SECTION("a division by zero") {
    CHECK(look(15).crash == "the variant crashed (Floating point exception)" + ended_at + line("out[i] = 7 / zero") +
                                " writes out[37]" + place);
  }
  SECTION("an address that does not exist") {
    const Look far = look(16);
    const std::string sentence = line("*far = 1") + " writes memory that belongs to no array" + place;
    CHECK(far.crash == segmentation + ended_at + sentence);
    CHECK(sentences(far) == std::vector{sentence});
  }
}

TEST_CASE("inside: the recording of a program that was killed is whole up to there; a write may have no value") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("launch");
  RecordingWriter out;
  REQUIRE(out.open(file, 4));
  out.add(Launch{"build / count", "count", LaunchKind::threads, 1, 8});
  out.add(WatchedArray{"tags", 4, 8, ValueType::whole});
  out.add(Site{16, 0});
  const auto write = [&](std::int64_t index) {
    out.add({0, 0, 0, 3, 0, 0, 0, 4, 4 * index, 7, static_cast<std::uint32_t>(AccessKind::write), 0, 0, 0});
  };
  write(1), write(2);
  out.state().in_launch = 1, out.state().running.lane = 3, out.state().unknown = 2, out.state().left_out = 9;
  const auto recording = read_recording(file);  // while the writer exists
  REQUIRE(recording);
  REQUIRE(recording->accesses.size() == 2);
  CHECK(recording->value_of(recording->accesses[0]) == "7");
  CHECK(recording->value_of(recording->accesses[1]) == "?");
  CHECK(recording->deed_of(recording->accesses[1]) == "? writes tags[2]");
  CHECK(recording->launches[0].left_out == 9);
  CHECK(recording->end.known);
  CHECK(recording->end.lane == 3);

  // A wild access stands where it happened, and only a signal makes it the cause
  write(3);
  out.state().unknown = 0;
  out.state().first_wild_write = {1, 1 << 20, 1, {0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0}, {"tags"}, 4000};
  CHECK(read_recording(file)->accesses.size() == 3);
  out.state().signal = SIGABRT;
  const auto aborted = read_recording(file);
  REQUIRE(aborted->accesses.size() == 4);
  CHECK(aborted->deed_of(aborted->accesses[1]) ==
        "? writes memory that belongs to no array, 4,000 bytes behind the end of 'tags'");
}

}  // namespace kdscope::crashed_recordings_test
