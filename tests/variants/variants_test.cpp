// Tests variants from their file to the comparison, with a compiler.
#include <fstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

std::string replaced_text(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  return text.replace(at, before.size(), after);
}

std::string with_stage(const std::string& algorithm, const std::string& stage) {
  return new_variant(algorithm, {*find_stage(algorithm, stage)}, "my.cu");
}

struct Tried {
  std::filesystem::path program;
  ProcessRequest request;
  Result<VariantRun> run = VariantRun{};
  std::shared_ptr<const Trace> original;
  CompilerErrors errors;
};

/// Compiles a variant's text, runs it on a data set, and records the original beside it.
Tried try_variant(const std::string& text, const std::string& data, const Parameters& parameters = {},
                  const ProgramLimits& limits = {}) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  std::ofstream(file) << text;
  Tried tried;
  const auto variant = read_variant(file).value();
  RunRequest request{{}, variant.algorithm, parameters, Backend::cpu, false, *open_data_set(data)};
  tried.original = *record(request);
  const auto kit = find_kit().value();
  const auto compiled = compile(variant, kit, tried.errors);
  tried.request.run = {data, {}, parameters, Backend::cpu};
  tried.request.run.replaced_sources = variant.stages;
  tried.request.data_name = data;
  if (compiled) tried.program = compiled->program;
  tried.run =
      compiled ? run_variant(compiled->program, kit, tried.request, limits) : Result<VariantRun>(compiled.error());
  return tried;
}

}  // namespace

TEST_CASE("variants: the starting file of all stages of an algorithm compiles and equals the original", "[slow]") {
  const auto each = algorithms();
  const AlgorithmSpec algorithm = each[GENERATE_COPY(range(std::size_t(0), each.size()))];
  INFO(algorithm.id);
  const std::string data = algorithm.takes_triangles ? "zhou-8" : "uniform:n=100,dim=2,seed=3";
  const Tried tried = try_variant(new_variant(algorithm.id, stages_of(algorithm.id), "all.cu"), data);
  INFO(tried.errors.output.substr(0, 2000));
  INFO((tried.run ? "" : tried.run.error().message()));
  REQUIRE(tried.run);
  INFO(tried.run->crash);
  REQUIRE(tried.run->trace);
  CHECK(tried.run->crash.empty());
  CHECK(find_divergence(tried.original, tried.run->trace).equal());
  CHECK_FALSE(tried.run->replaced.empty());
  CHECK(std::ranges::any_of(tried.run->trace->header.sources,
                            [](const RecordedSource& source) { return source.file.ends_with("my.cu"); }));

  // No original depends on the order of its lanes, so "equal in every order" can be asked of a variant. Other
  // parameters and more points launch other stages.
  struct Case {
    std::string data;
    Parameters parameters;
  };
  std::vector<Case> cases{{data, {}}};
  const std::string more = "uniform:n=600,dim=3,seed=3";
  if (algorithm.id == "wald")
    cases = {{"uniform:n=1500,dim=3,seed=3", {{"sort", "bitonic"}}},
             {"uniform:n=300,dim=3,seed=3", {{"sort", "comparator"}, {"split", "widest"}}}};
  if (algorithm.id == "rank") cases.push_back({"uniform:n=5000,dim=3,seed=3", {}});
  if (algorithm.id == "brown") cases.push_back({more, {{"sort", "merge"}, {"warps", "4"}}});
  if (algorithm.id == "wehr") cases.push_back({more, {{"tpb", "8"}}});
  if (algorithm.id == "hu") cases.push_back({more, {{"leaf_size", "2"}}});
  if (algorithm.id == "zhou-sah") cases.push_back({"metal-ring", {}});
  if (algorithm.id == "zhou-vvh") cases.push_back({more, {}});
  for (const Case& each_case : cases) {
    RunRequest original{{}, algorithm.id, each_case.parameters, Backend::cpu, false, *open_data_set(each_case.data)};
    const auto recorded = record(original).value();
    for (const LaneOrder& order : {LaneOrder{LaneOrder::Kind::descending, 0}, LaneOrder{LaneOrder::Kind::shuffled, 17},
                                   LaneOrder{LaneOrder::Kind::shuffled, 3}, LaneOrder{LaneOrder::Kind::at_once, 0}}) {
      INFO(each_case.data << ", " << name_of(order));
      ProcessRequest request = tried.request;
      request.run.data = request.data_name = each_case.data;
      request.run.parameters = each_case.parameters;
      request.order = order;
      const auto run = run_variant(tried.program, *find_kit(), request).value();
      INFO(run.crash);
      CHECK(run.crash.empty());
      REQUIRE(run.trace);
      CHECK(find_divergence(recorded, run.trace).equal());
    }
  }
}

