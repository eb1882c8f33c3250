// Tests tree files and traces of trees with leaf buckets: written, read back, verified, and damaged.
#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::bucket_trees_test {
using namespace kdscope::tests;

namespace {

BucketTree tree_of(const std::string& specification, std::uint32_t leaf_size) {
  const auto data = open_data_set(specification).value();
  return reference_middle_split_tree(std::shared_ptr<const PointSet>(data, &data->points), leaf_size);
}

}  // namespace

TEST_CASE("trees with leaf buckets are written, read back equal, and verified") {
  const Folder folder;
  for (const char* data : {"hu-10", "uniform:n=1000,dim=3", "uniform:n=50,dim=512", "grid:n=300,dim=1",
                           "equal:n=9,dim=2", "uniform:n=1,dim=2", "uniform:n=0,dim=3"})
    for (const char* ending : {".csv", ".npy"}) {
      INFO(data << " " << ending);
      const BucketTree tree = tree_of(data, 2);
      const std::string path = folder.file(std::string("tree") + ending);
      REQUIRE(write_tree(tree, path).has_value());
      const Tree read = read_tree(path).value().tree;
      const auto& back = read.as<BucketTree>();
      CHECK(back.point_of_position == tree.point_of_position);
      CHECK(back.parent == tree.parent);
      CHECK(back.left_child == tree.left_child);
      CHECK(back.split_dim == tree.split_dim);
      CHECK(back.split_value == tree.split_value);
      CHECK(back.first == tree.first);
      CHECK(back.count == tree.count);
      CHECK(back.box == tree.box);
      CHECK(back.points->dim == tree.points->dim);
      if (tree.points->size() > 0) CHECK(back.points->words == tree.points->words);
      check_verified(path, data, tree, tree.points->size());
    }
  REQUIRE(write_tree(tree_of("hu-10", 4), folder.file("ten.csv")).has_value());
  CHECK(content_of(folder.file("ten.csv")) ==
        "node,parent,left_child,split_dimension,split_value,first,count,x_min,y_min,x_max,y_max\n"
        "0,,1,0,21.5,0,10,4.0,3.0,39.0,30.0\n1,0,3,1,18.5,0,5,4.0,7.0,18.0,30.0\n2,0,5,1,15.5,5,5,24.0,3.0,39.0,28.0\n"
        "3,1,,,,0,3,11.0,7.0,18.0,16.0\n4,1,,,,3,2,4.0,20.0,5.0,30.0\n5,2,,,,5,2,29.0,3.0,35.0,8.0\n6,2,,,,7,3,24.0,23."
        "0,39.0,28.0\n"
        "\nposition,original_index,x,y\n"
        "0,3,11.0,16.0\n1,8,14.0,11.0\n2,5,18.0,7.0\n3,9,4.0,30.0\n4,4,5.0,20.0\n5,2,29.0,3.0\n6,7,35.0,8.0\n7,0,24.0,"
        "27.0\n8,6,26.0,23.0\n9,1,39.0,28.0\n");
}

