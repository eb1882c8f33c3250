// Tests what the window shows of a recorded launch, on one that is written by hand: the walk through it, its sheets,
// who wrote and who reads an element, what shared memory holds, and the arrays of a trace that keep it.

#include "algorithms/trace/beside_state.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/inside/kept_look.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "algorithms/variants/inside/writers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/trace/hand_made_traces.hpp"

namespace kdscope::launch_walk_test {
using namespace kdscope::access_log;

namespace {

constexpr std::uint32_t tags = 0, h = 1;

/// Two blocks of four lanes. In interval 0, each lane writes 10 + lane to the shared h; interval 1 sums h up; in
/// interval 2, each lane reads its sum, and even lanes write it to tags.
struct HandLaunch {
  LaunchRecording recording;

  HandLaunch() {
    recording.launches = {{"build / level 0 / count", "count", LaunchKind::blocks, 2, 4, 0}};
    recording.arrays = {{"tags", 4, 8, ValueType::whole, false, 0, false},
                        {"h", 4, 4, ValueType::whole, true, 0, false}};
    for (std::uint32_t line = 0; line < 4; ++line) recording.sites.push_back({line, 0, "count.hpp", 10 + line});
    const std::uint32_t sums[] = {0, 10, 21, 33};
    for (std::uint32_t block = 0; block < 2; ++block) {
      for (std::uint32_t lane = 0; lane < 4; ++lane) add(AccessKind::write, block, 0, lane, h, lane, 0, 10 + lane);
      end_interval("lanes", block, 0, {});
      end_interval("exclusive_sum", block, 1, {0, 10, 21, 33});
      for (std::uint32_t lane = 0; lane < 4; ++lane) {
        add(AccessKind::read, block, 2, lane, h, lane, 2, sums[lane]);
        if (lane % 2 == 0) add(AccessKind::write, block, 2, lane, tags, 4 * block + lane, 3, sums[lane]);
      }
      end_interval("lanes", block, 2, {});
    }
  }
  void add(AccessKind kind, std::uint32_t block, std::uint32_t interval, std::uint32_t lane, std::uint32_t array,
           std::int64_t index, std::uint32_t site, std::uint64_t value) {
    const bool follows = !recording.accesses.empty() && recording.accesses.back().lane == lane;
    recording.accesses.push_back({0, block, interval, lane, follows ? 1u : 0u, array, site, 4, 4 * index, value,
                                  static_cast<std::uint32_t>(kind), 0, 0, 0});
  }
  void end_interval(const char* call, std::uint32_t block, std::uint32_t number, std::vector<std::uint64_t> values) {
    recording.intervals.push_back({call, 0, block, number, number, std::move(values), {}});
  }
  LaunchWalk walk() const { return LaunchWalk(std::make_shared<const LaunchRecording>(recording)); }
  /// Returns the shared h as numbers; -1: nobody wrote it, -2: unknown.
  std::vector<std::int64_t> shared_at(std::size_t stretch, std::size_t until) const {
    std::vector<std::int64_t> values;
    for (const SharedArray& array : shared_arrays_at(recording, stretches_of(recording), stretch, until))
      for (const SharedElement& element : array.elements)
        values.push_back(element.state == SharedElement::State::known       ? static_cast<std::int64_t>(element.value)
                         : element.state == SharedElement::State::unwritten ? -1
                                                                            : -2);
    return values;
  }
};

std::vector<std::string> texts_of(const LaunchRecording& recording, const SheetColumn& column) {
  std::vector<std::string> texts;
  for (const Access* access : column.cells) texts.push_back(access ? cell_text(recording, *access) : "");
  return texts;
}

/// A trace of three steps that write one array.
std::shared_ptr<Trace> trace_of_three_steps() {
  TraceBuilder builder(tests::header_of(1, 1, "wald"));
  builder.declare({"tags", "tags", ElementType::uint32});
  for (std::uint32_t i = 0; i < 3; ++i) {
    Step step;
    step.name = "step";
    step.path = {"build", "step"};
    step.wrote = {"tags"};
    builder.begin_step(step);
    builder.write("tags", TypedArray::of(std::vector<std::uint32_t>{i}));
  }
  return std::make_shared<Trace>(*builder.finish());
}

bool same_accesses(const LaunchRecording& a, const LaunchRecording& b) {
  return a.accesses.size() == b.accesses.size() &&
         std::equal(a.accesses.begin(), a.accesses.end(), b.accesses.begin(), [](const Access& x, const Access& y) {
           return x.launch == y.launch && x.group == y.group && x.interval == y.interval && x.lane == y.lane &&
                  x.order == y.order && x.array == y.array && x.site == y.site && x.bytes == y.bytes &&
                  x.offset == y.offset && x.value == y.value && x.kind == y.kind && x.unwritten == y.unwritten;
         });
}

}  // namespace

TEST_CASE("launch walk: intervals, lanes and accesses, forwards and backwards") {
  LaunchWalk walk = HandLaunch().walk();
  REQUIRE(walk.stretches().size() == 6);
  CHECK(walk.depth() == Depth::interval);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> passed;
  do passed.emplace_back(walk.stretch().group, walk.stretch().interval);
  while (walk.step(1));
  CHECK(passed == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}});
  CHECK_FALSE(walk.step(1));
  CHECK(walk.leap(-1));
  CHECK(walk.number() == 0);
  CHECK_FALSE(walk.leap(-1));
  CHECK(walk.leap(1));
  CHECK(walk.number() == 3);

  // Lanes pass over the interval of the scan, in which none makes an access
  walk.go_to_stretch(0);
  REQUIRE(walk.go_deeper());
  CHECK(walk.depth() == Depth::lane);
  for (const std::uint32_t lane : {1u, 2u, 3u}) {
    REQUIRE(walk.step(1));
    CHECK(walk.lane() == lane);
  }
  REQUIRE(walk.step(1));
  CHECK(walk.lane() == 0);
  CHECK(walk.stretch().interval == 2);
  REQUIRE(walk.step(-1));
  CHECK(walk.lane() == 3);
  CHECK(walk.stretch().interval == 0);
  REQUIRE(walk.leap(1));
  CHECK(walk.number() == 2);
  CHECK(walk.lane() == 0);

  // Lane 0 reads its sum, then writes it; lane 1 reads alone
  REQUIRE(walk.go_deeper());
  CHECK(walk.access() == 4);
  REQUIRE(walk.step(1));
  CHECK(walk.lane() == 0);
  REQUIRE(walk.step(1));
  CHECK(walk.lane() == 1);
  REQUIRE(walk.leap(1));
  CHECK(walk.lane() == 2);
  CHECK_FALSE(walk.go_deeper());
  walk.go_to_end(1);
  CHECK(walk.access() == 19);
  CHECK_FALSE(walk.step(1));
  REQUIRE(walk.go_out());
  CHECK(walk.depth() == Depth::lane);
  CHECK(walk.lane() == 3);
  REQUIRE(walk.go_out());
  CHECK(walk.depth() == Depth::interval);
  CHECK_FALSE(walk.go_out());

  // An interval without accesses has no lanes to go to
  walk.go_to_stretch(1);
  CHECK_FALSE(walk.go_deeper());
}

