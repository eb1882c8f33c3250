// Tests edits as small values, names of own points, and coordinates as users type and paste them.

#include "app/session/point_edits.hpp"

#include <random>

#include "algorithms/core/ids.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/recording/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

PointSet some_points(ScalarType type, std::uint32_t dim, std::uint32_t n) {
  PointSet set{type, dim, 0, {}};
  for (std::uint32_t i = 0; i < n * dim; ++i) set.words.push_back(nearest_word(i * 3 % 17 - 4, type));
  return set;
}

/// A point set as rows, which simple code edits.
using Rows = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> flat(const Rows& rows) {
  std::vector<std::uint32_t> words;
  for (const auto& row : rows) words.insert(words.end(), row.begin(), row.end());
  return words;
}

}  // namespace

TEST_CASE("random changes give what plain edits give, and their inverses take them back") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (const std::uint32_t dim : {1u, 2u, 3u, 8u}) {
    PointSet set = some_points(ScalarType::int32, dim, 12);
    PointIds ids{100, 12, {}};
    const PointSet first = set;
    const PointIds first_ids = ids;
    std::uint64_t next_id = 1000;
    Rows rows;
    for (std::uint32_t i = 0; i < set.size(); ++i)
      rows.emplace_back(set.words.begin() + i * dim, set.words.begin() + (i + 1) * dim);
    std::vector<PointChange> done;
    for (int edit = 0; edit < 60; ++edit) {
      std::vector<std::uint32_t> some;
      for (std::uint32_t i = 0; i < set.size(); ++i)
        if (below(4) == 0) some.push_back(i);
      std::vector<std::uint32_t> record(dim);
      for (auto& word : record) word = below(50);
      PointChange change;
      switch (below(3)) {
        case 0: {
          std::vector<std::uint32_t> words;
          for (const std::uint32_t i : some) {
            rows[i] = record;
            words.insert(words.end(), record.begin(), record.end());
          }
          change = move_of(set, some, words);
          break;
        }
        case 1:
          change = insertion_in(set, record);
          change.ids = {next_id++};
          rows.push_back(record);
          break;
        default:
          change = erasure_in(set, some);
          for (const std::uint32_t i : some) change.ids.push_back(ids.at(i));
          for (auto i = some.rbegin(); i != some.rend(); ++i) rows.erase(rows.begin() + *i);
      }
      set = changed(set, change);
      ids = changed(ids, change);
      done.push_back(change);
      REQUIRE(set.words == flat(rows));
      REQUIRE(ids.count == set.size());
    }
    const PointSet last = set;
    const PointIds last_ids = ids;
    for (auto change = done.rbegin(); change != done.rend(); ++change) {
      set = changed(set, inverse(*change));
      ids = changed(ids, inverse(*change));
    }
    CHECK(set.words == first.words);
    CHECK(earlier_indices(first_ids, ids) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    for (const PointChange& change : done) {
      set = changed(set, change);
      ids = changed(ids, change);
    }
    CHECK(set.words == last.words);
    CHECK(ids.listed == last_ids.listed);
  }
}

TEST_CASE("a point keeps its identity through the edits of others") {
  PointSet set = some_points(ScalarType::float32, 2, 5);
  const PointIds then{0, 5, {}};
  const PointSet recorded = set;
  CHECK(earlier_indices(then, then).empty());
  PointChange change = erasure_in(set, {1});
  change.ids = {1};
  PointIds now = changed(then, change);
  set = changed(set, change);
  change = insertion_in(set, {word_of(9.0f), word_of(9.0f)});
  change.ids = {77};
  now = changed(now, change);
  set = changed(set, change);
  set = changed(set, move_of(set, {2}, {word_of(0.5f), word_of(0.25f)}));
  const auto earlier = earlier_indices(then, now);
  CHECK(earlier == std::vector<std::uint32_t>{0, 2, 3, 4, no_id});
  const PointDifferences found = differences(recorded, set, earlier);
  REQUIRE(found.moved.size() == 1);
  CHECK(found.moved[0].then == 3);
  CHECK(found.moved[0].now == 2);
  CHECK(found.added == std::vector<std::uint32_t>{4});
  CHECK(found.erased == std::vector<std::uint32_t>{1});
}

TEST_CASE("names of own points say where they came from and count the edits") {
  CHECK(edited_name("wald-10") == "own points (from wald-10, 1 edit)");
  CHECK(edited_name("own points (from wald-10, 1 edit)") == "own points (from wald-10, 2 edits)");
  CHECK(edited_name("own points (from uniform:n=9,dim=3, 19 edits)") ==
        "own points (from uniform:n=9,dim=3, 20 edits)");
  CHECK(edited_name("own points (pasted)") == "own points (pasted, 1 edit)");
  CHECK(edited_name("own points (from a, b.csv)") == "own points (from a, b.csv, 1 edit)");
  CHECK(edited_name("uniform:n=9,dim=3") == "own points (from uniform:n=9,dim=3, 1 edit)");
}