TEST_CASE("what is wrong with a tree with leaf buckets is found, or refused with its place") {
  const Folder folder;
  const std::string path = folder.file("ten.csv");
  REQUIRE(write_tree(tree_of("hu-10", 4), path).has_value());
  const std::string good = content_of(path);
  put_replaced(path, good, "1,8,14.0,11.0", "1,8,30.0,11.0");
  CHECK(contains(failures(path), "FAILED  split sides"));
  CHECK(contains(failures(path, {"--data", "hu-10"}), "FAILED  same points"));
  check_replaced(path, good, 4,
                 {{"4,1,,,,3,2,4.0", "4,1,,,,3,2,3.0", "FAILED  tight boxes"},
                  {"3,1,,,,0,3,", "3,1,,,,0,2,", "FAILED  children partition their parent"},
                  {"1,0,3,1,", "1,0,4,1,", "FAILED  nodes"},
                  {"1,0,3,1,", "1,0,4294967294,1,", "FAILED  nodes"},
                  {"9,1,39.0", "9,0,39.0", "FAILED  same points"}});
  check_replaced(path, good, 3,
                 {{"9,1,39.0", "9,10,39.0", "ten.csv:20:2: there is no point 10 among 10"},
                  {"\n2,0,5", "\n3,0,5", "ten.csv:4:1: node 3 stands where node 2 belongs; rows ascend by one"},
                  {"\n5,2,29.0", "\n4,2,29.0", "position 4 stands where position 5 belongs"},
                  {"21.5", "half", "ten.csv:2:5: 'half' is no coordinate"},
                  {"1,0,3,1,18.5,0,5", "1,0,3,1,18.5,0,", "ten.csv:3:7: '' is no number"},
                  {",3.0,39.0,30.0\n1,", ",3.0,39.0\n1,", "the row has 10 values, the row of names has 11"},
                  {"x_min", "x_low", "ten.csv:1:1: the first row is not that of a tree with leaf buckets"},
                  {"position,", "place,", "ten.csv:10:1: the table of points does not begin here"}});
  put(path, good.substr(0, good.find("\n\n") + 1));
  CHECK(contains(refusal({"verify", path}, 3), "the table of points is missing"));
  put(path, good);
  CHECK(contains(refusal({"verify", path, "--data", "uniform:n=10,dim=3"}, 3), "2 dimensions"));

  const std::string npy = folder.file("t.npy");
  REQUIRE(write_tree(tree_of("uniform:n=20,dim=2", 3), npy).has_value());
  const std::string bytes = content_of(npy);
  put(npy, bytes + "x");
  CHECK(contains(refusal({"verify", npy}, 3), "more bytes follow the 20 rows"));
  put(npy, bytes);
  check_damage(npy);
}

#ifdef KDSCOPE_HAS_HDF5
TEST_CASE("a trace that ends with leaf buckets is verified by them") {
  const Folder folder;
  int verified = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    const std::string path = folder.file("t.kdtrace");
    REQUIRE(run({"record", "--algorithm", algorithm.id, "--data", "uniform:n=60,dim=3", "--backend", "cpu", "-o", path})
                .code == 0);
    const auto recorded = load_trace(path).value();
    if (!recorded->find("bucket")) continue;
    ++verified;
    INFO(algorithm.id);
    CHECK(contains(run({"verify", path}).out, "ok      tight boxes"));
    const auto with = [&](const char* name, auto change) { return failures_with(*recorded, name, change, path); };
    const auto first_two = [](TypedArray& values) {
      const auto bytes = values.bytes();
      std::swap_ranges(bytes.begin(), bytes.begin() + 4, bytes.begin() + 4);
    };
    CHECK(contains(with("bucket", first_two), "FAILED  tree hash"));
    CHECK(contains(with("aabbMax", [](TypedArray& values) { values.bytes().back() = std::byte{0}; }),
                   "FAILED  tight boxes"));
  }
  CHECK(verified > 0);
}
#endif

#ifdef KDSCOPE_HAS_HDF5
TEST_CASE("tables of many dimensions are short, and JSON of unknown values is JSON") {
  const Folder folder;
  const std::string path = folder.file("t.kdtrace");
  int wide = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.max_dim < 64) continue;
    ++wide;
    INFO(algorithm.id);
    REQUIRE(
        run({"record", "--algorithm", algorithm.id, "--data", "uniform:n=40,dim=64", "--backend", "cpu", "-o", path})
            .code == 0);
    const std::string few = run({"show", path}).out, all = run({"show", path, "--full"}).out;
    CHECK(contains(few, "(56 of 64 dimensions left out; --full shows all)"));
    CHECK_FALSE(contains(all, "left out"));
    CHECK(few.size() < all.size() / 3);
    CHECK_FALSE(contains(all, "nan"));
    CHECK_FALSE(contains(all, std::to_string(no_id)));
    const CommandRun json = run({"show", path, "--all", "--json"});
    REQUIRE(json.code == 0);
    CHECK(JsonReader::read(json.out)["steps"].list.size() > 5);
    CHECK_FALSE(contains(json.out, "nan"));
  }
  CHECK(wide > 0);
}
#endif

}  // namespace kdscope::bucket_trees_test
