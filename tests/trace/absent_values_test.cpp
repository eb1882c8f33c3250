#include "algorithms/trace/absent_values.hpp"

#include <limits>

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("none among ids, indices and counts says nothing, nor does nan; keys and coordinates may be as large") {
  TraceBuilder builder({});
  const auto declare = [&](const char* name, Space values, ElementType type, std::optional<Gather> gather = {}) {
    ArrayInfo info;
    info.name = name;
    info.type = type;
    info.value_space = values;
    info.gather = gather;
    builder.declare(info);
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
    CHECK_FALSE(says_nothing(cursor, row, 0));
    CHECK(says_nothing(cursor, row, 1) == !may_be_large);
    CHECK_FALSE(says_nothing(cursor, row, 2));
  }
  CHECK_FALSE(says_nothing(cursor, "no such row", 0));
}
