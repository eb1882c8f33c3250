// Tests search in tables: the typed text and its matches.

#include "visualizer/model/element_search.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/orders_trace.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

/// Returns all found columns in order, or the error's sentence.
std::string found(const Cursor& cursor, const std::string& text, Space space = Space::position) {
  const auto query = parse_element_query(text);
  if (!query) return query.error().message();
  const auto matches = find_elements(cursor, ArrayTable(cursor, nullptr, space), space, *query);
  if (!matches) return matches.error().message();
  std::string columns;
  for (std::uint64_t n = 0; n < matches->size(); ++n) columns += (n ? " " : "") + std::to_string(matches->at(n));
  return columns;
}

/// Returns a run of one step with rows of every element type that tables show.
std::shared_ptr<const Trace> typed_rows() {
  TraceBuilder builder(tests::header_of(4, 1, "hand-made"));
  const auto declare = [&](const char* name, ElementType type, Space value, std::uint32_t components = 1) {
    builder.declare({name, name, type, Space::position, value, components});
  };
  declare("small", ElementType::float32, Space::coordinate);
  declare("planes", ElementType::float64, Space::split_value);
  declare("offsets", ElementType::int32, Space::none);
  declare("masks", ElementType::uint64, Space::bit_mask);
  declare("owner", ElementType::uint32, Space::node);
  declare("ends", ElementType::float32, Space::coordinate, 2);
  builder.begin_step(tests::named_step({"build", "write"}));
  builder.write("small", TypedArray::of(std::vector<float>{0.1F, 0.29332F, 2, -0.0F}));
  builder.write("planes", TypedArray::of(std::vector<double>{double(0.1F), 0.1, std::nan(""), 3}));
  builder.write("offsets", TypedArray::of(std::vector<std::int32_t>{-3, 0, 3, 12}));
  builder.write("masks", TypedArray::of(std::vector<std::uint64_t>{5, std::numeric_limits<std::uint64_t>::max(),
                                                                   std::numeric_limits<std::uint64_t>::max() - 1, 0}));
  builder.write("owner", TypedArray::of(std::vector<std::uint32_t>{2, no_id, 2, 1}));
  builder.write("ends", TypedArray::of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  return builder.finish();
}

}  // namespace

TEST_CASE("an index, a comparison, a node and a point are read, and everything else is refused in one sentence") {
  using Kind = ElementQuery::Kind;
  using Comparison = ElementQuery::Comparison;
  const auto read = [](const char* text) {
    const auto query = parse_element_query(text);
    INFO(text);
    REQUIRE(query);
    return *query;
  };
  CHECK(read(" 983 ") == ElementQuery{Kind::index, 983, "", Comparison::equal, ""});
  CHECK(read("node 12") == ElementQuery{Kind::node, 12, "", Comparison::equal, ""});
  CHECK(read("Node12") == read("node 12"));
  CHECK(read("p7") == ElementQuery{Kind::point, 7, "", Comparison::equal, ""});
  CHECK(read("point 7") == read("p 7"));
  CHECK(read("p7") == read("point 7"));
  const std::pair<const char*, Comparison> signs[]{
      {"==", Comparison::equal},   {"=", Comparison::equal},   {"!=", Comparison::unequal}, {"<", Comparison::less},
      {"<=", Comparison::at_most}, {">", Comparison::greater}, {">=", Comparison::at_least}};
  for (const auto& [sign, comparison] : signs) {
    const ElementQuery wanted{Kind::value, 0, "data[i].x", comparison, "-0.5"};
    CHECK(read((std::string("data[i].x") + sign + "-0.5").c_str()) == wanted);
    CHECK(read((std::string(" data[i].x  ") + sign + "  -0.5 ").c_str()) == wanted);
  }
  for (const char* text : {"", "  ", "tags", "node", "p-1", "12x", "== 3", "tags ==", "99999999999999999999999"}) {
    const auto query = parse_element_query(text);
    INFO(text);
    REQUIRE_FALSE(query);
    const std::string sentence = query.error().message();
    CHECK(sentence.find("write") != std::string::npos);
    CHECK(std::count(sentence.begin(), sentence.end(), '\n') == 0);
  }
}

TEST_CASE("values are found in the rows of the paper's table, by every comparison") {
  const Cursor cursor = ten_points_at(3);  // tags 0 3 3 3 1 4 4 5 2 6
  CHECK(found(cursor, "tags == 3") == "1 2 3");
  CHECK(found(cursor, "TAGS = 4") == "5 6");
  CHECK(found(cursor, "tags != 3") == "0 4 5 6 7 8 9");
  CHECK(found(cursor, "tags < 2") == "0 4");
  CHECK(found(cursor, "tags <= 2") == "0 4 8");
  CHECK(found(cursor, "tags > 4") == "7 9");
  CHECK(found(cursor, "tags >= 5") == "7 9");
  CHECK(found(cursor, "tags == 77").empty());
  CHECK(found(cursor, "data[i].x == 46") == "0");  // a derived row
  CHECK(found(cursor, "9") == "9");
  CHECK(found(cursor, "node 4") == "5 6");
  CHECK(found(cursor, "point 9") == "7");
  CHECK(found(cursor, "index == p9") == "7");
  CHECK(found(cursor, "index == 9") == "7");
}

