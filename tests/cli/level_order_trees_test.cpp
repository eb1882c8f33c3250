// Tests tree files and traces of trees with empty slots: written, read back, verified, and damaged.
#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/level_order/reference.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"

namespace kdscope::level_order_trees_test {
using namespace kdscope::tests;

namespace {

/// Returns the reference tree of a data set, with the coordinates themselves as keys.
LevelOrderTree tree_of(const std::string& specification) {
  const auto data = open_data_set(specification).value();
  const PointsView view = view_of(data->points);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t d = 0; d < view.dim; ++d)
    for (std::uint32_t i = 0; i < view.n; ++i) keys.push_back(view.key(i, d));
  return reference_median_tree(keys, std::shared_ptr<const PointSet>(data, &data->points));
}

}  // namespace

TEST_CASE("trees with empty slots are written, read back equal, and verified") {
  const Folder folder;
  for (const char* data : {"wald-10", "uniform:n=1000,dim=3", "uniform:n=500,dim=5,type=int", "grid:n=300,dim=1",
                           "equal:n=9,dim=2", "uniform:n=127,dim=2", "uniform:n=1", "uniform:n=0"})
    for (const char* ending : {".csv", ".npy"}) {
      INFO(data << " " << ending);
      const LevelOrderTree tree = tree_of(data);
      const std::string path = folder.file(std::string("tree") + ending);
      REQUIRE(write_tree(tree, path).has_value());
      const Tree read = read_tree(path).value().tree;
      const auto& back = read.as<LevelOrderTree>();
      CHECK(back.point_of_node == tree.point_of_node);
      CHECK(back.split_dim == tree.split_dim);
      if (tree.points->size() > 0) CHECK(back.points->words == tree.points->words);
      check_verified(path, data, tree, tree.points->size());
    }
  REQUIRE(write_tree(tree_of("wald-10"), folder.file("ten.csv")).has_value());
  CHECK(content_of(folder.file("ten.csv")) ==
        "node,original_index,split_dimension,x,y\n0,7,0,45,40\n1,5,1,15,43\n2,1,1,46,63\n3,3,0,40,33\n4,4,0,25,54\n5,2,"
        "0,68,21\n6,9,0,53,67\n"
        "7,0,1,10,15\n10,6,1,44,58\n14,8,1,62,69\n");
}

TEST_CASE("what is wrong with a tree with empty slots is found, or refused with its place") {
  const Folder folder;
  const std::string path = folder.file("ten.csv");
  REQUIRE(write_tree(tree_of("wald-10"), path).has_value());
  const std::string good = content_of(path);
  put_replaced(path, good, "5,1,15,43", "5,1,60,43");
  CHECK(contains(failures(path),
                 "1 of 10 points lies on a wrong side; the first is node 1 (point 5): 60 in dimension 0, left of node "
                 "0, which splits at 45"));
  CHECK(contains(failures(path, {"--data", "wald-10"}), "FAILED  records"));
  check_replaced(path, good, 4,
                 {{"\n10,6,", "\n11,6,", "FAILED  shape"},
                  {"\n1,5,1", "\n1,5,0", "FAILED  split dimensions"},
                  {"\n1,5,", "\n1,4,", "FAILED  permutation"}});
  check_replaced(path, good, 3,
                 {{"14,8,1,62,69\n", "", "there is no point 9 among 9"},
                  {"\n14,", "\n15,", "ten.csv:11:1: there is no node 15 in a tree of 10 points"},
                  {"\n14,", "\n4294967295,", "there is no node 4294967295"},
                  {"\n2,1,", "\n1,1,", "ten.csv:4:1: node 1 follows node 1; nodes ascend"},
                  {"\n2,1,", "\n2,10,", "ten.csv:4:2: there is no point 10 among 10"},
                  {"\n2,1,", "\ntwo,1,", "ten.csv:4:1: 'two' is no node"},
                  {"node,original_index", "node,index", "ten.csv:1:1: the first row"}});
  put(path, good);
  CHECK(contains(refusal({"verify", path, "--data", "uniform:n=10,dim=3"}, 3), "2 dimensions"));

  const std::string npy = folder.file("t.npy");
  REQUIRE(write_tree(tree_of("uniform:n=20,dim=2"), npy).has_value());
  check_damage(npy);
}

