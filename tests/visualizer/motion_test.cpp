#include "visualizer/model/motion.hpp"

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/orders_trace.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

namespace kdscope::motion_test {

namespace {

using Ids = std::vector<std::uint32_t>;
constexpr auto none = no_id;

Travel travel(const Ids& from, const Ids& to, std::uint64_t ids = 4) { return Travel(from, to, ids); }

Motion motion(const std::shared_ptr<const Trace>& trace, std::uint32_t from, std::uint32_t to,
              const Concealment& concealed = {}) {
  Cursor before(trace), now(trace);
  before.seek(from);
  now.seek(to);
  return Motion(before, now, Space::position, concealed);
}

Ids origins(const Motion& motion, const std::string& row) {
  const Travel* found = motion.of(row);
  return found ? Ids(found->origins().begin(), found->origins().end()) : Ids{};
}

/// A run of four points in one list, with a row `value` that steps write beside it.
class SmallRun {
 public:
  SmallRun() : builder_(header()) {
    declare("order", Space::point);
    declare("value", Space::none);
    declare("other", Space::point);
  }
  void step(const std::vector<std::pair<std::string, Ids>>& writes) {
    builder_.begin_step(tests::named_step({"build", "step"}));
    for (const auto& [name, values] : writes) builder_.write(name, TypedArray::of(values));
  }
  std::shared_ptr<const Trace> finish() { return builder_.finish(); }

 private:
  static TraceHeader header() {
    TraceHeader header;
    header.n = 4;
    header.dim = 1;
    return header;
  }
  void declare(const char* name, Space values) {
    builder_.declare({name, name, ElementType::uint32, Space::position, values});
  }
  TraceBuilder builder_;
};

}  // namespace

TEST_CASE("elements travel between their columns before and after") {
  const Travel sorted = travel({3, 0, 1, 2}, {0, 1, 2, 3});
  CHECK_FALSE(sorted.empty());
  CHECK(sorted.came_from(0) == 1);
  CHECK(sorted.went_to(0) == 3);
  CHECK(sorted.came_from(4) == std::nullopt);
  CHECK(travel({0, 1, 2}, {0, 1, 2}).empty());

  // What stays, appears or disappears has no way to go.
  const Travel partition = travel({2, 0, none, 1}, {2, none, 0, 3});
  CHECK(partition.came_from(0) == std::nullopt);
  CHECK(partition.came_from(2) == 1);
  CHECK(partition.came_from(3) == std::nullopt);
  CHECK(partition.went_to(3) == std::nullopt);
}

TEST_CASE("without a unique mapping nothing travels") {
  CHECK(travel({0, 0, 1}, {1, 0, 2}).empty());
  CHECK(travel({1, 0, 2}, {0, 1, 1}).empty());
  CHECK(travel({0, 77, 1}, {1, 0, 77}).empty());  // as in the trace of a broken variant
}

TEST_CASE("a sort moves the rows that it wrote, forward and back, also one that reads the same") {
  const auto trace = ten_point_trace();
  const std::uint32_t sort = 2;
  const Motion forward = motion(trace, sort - 1, sort), back = motion(trace, sort, sort - 1);
  CHECK(origins(forward, "index") == Ids{6, 0, 3, 5, 1, 2, 4, 9, 7, 8});
  CHECK(origins(back, "index") == Ids{1, 4, 5, 2, 6, 3, 0, 8, 9, 7});
  // The tags read the same in eight of ten columns before and after, but each belongs to a point.
  CHECK(forward.of("tags") == forward.of("index"));
  CHECK(back.of("tags") == back.of("index"));
  CHECK(motion(trace, sort, sort + 1).empty());      // tags change in place
  CHECK(motion(trace, sort - 1, sort + 1).empty());  // no neighbours
  CHECK(motion(trace, sort, sort).empty());
}

TEST_CASE("hidden rows stand still, and all rows where it is hidden which points they stand for") {
  const auto trace = ten_point_trace();
  Concealment tags, index, changes, marks;
  tags.rows = {"tags"};
  index.rows = {"index"};
  changes.changes = true;
  marks.marks = true;
  CHECK(motion(trace, 1, 2, tags).of("tags") == nullptr);
  CHECK(motion(trace, 1, 2, tags).of("index") != nullptr);
  CHECK(motion(trace, 1, 2, index).empty());
  CHECK(motion(trace, 1, 2, changes).empty());
  CHECK(motion(trace, 1, 2, marks).of("index") != nullptr);
}

TEST_CASE("each dimension's rows travel in their own order") {
  const auto trace = orders_trace();
  const Motion owners = motion(trace, 2, 3);
  CHECK(owners.of("sequence(x)") == nullptr);  // written, with the same order
  CHECK(origins(owners, "sequence(y)") == Ids{1, 2, 0, 3});
  CHECK(origins(owners, "value(y)") == Ids{1, 2, 0, 3});
  CHECK(owners.of("mark(y)") == nullptr);  // not written
  CHECK(owners.of("owner") == nullptr);
}

TEST_CASE("the target of a scatter gets its elements from the first list") {
  const auto trace = orders_trace();
  CHECK(origins(motion(trace, 1, 2), "new_index(y)") == Ids{1, 2, 0, 3});
  CHECK(motion(trace, 2, 1).of("new_index(y)") == nullptr);  // they were nowhere in it before

  // What the target held earlier does not matter.
  SmallRun run;
  run.step({{"order", {0, 1, 2, 3}}, {"other", {3, 2, 1, 0}}});
  run.step({{"other", {0, 1, 2, 3}}});
  CHECK(motion(run.finish(), 0, 1).empty());
}

TEST_CASE("a row travels only with the values of its elements") {
  SmallRun run;
  run.step({{"order", {0, 1, 2, 3}}, {"value", {10, 11, 12, 13}}});
  run.step({{"order", {1, 0, 3, 2}}, {"value", {11, 10, 13, 12}}});
  run.step({{"order", {0, 1, 2, 3}}, {"value", {11, 10, 13, 99}}});
  run.step({{"order", {3, 2, 1, 0}}});
  run.step({{"value", {99, 13, 10, 11}}});  // follows the order later
  const auto trace = run.finish();
  CHECK(origins(motion(trace, 0, 1), "value") == Ids{1, 0, 3, 2});
  CHECK(motion(trace, 1, 2).of("order") != nullptr);
  CHECK(motion(trace, 1, 2).of("value") == nullptr);
  CHECK(motion(trace, 2, 3).of("value") == nullptr);
  CHECK(origins(motion(trace, 3, 4), "value") == Ids{3, 2, 1, 0});
  CHECK(origins(motion(trace, 4, 3), "value") == Ids{3, 2, 1, 0});
}

TEST_CASE("a row that is written again in the same order stands still, whatever its values") {
  SmallRun run;
  run.step({{"order", {0, 1, 2, 3}}, {"value", {0, 0, 1, 1}}});
  run.step({{"order", {1, 0, 3, 2}}});
  run.step({{"value", {0, 0, 1, 1}}});
  CHECK(motion(run.finish(), 1, 2).empty());
}

}  // namespace kdscope::motion_test
