#include "visualizer/model/segments.hpp"

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

/// Returns positions with tags and values. The second step highlights `segments`.
std::shared_ptr<const Trace> tagged(const std::vector<std::uint32_t>& tags, const std::vector<float>& values,
                                    Highlight segments) {
  TraceBuilder builder(tests::header_of(tags.size(), 1));
  builder.declare({"tags", "tags", ElementType::uint32, Space::position, Space::node});
  builder.declare({"values", "values", ElementType::float32});
  builder.declare({partition_arrays::parent, "", ElementType::uint32, Space::node});
  builder.begin_step({});
  builder.write("tags", TypedArray::of(tags));
  builder.write("values", TypedArray::of(values));
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 0, 1, 1, 2, 2}));
  Step step;
  step.highlights.push_back(std::move(segments));
  builder.begin_step(step);
  return builder.finish();
}

}  // namespace

TEST_CASE("a step's segments are its strips, what is between them too, and every column is in one") {
  int with_node = 0;
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    const Cursor cursor = ten_points_at(step);
    const ArrayTable table(cursor);
    const SegmentList list(cursor, table.column_count(), Space::position);
    CAPTURE(step);
    std::uint64_t at = 0;
    for (const Strip& strip : list.strips({0, 10}, 100)) {
      CHECK(strip.columns.begin == at);
      CHECK(strip.members == 1);
      at = strip.columns.end;
      for (std::uint64_t c = strip.columns.begin; c < strip.columns.end; ++c)
        CHECK(table.cell(1, c).segment == table.cell(1, strip.columns.begin).segment);
      // While tags move to children, the segment still belongs to the parent.
      if (step % 2 != 0 || !table.cell(1, strip.columns.begin).segment) continue;
      ++with_node;
      CHECK(strip.node == table.cell(1, strip.columns.begin).node);
    }
    CHECK(at == 10);
  }
  CHECK(with_node > 3);
  // Level 1 is sorted: segments 1 to 6 and 7 to 9 belong to nodes 1 and 2, and position 0 is settled.
  const Cursor cursor = ten_points_at(2);
  const SegmentList list(cursor, 10, Space::position);
  CHECK(list.source() == SegmentList::Source::highlights);
  const auto strips = list.strips({0, 10}, 8);
  REQUIRE(strips.size() == 3);
  CHECK(strips[0].settled);
  CHECK(strips[1].columns == IndexRange{1, 7});
  CHECK(strips[1].node == NodeId{1});
  CHECK(strips[1].place == place_of(NodeId{1}));
  CHECK(strips[2].node == NodeId{2});
}

TEST_CASE("without highlights, runs of one subtree are the segments, and neighbours join under their ancestor") {
  const auto trace =
      tagged({3, 3, 4, 4, 5, 5, 6, 6}, {8, 7, 6, 5, 4, 3, 2, 1}, {Role::pivot, Space::position, {{1, 2}}, {}});
  const Cursor cursor(trace);
  const SegmentList list(cursor, 8, Space::position);
  CHECK(list.source() == SegmentList::Source::subtrees);
  REQUIRE(list.size() == 4);
  CHECK(list.segment_at(5) == 2);
  const auto halves = list.strips({0, 8}, 2);
  REQUIRE(halves.size() == 2);
  CHECK(halves[0].columns == IndexRange{0, 4});
  CHECK(halves[0].members == 2);
  CHECK(halves[0].node == NodeId{1});
  CHECK(halves[1].node == NodeId{2});
  CHECK(list.strips({0, 8}, 1).front().node == NodeId{0});
  const auto inside = list.strips({3, 6}, 10);
  REQUIRE(inside.size() == 2);
  CHECK(inside[0].columns == IndexRange{3, 4});
  CHECK(inside[1].columns == IndexRange{4, 6});
  CHECK(list.strips({5, 5}, 10).empty());

  const SegmentList nodes(cursor, 7, Space::node);
  CHECK(nodes.source() == SegmentList::Source::levels);
  REQUIRE(nodes.size() == 3);
  CHECK(nodes.columns(2) == IndexRange{3, 7});
  CHECK(nodes.strips({0, 7}, 10)[2].level == 2);
  const SegmentList keys(cursor, 1000, Space::key);
  CHECK(keys.source() == SegmentList::Source::pieces);
  CHECK(keys.strips({0, 1000}, 1000).size() == 64);
  CHECK(SegmentList(cursor, 0, Space::position).strips({0, 10}, 5).empty());
}

TEST_CASE("groups are whole subtrees: what is settled in front stays apart") {
  Highlight segments{Role::segment, Space::position, {}, {}};
  for (std::uint32_t s = 0; s < 4; ++s)
    segments.ranges.push_back({3 + 4 * s, 7 + 4 * s}), segments.nodes.push_back(3 + s);
  TraceBuilder builder(tests::header_of(19, 1));
  builder.declare({partition_arrays::parent, "", ElementType::uint32, Space::node});
  Step step;
  step.highlights = {segments, {Role::settled, Space::position, {{0, 3}}, {}}};
  builder.begin_step(step);
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 0, 1, 1, 2, 2}));
  const Cursor cursor(builder.finish());
  const SegmentList list(cursor, 19, Space::position);
  REQUIRE(list.size() == 5);
  const auto strips = list.strips({0, 19}, 4);
  REQUIRE(strips.size() == 3);
  CHECK(strips[0].settled);
  CHECK(strips[0].columns == IndexRange{0, 3});
  CHECK(strips[1].columns == IndexRange{3, 11});
  CHECK(strips[1].node == NodeId{1});
  CHECK(strips[2].node == NodeId{2});
  CHECK(list.strips({0, 19}, 5).size() == 5);
  CHECK(list.strips({11, 19}, 2).size() == 2);
  CHECK(list.strips({0, 19}, 1).size() <= 3);
}