TEST_CASE("launch walk: places have names") {
  LaunchWalk walk = HandLaunch().walk();
  const auto go_to = [&](const char* name) {
    const auto place = place_inside(name);
    REQUIRE(place);
    return walk.go_to(*place);
  };
  REQUIRE(go_to("block 1 / interval 2 / lane 3"));
  CHECK(walk.number() == 5);
  CHECK(walk.lane() == 3);
  REQUIRE(go_to("block 1"));
  CHECK(walk.number() == 3);
  CHECK(walk.depth() == Depth::interval);
  REQUIRE(go_to("interval 1"));
  CHECK(walk.number() == 1);
  CHECK_FALSE(go_to("block 2"));
  CHECK_FALSE(go_to("launch 1 / block 0"));
  CHECK_FALSE(go_to("interval 0 / lane 4"));
  CHECK(walk.number() == 1);
  for (const char* wrong : {"", "block", "block x", "block 1 /", "block -1", "row 3", "block 1 2", "lane 4294967296"})
    CHECK_FALSE(place_inside(wrong));
}

TEST_CASE("launch walk: a recording in another order of blocks is put in order, and lanes keep theirs") {
  HandLaunch launch;
  const LaunchRecording ordered = launch.recording;
  std::rotate(launch.recording.accesses.begin(), launch.recording.accesses.begin() + 10,
              launch.recording.accesses.end());
  REQUIRE_FALSE(same_accesses(launch.recording, ordered));
  put_in_order(launch.recording);
  CHECK(same_accesses(launch.recording, ordered));
}

