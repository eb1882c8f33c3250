// Tests properties of every kind in the table of kinds.
#include <algorithm>
#include <set>
#include <sstream>

#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "algorithms/trees/level_order/reference.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// Returns a tree of each kind over the same points, and one over triangles.
std::vector<Tree> one_of_each() {
  const auto data = open_data_set("uniform:n=30,dim=3").value();
  const std::shared_ptr<const PointSet> points(data, &data->points);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t d = 0; d < 3; ++d)
    for (std::size_t i = 0; i < points->size(); ++i) keys.push_back(ordered_key(points->word(i, d), points->type));
  SplitPlaneRules rules;
  rules.small = 4;
  return {reference_left_balanced_tree(*points, Split::round_robin),
          reference_median_tree(keys, points),
          reference_middle_split_tree(points, 4),
          reference_median_store_tree(points),
          reference_vvh_tree(data, rules),
          reference_sah_tree(open_data_set("triangles:n=20").value(), rules)};
}

std::string written(const Tree& tree, TreeFormat format) {
  std::ostringstream out;
  tree.kind().write(tree, format, out);
  return out.str();
}

}  // namespace

TEST_CASE("every kind has an id of its own, by which it is found") {
  std::set<std::string_view> ids;
  for (const TreeKind* kind : tree_kinds()) {
    CHECK(ids.insert(kind->id()).second);
    CHECK(find_tree_kind(kind->id()) == kind);
  }
  CHECK(find_tree_kind("heap") == nullptr);
  CHECK(find_tree_kind("") == nullptr);
}

TEST_CASE("the trees of this test are of all kinds") {
  std::set<const TreeKind*> kinds;
  for (const Tree& tree : one_of_each()) kinds.insert(&tree.kind());
  CHECK(kinds == std::set<const TreeKind*>(tree_kinds().begin(), tree_kinds().end()));
}

TEST_CASE("a tree is of one kind, and cannot be taken for another") {
  const std::vector<Tree> trees = one_of_each();
  CHECK(Tree().empty());
  CHECK(trees[0].is<LeftBalancedTree>());
  CHECK_FALSE(trees[0].is<LevelOrderTree>());
  CHECK_THROWS_AS(trees[0].as<LevelOrderTree>(), std::bad_any_cast);
}

TEST_CASE("exactly one kind recognizes the file of a tree, and reads the same tree from it") {
  for (const Tree& tree : one_of_each()) {
    INFO(tree.kind().id());
    const std::string csv = written(tree, TreeFormat::csv), npy = written(tree, TreeFormat::npy);
    tree_files::CsvRows rows(csv, "tree.csv");
    rows.next();
    const tree_files::NpyArray first = tree_files::npy_array_at(npy, 0, "tree.npy");
    for (const TreeKind* kind : tree_kinds()) {
      CHECK(kind->begins(rows) == (kind == &tree.kind()));
      CHECK(kind->begins(first) == (kind == &tree.kind()));
    }
    const Tree from_csv = tree.kind().read(rows), from_npy = tree.kind().read(first, npy, "tree.npy");
    CHECK(tree_hash(from_csv) == tree_hash(tree));
    CHECK(tree_hash(from_npy) == tree_hash(tree));
    CHECK(tree.kind().contents(from_npy) == tree.kind().contents(tree));
  }
}

TEST_CASE("a tree's file may have its fields in quotes, as other programs write them") {
  for (const Tree& tree : one_of_each()) {
    INFO(tree.kind().id());
    std::string csv = "\"";
    for (const char c : written(tree, TreeFormat::csv))
      csv += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
    csv.pop_back();  // a quote behind the last line
    tree_files::CsvRows rows(csv, "tree.csv");
    rows.next();
    REQUIRE(tree.kind().begins(rows));
    CHECK(tree_hash(tree.kind().read(rows)) == tree_hash(tree));
  }
  const std::string open = "original_index,split_dimension,x\n\"0,0,1.0\n";
  tree_files::CsvRows rows(open, "tree.csv");
  rows.next();
  try {
    rows.next();
    FAIL("an open quote was read");
  } catch (const ErrorException& error) {
    CHECK(error.error().where == "tree.csv:2:1");
    CHECK(error.error().what == "a quote is not closed, or stands beside other text");
  }
}

TEST_CASE("every kind's verifier accepts its trees, and finds other points than its own") {
  for (const Tree& tree : one_of_each()) {
    INFO(tree.kind().id());
    PointSet input = tree.kind().original_points(tree);
    const auto passes = [&] { return std::ranges::all_of(verify_tree(tree, input), &CheckResult::passed); };
    CHECK(passes());
    input.words[4] = word_of(0.125f);
    CHECK_FALSE(passes());
  }
}

TEST_CASE("a file of whole floats becomes a tree of floats on request") {
  for (const ScalarType type : {ScalarType::int32, ScalarType::float32}) {
    const auto data =
        open_data_set(std::string("grid:n=27,dim=3") + (type == ScalarType::int32 ? ",type=int" : "")).value();
    for (Tree tree : {Tree(reference_left_balanced_tree(data->points, Split::round_robin)),
                      Tree(reference_middle_split_tree(std::shared_ptr<const PointSet>(data, &data->points), 2))}) {
      const TreeKind& kind = tree.kind();
      REQUIRE(kind.points(tree).type == type);
      if (type == ScalarType::float32) continue;
      kind.become_float(tree);
      CHECK(kind.points(tree).type == ScalarType::float32);
      PointSet floats = data->points;
      floats.type = ScalarType::float32;
      for (std::uint32_t& word : floats.words) word = word_of(static_cast<float>(static_cast<std::int32_t>(word)));
      CHECK(std::ranges::all_of(verify_tree(tree, floats), &CheckResult::passed));
    }
  }
}

TEST_CASE("only kinds with several rules of split dimensions can be told one") {
  for (Tree& tree : one_of_each()) {
    INFO(tree.kind().id());
    const bool told = tree.kind().expect_split(tree, Split::widest);
    CHECK(told == tree.is<LeftBalancedTree>());
    // A tree of round-robin splits does not satisfy the widest-side rule.
    CHECK(std::ranges::all_of(verify_tree(tree, tree.kind().original_points(tree)), &CheckResult::passed) == !told);
  }
}