TEST_CASE("variants: a copy of a whole builder compiles, equals the original, and can be changed", "[slow]") {
  const auto kit = find_kit().value();
  const auto wald = new_builder("wald", kit.include_folders.front(), "my.cu").value();
  Tried tried = try_variant(wald, "wald-10");
  INFO((tried.run ? "" : tried.run.error().message()) << tried.errors.output.substr(0, 2000));
  REQUIRE(tried.run);
  CHECK(find_divergence(tried.original, tried.run->trace).equal());

  // One level too few
  tried = try_variant(replaced_text(wald, "level < levels - 1", "level < levels - 2"), "wald-10");
  REQUIRE(tried.run);
  const Divergence found = find_divergence(tried.original, tried.run->trace);
  REQUIRE(found.steps);
  CHECK(path_text(tried.original->steps[found.steps->first]) == "build / level 2 / sort");
  CHECK(found.step_names);

  CHECK_FALSE(new_builder("walt", kit.include_folders.front(), "my.cu"));
  CHECK_FALSE(new_builder("wald", "/nowhere", "my.cu"));
}

TEST_CASE("variants: a wrong comparison, an access out of bounds and an endless loop are found where they are",
          "[slow]") {
  const std::string text = with_stage("wald", "update_tags");
  SECTION("a wrong comparison") {
    const Tried tried = try_variant(replaced_text(text, "i < pivot", "i <= pivot"), "wald-10");
    REQUIRE(tried.run);
    const Divergence found = find_divergence(tried.original, tried.run->trace);
    REQUIRE(found.steps);
    CHECK(tried.original->steps[found.steps->first].name == "update tags");
    CHECK(found.arrays[0].array == "tags");
    CHECK(found.arrays[0].first[0].index == 6);
  }
  SECTION("an access out of bounds") {
    const Tried tried = try_variant(replaced_text(text, "(i > pivot) tags[i]", "(i > pivot) tags[i + 1]"), "wald-10");
    REQUIRE(tried.run);
    REQUIRE(tried.run->fault);
    REQUIRE(tried.run->fault->place);
    CHECK(tried.run->fault->place->array == "tags");
    CHECK(tried.run->fault->place->index == 10);
    CHECK(tried.run->fault->line == 19);
    CHECK(tried.run->step == "build / level 0 / update tags");
    CHECK(tried.run->crash == "line 19 writes tags[10], but 'tags' has 10 elements");
    REQUIRE(tried.run->trace);
    CHECK(tried.run->trace->steps.size() == 3);
    CHECK(tried.run->trace->steps.back().checks.back().name == "end of the run");
  }
  SECTION("an endless loop") {
    ProgramLimits limits;
    limits.time = std::chrono::seconds(2);
    const Tried tried = try_variant(replaced_text(text, "if (i < pivot)", "while (i == pivot) {}\n    if (i < pivot)"),
                                    "wald-10", {}, limits);
    REQUIRE(tried.run);
    CHECK(tried.run->crash == "the variant did not end within 2 seconds");
    CHECK(tried.run->step == "build / level 0 / update tags");
    CHECK(tried.run->trace->steps.size() == 3);
  }
  SECTION("a file that does not compile") {
    const Tried tried = try_variant(replaced_text(text, "tags[i];", "tugs[i];"), "wald-10");
    REQUIRE_FALSE(tried.run);
    REQUIRE_FALSE(tried.errors.messages.empty());
    CHECK(tried.errors.messages[0].line == 13);
    CHECK(tried.errors.messages[0].kind == "error");
    CHECK(tried.run.error().where.ends_with("my.cu:13:31"));
  }
  SECTION("a program of another kdscope") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("my.cu");
    std::ofstream(file) << text;
    const auto variant = read_variant(file).value();
    auto kit = find_kit().value();
    CompilerErrors errors;
    const auto compiled = compile(variant, kit, errors).value();
    kit.id = "another";
    ProcessRequest request{{"wald-10", {}, {}, Backend::cpu}, "wald-10"};
    request.run.replaced_sources = variant.stages;
    const auto run = run_variant(compiled.program, kit, request, {});
    REQUIRE_FALSE(run);
    CHECK(run.error().what == "was built against the headers of another kdscope");
  }
  SECTION("a stage that the parameters leave out") {
    const Tried tried = try_variant(with_stage("wald", "exchange_pass"), "wald-10");
    REQUIRE(tried.run);
    CHECK(tried.run->replaced.empty());
    CHECK(tried.run->crash.empty());
  }
}

