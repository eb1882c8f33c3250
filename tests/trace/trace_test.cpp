// Tests TraceBuilder, Cursor and the queries on traces.

#include "algorithms/trace/trace.hpp"

#include <cmath>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Returns every array's contents by replaying all versions in order.
std::vector<TypedArray> replayed(const Trace& trace, std::uint32_t step) {
  std::vector<TypedArray> state;
  for (const Trace::Array& array : trace.arrays) {
    TypedArray contents(array.info.type);
    for (const ArrayVersion& v : array.versions) {
      if (v.step > step) break;
      if (v.keyframe) contents = v.values;
      contents.resize(v.size);
      std::size_t from = 0;
      const std::size_t width = size_of(array.info.type);
      for (const IndexRange& r : v.ranges)
        for (std::uint64_t i = r.begin; i < r.end; ++i, ++from)
          std::memcpy(contents.bytes().data() + i * width, v.values.bytes().data() + from * width, width);
    }
    state.push_back(std::move(contents));
  }
  return state;
}

ArrayInfo array_of(const char* name, ElementType type = ElementType::uint32) { return {name, name, type}; }

}  // namespace

TEST_CASE("a cursor's state is that of a plain replay, in any order of steps") {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    const auto trace = random_trace(seed, 70, 400);
    std::vector<std::uint64_t> forwards;
    Cursor cursor(trace);
    for (std::uint32_t s = 0; s < cursor.step_count(); ++s) {
      cursor.seek(s);
      const std::vector<TypedArray> expected = replayed(*trace, s);
      for (std::size_t a = 0; a < expected.size(); ++a) {
        const TypedArray* found = cursor.array(trace->arrays[a].info.name);
        if (found)
          REQUIRE(*found == expected[a]);
        else
          REQUIRE(expected[a].size() == 0);
      }
      forwards.push_back(cursor.state_hash());
    }
    for (std::uint32_t s = cursor.step_count(); s-- > 0;) {
      cursor.seek(s);
      REQUIRE(cursor.state_hash() == forwards[s]);
    }
    std::mt19937 random(seed);
    for (int jump = 0; jump < 300; ++jump) {
      const auto s = static_cast<std::uint32_t>(random() % cursor.step_count());
      cursor.seek(s);
      REQUIRE(cursor.step() == s);
      REQUIRE(cursor.state_hash() == forwards[s]);
      REQUIRE(Cursor(cursor).state_hash() == forwards[s]);
    }
  }
}

TEST_CASE("the state hash sees a single changed element") {
  Cursor a(ten_point_beginning()), b(ten_point_beginning(6));
  a.seek(1);
  b.seek(1);
  REQUIRE(a.state_hash() == b.state_hash());
  a.seek(2);
  b.seek(2);
  REQUIRE(a.state_hash() != b.state_hash());
}

TEST_CASE("a cursor clamps, and an empty trace has one empty state") {
  Cursor cursor(ten_point_beginning());
  cursor.seek(99);
  REQUIRE(cursor.step() == 2);
  Cursor empty(std::make_shared<const Trace>());
  empty.seek(3);
  REQUIRE(empty.step() == 0);
  REQUIRE(empty.array("tags") == nullptr);
  REQUIRE(empty.row_size("tags") == 0);
}

TEST_CASE("small changes are stored as deltas, large ones and every sixteenth version as keyframes") {
  TraceBuilder b(some_header(1000, 1));
  b.declare(array_of("tags"));
  std::vector<std::uint32_t> tags(1000, 0);
  for (std::uint32_t s = 0; s < 40; ++s) {
    b.begin_step(named_step({"build", "step"}));
    if (s == 20)
      tags.assign(1000, 7);
    else
      tags[s * 3] = s + 1;
    b.write("tags", TypedArray::of(tags));
  }
  const auto trace = b.finish();
  const std::vector<ArrayVersion>& versions = trace->arrays[0].versions;
  REQUIRE(versions.size() == 40);
  REQUIRE(versions[0].keyframe);
  REQUIRE(versions[20].keyframe);
  std::size_t run = 0;
  for (const ArrayVersion& v : versions) {
    run = v.keyframe ? 0 : run + 1;
    REQUIRE(run <= 15);
    if (!v.keyframe) {
      REQUIRE(v.ranges == std::vector<IndexRange>{{v.step * 3ull, v.step * 3ull + 1}});
      REQUIRE(v.values.number(0) == v.step + 1);
    }
  }
  REQUIRE(trace->stored_bytes() < 5 * 4000);
}

