// Tests that looking inside finds faults that are planted in stages of builders, and names them rightly. Each is a file
// of tests/variants/planted: what it does, where, on which data, the lines that it changes, and what must be found.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/support/temporary_folder.hpp"
#include "tests/variants/inside_program.hpp"

namespace kdscope::planted_faults_test {
using namespace kdscope::access_log;
using namespace kdscope::variants;

namespace {

struct PlantedFault {
  std::string algorithm, stage;  ///< without a stage: in a copy of the whole builder
  std::string data;
  Parameters parameters;
  std::vector<std::pair<std::string, std::string>> changes;
  std::string found;  ///< "KIND: SENTENCE"; see with_lines()
};

/// Returns the blocks of a file by their heads, the lines "[head]".
std::vector<std::pair<std::string, std::string>> blocks_of(const std::filesystem::path& path) {
  std::vector<std::pair<std::string, std::string>> blocks{{"", ""}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("[") && line.ends_with("]"))
      blocks.push_back({line.substr(1, line.size() - 2), ""});
    else
      blocks.back().second += (blocks.back().second.empty() ? "" : "\n") + line;
  }
  return blocks;
}

PlantedFault read_fault(const std::filesystem::path& path) {
  PlantedFault fault;
  for (const auto& [head, text] : blocks_of(path)) {
    std::istringstream words(text);
    if (head == "in") words >> fault.algorithm >> fault.stage;
    if (head == "data") fault.data = text;
    if (head == "with")
      for (std::string word; words >> word;)
        fault.parameters[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    if (head == "replaced") fault.changes.push_back({text, ""});
    if (head == "by") fault.changes.back().second = text;
    if (head == "found") fault.found = text, std::ranges::replace(fault.found, '\n', ' ');
  }
  return fault;
}

/// Returns the text of the variant with the fault.
std::string variant_of(const PlantedFault& fault, const std::string& name) {
  std::string text;
  if (fault.stage.empty()) {
    const auto kit = find_kit();
    REQUIRE(kit);
    const auto builder = new_builder(fault.algorithm, kit->include_folders.front(), name);
    REQUIRE(builder);
    text = *builder;
  } else {
    const auto stage = find_stage(fault.algorithm, fault.stage);
    REQUIRE(stage);
    text = new_variant(fault.algorithm, {*stage}, name);
  }
  for (const auto& [before, after] : fault.changes) {
    const std::size_t at = text.find(before);
    INFO("the stage has no longer, or twice: " << before);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(before, at + 1) == std::string::npos);
    text.replace(at, before.size(), after);
  }
  return text;
}

/// Returns the text of a header of a builder.
std::string header_text(const std::string& name) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(KDSCOPE_SOURCE_DIR "/algorithms/builders"))
    if (entry.path().filename() == name) {
      std::ifstream file(entry.path());
      return {std::istreambuf_iterator<char>(file), {}};
    }
  return "";
}

/// Replaces {part} by "NAME:LINE", where the variant's text has the part, and {header.hpp|part} by the header's line.
std::string with_lines(std::string found, const std::string& text, const std::string& name) {
  for (std::size_t open; (open = found.find('{')) != std::string::npos;) {
    const std::size_t close = found.find('}', open), bar = found.find(".hpp|", open);
    REQUIRE(close != std::string::npos);
    const bool in_header = bar < close;
    const std::size_t begin = in_header ? bar + 5 : open + 1;
    const std::string part = found.substr(begin, close - begin),
                      file = in_header ? found.substr(open + 1, bar + 3 - open) : name,
                      lines = in_header ? header_text(file) : text;
    const std::size_t at = lines.find(part);
    INFO("no line of " << file << " has " << part);
    REQUIRE(at != std::string::npos);
    const auto line = 1 + std::count(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    found.replace(open, close - open + 1, file + ":" + std::to_string(line));
  }
  return found;
}

/// Looks for each planted fault of a kind. It must be the first of its kind; others may follow from it.
void look_for(const std::string& kind, std::size_t least) {
  const test::TemporaryFolder folder;
  std::size_t faults = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KDSCOPE_SOURCE_DIR "/tests/variants/planted/" + kind)) {
    const PlantedFault fault = read_fault(entry.path());
    const std::string name = entry.path().stem().string() + ".cu", path = folder.file(name),
                      text = variant_of(fault, name);
    std::ofstream(path) << text;
    const test::InsideProgram program(path);
    const auto look = program.look_in_orders({{fault.data, fault.algorithm, fault.parameters, Backend::cpu}});
    INFO(name << (look ? "" : ": " + look.error().message()));
    REQUIRE(look);
    const std::string wanted = with_lines(fault.found, text, name), of_kind = wanted.substr(0, wanted.find(':') + 2);
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