TEST_CASE("damaged highlights lose no column: overlaps, disorder, ends beyond the array") {
  const auto trace = tagged(std::vector<std::uint32_t>(20, 3), std::vector<float>(20, 1),
                            {Role::segment, Space::position, {{12, 40}, {2, 8}, {4, 6}, {9, 9}, {100, 200}}, {1}});
  Cursor cursor(trace);
  cursor.seek(1);
  const SegmentList list(cursor, 20, Space::position);
  std::uint64_t at = 0;
  for (const Strip& strip : list.strips({0, 20}, 100)) {
    CHECK(strip.columns.begin == at);
    CHECK(strip.columns.end > at);
    at = strip.columns.end;
  }
  CHECK(at == 20);
  CHECK(list.columns(1) == IndexRange{2, 8});
}

TEST_CASE("values of a segment: least, median, greatest, order, bins, and the run that a bin opens") {
  const auto trace = tagged({0, 0, 0, 0, 0, 0, 1, 1}, {5, 1, 2, 2, 3, 9, 0, 0}, {});
  const Cursor cursor(trace);
  const ArrayTable table(cursor);
  const RowValues tags(cursor, table.rows()[1]), values(cursor, table.rows()[2]), index(cursor, table.rows()[0]);
  const ValueSummary all = summarise(values, {0, 6}, 4);
  CHECK(all.columns == 6);
  CHECK(all.least == 1);
  CHECK(all.median == 3);
  CHECK(all.greatest == 9);
  CHECK_FALSE(all.ascending);
  CHECK(all.bins == std::vector<std::uint64_t>{3, 1, 1, 1});
  CHECK(run_in_bin(values, {0, 6}, all, 0) == IndexRange{1, 4});
  CHECK(run_in_bin(values, {0, 6}, all, 3) == IndexRange{5, 6});
  CHECK_FALSE(run_in_bin(values, {1, 4}, all, 3));
  CHECK(summarise(values, {1, 6}, 4).ascending);
  CHECK(summarise(tags, {0, 8}, 32).bins == std::vector<std::uint64_t>{6, 2});
  CHECK(summarise(index, {2, 5}, 32).bins == std::vector<std::uint64_t>{1, 1, 1});
  CHECK(summarise(values, {6, 8}, 8).bins == std::vector<std::uint64_t>{2});
  CHECK(summarise(values, {8, 8}, 8).bins.empty());
  CHECK(summarise(values, {0, 8}, 8, 4).read == 4);
  CHECK(value_range(values, {0, 8}) == std::pair(0.0, 9.0));
  // A ramp makes a diagonal.
  const auto picture = density_of(index, {0, 8}, 8, 8, 0, 7);
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y) CHECK(picture[static_cast<std::size_t>(8 * y + x)] == (x == 7 - y ? 1.0f : 0.0f));
}

TEST_CASE("ten million columns: segments, strips, densities and summaries hold all of them") {
  constexpr std::uint32_t n = 10'000'000, segments = 1 << 16;
  Highlight highlight{Role::segment, Space::position, {}, {}};
  for (std::uint64_t s = 0; s < segments; ++s) highlight.ranges.push_back({n * s / segments, n * (s + 1) / segments});
  std::vector<float> values(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  const auto trace = tagged(std::vector<std::uint32_t>(n, 3), values, std::move(highlight));
  Cursor cursor(trace), before(trace);
  cursor.seek(1);
  const ArrayTable table(cursor, &before);
  CHECK(table.changes(1).empty());
  const SegmentList list(cursor, n, Space::position);
  CHECK(list.size() == segments);
  const auto strips = list.strips({0, n}, 40);
  REQUIRE(strips.size() == 32);
  CHECK(strips[5].members == 2048);
  CHECK(strips[5].columns == IndexRange{list.columns(5 * 2048).begin, list.columns(6 * 2048).begin});
  const RowValues row(cursor, table.rows()[2]);
  const ValueSummary all = summarise(row, {0, n}, 50);
  CHECK(all.read == 1'000'000);
  CHECK(all.ascending);
  CHECK(all.median == Approx(n / 2).margin(100));
  const auto [low, high] = value_range(row, {0, n});
  CHECK(high == n - 1);
  const auto picture = density_of(row, {0, n}, 1000, 20, low, high);
  for (std::size_t x = 0; x < 1000; ++x) {
    float sum = 0;
    for (std::size_t y = 0; y < 20; ++y) sum += picture[y * 1000 + x];
    CHECK(sum == Approx(1).margin(0.01));
  }
}