TEST_CASE("every algorithm's tree is built, written, read back and verified; so is its trace", "[share]") {
  const Folder folder;
  const auto passed = [](std::vector<std::string> words) {
    words.emplace_back("--json");
    const CommandRun r = ended(words);
    return JsonReader::read(r.out);
  };
  std::size_t number = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    for (const char* data : {"wald-10", "bunny:sample=700,seed=3", "equal:n=40,dim=2", "uniform:n=127,dim=1",
                             "uniform:n=1", "uniform:n=0"}) {
      if (number++ % test::every_nth(5) != 0) continue;  // another set for each algorithm
      INFO(algorithm.id << " " << data);
      std::string hash;
      for (const char* ending : {".csv", ".npy"}) {
        const std::string path = folder.file(std::string("tree") + ending);
        hash = passed({"build", "--algorithm", algorithm.id, "--data", data, "--backend", "cpu", "--verify",
                       "--tree-out", path})["tree_hash"]
                   .text;
        const Json verified = passed({"verify", path, "--data", data});
        if (std::string(data) != "uniform:n=0") CHECK(verified["tree_hash"].text == hash);
      }
#ifdef KDSCOPE_HAS_HDF5
      const std::string trace = folder.file("r.kdtrace");
      for (const char* thin : {"", "--thin"}) {
        std::vector<std::string> words{"record",    "--algorithm", algorithm.id, "--data", data,
                                       "--backend", "cpu",         "-o",         trace};
        if (*thin) words.emplace_back(thin);
        CHECK(passed(words)["failed_checks"].number == 0);
        const Json verified = passed({"verify", trace});
        CHECK(verified["tree_hash"].text == hash);
        bool compared = false;
        for (const Json& check : verified["checks"].list) compared = compared || check["name"].text == "tree hash";
        CHECK(compared);
        CHECK(run({"show", trace, "--all"}).code == 0);
      }
#endif
    }
  }
}

#ifdef KDSCOPE_HAS_HDF5
namespace {

/// Returns a trace of one step whose array "tree" is the given tree.
std::shared_ptr<const Trace> trace_of(const LevelOrderTree& tree) {
  TraceHeader header;
  header.algorithm = "some builder";
  header.n = tree.points->size();
  header.dim = tree.points->dim;
  header.scalar = tree.points->type;
  header.tree_hash = tree_hash(tree);
  header.tree_kind = LevelOrderTree::kind().id();
  TraceBuilder trace(header);
  ArrayInfo points{points_array,
                   points_array,
                   ElementType::int32,
                   Space::point,
                   Space::coordinate,
                   header.dim,
                   {{"point"}, {"dimension"}},
                   false,
                   {}};
  trace.declare(points);
  trace.declare({"tree", "tree", ElementType::uint32, Space::node, Space::point, 1, {}, true, {}});
  Step step;
  step.name = "create nodes";
  step.path = {"build", "create nodes"};
  trace.begin_step(step);
  std::vector<std::int32_t> coordinates(tree.points->words.begin(), tree.points->words.end());
  trace.write(points_array, TypedArray::of(coordinates));
  std::vector<std::uint32_t> ids;
  for (PointId id : tree.point_of_node) ids.push_back(id.value);
  trace.write("tree", TypedArray::of(ids));
  return trace.finish();
}

}  // namespace

TEST_CASE("a trace whose kind of tree is known is verified, whatever recorded it") {
  const Folder folder;
  const std::string path = folder.file("t.kdtrace");
  const LevelOrderTree good = tree_of("wald-10");
  REQUIRE(save_trace(*trace_of(good), path));
  const CommandRun sound = ended({"verify", path});
  CHECK(contains(sound.out, "ok      kd-order"));
  CHECK(contains(sound.out, "ok      tree hash"));
  LevelOrderTree wrong = good;
  std::swap(wrong.point_of_node[1], wrong.point_of_node[2]);
  REQUIRE(save_trace(*trace_of(wrong), path));
  CHECK(contains(run({"verify", path}).out, "FAILED  kd-order"));
  Trace other = *trace_of(good);
  other.header.tree_hash ^= 1;
  REQUIRE(save_trace(other, path));
  CHECK(contains(run({"verify", path}).out, "FAILED  tree hash"));
  other.header.tree_kind.clear();
  REQUIRE(save_trace(other, path));
  const CommandRun unknown = run({"verify", path});
  CHECK(contains(unknown.out, "tree: not checked, because this kdscope does not know the algorithm 'some builder'"));
  CHECK_FALSE(contains(unknown.out, "kd-order"));
}
#endif

}  // namespace kdscope::level_order_trees_test
