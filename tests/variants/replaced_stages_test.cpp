// Tests that a builder runs a variant's functors in place of its own.
#include "algorithms/variants/replaced_stages.hpp"

#include <algorithm>

#include "algorithms/builders/on_cpu.hpp"
#include "algorithms/builders/wald/wald.hpp"
#include "algorithms/builders/wehr/level_steps.hpp"
#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/named_memory.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// Leaves the pivot of every node without its tag.
struct TagsPivotToo : wald::UpdateTags {
  void operator()(std::uint32_t unsettled) const {
    const std::uint32_t i = full_tree_size(level) + unsettled;
    const NodeId s = rule.node_of(tags[i]);
    const bool left = i <= pivot_position(s, n);
    tags[i] = rule.tag_of(left ? left_child(s) : right_child(s), 0);
  }
};

/// Has the same members in the same order, but is not related.
struct CountsBackwards {
  PointId* ids;
  std::uint32_t n;
  void operator()(std::uint32_t i) const { ids[i] = {n - 1 - i}; }
};
struct CountsForwards {
  PointId* ids;
  std::uint32_t n;
  void operator()(std::uint32_t i) const { ids[i] = {i}; }
};

}  // namespace

template <>
struct kdscope::ReplacementOf<wald::UpdateTags> {
  using type = TagsPivotToo;
  static constexpr const char* stage = "update_tags";
};
template <>
struct kdscope::ReplacementOf<CountsForwards> {
  using type = CountsBackwards;
  static constexpr const char* stage = "counts";
};

using VariantExec = WithNamedMemory<ExecWithReplacements<SequentialExec>>;

TEST_CASE("replaced stages: a functor that derives from the original, and one of the same members") {
  replaced_launches().clear();
  VariantExec exec;
  auto ids = exec.array<PointId>("ids", 3);
  exec.for_each("count", 3, CountsForwards{ids.data(), 3});
  CHECK(ids.data()[0] == PointId{2});
  CHECK(ids.data()[2] == PointId{0});
  CHECK(replaced_launches() == std::set<std::string>{"counts"});

  std::uint32_t tags[3] = {0, 0, 0};
  const wald::UpdateTags original{tags, {}, {Split::round_robin, 0, 1, ScalarType::float32}, 3, 0};
  exec.for_each("update tags", 3, original);
  CHECK(std::vector<std::uint32_t>(tags, tags + 3) == std::vector<std::uint32_t>{1, 1, 2});
  for (std::uint32_t i = 0; i < 3; ++i) tags[i] = 0;
  SequentialExec().for_each("update tags", 3, original);
  CHECK(std::vector<std::uint32_t>(tags, tags + 3) == std::vector<std::uint32_t>{1, 0, 2});
}

TEST_CASE("replaced stages: both parts of a sequence, as map of a scan, as comparison of a sort") {
  replaced_launches().clear();
  VariantExec exec;
  auto first = exec.array<PointId>("first", 2), second = exec.array<PointId>("second", 2);
  exec.for_each("both", 2, Sequence<CountsForwards, CountsForwards>{{first.data(), 2}, {second.data(), 2}});
  CHECK(first.data()[0] == PointId{1});
  CHECK(second.data()[0] == PointId{1});
}

TEST_CASE("replaced stages: a recording of wald shows what the variant's stage does, and its source") {
  RunRequest request;
  request.points = *open_data_set("wald-10");
  const auto original = record(request).value();
  const auto variant =
      record_on_cpu<wald::Construction, VariantExec>(request, typed(request)->options, {}, original->header, {});
  Cursor a(original), b(variant);
  const std::uint32_t step = 3;  // rank, tags, sort, update tags
  REQUIRE(original->steps[step].name == "update tags");
  a.seek(step), b.seek(step);
  CHECK(a.row_size("tags") == 10);
  CHECK(a.text("tags", 6) == "0");
  CHECK(b.text("tags", 6) == "1");
  CHECK(variant->steps[step].checks.size() > 1);
  CHECK(std::ranges::any_of(variant->steps[step].checks, [](const CheckResult& check) { return !check.passed; }));
}

TEST_CASE("recordings: a request for the first steps ends there, with nothing about a tree") {
  RunRequest request{{}, {}, {}, Backend::cpu, false, *open_data_set("wald-10")};
  const auto whole = record(request);
  request.most_steps = 4;
  std::vector<std::string> started;
  RunControl control;
  control.step_starts = [&](std::string_view path) { started.emplace_back(path); };
  const auto part = record(request, control).value();
  REQUIRE(part->steps.size() == 4);
  CHECK(part->header.tree_hash == 0);
  REQUIRE(started.size() == 4);
  for (std::size_t step = 0; step < 4; ++step) {
    CHECK(started[step] == path_text((*whole)->steps[step]));
    CHECK(part->steps[step].name == (*whole)->steps[step].name);
  }
  request.most_steps = 1000;
  CHECK((*record(request))->header.tree_hash == (*whole)->header.tree_hash);
}
