// Tests that looking inside finds faults that are planted in stages of builders, and names them rightly. Each is a file
// of tests/variants/planted: what it does, where, on which data, the lines that it changes, and what must be found.
// One program holds all faults in stages of a builder, because compiling it takes longer than all looks inside.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "tests/support/temporary_folder.hpp"
#include "tests/variants/inside_program.hpp"
#include "tests/variants/planted_fault.hpp"
#include "tests/variants/planted_stage.hpp"

namespace kdscope::planted_faults_test {
using namespace kdscope::access_log;
using namespace kdscope::variants;

namespace {

/// The kinds of faults that are found inside a launch, and how many of each there are at least.
const std::map<std::string, std::size_t> kinds{
    {"ballots", 5}, {"barriers", 10}, {"bounds", 10}, {"order", 5}, {"unwritten", 10}};

/// Returns the files of a kind of faults, in order.
std::vector<std::filesystem::path> files_of(const std::string& kind) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(KDSCOPE_SOURCE_DIR "/tests/variants/planted/" + kind))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// A program that holds one or more faults.
struct FaultyProgram {
  struct Part {
    std::string name;  ///< of the fault's file
    test::PlantedFault fault;
    std::size_t begin;  ///< of the fault's stages in `text`
  };
  std::string name;  ///< of the program's file
  std::string text;
  std::vector<Part> parts;
};

/// Adds a fault's stages to a program, in a namespace of its own, and what it replaces to `replaced`: by the head of
/// the ReplacementOf, the faulty stages.
void add_stages(FaultyProgram& program, const std::string& name, const test::PlantedFault& fault,
                std::map<std::string, std::pair<std::string, std::string>>& replaced) {
  static const std::regex space(R"(\nnamespace kdscope::(\w+) \{\n)"),
      replacement(R"(\n(template <.*>\nstruct kdscope::ReplacementOf<(.*)> \{)\n  using type = (\w+)::(.*);\n(.*)\n)");
  const std::string variant = test::variant_of(fault, program.name), number = std::to_string(program.parts.size()),
                    own = "planted_" + number;
  const std::size_t stages = variant.find("\nnamespace"), end = variant.find("\ntemplate <", variant.rfind("\n}  //"));
  REQUIRE(end < variant.size());
  if (program.text.empty())
    program.text = variant.substr(0, stages) + "#include \"tests/variants/planted_stage.hpp\"\n";
  program.parts.push_back({name, fault, program.text.size()});
  program.text +=
      std::regex_replace(variant.substr(stages, end - stages), space, "\nnamespace kdscope::$1::" + own + " {\n");
  for (std::sregex_iterator each(variant.begin() + static_cast<std::ptrdiff_t>(end), variant.end(), replacement), last;
       each != last; ++each) {
    auto& [type, stage] = replaced[(*each)[1]];
    if (type.empty()) type = "test::PlantedStage<" + (*each)[2].str(), stage = (*each)[5];
    type += ", test::Planted<" + number + ", " + (*each)[3].str() + "::" + own + "::" + (*each)[4].str() + ">";
  }
}

/// Returns the programs for all faults in a builder: one for those in stages, and one for each in a copy of the
/// builder.
std::vector<FaultyProgram> programs_of(const std::string& algorithm) {
  FaultyProgram together{algorithm + ".cu", "", {}};
  std::vector<FaultyProgram> programs;
  std::map<std::string, std::pair<std::string, std::string>> replaced;
  for (const auto& [kind, least] : kinds)
    for (const auto& file : files_of(kind)) {
      const auto fault = test::read_fault(file);
      const std::string name = file.stem().string();
      if (fault.algorithm != algorithm) continue;
      if (fault.stage.empty())
        programs.push_back({name + ".cu", test::variant_of(fault, name + ".cu"), {{name, fault, 0}}});
      else
        add_stages(together, name, fault, replaced);
    }
  for (const auto& [head, by] : replaced)
    together.text += "\n" + head + "\n  using type = " + by.first + ">;\n" + by.second + "\n};\n";
  together.text += "KDSCOPE_VARIANT_OF(" + std::regex_replace(algorithm, std::regex("-"), "_") + ")\n";
  if (!together.parts.empty()) programs.push_back(std::move(together));
  return programs;
}

/// Looks for each fault of a program. It must be the first of its kind; others may follow from it.
void look_for_faults(const FaultyProgram& faulty) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file(faulty.name);
  std::ofstream(path) << faulty.text;
  const test::InsideProgram program(path);
  for (std::size_t number = 0; number < faulty.parts.size(); ++number) {
    const auto& [name, fault, begin] = faulty.parts[number];
    REQUIRE(::setenv(test::planted_variable, std::to_string(number).c_str(), 1) == 0);
    const auto look = program.look_in_orders({{fault.data, fault.algorithm, fault.parameters, Backend::cpu}});
    INFO(name << (look ? "" : ": " + look.error().message()));
    REQUIRE(look);
    const std::string wanted = test::with_lines(fault.found, faulty.text, faulty.name, begin),
                      of_kind = wanted.substr(0, wanted.find(':') + 2);
    std::string first, all;
    for (const Fault& each : look->faults) {
      const std::string sentence = name_of(each.kind) + std::string(": ") + each.sentence;
      all += "\n" + sentence;
      if (first.empty() && sentence.starts_with(of_kind)) first = sentence;
    }
    INFO("found:" << all << "\n" << look->crash);
    CHECK(first == wanted);
  }
}

/// Looks for all faults that are planted in a builder.
void look_for(const std::string& algorithm) {
  std::size_t faults = 0;
  for (const FaultyProgram& program : programs_of(algorithm)) look_for_faults(program), faults += program.parts.size();
  CHECK(faults > 0);
}

}  // namespace

TEST_CASE("inside: enough faults of each kind are planted, in builders with a test") {
  for (const auto& [kind, least] : kinds) {
    CHECK(files_of(kind).size() >= least);
    for (const auto& file : files_of(kind)) {
      const std::string algorithm = test::read_fault(file).algorithm;
      INFO(file);
      CHECK(std::ranges::count(std::vector<std::string>{"brown", "hu", "rank", "textbook", "wald", "wehr", "zhou-sah"},
                               algorithm) == 1);
    }
  }
}

TEST_CASE("inside: faults that are planted in brown are found and named", "[slow]") { look_for("brown"); }
TEST_CASE("inside: faults that are planted in hu are found and named", "[slow]") { look_for("hu"); }
TEST_CASE("inside: faults that are planted in rank are found and named", "[slow]") { look_for("rank"); }
TEST_CASE("inside: faults that are planted in textbook are found and named", "[slow]") { look_for("textbook"); }
TEST_CASE("inside: faults that are planted in wald are found and named", "[slow]") { look_for("wald"); }
TEST_CASE("inside: faults that are planted in wehr are found and named", "[slow]") { look_for("wehr"); }
TEST_CASE("inside: faults that are planted in zhou-sah are found and named", "[slow]") { look_for("zhou-sah"); }

}  // namespace kdscope::planted_faults_test
