// Tests the tables of a variant's steps with planted numbers.
#include "app/cli/step_tables.hpp"

#include <sstream>

#include "algorithms/microbench/copy_bandwidth.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::cli;
using tests::Json;
using tests::JsonReader;
using variants::StepRow;
using variants::StepSum;

namespace {

const std::vector<StepRow> rows{{"sort", StepSum{2, 4, 3'000'000, 1'000'000}, StepSum{1, 3, 3'000'000, 1'000'000}},
                                {"added", {}, StepSum{2.5, 1, 0, 500'000}},
                                {"removed", StepSum{0.5, 1, 0, 0}, {}}};

}  // namespace

TEST_CASE("tables of steps: times, ratios, shares and launches, and what lies between") {
  CHECK(times_table(rows, 0.5, 0.25) ==
        "                   original ms  variant ms  ratio    share  launches  variant's\n"
        "sort                         2           1    0.5   26.7 %         4          3\n"
        "added                        -         2.5      -   66.7 %         -          1\n"
        "removed                    0.5           -      -        -         1          -\n"
        "sum of the steps           2.5         3.5    1.4   93.3 %         5          4\n"
        "between the steps          0.5        0.25    0.5    6.7 %                     \n"
        "whole build                  3        3.75   1.25  100.0 %                     \n");
}

TEST_CASE("tables of steps: bytes, bandwidth, and its share of a copy's") {
  CHECK(
      bytes_table(rows, 8) ==
      "                  original: read MB  written MB  GB/s  of copy  variant: read MB  written MB  GB/s  of copy\n"
      "sort                              3           1     2   25.0 %                 3           1     4   50.0 %\n"
      "added                             -           -     -        -                 0         0.5   0.2    2.5 %\n"
      "removed                           0           0     0    0.0 %                 -           -     -        -\n"
      "sum of the steps                  3           1   1.6   20.0 %                 3         1.5  1.29   16.1 %\n");
}

TEST_CASE("tables of steps: a row with a sort by comparison has no bytes, and neither has the sum") {
  const std::vector<StepRow> partly{
      {"sort", StepSum{2, 4, 3'000'000, 1'000'000, 1}, StepSum{1, 3, 3'000'000, 1'000'000}},
      {"lay out", StepSum{1, 1, 2'000'000, 0}, StepSum{1, 1, 2'000'000, 0}}};
  CHECK(bytes_table(partly, 8) ==
        "                  original: read MB   written MB  GB/s  of copy  variant: read MB  written MB  GB/s  of copy\n"
        "sort                    not counted  not counted     -        -                 3           1     4   50.0 %\n"
        "lay out                           2            0     2   25.0 %                 2           0     2   25.0 %\n"
        "sum of the steps        not counted  not counted     -        -                 5           1     3   37.5 %\n"
        "Bytes not counted: a sort by comparison reads coordinates each time that it compares, and how often that is "
        "depends on the device.\n");
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  write_steps(partly, true, json);
  json.end_object();
  const Json sort = JsonReader::read(out.str())["steps"].list[0];
  CHECK(sort["original"]["bytes_read"].kind == Json::Kind::null);
  CHECK(sort["original"]["gb_per_s"].kind == Json::Kind::null);
  CHECK(sort["original"]["ms"].number == 2);
  CHECK(sort["variant"]["bytes_read"].number == 3'000'000);
}

TEST_CASE("a copy's bandwidth counts what is read and what is written") {
  Device device;
  device.memory_bytes = 16 << 20;
  const auto copied = copy_bandwidth(device).value();
  CHECK(copied.bytes == 2 * (device.memory_bytes / 8));
  CHECK(copied.gigabytes_per_second > 0);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = copy_bandwidth(device, stop.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
}

TEST_CASE("tables of steps: as JSON, with bytes only if they were counted") {
  const auto text_of = [](bool bytes) {
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_object();
    write_steps(rows, bytes, json);
    json.end_object();
    return out.str();
  };
  const std::string with = text_of(true), without = text_of(false);
  CHECK(with.find("\"bytes_read\"") != std::string::npos);
  CHECK(without.find("bytes") == std::string::npos);
  CHECK(without.find("null") != std::string::npos);
}
