// Tests tree files and traces of trees of median stores: written, read back, verified, and damaged.
#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::median_store_trees_test {
using namespace kdscope::tests;

namespace {

MedianStoreTree tree_of(const std::string& specification) {
  const auto data = open_data_set(specification).value();
  return reference_median_store_tree(std::shared_ptr<const PointSet>(data, &data->points));
}

/// Returns a tree of six points, of which 3 duplicates 1, and 5 duplicates 0.
MedianStoreTree tree_with_duplicates() {
  const std::vector<std::uint32_t> words{5, 1, 2, 7, 9, 4, 2, 7, 2, 3, 5, 1};
  return reference_median_store_tree(std::make_shared<PointSet>(PointSet{ScalarType::int32, 2, 0, words}));
}

}  // namespace

TEST_CASE("trees of median stores are written, read back equal, and verified, with references and without") {
  const Folder folder;
  for (const char* data : {"wald-10", "uniform:n=1000,dim=3", "uniform:n=500,dim=16,type=int", "grid:n=300,dim=1",
                           "equal:n=9,dim=2", "uniform:n=127,dim=2", "uniform:n=1", "uniform:n=0"})
    for (const bool references : {true, false})
      for (const char* ending : {".csv", ".npy"}) {
        INFO(data << " " << references << " " << ending);
        MedianStoreTree tree = tree_of(data);
        if (!references) tree.less.clear(), tree.greater.clear();
        const std::string path = folder.file(std::string("tree") + ending);
        REQUIRE(write_tree(tree, path).has_value());
        const Tree read = read_tree(path).value().tree;
        const auto& back = read.as<MedianStoreTree>();
        CHECK(back.stores == tree.stores);
        CHECK(back.less == tree.less);
        CHECK(back.greater == tree.greater);
        CHECK(back.removed == tree.removed);
        CHECK(back.points->dim == tree.points->dim);
        if (tree.points->size() > 0) CHECK(back.points->words == tree.points->words);
        check_verified(path, data, tree, tree.points->size());
      }
  MedianStoreTree six = tree_with_duplicates();
  REQUIRE(write_tree(six, folder.file("six.csv")).has_value());
  CHECK(content_of(folder.file("six.csv")) ==
        "node,original_index,less_than,greater_than,x,y\n0,1,4,0,2,7\n1,4,,,2,3\n2,0,,2,5,1\n6,2,,,9,4\n,3,,,2,7\n,5,,,"
        "5,1\n");
  six.less.clear(), six.greater.clear();
  REQUIRE(write_tree(six, folder.file("six.csv")).has_value());
  CHECK(content_of(folder.file("six.csv")) ==
        "node,original_index,x,y\n0,1,2,7\n1,4,2,3\n2,0,5,1\n6,2,9,4\n,3,2,7\n,5,5,1\n");
}

TEST_CASE("what is wrong with a tree of median stores is found, or refused with its place") {
  const Folder folder;
  const std::string path = folder.file("six.csv");
  REQUIRE(write_tree(tree_with_duplicates(), path).has_value());
  const std::string good = content_of(path);
  check_replaced(path, good, 4,
                 {{"1,4,,,2,3", "1,4,,,3,3", "FAILED  super keys"},
                  {"0,1,4,0,", "0,1,0,4,", "FAILED  references"},
                  {"\n6,2,", "\n5,2,", "FAILED  balanced"},
                  {",3,,,2,7", ",3,,,2,8", "FAILED  duplicates"},
                  {"\n6,2,", "\n6,0,", "FAILED  same points"}});
  check_replaced(
      path, good, 3,
      {{"\n6,2,", "\n7,2,", "six.csv:5:1: there is no node 7 in a tree of 4 nodes"},
       {"\n2,0,", "\n1,0,", "six.csv:4:1: node 1 follows node 1; nodes ascend"},
       {"\n,3,", "\n,6,", "six.csv:6:2: there is no point 6 among 6"},
       {"\n,3,", "\n,5,", "six.csv:7:2: point 5 follows point 5; points without a node ascend"},
       {"\n1,4,", "\n,4,", "six.csv:4:1: node 2 follows a point that is none; points without a node come last"},
       {"\n2,0,", "\ntwo,0,", "six.csv:4:1: 'two' is no node"},
       {"\n2,0,", "\n2,,", "six.csv:4:2: '' is no index of a point"},
       {"\n2,0,,2,5,1", "\n2,0,,2,5", "six.csv:4:1: the row has 5 values, the row of names has 6"},
       {"greater_than", "more_than", "six.csv:1:1: the first row is not that of a tree of median stores"}});
  put(path, good);
  CHECK(contains(refusal({"verify", path, "--data", "uniform:n=10,dim=3"}, 3), "2 dimensions"));

  const std::string npy = folder.file("t.npy");
  REQUIRE(write_tree(tree_of("grid:n=20,dim=2"), npy).has_value());
  check_damage(npy);
}

#ifdef KDSCOPE_HAS_HDF5
TEST_CASE("a trace that ends with median stores is verified by them, and by its references") {
  const Folder folder;
  const std::string path = folder.file("t.kdtrace");
  bool any = false;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    REQUIRE(run({"record", "--algorithm", algorithm.id, "--data", "equal:n=3,dim=2", "--backend", "cpu", "-o", path})
                .code == 0);
    if (!load_trace(path).value()->find("median_store")) continue;
    any = true;
    INFO(algorithm.id);
    REQUIRE(run({"record", "--algorithm", algorithm.id, "--data", "uniform:n=60,dim=3", "--backend", "cpu", "-o", path})
                .code == 0);
    const auto recorded = load_trace(path).value();
    CHECK(contains(run({"verify", path}).out, "ok      references"));
    const auto with = [&](const char* name, auto change) { return failures_with(*recorded, name, change, path); };
    const auto swap_children_of_root = [](TypedArray& values) {
      const auto bytes = values.bytes();
      std::swap_ranges(bytes.begin() + 4, bytes.begin() + 8, bytes.begin() + 8);
    };
    const std::string swapped = with("median_store", swap_children_of_root);
    CHECK(contains(swapped, "FAILED  super keys"));
    CHECK(contains(swapped, "FAILED  tree hash"));
    CHECK(contains(with("less", [](TypedArray& values) { values.bytes()[0] ^= std::byte{1}; }), "FAILED  references"));
  }
  CHECK(any);
}
#endif

}  // namespace kdscope::median_store_trees_test