TEST_CASE("variants: a full disk is no fault of the headers") {
  // A compiler that finds no room for its output
  const test::TemporaryFolder folder;
  const std::string compiler = folder.file("compiler");
  std::ofstream(compiler)
      << "#!/bin/sh\necho 'x.hpp: fatal error: cannot write PCH file: No space left on device' >&2\n"
         "exit 1\n";
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  std::ofstream(folder.file("my.cu")) << with_stage("wald", "update_tags");
  Kit kit;
  kit.compiler = compiler;
  kit.library = folder.file("library.so");
  kit.id = "of a full disk";
  CompilerErrors errors;
  const auto compiled = compile(*read_variant(folder.file("my.cu")), kit, errors);
  REQUIRE_FALSE(compiled);
  CHECK(compiled.error().kind == ErrorKind::io_failure);
  CHECK(compiled.error().what == "the disk is full");
}

TEST_CASE("variants: hostile ones are contained", "[slow]") {
  const std::string text = with_stage("wald", "update_tags");
  const auto doing = [&](const std::string& what) {
    return replaced_text(replaced_text(text, "#include", "#include <sys/mman.h>\n#include <unistd.h>\n#include"),
                         "const NodeId s", what + "\n    const NodeId s");
  };
  ProgramLimits limits;
  limits.time = std::chrono::seconds(20);
  limits.memory_bytes = std::uint64_t(1) << 30;
  SECTION("a fork loop") {
    CHECK(try_variant(doing("for (;;) fork();"), "wald-10", {}, limits).run->crash ==
          "the variant started more than 16 processes");
  }
  SECTION("100 GB of memory") {
    CHECK(try_variant(doing("for (int k = 0; k < 100; ++k) std::memset(std::malloc(1 << 30), 1, 1 << 30);"), "wald-10",
                      {}, limits)
              .run->crash == "the variant used more than 1024 MiB of memory");
  }
  SECTION("writing to the pipe") {
    const Tried tried = try_variant(doing("if (write(3, \"lies\\n\", 5) < 0) return;"), "wald-10", {}, limits);
    REQUIRE_FALSE(tried.run);
    CHECK(tried.run.error().message().find("sent no event") != std::string::npos);
  }
  SECTION("writing to the pipe of the recording") {
    const Tried tried =
        try_variant(doing("if (write(4, \"lies, and more lies\\n\", 20) < 0) return;"), "wald-10", {}, limits);
    REQUIRE_FALSE(tried.run);
    CHECK(tried.run.error().message().find("the variant wrote into the pipe of its recording") != std::string::npos);
  }
  SECTION("endless output") {
    CHECK(try_variant(doing("for (;;) std::puts(\"again\");"), "wald-10", {}, limits)
              .run->crash.starts_with("the variant printed more than"));
  }
  SECTION("an end of its own") {
    CHECK(try_variant(doing("_exit(0);"), "wald-10", {}, limits).run->crash ==
          "the variant ended itself with exit code 0");
  }
}
