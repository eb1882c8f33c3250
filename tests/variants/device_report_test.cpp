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
  const auto access = access_in(report("write", "0x7f1e00000228"), "/home/me/my.cu", arrays);
  REQUIRE(access);
  CHECK(access->writes);
  CHECK(access->line == 16);
  REQUIRE(access->place);
  CHECK(access->place->array == "tags");
  CHECK(access->place->index == 10);
  CHECK(access->place->size == 10);

  const auto read = access_in(report("read", "0x7f1e00000228"), "/home/me/other.cu", arrays);
  REQUIRE(read);
  CHECK_FALSE(read->writes);
  CHECK(read->line == 0);

  const auto wild = access_in(report("write", "0x8f1e00000228"), "my.cu", arrays);
  REQUIRE(wild);
  CHECK_FALSE(wild->place);
  CHECK_FALSE(access_in("========= ERROR SUMMARY: 0 errors\n", "my.cu", arrays));
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
