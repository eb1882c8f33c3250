// Runs the examples of algorithms/exec/README.md on the host's executors, and compares them with the page.
#include "tests/exec/executor_examples.hpp"

#include <fstream>
#include <map>
#include <string>

#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/exec/sequential_exec.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::executor_examples_test {
namespace {

/// Returns the examples of the source by name.
std::map<std::string, std::string> examples_in_source() {
  std::ifstream in(KDSCOPE_SOURCE_DIR "/tests/exec/executor_examples.hpp");
  std::map<std::string, std::string> examples;
  std::string name;
  const std::string begin = "// [snippet ";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(begin))
      name = line.substr(begin.size(), line.size() - begin.size() - 1);
    else if (line == "// [endsnippet]")
      name.clear();
    else if (!name.empty())
      examples[name] += line + "\n";
  }
  return examples;
}

/// Returns the blocks of the page by the name in the comment before each.
std::map<std::string, std::string> examples_on_page() {
  std::ifstream in(KDSCOPE_SOURCE_DIR "/algorithms/exec/README.md");
  std::map<std::string, std::string> examples;
  std::string name, blank;
  const std::string begin = "<!-- example ", end = " -->";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(begin)) {
      name = line.substr(begin.size(), line.size() - begin.size() - end.size());
      blank.clear();
    } else if (!name.empty() && line.starts_with("    ")) {
      examples[name] += blank + line.substr(4) + "\n";
      blank.clear();
    } else if (!name.empty() && line.empty()) {
      if (!examples[name].empty()) blank += "\n";
    } else {
      name.clear();
    }
  }
  return examples;
}

}  // namespace

TEST_CASE("executors: the page's examples are those that this test runs") {
  const auto source = examples_in_source(), page = examples_on_page();
  CHECK(source.size() == 7);
  for (const auto& [name, text] : source) {
    INFO("example " << name);
    REQUIRE(page.contains(name));
    CHECK(page.at(name) == text);
  }
  CHECK(page.size() == source.size());
}

TEST_CASE("executors: the page's examples run on the CPU, on one thread and on all") {
  CpuExec cpu;
  executor_examples::check_examples(cpu);
  SequentialExec sequential;
  executor_examples::check_examples(sequential);
}

}  // namespace kdscope::executor_examples_test
