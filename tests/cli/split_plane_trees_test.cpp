// Tests tree files of split-plane trees, over triangles and over points: written, read back, verified, and damaged.
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
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
  rules.radius = 100;
  return reference_vvh_tree(open_data_set(specification).value(), rules);
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
      REQUIRE(write_tree(tree, path).has_value());
      const auto read = read_tree(path).value();
      const auto& back = read.tree.as<SplitPlaneTree>();
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
  REQUIRE(write_tree(tree, path).has_value());
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

  REQUIRE(write_tree(tree, npy).has_value());
  check_damage(npy);
}

TEST_CASE("build says what a tree over triangles holds and costs, and casts rays through it") {
  const CommandRun r = ended(
      {"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=soup,n=300", "--backend", "cpu", "--rays", "200"});
  for (const char* said : {"triangles         300", "leaves", "SAH cost", "ok      ray casts"})
    CHECK(r.out.find(said) != std::string::npos);
  const CommandRun json =
      run({"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=soup,n=300", "--backend", "cpu", "--json"});
  const Json report = JsonReader::read(json.out);
  CHECK(report["triangles"].number == 300);
  CHECK(report["sah_cost"].number > 1);
  CHECK(run({"build", "--data", "wald-10", "--rays", "5"}).code == 2);
  const CommandRun none = ended({"build", "--algorithm", "zhou-sah", "--data", "triangles:kind=none", "--backend",
                                 "cpu", "--rays", "5", "--verify"});
  CHECK(none.out.find("1 node, 1 leaf, 1 of them empty") != std::string::npos);
}

TEST_CASE(
    "rules of split planes are checked where the run's parameters are known, and verify prints that a tree file has "
    "none") {
  const Folder folder;
  const std::string csv = folder.file("t.csv"), trace = folder.file("t.kdtrace");
  for (const std::string& algorithm : {std::string("zhou-sah"), std::string("zhou-vvh")}) {
    INFO(algorithm);
    const std::vector<std::string> of{
        "--algorithm", algorithm, "--data",    algorithm == "zhou-sah" ? "triangles:n=80" : "clustered:n=200,dim=3",
        "--param",     "small=8", "--backend", "cpu"};
    const auto with = [&](std::vector<std::string> first, const std::vector<std::string>& last) {
      first.insert(first.end(), of.begin(), of.end());
      first.insert(first.end(), last.begin(), last.end());
      return run(first);
    };
    const CommandRun built = with({"build"}, {"--verify", "--tree-out", csv});
    INFO(built.out << built.err);
    CHECK(built.code == 0);
    CHECK(contains(built.out, "ok      rules: "));
    const CommandRun verified = ended({"verify", csv});
    CHECK_FALSE(contains(verified.out, "ok      rules: "));
    CHECK(contains(verified.out, "--      rules: not checked, because a tree file does not name its run's parameters"));
    CHECK(contains(JsonReader::read(run({"verify", csv, "--json"}).out)["not_checked"].text, "rules: not checked"));
    CHECK(with({"record"}, {"-o", trace}).code == 0);
    const CommandRun recorded = ended({"verify", trace});
    CHECK(contains(recorded.out, "ok      rules: "));
  }
}

TEST_CASE("triangles of the smallest numbers, and of sizes that lie far apart, are built and recorded without a loss") {
  const Folder folder;
  const std::string obj = folder.file("t.obj"), trace = folder.file("t.kdtrace");
  const std::string least =
      "v 4.2e-45 -5.04e-44 -9.8e-45\nv 2.1e-44 2.8e-45 -2.38e-44\nv 5.6e-45 8.4e-45 1.4e-44\nv 2.1e-44 2.8e-45 "
      "2.24e-44\nv -6.73e-44 -7.01e-44 -5.32e-44\n"
      "v -2.8e-45 1.82e-44 -5.6e-44\nv 4.9e-44 -5.04e-44 4.06e-44\nv 4.62e-44 6.45e-44 5.18e-44\nv 2.8e-44 3.36e-44 "
      "-3.92e-44\nf 1 2 3\nf 4 5 6\nf 7 8 9\n";
  const std::string far =
      "v -0.521 -1 -0.0833\nv -4.92e+17 -0.351 0.574\nv -1 -6e+17 0.0155\nv 0.621 0.784 0.512\nv -0.0127 0.433 -0.47\n"
      "v -0.315 -0.189 0.544\nv -0.308 -0.456 4.17e+17\nv -0.437 0.00151 0.588\nv -0.62 0.613 2.7e+16\nv 0.147 0.825 "
      "-0.598\n"
      "v -0.481 0.688 0.581\nv 0.666 0.314 -0.0613\nv -0.0449 -0.501 -2.95e+17\nv 0 0.636 0.0536\nv 1 0 0\n"
      "f 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\nf 13 14 15\n";
  for (const std::string& mesh : {least, far}) {
    put(obj, mesh);
    const CommandRun built = ended({"build", "--algorithm", "zhou-sah", "--data", obj, "--param", "small=1", "--param",
                                    "traversal=20", "--backend", "cpu", "--verify"});
    const CommandRun recorded = ended({"record", "--algorithm", "zhou-sah", "--data", obj, "--param", "small=1",
                                       "--param", "traversal=20", "--backend", "cpu", "-o", trace});
    CHECK(run({"verify", trace}).code == 0);
  }
}