TEST_CASE("what cannot be found is said in one sentence that names what there is") {
  const Cursor cursor = ten_points_at(3);
  CHECK(found(cursor, "10") == "there is no position 10; this table has 0 to 9.");
  CHECK(found(cursor, "tgs == 3").starts_with("this table has no row 'tgs'; its rows are tags, "));
  CHECK(found(cursor, "tags == three") == "'three' is not a number; write, for example, tags == 30.");
  CHECK(found(cursor, "tags == p3") == "'p3' is not a number; write, for example, tags == 30.");
  CHECK(found(cursor, "tags < none") == "'none' has no order; compare it with == or !=.");
  CHECK(found(cursor, "p3", Space::level).starts_with("the columns of this table name no points; "));
}

TEST_CASE("numbers are compared as the row's own type, and elements without a value match none alone") {
  const Cursor cursor(typed_rows());
  CHECK(found(cursor, "small == 0.1") == "0");
  CHECK(found(cursor, "small == 0.29332") == "1");
  CHECK(found(cursor, "small <= 0.1") == "0 3");
  CHECK(found(cursor, "small == 0") == "3");
  CHECK(found(cursor, "planes == 0.1") == "0 1");  // both print as 0.1
  CHECK(found(cursor, "planes < 0.1").empty());
  CHECK(found(cursor, "planes != 3") == "0 1");
  CHECK(found(cursor, "planes == none") == "2");
  CHECK(found(cursor, "offsets < 0") == "0");
  CHECK(found(cursor, "offsets >= -3") == "0 1 2 3");
  CHECK(found(cursor, "masks == 0b101") == "0");
  CHECK(found(cursor, "masks == 18446744073709551615") == "1");  // has more digits than a double
  CHECK(found(cursor, "masks == 0xfffffffffffffffe") == "2");
  CHECK(found(cursor, "owner > 0") == "0 2 3");
  CHECK(found(cursor, "owner == none") == "1");
  CHECK(found(cursor, "node 2") == "0 2");
  CHECK(found(cursor, "ends[1] == 6").starts_with("this table has no row"));  // coordinates have names
  const ArrayTable table(cursor);
  CHECK(found(cursor, table.rows().back().label + " > 5") == "2 3");
}

TEST_CASE("where every dimension has an order, rows are searched as they stand") {
  const Cursor cursor = [] {
    Cursor at(orders_trace());
    at.seek(3);
    return at;
  }();
  CHECK(found(cursor, "sequence(y) == 2") == "3");
  CHECK(found(cursor, "x > 2") == "2 3");  // 1 2 8 9 through sequence(x)
  CHECK(found(cursor, "owner == 1") == "0 1");
  CHECK(found(cursor, "node 2", Space::point) == "1 2");
  CHECK(found(cursor, "2", Space::node) == "2");
}

TEST_CASE("a million columns are searched in about the time in which they would be sorted") {
  constexpr std::uint32_t n = 1'000'000;
  TraceBuilder builder(tests::header_of(n, 1, "hand-made"));
  builder.declare({"tags", "tags", ElementType::uint32, Space::position, Space::node});
  builder.declare({points_array, points_array, ElementType::float32, Space::point, Space::coordinate});
  builder.declare({"index", "index", ElementType::uint32, Space::position, Space::point});
  builder.declare(tests::gathered_row("x", "x", ElementType::float32, Gather{points_array, "index", 0}));
  builder.begin_step(tests::named_step({"build", "write"}));
  std::vector<std::uint32_t> ids(n), order(n);
  std::vector<float> values(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    ids[i] = i % 2;  // the largest possible number of ranges
    order[i] = n - 1 - i;
    values[i] = static_cast<float>(i);
  }
  builder.write("tags", TypedArray::of(ids));
  builder.write("index", TypedArray::of(order));
  builder.write(points_array, TypedArray::of(values));
  const Cursor cursor(builder.finish());
  const ArrayTable table(cursor);
  std::vector<std::uint32_t> shuffled(n);
  const auto sort = [&] {
    for (std::uint32_t i = 0; i < n; ++i) shuffled[i] = i * 2654435761u;
    std::sort(shuffled.begin(), shuffled.end());
  };
  for (const char* text : {"tags == 1", "x >= 500000", "node 1", "p999999", "999999"}) {
    std::size_t found = 0;
    std::uint64_t last = 0;
    const auto search = [&] {
      const auto matches = find_elements(cursor, table, Space::position, *parse_element_query(text));
      found = matches ? matches->size() : 0;
      if (found > 0) last = matches->at(found - 1);
    };
    INFO(text);
    CHECK(test::cost_ratio(search, sort, 3) < 2);
    CHECK(found > 0);
    CHECK(last < n);
  }
  const auto odd = find_elements(cursor, table, Space::position, *parse_element_query("tags == 1"));
  CHECK(odd->size() == n / 2);
  CHECK(odd->at(0) == 1);
  CHECK(odd->at(n / 2 - 1) == n - 1);
}
