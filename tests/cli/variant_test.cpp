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

  const std::string builder = folder.file("builder.cu");
  REQUIRE(run({"variant", "new", "textbook", "--builder", "--out", builder}).code == cli::exit_ok);
  std::string text = content_of(builder);
  const std::size_t step = text.find("  rec.step(steps::lay_out");
  REQUIRE(step != std::string::npos);
  put(builder, text.insert(step, "  rec.step(steps::lay_out, [&] {});\n"));
  CHECK(run({"variant", "build", builder}).code == cli::exit_other_steps);
}

TEST_CASE("variant: options out of range are refused before anything is compiled") {
  CHECK(refusal({"variant", "build", "my.cu", "--seconds", "0"}, cli::exit_bad_usage).find("--seconds") !=
        std::string::npos);
  CHECK(refusal({"variant", "build", "my.cu", "--seed", "-1"}, cli::exit_bad_usage).find("--seed") !=
        std::string::npos);
}

}  // namespace kdscope::variant_test
