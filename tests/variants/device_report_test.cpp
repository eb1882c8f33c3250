// Tests the reading of compute-sanitizer's reports, on the text that it prints.
#include "algorithms/variants/device_report.hpp"

#include "algorithms/variants/kit.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::device_report_test {
using namespace kdscope::variants;

namespace {

std::string report(const std::string& kind, const std::string& address) {
  return "the variant's own words\n"
         "========= COMPUTE-SANITIZER\n"
         "========= Invalid __global__ " +
         kind +
         " of size 4 bytes\n"
         "=========     at kdscope::wald::MyUpdateTags::operator ()(unsigned int) const+0x1b0 in my.cu:16\n"
         "=========     by thread (9,0,0) in block (0,0,0)\n"
         "=========     Access to " +
         address +
         " is out of bounds\n"
         "=========     and is 1 bytes after the nearest allocation at 0x7f1e00000200 of size 40 bytes\n"
         "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
         "=========         Host Frame: main in my.cu:33\n"
         "========= \n"
         "========= Invalid __global__ read of size 4 bytes\n";
}

Event array(const char* name, std::uint64_t address, std::uint64_t element_bytes, std::uint64_t size) {
  Event event{Event::Kind::array};
  event.place = PlaceInArray{name, 0, size};
  event.address = address;
  event.element_bytes = element_bytes;
  return event;
}

}  // namespace

TEST_CASE("a report of compute-sanitizer gives the array, the index and the line") {
  const std::vector<Event> arrays{array("points", 0x7f1e00000000, 8, 20), array("released", 0x7f1e00000200, 8, 4),
                                  array("tags", 0x7f1e00000200, 4, 10), array("index", 0x7f1e00000400, 4, 10)};
  const auto access = fault_in(report("write", "0x7f1e00000228"), "memcheck", "/home/me/my.cu", arrays);
  REQUIRE(access);
  CHECK(access->writes);
  CHECK(access->line == 16);
  REQUIRE(access->place);
  CHECK(access->place->array == "tags");
  CHECK(access->place->index == 10);
  CHECK(access->place->size == 10);

  const auto read = fault_in(report("read", "0x7f1e00000228"), "memcheck", "/home/me/other.cu", arrays);
  REQUIRE(read);
  CHECK_FALSE(read->writes);
  CHECK(read->line == 0);

  const auto wild = fault_in(report("write", "0x8f1e00000228"), "memcheck", "my.cu", arrays);
  REQUIRE(wild);
  CHECK_FALSE(wild->place);
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"})
    CHECK_FALSE(fault_in("========= ERROR SUMMARY: 0 errors\n", tool, "my.cu", arrays));
}

TEST_CASE("a report of another tool of compute-sanitizer is a sentence with its line and the tool's name") {
  const std::vector<Event> arrays{array("tags", 0x7f1e00000200, 4, 10)};
  const auto race = fault_in(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Race reported between Write access at kdscope::wehr::MyHistogram::operator ()(kdscope::Block "
      "&)+0x2a0 in my.cu:42\n"
      "=========     and Read access at kdscope::wehr::MyHistogram::operator ()(kdscope::Block &)+0x310 in my.cu:45 "
      "[124 hazards]\n"
      "========= \n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
      "racecheck", "/home/me/my.cu", arrays);
  REQUIRE(race);
  CHECK(race->line == 42);
  CHECK(race->text == "misuse writes shared memory that line 45 reads, with no barrier between them (racecheck)");
  const auto hazard = fault_in(
      "========= Error: Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) :\n"
      "=========     Write Thread (0,0,0) at sum(int *)+0x1d0 in my.cu:33\n"
      "=========     Write Thread (1,0,0) at sum(int *)+0x1d0 in my.cu:33\n"
      "=========     Current Value : 0, Incoming Value : 2\n",
      "racecheck", "my.cu", arrays);
  REQUIRE(hazard);
  CHECK(hazard->line == 33);
  CHECK(hazard->text.find("a hazard of kind WAW (racecheck)") != std::string::npos);

  const auto unwritten = fault_in(
      "========= Uninitialized __global__ memory read of size 4 bytes\n"
      "=========     at kdscope::wald::MyUpdateTags::operator ()(unsigned int) const+0x70 in my.cu:16\n"
      "=========     by thread (3,0,0) in block (0,0,0)\n"
      "=========     Address 0x7f1e0000020c\n"
      "========= \n",
      "initcheck", "my.cu", arrays);
  REQUIRE(unwritten);
  CHECK(unwritten->line == 16);
  CHECK(unwritten->text == "misuse reads tags[3] before anything wrote there (initcheck)");

  const auto barrier = fault_in(
      "========= Barrier error detected. Divergent thread(s) in block.\n"
      "=========     at kdscope::wehr::MyHistogram::operator ()(kdscope::Block &)+0xf0 in my.cu:57\n"
      "=========     by thread (17,0,0) in block (0,0,0)\n",
      "synccheck", "my.cu", arrays);
  REQUIRE(barrier);
  CHECK(barrier->line == 57);
  CHECK(barrier->text ==
        "misuse waits at a barrier that not all lanes reach: Divergent thread(s) in block. (synccheck)");
  // The report of one tool is none of another
  CHECK_FALSE(fault_in("========= Barrier error detected. Divergent thread(s) in block.\n", "memcheck", "my.cu", {}));
}

TEST_CASE("tools of compute-sanitizer are named in a list, and each has a command") {
  const auto tools = device_tools_in("racecheck,memcheck").value();
  CHECK(tools == std::vector<std::string>{"racecheck", "memcheck"});
  CHECK(device_tools_in("memcheck,rasecheck").error().what == "compute-sanitizer has no tool 'rasecheck'");
  CHECK(device_tools_in("memcheck,memcheck").error().what == "the tool memcheck is named twice");
  for (const char* list : {"", ",", "memcheck,"}) CHECK(device_tools_in(list).error().kind == ErrorKind::bad_usage);
  Kit kit;
  kit.cuda_compiler = "/opt/cuda/bin/nvcc";
  CHECK(device_tool_command(kit, "synccheck", "/tmp/x.variant") ==
        std::vector<std::string>{"/opt/cuda/bin/compute-sanitizer", "--tool", "synccheck", "--error-exitcode", "9",
                                 "/tmp/x.variant"});
}

TEST_CASE("messages of nvcc name lines of the file, as those of g++ do") {
  const auto messages = messages_in(
      "/tmp/my.cu(12): error: identifier \"tugs\" is undefined\n"
      "    const std::uint32_t tag = tugs[i];\n"
      "/tmp/my.cu(14): warning #177-D: variable \"x\" was declared but never referenced\n"
      "/tmp/my.cu:16:31: error: expected ';' before '}' token\n"
      "other.hpp(3): error: not of this file\n",
      "/tmp/my.cu");
  REQUIRE(messages.size() == 3);
  CHECK(messages[0].line == 12);
  CHECK(messages[0].kind == "error");
  CHECK(messages[0].text == "identifier \"tugs\" is undefined");
  CHECK(messages[1].kind == "warning");
  CHECK(messages[1].line == 14);
  CHECK(messages[2].column == 31);
  CHECK(messages[2].text == "expected ';' before '}' token");
}

}  // namespace kdscope::device_report_test