TEST_CASE("typed coordinates are read exactly or refused in one sentence") {
  CHECK(*coordinate_word("0.1", ScalarType::float32) == word_of(0.1f));
  CHECK(*coordinate_word(" -3 ", ScalarType::float32) == word_of(-3.0f));
  CHECK(*coordinate_word("-2147483648", ScalarType::int32) == 0x80000000u);
  CHECK(*coordinate_word("16777217.0", ScalarType::int32) == 16777217u);
  CHECK(*coordinate_word("+7", ScalarType::int32) == 7u);
  for (const char* text : {"", "four", "1,5", "nan", "inf", "1e99", "-nan", "0x10", "1 2"}) {
    INFO(text);
    CHECK_FALSE(coordinate_word(text, ScalarType::float32));
    const auto refused = coordinate_word(text, ScalarType::int32);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message().size() > 20);
  }
  for (const char* text : {"2.5", "2147483648", "-2147483649", "1e10"}) {
    INFO(text);
    CHECK(coordinate_word(text, ScalarType::float32));
    CHECK_FALSE(coordinate_word(text, ScalarType::int32));
  }
}

TEST_CASE("pasted text is rows of numbers, whatever parts them") {
  const auto words = [](const char* text) {
    const auto set = parse_pasted_points(text, most_dimensions()).value();
    return std::make_pair(set.points.dim, set.points.words);
  };
  const std::pair<std::uint32_t, std::vector<std::uint32_t>> expected{2, {1, 2, 3, 4}};
  for (const char* text : {"1,2\n3,4\n", "1\t2\n3\t4", "1 2\n3 4\n", "  1   2  \r\n3 4\r\n\r\n", "x,y\n1,2\n3,4",
                           "x\ty\n1\t2\n3\t4\n", "x y\n1 2\n3 4"})
    CHECK(words(text) == expected);
  CHECK(words("5") == std::make_pair(1u, std::vector<std::uint32_t>{5}));
  CHECK(parse_pasted_points("1 2.5\n3 4", most_dimensions())->points.type == ScalarType::float32);
  CHECK(words("1 2 3 4 5 6 7 8 9").first == 9);
}

TEST_CASE("pasted text that is no points is refused with its line") {
  const auto sentence = [](const char* text) {
    const auto set = parse_pasted_points(text, most_dimensions());
    REQUIRE_FALSE(set);
    return set.error().message();
  };
  CHECK(sentence("1 2\n3 four\n").find("line 2 of the clipboard, column 3") != std::string::npos);
  CHECK(sentence("1\t2\n3\t\n").find("line 2") != std::string::npos);
  CHECK(sentence("1,2\n3\n").find("line 2") != std::string::npos);
  CHECK(sentence("1,2\n\n3,4\n").find("line 2") != std::string::npos);
  CHECK(sentence("1,2\nnan,4\n").find("line 2") != std::string::npos);
  std::string too_many = "0";
  for (int d = 1; d <= 512; ++d) too_many += " " + std::to_string(d);
  CHECK(sentence(too_many.c_str()).find("line 1") != std::string::npos);
  CHECK(sentence("").find("clipboard") != std::string::npos);
  CHECK(sentence("hello world").find("clipboard") != std::string::npos);
}

TEST_CASE("points that are copied and pasted are the same") {
  for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
    for (std::uint32_t dim = 1; dim <= 8; ++dim) {
      PointSet set = some_points(type, dim, 6);
      if (type == ScalarType::float32) set.words[0] = word_of(0.1f), set.words[5] = word_of(-0.f);
      const auto pasted = parse_pasted_points(text_of_points(set, {0, 1, 2, 3, 4, 5}), most_dimensions()).value();
      CHECK(pasted.points.words == set.words);
      CHECK(pasted.points.type == type);
      const auto more = words_as(set, pasted.points).value();
      CHECK(more == set.words);
    }
  const PointSet whole = some_points(ScalarType::int32, 2, 3);
  CHECK_FALSE(words_as(whole, some_points(ScalarType::int32, 3, 2)));
  CHECK_FALSE(words_as(whole, points_from_rows<float>(2, {1, 2.5f})));
  CHECK(*words_as(whole, points_from_rows<float>(2, {1, 2})) == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("a run of own points says so, and its saved trace runs again, whatever the algorithm") {
  const test::TemporaryFolder folder;
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    const auto shipped = open_data_set("wald-10").value();
    auto own = std::make_shared<DataSet>(*shipped);
    own->points = changed(own->points, move_of(own->points, {3}, {12, 60}));
    own->name = edited_name(own->name);
    RunRequest spec{own->name, algorithm.id, {}, Backend::cpu};
    spec.points = own;
    const auto recorded = record_run(spec).value();
    CHECK(recorded.trace->header.data_set == "own points (from wald-10, 1 edit)");
    const std::string path = folder.file(algorithm.id + ".kdtrace");
    REQUIRE(save_trace(*recorded.trace, path));
    const auto opened = open_trace(path).value();
    REQUIRE(opened.run.points);
    CHECK(opened.run.points->points.words == own->points.words);
    const auto again = record_run(opened.run).value();
    CHECK(again.trace->header.tree_hash == recorded.trace->header.tree_hash);
    CHECK(again.trace->header.data_set == recorded.trace->header.data_set);
    CHECK(time_run(opened.run, 1)->tree_hash == recorded.trace->header.tree_hash);
  }
}
