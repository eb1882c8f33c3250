// Tests the tree at the end of a recorded run, which its kind reads back.
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::recorded_tree_test {

namespace {

std::shared_ptr<const Trace> recorded(const AlgorithmSpec& spec) {
  const auto data = open_data_set(spec.takes_triangles ? "triangles:n=20" : "uniform:n=20,dim=3").value();
  return record({{}, spec.id, {}, Backend::cpu, false, data}).value();
}

/// Returns the same trace with a changed header.
template <class Change>
std::shared_ptr<const Trace> changed(const Trace& trace, Change change) {
  auto copy = std::make_shared<Trace>(trace);
  change(copy->header);
  return copy;
}

bool all_pass(const RecordedTree& recorded) {
  for (const CheckResult& result : verify_tree(recorded.tree, recorded.input))
    if (!result.passed) return false;
  return true;
}

}  // namespace

TEST_CASE("the tree of every builder's trace is that of the build, and knows its rules") {
  for (const AlgorithmSpec& spec : algorithms()) {
    INFO(spec.id);
    const auto trace = recorded(spec);
    const RecordedTree tree = recorded_tree(trace).value();
    REQUIRE_FALSE(tree.tree.empty());
    CHECK(tree.tree.kind().id() == trace->header.tree_kind);
    CHECK(tree_hash(tree.tree) == trace->header.tree_hash);
    CHECK(tree.unchecked == "");
    CHECK(tree.tree.kind().unchecked(tree.tree) == "");
    CHECK(all_pass(tree));
  }
}

TEST_CASE("a trace that names no kind is read by that of its algorithm") {
  for (const AlgorithmSpec& spec : algorithms()) {
    INFO(spec.id);
    const auto trace = recorded(spec);
    const RecordedTree tree = recorded_tree(changed(*trace, [](TraceHeader& h) { h.tree_kind.clear(); })).value();
    CHECK(tree_hash(tree.tree) == trace->header.tree_hash);
    CHECK(tree.unchecked == "");
  }
}

TEST_CASE("a trace that names no parameters is read with the defaults, chosen or not") {
  for (const AlgorithmSpec& spec : algorithms()) {
    INFO(spec.id);
    const RecordedTree tree =
        recorded_tree(changed(*recorded(spec), [](TraceHeader& h) { h.parameters.clear(); })).value();
    CHECK(tree.unchecked == "");
    CHECK(all_pass(tree));
  }
}

TEST_CASE("what cannot be checked in a trace is named") {
  const auto trace = recorded(*find_algorithm("wald"));
  const RecordedTree of_other_kind =
      recorded_tree(changed(*trace, [](TraceHeader& h) { h.tree_kind = "heap"; })).value();
  CHECK(of_other_kind.tree.empty());
  CHECK(of_other_kind.unchecked.find("trees of kind 'heap'") != std::string::npos);

  const RecordedTree of_nobody =
      recorded_tree(changed(*trace, [](TraceHeader& h) { h.tree_kind.clear(), h.algorithm = "mine"; })).value();
  CHECK(of_nobody.tree.empty());
  CHECK(of_nobody.unchecked.find("the algorithm 'mine'") != std::string::npos);

  // Pretend that another program's builder made the trace: the kind of the tree is known, and the tree is checked as
  // far as possible.
  const RecordedTree of_other_builder =
      recorded_tree(changed(*trace, [](TraceHeader& h) { h.algorithm = "mine"; })).value();
  CHECK(tree_hash(of_other_builder.tree) == trace->header.tree_hash);
  CHECK(all_pass(of_other_builder));

  const RecordedTree of_odd_parameters =
      recorded_tree(changed(*trace, [](TraceHeader& h) { h.parameters["split"] = "longest"; })).value();
  CHECK(of_odd_parameters.unchecked.find("rules: not checked, because split cannot be 'longest'") != std::string::npos);
}

TEST_CASE("a trace of one kind that names another holds no tree, and the array is named") {
  const auto trace = recorded(*find_algorithm("wald"));
  const auto tree = recorded_tree(changed(*trace, [](TraceHeader& h) { h.tree_kind = "split-planes"; }));
  REQUIRE_FALSE(tree.has_value());
  CHECK(tree.error().kind == ErrorKind::failed_check);
  CHECK(tree.error().where == "array tree.bounded");
}

}  // namespace kdscope::recorded_tree_test