TEST_CASE("a version that changes nothing stores nothing, and shrinking and growing arrays are followed") {
  TraceBuilder b(some_header(100, 1));
  b.declare(array_of("list"));
  for (const std::size_t size : {100, 100, 90, 110, 0, 5}) {
    b.begin_step(named_step({"build", "resize"}));
    std::vector<std::uint32_t> list(size);
    for (std::size_t i = 0; i < size; ++i) list[i] = static_cast<std::uint32_t>(i);
    b.write("list", TypedArray::of(list));
  }
  const auto trace = b.finish();
  REQUIRE_FALSE(trace->arrays[0].versions[1].keyframe);
  REQUIRE(trace->arrays[0].versions[1].values.size() == 0);
  Cursor cursor(trace);
  const std::uint64_t sizes[] = {100, 100, 90, 110, 0, 5};
  for (std::uint32_t s = 6; s-- > 0;) {
    cursor.seek(s);
    REQUIRE(cursor.row_size("list") == sizes[s]);
    if (sizes[s] > 0) REQUIRE(cursor.number("list", sizes[s] - 1) == static_cast<double>(sizes[s] - 1));
  }
}

TEST_CASE("a builder refuses arrays that are not declared so") {
  TraceBuilder b(some_header(1, 1));
  b.declare(array_of("tags"));
  REQUIRE_THROWS_AS(b.declare(array_of("tags")), ErrorException);
  b.begin_step(named_step({"build"}));
  REQUIRE_THROWS_AS(b.write("chunk", TypedArray(ElementType::uint32, 1)), ErrorException);
  REQUIRE_THROWS_AS(b.write("tags", TypedArray(ElementType::float32, 1)), ErrorException);
}

TEST_CASE("derived rows are gathered at each step") {
  Cursor cursor(ten_point_beginning());
  REQUIRE(cursor.row_size("data[i].x") == 10);
  REQUIRE(cursor.text("data[i].x", 1) == "46");
  REQUIRE(cursor.text("data[i].y", 1) == "63");
  cursor.seek(1);
  REQUIRE(cursor.text("data[i].x", 1) == "15");
  REQUIRE(cursor.number("data[i].y", 9) == 21.0);
  REQUIRE(cursor.text("data[i].x", 10).empty());
  REQUIRE(cursor.text("nothing", 0).empty());
}

TEST_CASE("steps are selected by consecutive phases") {
  const auto trace = ten_point_beginning();
  using Steps = std::vector<std::uint32_t>;
  REQUIRE(steps_matching(*trace, "level 0 / sort") == Steps{1});
  REQUIRE(steps_matching(*trace, "level 0/sort") == Steps{1});
  REQUIRE(steps_matching(*trace, "level 0") == Steps{1, 2});
  REQUIRE(steps_matching(*trace, "build") == Steps{0, 1, 2});
  REQUIRE(steps_matching(*trace, "build / sort").empty());
  REQUIRE(steps_matching(*trace, "sor").empty());
  REQUIRE(steps_matching(*trace, "").empty());
}

TEST_CASE("changed ranges name exactly what differs, stored or derived") {
  const auto trace = ten_point_beginning();
  Cursor before(trace), after(trace);
  after.seek(1);
  using Ranges = std::vector<IndexRange>;
  REQUIRE(changed_ranges(before, after, "tags").empty());
  REQUIRE(changed_ranges(before, after, "index") == Ranges{{1, 3}, {4, 8}, {9, 10}});
  REQUIRE(changed_ranges(before, after, "data[i].x") == Ranges{{1, 3}, {4, 8}, {9, 10}});
  before.seek(1);
  after.seek(2);
  REQUIRE(changed_ranges(before, after, "tags") == Ranges{{0, 6}, {7, 10}});
  REQUIRE(changed_ranges(before, after, "data[i].y").empty());
  REQUIRE(changed_ranges(before, after, "nothing").empty());
}

