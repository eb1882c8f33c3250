#include "algorithms/variants/stage_source.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "algorithms/registry/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

Result<VariantFile> read(const std::string& text) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  std::ofstream(file) << text;
  return read_variant(file);
}

}  // namespace

TEST_CASE("stages: every algorithm has some, with names of their own and code") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const auto stages = stages_of(algorithm.id);
    CHECK(stages.size() >= 2);
    for (const Stage& stage : stages) {
      INFO(stage.name);
      CHECK(stage.body.find("operator()") != std::string::npos);
      CHECK(stage.body.find("\n};") == std::string::npos);
      CHECK(stage.header.ends_with(".hpp"));
    }
  }
  CHECK(stages_of("none").empty());
  // A class with a call operator that kernels use is none: a copy under another name would keep its constructor's
  CHECK(find_stage("rank", "BlockSearch").error().kind == ErrorKind::bad_usage);
}

TEST_CASE("stages: found by name, functor and the beginning of a name") {
  CHECK(find_stage("wald", "update_tags")->functor == "UpdateTags");
  CHECK(find_stage("wald", "UpdateTags")->region == "wald/update_tags");
  CHECK(find_stage("wehr", "histogram")->functor == "HistogramCreation");
  CHECK(find_stage("wehr", "histogram")->parameters == "class Probe");
  CHECK(find_stage("zhou-sah", "triangle_boxes")->region == "zhou-sah/triangle_boxes");
  CHECK(find_stage("zhou-sah", "make_chunks")->region == "zhou/make_chunks");
  const auto unknown = find_stage("wald", "update_tag_s");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message().find("did you mean update_tags?") != std::string::npos);
  CHECK(find_stage("wald", "nothing").error().message().find("tile_passes") != std::string::npos);
  CHECK(find_stage("wold", "update_tags").error().message().find("there is no algorithm 'wold'") == 0);
}

TEST_CASE("stages: a new variant is a short file that reads back") {
  const std::string text = new_variant("wald", {*find_stage("wald", "update_tags")}, "my.cu");
  CHECK(std::ranges::count(text, '\n') <= 30);
  // walkthroughs/wald/debug-a-kernel.md names lines of this file
  const auto line = [&](int number) {
    std::istringstream lines(text);
    std::string found;
    while (number-- > 0) std::getline(lines, found);
    return found;
  };
  CHECK(line(12).ends_with(" i = full_tree_size(level) + unsettled;"));
  CHECK(line(13).ends_with(" tag = tags[i];"));
  CHECK(line(16).ends_with(" pivot = pivot_position(s, n);"));
  CHECK(line(18).starts_with("    if (i < pivot) "));
  CHECK(line(19).starts_with("    if (i > pivot) "));
  const auto variant = read(text).value();
  CHECK(variant.algorithm == "wald");
  REQUIRE(variant.stages.size() == 1);
  CHECK(variant.stages[0].region == "wald/update_tags");
  CHECK(variant.stages[0].first_line == 7);
  CHECK(variant.stages[0].text.starts_with("/// Moves each unsettled"));
  CHECK(variant.stages[0].text.ends_with("};\n"));
  CHECK(variant.replaced == std::vector<std::string>{"update_tags"});
  CHECK_FALSE(variant.has_own_atomics);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const auto all = read(new_variant(algorithm.id, stages_of(algorithm.id), "all.cu")).value();
    CHECK(all.algorithm == algorithm.id);
  }
}

TEST_CASE("stages: a helper brings the helpers and stages that call it, which call the copy") {
  const auto helper = find_stage("brown", "rank_of").value();
  CHECK(helper.is_helper);
  CHECK(helper.parameters == "class Less");
  const std::string text = new_variant("brown", {helper}, "my.cu");
  const auto place = [&](const char* part) { return text.find(part); };
  CHECK(place("std::uint32_t my_rank_of(const Reference& x") < place("void my_merge_tile(Block& block"));
  CHECK(place("void my_merge_tile(Block& block") < place("struct MySortTiles : SortTiles {"));
  CHECK(place("struct MyMergeRuns") != std::string::npos);
  CHECK(place("struct MyMergeTwoRuns") != std::string::npos);
  CHECK(place("struct MyWarpsPerArray") == std::string::npos);
  CHECK(place(" rank_of(") == std::string::npos);
  CHECK(place(" merge_tile(") == std::string::npos);
  const auto variant = read(text).value();
  CHECK(variant.replaced == std::vector<std::string>(3, "rank_of"));
  // The first stage's steps show the helpers, too
  CHECK(variant.stages.size() == 3);
  CHECK(variant.stages[0].text.find("my_merge_tile") != std::string::npos);

  for (const AlgorithmSpec& algorithm : algorithms())
    for (const Stage& each : helpers_of(algorithm.id)) {
      INFO(algorithm.id << " " << each.name);
      const auto read_back = read(new_variant(algorithm.id, {each}, "my.cu")).value();
      CHECK_FALSE(read_back.replaced.empty());
    }
}

TEST_CASE("stages: files that are no variants, or name what is not there") {
  CHECK(read_variant("/nowhere/my.cu").error().kind == ErrorKind::io_failure);
  CHECK(read("int main() {}\n").error().message().find("is no variant") != std::string::npos);
  const auto algorithm = read("// a file\nKDSCOPE_VARIANT_OF(wold)\n");
  REQUIRE_FALSE(algorithm);
  CHECK(algorithm.error().where.ends_with("my.cu:2"));
  CHECK(algorithm.error().what == "there is no algorithm 'wold'");
  const std::string of_own = "\n// [region wald/update_togs]\n// [endregion]\nKDSCOPE_VARIANT_OF(wald)\n";
  const auto stage = read(of_own + "struct kdscope::ReplacementOf<kdscope::wald::UpdateTags> {\n");
  REQUIRE_FALSE(stage);
  CHECK(stage.error().where.ends_with("my.cu:2"));
  CHECK(stage.error().message().find("there is no stage 'wald/update_togs'") != std::string::npos);
  // A builder of one's own may have kernels of its own
  const auto builder = read(of_own).value();
  CHECK(builder.is_builder);
  CHECK(builder.stages[0].region == "wald/update_togs");
  // Its regions name regions of the original, for the pseudo-code
  const auto bound = [&](const std::string& name) {
    return read("// [region wald/mine]\n// @ wald/radix_sort: final sort\n  // @ " + name +
                "\n// [endregion]\nKDSCOPE_VARIANT_OF(wald)\n");
  };
  REQUIRE(bound("wald/update_tags"));
  CHECK(bound("wald/update_tags")->stages[0].text.find("// @ wald/update_tags\n") != std::string::npos);
  const auto unbound = bound("wald/update_togs");
  REQUIRE_FALSE(unbound);
  CHECK(unbound.error().where.ends_with("my.cu:3"));
  CHECK(unbound.error().what == "there is no region 'wald/update_togs'");
  CHECK(unbound.error().remedy.find("wald/update_tags") != std::string::npos);
  CHECK(bound("wald/update_tags \r"));
  CHECK(bound("wald/update_tags, again\r").error().what == "there is no region 'wald/update_tags, again'");
  // Test lines of any length, with any bytes
  CHECK_FALSE(read(std::string(1 << 20, 'x') + "\nKDSCOPE_VARIANT_OF("));
  CHECK_FALSE(read(std::string("\0\xff// [region ", 12)));
}
