// Tests the command `variant` as a script sees it: exit codes, the command to copy, files that are written.
#include "tests/cli/command_runs.hpp"

namespace kdscope::variant_test {
using namespace kdscope::tests;

TEST_CASE("variant build: exit codes tell apart what is equal, other, never launched, and of other steps", "[slow]") {
  const Folder folder;
  const std::string file = folder.file("m y.cu");
  CommandRun made = run({"variant", "new", "brown", "sort_tiles", "--out", file});
  INFO(made.out << made.err);
  REQUIRE(made.code == cli::exit_ok);
  CHECK(made.out.find("then run kdscope-cli variant build '" + file + "'\n") != std::string::npos);

  // Launched with another parameter alone; the command to repeat that is printed
  const CommandRun used = run({"variant", "build", file});
  INFO(used.out << used.err);
  CHECK(used.code == cli::exit_ok);
  CHECK(used.out.find("(used with sort=merge)") != std::string::npos);
  CHECK(used.out.find("kdscope-cli variant build '" + file + "' --data wald-10 --param sort=merge\n") !=
        std::string::npos);
  CHECK(used.out.find("(seed 17)") != std::string::npos);
  CHECK(run({"variant", "build", file, "--param", "sort=merge", "--seed", "5"}).out.find("(seed 5)") !=
        std::string::npos);

  put(folder.file("nobody.cu"),
      "#include \"algorithms/builders/textbook/textbook.hpp\"\n#include \"algorithms/variants/variant.hpp\"\n"
      "struct Nobody {};\nstruct Mine {};\ntemplate <>\nstruct kdscope::ReplacementOf<Nobody> {\n"
      "  using type = Mine;\n  static constexpr const char* stage = \"nobody\";\n};\nKDSCOPE_VARIANT_OF(textbook)\n");
  CHECK(run({"variant", "build", folder.file("nobody.cu")}).code == cli::exit_not_used);

  // Of two stages, one is launched and was right
  const std::string two = folder.file("two.cu");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "exchange_pass", "--out", two}).code == cli::exit_ok);
  const CommandRun half = run({"variant", "build", two});
  INFO(half.out << half.err);
  CHECK(half.out.find("never launched, and so not tried: exchange_pass") != std::string::npos);
  CHECK(half.code == cli::exit_not_used);

  const std::string builder = folder.file("builder.cu");
  REQUIRE(run({"variant", "new", "textbook", "--builder", "--out", builder}).code == cli::exit_ok);
  std::string text = content_of(builder);
  const std::size_t step = text.find("  rec.step(steps::lay_out");
  REQUIRE(step != std::string::npos);
  put(builder, text.insert(step, "  rec.step(steps::lay_out, [&] {});\n"));
  CHECK(run({"variant", "build", builder}).code == cli::exit_other_steps);
}

TEST_CASE("variant repeat: orders of lanes are compared, and what varies is named", "[slow]") {
  const Folder folder;
  const std::string file = folder.file("my.cu");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "--out", file}).code == cli::exit_ok);
  const CommandRun equal = run({"variant", "repeat", file, "--times", "3"});
  INFO(equal.out << equal.err);
  CHECK(equal.code == cli::exit_ok);
  CHECK(equal.out.find("all 3 runs are equal: 10 steps, tree hash") != std::string::npos);
  CHECK(equal.out.find("shuffled orders from seed 17 on") != std::string::npos);

  // The first thread that runs gives the tag
  std::string text = content_of(file);
  const std::size_t call = text.find("const {\n");
  REQUIRE(call != std::string::npos);
  put(file, text.insert(call + 8,
                        "    static std::uint32_t first = 0xffffffffu;\n"
                        "    if (level == 0) first = first == 0xffffffffu ? unsettled : first;\n"
                        "    if (level == 0 && first != 0) { tags[unsettled] = 1; return; }\n"));
  const CommandRun other = run({"variant", "repeat", file, "--times", "4", "--json"});
  INFO(other.out << other.err);
  CHECK(other.code == cli::exit_failed_check);
  CHECK(other.out.find("\"path\":\"build / level 0 / update tags\",\"array\":\"tags\"") != std::string::npos);
}

TEST_CASE("variant stages: --launches names what launches each stage", "[slow]") {
  const CommandRun stages = run({"variant", "stages", "wald", "--launches"});
  INFO(stages.out << stages.err);
  CHECK(stages.code == cli::exit_ok);
  CHECK(stages.out.find("bitonic_sort.hpp; used with sort=bitonic\n") != std::string::npos);
  CHECK(stages.out.find("UpdateTags in algorithms/builders/wald/update_tags.hpp; used with wald-10 as it is\n") !=
        std::string::npos);
  CHECK(stages.out.find("nothing that was tried") == std::string::npos);
}

TEST_CASE("variant: tools of compute-sanitizer are a list, refused where they are unknown") {
  CHECK(
      refusal({"variant", "build", "my.cu", "--backend", "cuda", "--sanitize=memcheck,rasecheck"}, cli::exit_bad_usage)
          .find("compute-sanitizer has no tool 'rasecheck'; the tools are memcheck, racecheck, initcheck and "
                "synccheck") != std::string::npos);
  for (const char* option : {"--sanitize", "--sanitize=racecheck"})
    CHECK(
        refusal({"variant", "build", "my.cu", option}, cli::exit_bad_usage).find("--sanitize is for --backend cuda") !=
        std::string::npos);
  CHECK(refusal({"variant", "build", "my.cu", "--sanitize="}, cli::exit_bad_usage).find("--sanitize needs a value") !=
        std::string::npos);
}

TEST_CASE("variant: what an action cannot run is refused before a compiler is looked for") {
  const Folder folder;
  const std::string file = folder.file("my.cu"), out = folder.file("few.csv");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "--out", file}).code == cli::exit_ok);
  ::setenv("KDSCOPE_KIT", "/nowhere/kit.txt", 1);
  for (const std::vector<std::string>& action :
       {std::vector<std::string>{"shrink", file, "--out", out}, {"repeat", file}, {"measure", file}}) {
    INFO(action[0]);
    const auto refused = [&](std::initializer_list<std::string> more) {
      std::vector<std::string> words{"variant"};
      words.insert(words.end(), action.begin(), action.end());
      words.insert(words.end(), {"--data", "wald-10"});
      words.insert(words.end(), more);
      return refusal(words, cli::exit_bad_usage);
    };
    const std::string parameter = refused({"--param", "sort=bitonik"});
    CHECK(parameter.find("bitonik") != std::string::npos);
    CHECK(parameter.find("kit.txt") == std::string::npos);
    CHECK(refused({"--backend", "auto"}).find("on a back end of your choice") != std::string::npos);
    CHECK(refused({"other.cu"}).find(action[0] + " takes one file") != std::string::npos);
  }
  CHECK(
      refusal({"variant", "shrink", file, "--data", "wald-10", "--out", out, "--backend", "cuda"}, cli::exit_bad_usage)
          .find("shrink runs the variant on the CPU") != std::string::npos);
  ::unsetenv("KDSCOPE_KIT");
}

TEST_CASE("variant: options out of range are refused before anything is compiled") {
  CHECK(refusal({"variant", "build", "my.cu", "--seconds", "0"}, cli::exit_bad_usage).find("--seconds") !=
        std::string::npos);
  CHECK(refusal({"variant", "build", "my.cu", "--seed", "-1"}, cli::exit_bad_usage).find("--seed") !=
        std::string::npos);
}

}  // namespace kdscope::variant_test
