// Tree files of trees of split planes, over triangles and over points: written, read back, verified, and damaged.
#include "algorithms/checks/split_plane_reference.hpp"
#include "app/cli/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

SplitPlaneTree triangles_of(const std::string& specification) {
  SplitPlaneRules rules;
  rules.small = 8;
  return reference_sah_tree(open_data_set(specification).value(), rules);
}

SplitPlaneTree points_of(const std::string& specification) {
  SplitPlaneRules rules;
  rules.small = 8;
  return reference_vvh_tree(open_data_set(specification).value(), rules, 100);
}

void check_equal(const SplitPlaneTree& a, const SplitPlaneTree& b) {
  CHECK(a.primitive == b.primitive);
  CHECK(a.parent == b.parent);
  CHECK(a.right_child == b.right_child);
  CHECK(a.split_dim == b.split_dim);
  CHECK(a.split_value == b.split_value);
  CHECK(a.first == b.first);
  CHECK(a.count == b.count);
  CHECK(a.box == b.box);
  CHECK(a.primitive_of_position == b.primitive_of_position);
  CHECK(a.depth_bounded == b.depth_bounded);
  CHECK(a.data->points.words == b.data->points.words);
  CHECK(a.data->triangles == b.data->triangles);
}

}  // namespace

TEST_CASE("trees of split planes are written, read back equal, and verified") {
  const Folder folder;
  const auto check = [&](const SplitPlaneTree& tree) {
    for (const char* ending : {".csv", ".npy"}) {
      INFO(tree.data->name << " " << ending);
      const std::string path = folder.file(std::string("tree") + ending);
      REQUIRE(cli::write_tree(tree, path).has_value());
      const auto read = cli::read_tree(path);
      REQUIRE(read.has_value());
      const auto& back = std::get<SplitPlaneTree>(*read);
      check_equal(back, tree);
      check_verified(path, tree.data->name, tree, tree.data->points.size());
    }
  };
  check(triangles_of("bunny"));
  check(points_of("uniform:n=500,dim=3"));
  check(points_of("uniform:n=100,dim=2"));
}

TEST_CASE("what is wrong with a file of split planes is found, or refused with its place") {
  const Folder folder;
  const std::string path = folder.file("t.csv"), npy = folder.file("t.npy");
  const SplitPlaneTree tree = points_of("uniform:n=30,dim=2");
  REQUIRE(cli::write_tree(tree, path).has_value());
  const std::string good = content_of(path);
  put(path, good.substr(0, good.find("\n\n") + 1));
  CHECK(contains(refusal({"verify", path}, 3), "the table of positions is missing"));
  std::string text = good;
  text.replace(text.find("position,point"), 14, "position,line");
  put(path, text);
  CHECK(contains(refusal({"verify", path}, 3), "the table of positions does not begin here"));
  text = good;
  text.replace(text.find("position,point\n0,") + 17, 1, "99");
  put(path, text);
  CHECK(contains(refusal({"verify", path}, 3), "among 30"));
  put(path, good + "\nmore\n");
  CHECK(contains(refusal({"verify", path}, 3), "more rows follow the tables"));

  REQUIRE(cli::write_tree(tree, npy).has_value());
  check_damage(npy);
}

TEST_CASE("build says what a tree over triangles holds and costs, and casts rays through it") {
  const CommandRun r = run({"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=soup,n=300", "--backend", "cpu", "--rays", "200"});
  INFO(r.out << r.err);
  CHECK(r.code == 0);
  for (const char* said : {"triangles         300", "leaves", "SAH cost", "ok      ray casts"}) CHECK(r.out.find(said) != std::string::npos);
  const CommandRun json = run({"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=soup,n=300", "--backend", "cpu", "--json"});
  const Json report = JsonReader::read(json.out);
  CHECK(report["triangles"].number == 300);
  CHECK(report["sah_cost"].number > 1);
  CHECK(run({"build", "--data", "wald-10", "--rays", "5"}).code == 2);
  const CommandRun none = run({"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=none", "--backend", "cpu", "--rays", "5", "--verify"});
  INFO(none.out << none.err);
  CHECK(none.code == 0);
  CHECK(none.out.find("1 node, 1 leaf, 1 of them empty") != std::string::npos);
}