TEST_CASE("element text reads back as the same value") {
  REQUIRE(TypedArray::of<float>({0.1f}).text(0) == "0.1");
  REQUIRE(TypedArray::of<double>({1e300}).text(0) == "1e+300");
  // In text for display, a double that equals a float prints as that float, and no two values print alike.
  const double above = std::nextafter(3.0f, 4.0f), tenth = 0.1f;
  const auto reals = TypedArray::of<double>({3, above, 3.0000002, tenth, 0.1, 0.2, 1e300, std::nan(""), 16777217});
  const char* const shown[] = {
      "3",   "3.0000002", "3.0000002000000001", "0.1", "0.10000000000000001", "0.20000000000000001", "1e+300",
      "nan", "16777217"};
  for (std::size_t i = 0; i < reals.size(); ++i) REQUIRE(reals.short_text(i) == shown[i]);
  REQUIRE(reals.text(1) == "3.000000238418579");
  REQUIRE(TypedArray::of<float>({0.1f}).short_text(0) == "0.1");
  REQUIRE(TypedArray::of<std::uint8_t>({255}).text(0) == "255");
  REQUIRE(TypedArray::of<std::uint64_t>({0xffffffffffffffffull}).text(0) == "18446744073709551615");
  REQUIRE(TypedArray::of<std::int32_t>({-5}).text(0) == "-5");
}

TEST_CASE("a derived row is empty until its source is written") {
  TraceBuilder builder(TraceHeader{});
  builder.declare({"index", "index", ElementType::uint32, Space::position, Space::point, 1, {}, true, {}});
  builder.declare({"rank", "rank", ElementType::uint32, Space::point, Space::key, 1, {}, false, {}});
  builder.declare({"rank[i]",
                   "rank[i]",
                   ElementType::uint32,
                   Space::position,
                   Space::key,
                   1,
                   {},
                   true,
                   Gather{"rank", "index", 0}});
  builder.begin_step({});
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{1, 0}));
  builder.begin_step({});
  builder.write("rank", TypedArray::of(std::vector<std::uint32_t>{7, 9}));
  Cursor cursor(builder.finish());
  CHECK(cursor.row_size("rank[i]") == 0);
  CHECK(cursor.text("rank[i]", 0).empty());
  cursor.seek(1);
  CHECK(cursor.row_size("rank[i]") == 2);
  CHECK(cursor.text("rank[i]", 0) == "9");
}

TEST_CASE("changed ranges are the same whether rows are stored or derived, of any width and pattern") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t n = 1 + random() % 3000;
    TraceBuilder b(kdscope::tests::some_header(n, 1));
    b.declare({"index", "index", ElementType::uint32, Space::position, Space::point, 1, {}, true, {}});
    b.declare({"values",
               "values",
               round % 2 ? ElementType::float64 : ElementType::uint8,
               Space::point,
               Space::coordinate,
               1,
               {},
               true,
               {}});
    b.declare({"row",
               "row",
               round % 2 ? ElementType::float64 : ElementType::uint8,
               Space::position,
               Space::coordinate,
               1,
               {},
               true,
               Gather{"values", "index", 0}});
    std::vector<std::uint32_t> index(n);
    for (std::uint32_t i = 0; i < n; ++i) index[i] = i;
    const auto values = [&](unsigned seed) {
      if (round % 2 == 0) {
        std::vector<std::uint8_t> v(n);
        for (std::uint32_t i = 0; i < n; ++i) v[i] = static_cast<std::uint8_t>((i + seed) % 3);
        return TypedArray::of(v);
      }
      std::vector<double> v(n);
      for (std::uint32_t i = 0; i < n; ++i) v[i] = (i + seed) % 3;
      return TypedArray::of(v);
    };
    b.begin_step(kdscope::tests::named_step({"a"}));
    b.write("index", TypedArray::of(index));
    b.write("values", values(0));
    b.begin_step(kdscope::tests::named_step({"b"}));
    for (std::uint32_t swaps = random() % 40; swaps > 0; --swaps) std::swap(index[random() % n], index[random() % n]);
    b.write("index", TypedArray::of(index));
    if (round % 3 == 0) b.write("values", values(round % 6 == 0 ? 1 : 0));
    const auto trace = b.finish();
    Cursor before(trace), after(trace);
    after.seek(1);
    for (const char* row : {"index", "values", "row"}) {
      std::vector<bool> changed(n, false);
      for (const IndexRange& r : changed_ranges(before, after, row))
        for (std::uint64_t i = r.begin; i < r.end; ++i) changed[i] = true;
      CAPTURE(round, row);
      bool same = true;
      for (std::uint32_t i = 0; i < n; ++i) same = same && changed[i] == (before.text(row, i) != after.text(row, i));
      CHECK(same);
    }
  }
}