TEST_CASE("launch walk: the sheet of an interval has the values of each lane, and holes") {
  const HandLaunch launch;
  const auto stretches = stretches_of(launch.recording);
  const Sheet sheet = sheet_of(launch.recording, stretches[5]);
  CHECK(sheet.group == 1);
  CHECK(sheet.lanes == std::vector<std::uint32_t>{0, 1, 2, 3});
  REQUIRE(sheet.columns.size() == 2);
  CHECK(texts_of(launch.recording, sheet.columns[0]) ==
        std::vector<std::string>{"[0] 0", "[1] 10", "[2] 21", "[3] 33"});
  CHECK(texts_of(launch.recording, sheet.columns[1]) == std::vector<std::string>{"[4] <- 0", "", "[6] <- 21", ""});
  CHECK(sheet_of(launch.recording, stretches[4]).columns.empty());
}

TEST_CASE("launch walk: who wrote an element, and who reads it next") {
  HandLaunch launch;
  const LaunchRecording& r = launch.recording;
  // Lane 2 of block 1 reads what nobody but itself wrote there: block 0's h is another array
  const std::size_t read = 17;
  REQUIRE(r.accesses[read].lane == 2);
  REQUIRE(r.accesses[read].array == h);
  CHECK(writer_before(r, element_of(r.accesses[read]), read) == 12);
  CHECK_FALSE(writer_before(r, element_of(r.accesses[10]), 10));
  CHECK(reader_from(r, element_of(r.accesses[12]), 13) == read);
  // Block 0 writes tags[2]; nobody reads it before block 1 would overwrite it
  const Element tag{tags, 0, 0, 8, 4};
  CHECK(writer_before(r, tag, r.accesses.size()) == 8);
  CHECK_FALSE(reader_from(r, tag, 9));
  launch.add(AccessKind::write, 1, 2, 3, tags, 2, 3, 5);
  launch.add(AccessKind::read, 1, 2, 3, tags, 2, 3, 5);
  CHECK_FALSE(reader_from(r, tag, 9));
  CHECK(reader_from(r, tag, 21) == 21);
  CHECK(writer_before(r, tag, r.accesses.size()) == 20);
}

TEST_CASE("launch walk: shared memory is what the accesses and scans left so far") {
  HandLaunch launch;
  CHECK(launch.shared_at(0, 2) == std::vector<std::int64_t>{10, 11, -1, -1});
  CHECK(launch.shared_at(0, 4) == std::vector<std::int64_t>{10, 11, 12, 13});
  CHECK(launch.shared_at(1, 4) == std::vector<std::int64_t>{0, 10, 21, 33});
  CHECK(launch.shared_at(2, 10) == std::vector<std::int64_t>{0, 10, 21, 33});
  // Every block has shared arrays of its own
  CHECK(launch.shared_at(3, 11) == std::vector<std::int64_t>{10, -1, -1, -1});
  // Sums that are not those of an array say nothing about which one it was
  for (Interval& interval : launch.recording.intervals)
    if (interval.call == "exclusive_sum") interval.values = {0, 1, 2, 3};
  CHECK(launch.shared_at(1, 4) == std::vector<std::int64_t>{-2, -2, -2, -2});
}

