// Tests the provenance that a recording keeps of the program that made it.

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::recorded_source_test {

namespace {

std::shared_ptr<const Trace> recorded(const std::string& algorithm) {
  auto data = std::make_shared<DataSet>();
  data->name = "six";
  data->points = points_from_rows<float>(2, {7, 2, 5, 4, 9, 6, 4, 7, 8, 1, 2, 3});
  data->warnings = {"six.csv:1:1: a number was rounded."};
  return record({{}, algorithm, {}, Backend::cpu, false, data}).value();
}

/// Returns as many lines of a source file as `text` has, starting with line `first`.
std::string lines_of(const std::string& file, std::uint32_t first, const std::string& text) {
  std::ifstream in(std::string(KDSCOPE_SOURCE_DIR "/") + file);
  std::string lines, line;
  for (std::uint32_t number = 1; lines.size() < text.size() && std::getline(in, line); ++number)
    if (number >= first) lines += line + "\n";
  return lines;
}

}  // namespace

TEST_CASE("a recording keeps the build, the warnings of its data, and the source that its steps name") {
  for (const char* algorithm : {"wald", "hu"}) {
    INFO(algorithm);
    const auto trace = recorded(algorithm);
    const TraceHeader& header = trace->header;
    CHECK(header.build == build_provenance());
    CHECK_FALSE(header.build.commit.empty());
    CHECK_FALSE(header.build.compiler.empty());
    CHECK(header.build.flags.find('/') == std::string::npos);
    CHECK(header.data_warnings == std::vector<std::string>{"six.csv:1:1: a number was rounded."});
    std::set<std::string> kept;
    for (const RecordedSource& source : header.sources) {
      INFO(source.region);
      CHECK(kept.insert(source.region).second);
      CHECK(lines_of(source.file, source.first_line, source.text).starts_with(source.text));
    }
    std::set<std::string> named;
    for (const Step& step : trace->steps)
      if (!step.code_anchor.empty()) named.insert(step.code_anchor);
    CHECK(named.size() > 2);
    for (const std::string& region : named) CHECK(kept.count(region) == 1);
    // Regions of other algorithms are omitted unless a step names them.
    for (const SourceRegion& region : source_regions()) {
      const bool own = region.file.find("builders/" + header.algorithm + "/") != std::string_view::npos;
      CHECK(kept.count(std::string(region.name)) == (own || named.count(std::string(region.name)) ? 1 : 0));
    }
  }
}

TEST_CASE("a build is named in words") {
  CHECK(text_of(BuildProvenance{}).empty());
  const BuildProvenance build{"0123456789abcdef0123456789abcdef01234567", true, "GNU 12.2.0", "-O3 -DNDEBUG",
                              "Release"};
  CHECK(text_of(build) == "commit 0123456 with local changes, GNU 12.2.0 -O3 -DNDEBUG, Release");
  CHECK(commit_text({"unknown", false, "GNU 12.2.0", "", ""}) == "an unknown commit");
  CHECK(commit_text({"0123456789abcdef", false, "", "", ""}) == "commit 0123456");
}

}  // namespace kdscope::recorded_source_test
