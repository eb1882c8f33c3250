// Tests that looking inside finds faults that are planted in stages of builders, and names them rightly. Each is a file
// of tests/variants/planted: what it does, where, on which data, the lines that it changes, and what must be found.
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"
#include "tests/variants/inside_program.hpp"
#include "tests/variants/planted_fault.hpp"

namespace kdscope::planted_faults_test {
using namespace kdscope::access_log;
using namespace kdscope::variants;

namespace {

/// Looks for each planted fault of a kind. It must be the first of its kind; others may follow from it.
void look_for(const std::string& kind, std::size_t least) {
  const test::TemporaryFolder folder;
  std::size_t faults = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KDSCOPE_SOURCE_DIR "/tests/variants/planted/" + kind)) {
    const auto fault = test::read_fault(entry.path());
    const std::string name = entry.path().stem().string() + ".cu", path = folder.file(name),
                      text = test::variant_of(fault, name);
    std::ofstream(path) << text;
    const test::InsideProgram program(path);
    const auto look = program.look_in_orders({{fault.data, fault.algorithm, fault.parameters, Backend::cpu}});
    INFO(name << (look ? "" : ": " + look.error().message()));
    REQUIRE(look);
    const std::string wanted = test::with_lines(fault.found, text, name),
                      of_kind = wanted.substr(0, wanted.find(':') + 2);
    std::string first, all;
    for (const Fault& each : look->faults) {
      const std::string sentence = name_of(each.kind) + std::string(": ") + each.sentence;
      all += "\n" + sentence;
      if (first.empty() && sentence.starts_with(of_kind)) first = sentence;
    }
    INFO("found:" << all << "\n" << look->crash);
    CHECK(first == wanted);
    ++faults;
  }
  CHECK(faults >= least);
}

}  // namespace

TEST_CASE("inside: planted accesses out of bounds are found and named", "[slow]") { look_for("bounds", 10); }

TEST_CASE("inside: planted reads of elements that nobody wrote are found and named", "[slow]") {
  look_for("unwritten", 10);
}

TEST_CASE("inside: planted barriers that are missing, or that some lanes miss, are found and named", "[slow]") {
  look_for("barriers", 10);
}

TEST_CASE("inside: planted wrong masks of votes are found and named by what they collide with", "[slow]") {
  look_for("ballots", 5);
}

TEST_CASE("inside: planted results that depend on the order of lanes are found and named", "[slow]") {
  look_for("order", 5);
}

}  // namespace kdscope::planted_faults_test