TEST_CASE("launch walk: a trace keeps looks as arrays beside the builder's state", "[slow]") {
  const auto trace = trace_of_three_steps();
  auto look = std::make_shared<Look>();
  look->recording = HandLaunch().recording;
  look->recording.launches[0].left_out = 7;
  look->recording.accesses[3].unwritten = 1;
  look->crash = "the program ended";
  look->faults.push_back({FaultKind::unwritten_read, "nobody wrote it", 4, look->recording.accesses[3]});
  look->faults.push_back({FaultKind::barrier, "a barrier in a branch"});
  const auto with = with_looks(trace, {{1, look}});
  REQUIRE(with != trace);
  CHECK(steps_with_looks(*with) == std::vector<std::uint32_t>{1});
  CHECK(steps_with_looks(*trace).empty());
  CHECK(find_divergence(trace, with).equal());

  const auto check = [&](const Trace& held) {
    CHECK_FALSE(kept_look(held, 0));
    CHECK_FALSE(kept_look(held, 2));
    const auto back = kept_look(held, 1).value();
    CHECK(same_accesses(back.recording, look->recording));
    CHECK(back.recording.launches[0].left_out == 7);
    CHECK(back.recording.line_of(3) == "count.hpp:13");
    CHECK(back.recording.intervals[1].values == std::vector<std::uint64_t>{0, 10, 21, 33});
    CHECK(back.crash == "the program ended");
    REQUIRE(back.faults.size() == 2);
    CHECK(back.faults[0].kind == FaultKind::unwritten_read);
    CHECK(back.faults[0].times == 4);
    REQUIRE(back.faults[0].first);
    CHECK(back.faults[0].first->lane == 3);
    CHECK(back.faults[1].kind == FaultKind::barrier);
    CHECK_FALSE(back.faults[1].first);
    CHECK(back.faults[1].sentence == "a barrier in a branch");
  };
  check(*with);
  // Other looks are added, and those that are there stay
  const auto both = with_looks(with, {{2, look}});
  CHECK(steps_with_looks(*both) == std::vector<std::uint32_t>{1, 2});
  CHECK(both->arrays.size() == with->arrays.size());

  if (!trace_files_available()) return;
  const test::TemporaryFolder folder;
  const std::string file = (folder.path / "look.kdtrace").string();
  REQUIRE(save_trace(*with, file));
  const auto read = load_trace(file).value();
  check(*read);
}

TEST_CASE("launch walk: damaged looks of a trace are refused") {
  auto look = std::make_shared<Look>();
  look->recording = HandLaunch().recording;
  const auto refused = [&](const std::string& array, auto change) {
    auto with = std::make_shared<Trace>(*with_looks(trace_of_three_steps(), {{1, look}}));
    for (Trace::Array& each : with->arrays)
      if (each.info.name == launch_arrays + array)
        for (ArrayVersion& version : each.versions)
          if (version.step == 1) change(version);
    return !kept_look(*with, 1);
  };
  const auto nothing = [](ArrayVersion&) {};
  CHECK_FALSE(refused("access.array", nothing));
  const auto set_first = [](std::uint32_t value) {
    return [value](ArrayVersion& v) {
      std::vector<std::uint32_t> values(v.values.as<std::uint32_t>().begin(), v.values.as<std::uint32_t>().end());
      values[0] = value;
      v.values = TypedArray::of(values);
    };
  };
  CHECK(refused("access.array", set_first(2)));
  CHECK(refused("access.site", set_first(4)));
  CHECK(refused("access.launch", set_first(1)));
  CHECK(refused("access.bytes", set_first(0)));
  CHECK(refused("access.bytes", set_first(1 << 25)));  // more than so few accesses can move
  CHECK(refused("access.lane", [](ArrayVersion& v) { v.values.resize(3), v.size = 3; }));
  CHECK(refused("head", [](ArrayVersion& v) { v.values.resize(5), v.size = 5; }));
}

}  // namespace kdscope::launch_walk_test
