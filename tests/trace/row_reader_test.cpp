#include "algorithms/trace/row_reader.hpp"

#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("no_id is missing in arrays of ids, indices and counts, NaN in all; keys and coordinates may be as large") {
  TraceBuilder builder({});
  const auto declare = [&](const char* name, Space values, ElementType type, std::optional<Gather> gather = {}) {
    builder.declare({name, "", type, Space::position, values, 1, {}, true, gather});
  };
  declare("owner", Space::node, ElementType::uint32);
  declare("left counter", Space::count, ElementType::uint32);
  declare("mark", Space::none, ElementType::uint32);
  declare("key", Space::key, ElementType::uint32);
  declare("coordinate", Space::coordinate, ElementType::uint32);
  declare("wide", Space::count, ElementType::uint64);
  declare("real", Space::none, ElementType::float64);
  declare("split value", Space::split_value, ElementType::float64);
  declare("order", Space::point, ElementType::uint32);
  declare("owner of point", Space::node, ElementType::uint32, Gather{"owner", "order", 0});
  declare("key of point", Space::key, ElementType::uint32, Gather{"key", "order", 0});
  builder.begin_step({});
  for (const char* name : {"owner", "left counter", "mark", "key", "coordinate"})
    builder.write(name, TypedArray::of(std::vector<std::uint32_t>{7, no_id}));
  builder.write("wide", TypedArray::of(std::vector<std::uint64_t>{7, no_id}));
  for (const char* name : {"real", "split value"})
    builder.write(name, TypedArray::of(std::vector<double>{no_id, std::numeric_limits<double>::quiet_NaN()}));
  builder.write("order", TypedArray::of(std::vector<std::uint32_t>{0, 1}));
  const Cursor cursor(builder.finish());
  for (const char* name : {"owner", "left counter", "mark", "key", "coordinate", "wide", "real", "split value",
                           "owner of point", "key of point"}) {
    INFO(name);
    const std::string row = name;
    const bool may_be_large = row.starts_with("key") || row == "coordinate" || row == "wide";
    const RowReader reader(cursor, row);
    CHECK(reader.size() == 2);
    CHECK_FALSE(reader.is_missing(0));
    CHECK(reader.is_missing(1) == !may_be_large);
    CHECK_FALSE(reader.is_missing(2));
  }
  const RowReader unknown(cursor, "no such row");
  CHECK_FALSE(unknown);
  CHECK(unknown.size() == 0);
  CHECK_FALSE(unknown.is_missing(0));
  CHECK(unknown.id(0) == no_id);
}

TEST_CASE("a row is read by component, through another row, and as it was at another step") {
  TraceBuilder builder({});
  builder.declare({"points", "", ElementType::float32, Space::position, Space::coordinate, 2});
  builder.declare({"order", "", ElementType::uint32, Space::position, Space::point});
  builder.declare(tests::gathered_row("y in order", "", ElementType::float32, Gather{"points", "order", 1}));
  builder.begin_step({});
  builder.write("points", TypedArray::of(std::vector<float>{1, 10, 2, 20, 3, 0.1F}));
  builder.write("order", TypedArray::of(std::vector<std::uint32_t>{2, 0, no_id}));
  builder.begin_step({});
  builder.write("order", TypedArray::of(std::vector<std::uint32_t>{0, 1, 2}));
  Cursor cursor(builder.finish());

  const RowReader y(cursor, "points", 1);
  CHECK(y.size() == 3);
  CHECK(y.number(1) == 20);
  CHECK(y.short_text(2) == "0.1");
  CHECK(std::isnan(y.number(3)));
  CHECK_FALSE(y.whole());

  const RowReader gathered(cursor, "y in order");
  CHECK(gathered.size() == 3);
  CHECK(gathered.number(0) == 0.1F);
  CHECK(gathered.text(1) == "10");
  CHECK(gathered.is_missing(2));
  CHECK(gathered.text(2).empty());

  const Trace::Array* order = cursor.trace().find("order");
  cursor.seek(1);
  CHECK(RowReader(cursor, order, 1).id(0) == 0);
  CHECK(RowReader(cursor, order, 0).id(0) == 2);
  CHECK(RowReader(cursor, order, 0).whole());
  CHECK_FALSE(RowReader(cursor, nullptr, 0));
}
