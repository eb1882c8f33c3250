// Tests the recordings of launches, access by access: what they hold, what they find, what lines cost.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "algorithms/variants/inside/cost.hpp"
#include "algorithms/variants/inside/recording_file.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/variants/inside_program.hpp"

namespace kdscope::inside_test {
using namespace kdscope::access_log;
using namespace kdscope::variants;
using test::content_of;

namespace {

/// A recording that a test writes by hand: one launch of blocks, one array in each memory.
struct Written {
  LaunchRecording recording;
  Written(std::uint32_t groups, std::uint32_t lanes, LaunchKind kind = LaunchKind::blocks) {
    recording.launches = {{"build / level 0 / count", "count", kind, groups, lanes, 0}};
    recording.arrays = {{"tags", 4, 64, ValueType::whole, false, 0, false},
                        {"h", 4, 64, ValueType::whole, true, 0, false}};
    for (std::uint32_t line = 0; line < 10; ++line) recording.sites.push_back({line, 0, "count.hpp", line});
  }
  void add(AccessKind kind, std::uint32_t group, std::uint32_t interval, std::uint32_t lane, std::uint32_t array,
           std::int64_t index, std::uint32_t line, std::uint64_t value = 0) {
    const bool follows = !recording.accesses.empty() && recording.accesses.back().lane == lane &&
                         recording.accesses.back().interval == interval && recording.accesses.back().group == group;
    const std::uint32_t order = follows ? recording.accesses.back().order + 1 : 0;
    recording.accesses.push_back(
        {0, group, interval, lane, order, array, line, 4, 4 * index, value, static_cast<std::uint32_t>(kind), 0, 0, 0});
  }
  std::vector<FaultKind> kinds() const {
    std::vector<FaultKind> kinds;
    for (const Fault& fault : find_faults(recording)) kinds.push_back(fault.kind);
    return kinds;
  }
};
constexpr auto reads = AccessKind::read, writes = AccessKind::write, changes = AccessKind::atomic;
constexpr std::uint32_t tags = 0, h = 1;

using Program = test::InsideProgram;

/// Returns the number of the first line that holds a text.
std::uint32_t line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

TEST_CASE("inside: two lanes at one element race unless a barrier, an atomic operation or one value is between them") {
  using enum FaultKind;
  const auto found = [](AccessKind first, std::uint32_t first_lane, AccessKind second, std::uint32_t second_lane,
                        std::uint32_t second_interval, std::uint64_t second_value = 7) {
    Written written(1, 8);
    written.add(first, 0, 0, first_lane, h, 5, 1, 3);
    written.add(second, 0, second_interval, second_lane, h, 5, 2, second_value);
    return written.kinds();
  };
  CHECK(found(writes, 0, reads, 1, 0) == std::vector{race_in_group});
  CHECK(found(reads, 0, writes, 1, 0) == std::vector{race_in_group});
  CHECK(found(writes, 0, writes, 1, 0) == std::vector{race_in_group});
  CHECK(found(changes, 0, writes, 1, 0) == std::vector{race_in_group});
  CHECK(found(writes, 0, changes, 1, 0) == std::vector{race_in_group});
  CHECK(found(writes, every_lane, reads, 1, 0) == std::vector{race_in_group});
  CHECK(found(changes, 0, reads, 1, 0) == std::vector{race_in_group});
  CHECK(found(reads, 0, changes, 1, 0) == std::vector{race_in_group});
  CHECK(found(writes, 0, reads, 1, 1).empty());     // a barrier
  CHECK(found(writes, 0, reads, 0, 0).empty());     // the same lane
  CHECK(found(changes, 0, changes, 1, 0).empty());  // atomic
  CHECK(found(reads, 0, reads, 1, 0).empty());
  CHECK(found(writes, 0, writes, 1, 0, 3).empty());  // the same value
  // A look before an atomic operation of the same line
  Written guarded(1, 8);
  guarded.add(reads, 0, 0, 0, h, 5, 1, 3);
  guarded.add(changes, 0, 0, 0, h, 5, 1, 2);
  guarded.add(reads, 0, 0, 1, h, 5, 1, 2);
  CHECK(guarded.kinds().empty());
}

TEST_CASE("inside: an earlier reader is found behind later ones, and behind the writer's own access") {
  Written written(1, 8);
  for (const std::uint32_t lane : {0u, 1u, 2u}) written.add(reads, 0, 0, lane, h, 5, 1);
  written.add(writes, 0, 0, 2, h, 5, 2);
  const auto faults = find_faults(written.recording);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].first->lane == 2);
  CHECK(faults[0].second->lane != 2);

  // Reads of an earlier interval do not hide those of this one
  Written later(1, 8);
  later.add(reads, 0, 0, 1, h, 5, 1);
  for (const std::uint32_t lane : {5u, 6u}) later.add(reads, 0, 1, lane, h, 5, 1);
  later.add(writes, 0, 1, 6, h, 5, 2);
  CHECK(later.kinds() == std::vector{FaultKind::race_in_group});
}

TEST_CASE("inside: blocks race at global elements across intervals, and never at shared ones") {
  const auto found = [](std::uint32_t array, AccessKind first, AccessKind second) {
    Written written(2, 8);
    written.add(first, 0, 2, 0, array, 5, 1, 3);
    written.add(second, 1, 0, 0, array, 5, 2, 7);
    return written.kinds();
  };
  CHECK(found(tags, writes, reads) == std::vector{FaultKind::race_between_groups});
  CHECK(found(tags, reads, writes) == std::vector{FaultKind::race_between_groups});
  CHECK(found(tags, changes, writes) == std::vector{FaultKind::race_between_groups});
  CHECK(found(tags, changes, changes).empty());
  CHECK(found(tags, reads, reads).empty());
  CHECK(found(h, writes, writes).empty());
  // Indices of a launch without blocks are like blocks
  Written indices(1, 8, LaunchKind::threads);
  indices.add(writes, 0, 0, 0, tags, 5, 1, 3);
  indices.add(writes, 0, 0, 1, tags, 5, 1, 4);
  CHECK(indices.kinds() == std::vector{FaultKind::race_between_groups});
}

TEST_CASE("inside: sentences name arrays, indices, intervals, lanes and lines") {
  Written written(4, 8);
  written.add(writes, 3, 2, 5, h, 64, 7, 1);
  written.add(writes, 3, 2, 5, h, 6, 8, 9);
  written.add(reads, 3, 2, 6, h, 6, 9, 9);
  written.recording.accesses.push_back(written.recording.accesses.back());
  written.recording.accesses.back().unwritten = 1, written.recording.accesses.back().offset = 40;
  const auto faults = find_faults(written.recording);
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].sentence ==
        "count.hpp:7 writes h[64], but the shared array 'h' has 64 elements (block 3, interval 2, lane 5)");
  CHECK(faults[1].sentence ==
        "count.hpp:8 writes h[6] <- 9 (block 3, interval 2, lane 5) and count.hpp:9 reads h[6] = 9 (lane 6), with no "
        "barrier between them and no atomic operation of 'count'");
  CHECK(faults[2].sentence == "count.hpp:9 reads h[10], which nobody has written (block 3, interval 2, lane 6)");
}

TEST_CASE("inside: costs are sectors, their least number, and bank conflicts") {
  Written written(1, 64);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    if (lane % 2 == 0) written.add(reads, 0, 0, lane, tags, lane, 1);  // each second of 64 elements
    written.add(writes, 0, 0, lane, h, 2 * lane % 64, 2);              // two lanes of a warp in each bank
    written.add(reads, 0, 0, lane, h, 3, 3);                           // all in one word
  }
  const auto costs = cost_of_lines(written.recording);
  REQUIRE(costs.size() == 3);
  CHECK(costs[0].line == "count.hpp:1");
  CHECK(costs[0].warp_accesses == 2);
  CHECK(costs[0].lanes == 32);
  CHECK(costs[0].sectors == 8);        // 32 elements of a warp take 4 sectors
  CHECK(costs[0].least_sectors == 4);  // 16 elements of 4 bytes would fit in 2
  CHECK(costs[1].line == "count.hpp:2");
  CHECK(costs[1].lanes_active() == 32);
  CHECK(costs[1].bank_conflicts == 2);  // one more pass of each warp
  CHECK(costs[2].bank_conflicts == 0);  // the same word is no conflict
  CHECK(costs[2].warp_accesses == 2);
}

TEST_CASE("inside: lanes meet in each turn of a loop, however often they went round an inner one") {
  // The inner loop has line 2; the lanes take it twice in different turns of the outer one
  Written written(1, 32);
  const auto turn = [&](std::uint32_t lane, const std::vector<std::int64_t>& elements) {
    written.add(reads, 0, 0, lane, h, 5, 1);
    for (const std::int64_t element : elements) written.add(reads, 0, 0, lane, h, element, 2);
    written.add(writes, 0, 0, lane, tags, lane, 3);
  };
  turn(0, {0, 32}), turn(0, {1});
  turn(1, {0}), turn(1, {1, 33});
  turn(2, {}), turn(2, {1, 33});
  const auto costs = cost_of_lines(written.recording);
  REQUIRE(costs.size() == 3);
  CHECK(costs[0].line == "count.hpp:3");
  CHECK(costs[0].warp_accesses == 2);
  CHECK(costs[1].line == "count.hpp:2");
  CHECK(costs[1].warp_accesses == 4);
  CHECK(costs[1].bank_conflicts == 0);  // by the k-th time of each lane, elements 1 and 33 would meet
  CHECK(costs[2].warp_accesses == 2);

  // A line that is skipped in a turn, and the next loop, which goes by the same lines again
  Written skipped(1, 32);
  for (const std::uint32_t interval : {0u, 1u})
    for (std::uint32_t lane = 0; lane < 3; ++lane)
      for (std::uint32_t step = 0; step < 3; ++step) {
        skipped.add(reads, 0, interval, lane, h, 3 * step, 1);
        if (step >= lane) skipped.add(changes, 0, interval, lane, tags, 8 * step, 2);
      }
  const auto skips = cost_of_lines(skipped.recording);
  REQUIRE(skips.size() == 2);
  CHECK(skips[0].warp_accesses == 2 * 3);
  CHECK(skips[0].sectors == 2 * 3);  // all lanes of a turn change one element
  CHECK(skips[1].warp_accesses == 2 * 3);
}

TEST_CASE("inside: elements of 8 bytes on a boundary of 4 take two accesses of global memory, and one of shared") {
  Written written(1, 32);
  for (WatchedArray& array : written.recording.arrays) array.element_bytes = 8, array.alignment = 4;
  for (const std::uint32_t array : {tags, h})
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      written.add(reads, 0, array, lane, array, lane, array);
      written.recording.accesses.back().bytes = 8, written.recording.accesses.back().offset = 8 * lane;
    }
  const auto costs = cost_of_lines(written.recording);
  REQUIRE(costs.size() == 2);
  CHECK(costs[0].warp_accesses == 2);
  CHECK(costs[0].sectors == 2 * 8);  // each reads every other word of 256 bytes
  CHECK(costs[0].least_sectors == 2 * 4);
  CHECK(costs[1].warp_accesses == 1);
  CHECK(costs[1].bank_conflicts == 0);
}

TEST_CASE("inside: reads of 8 bytes go by half warps, or at once if neighbouring lanes read the same") {
  // Lanes of both halves want different words of the same banks
  const auto conflicts = [](AccessKind kind, bool pairs) {
    Written written(1, 32);
    written.recording.arrays[h] = {"h", 8, 64, ValueType::whole, true, 0, false};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t index = pairs ? lane / 2 % 8 + (lane < 16 ? 0 : 16) : lane;
      written.add(kind, 0, 0, lane, h, index, 2);
      written.recording.accesses.back().bytes = 8, written.recording.accesses.back().offset = 8 * index;
    }
    return cost_of_lines(written.recording).front().bank_conflicts;
  };
  CHECK(conflicts(reads, false) == 0);
  CHECK(conflicts(writes, false) == 0);
  CHECK(conflicts(writes, true) == 0);
  CHECK(conflicts(reads, true) == 1);
}

TEST_CASE("inside: a sheet has a column per access, with holes where a lane went another way") {
  Written written(1, 4);
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    written.add(reads, 0, 0, lane, tags, lane, 1, 10 + lane);
    for (std::uint32_t turn = 0; turn < lane; ++turn) written.add(writes, 0, 0, lane, tags, 8 * lane + turn, 2, turn);
    written.add(changes, 0, 0, lane, h, 0, 3, lane + 1);
  }
  const auto sheets = sheets_of(written.recording, 0, {}, {});
  REQUIRE(sheets.size() == 1);
  CHECK(sheets[0].lanes == std::vector<std::uint32_t>{0, 1, 2});
  std::vector<std::vector<std::string>> cells;
  for (const SheetColumn& column : sheets[0].columns) {
    cells.emplace_back();
    for (const Access* access : column.cells)
      cells.back().push_back(access ? cell_text(written.recording, *access) : "");
  }
  CHECK(cells == std::vector<std::vector<std::string>>{{"[0] 10", "[1] 11", "[2] 12"},
                                                       {"", "[8] <- 0", "[16] <- 0"},
                                                       {"", "", "[17] <- 1"},
                                                       {"[0] +> 1", "[0] +> 2", "[0] +> 3"}});
  CHECK(sheets_of(written.recording, 0, {}, {1, 2}).front().columns.size() == 3);
}

TEST_CASE("inside: a recording comes back from its file; damaged files are refused") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("launch");
  Written written(2, 8);
  written.add(writes, 1, 2, 3, h, 5, 6, 77);
  written.recording.intervals = {{"shuffle", 0, 1, 2, 4, {5, 6}, {1, 0}}};
  REQUIRE(write_recording(written.recording, file));
  const auto back = read_recording(file).value();
  REQUIRE(back.accesses.size() == 1);
  CHECK(back.place_of(back.accesses[0]) == "block 1, interval 2, lane 3");
  CHECK(back.element_of(back.accesses[0]) == "h[5]");
  CHECK(back.value_of(back.accesses[0]) == "77");
  CHECK(back.line_of(6) == "count.hpp:6");
  CHECK(back.intervals[0].sources == std::vector<std::uint32_t>{1, 0});

  const std::string bytes = content_of(file);
  for (std::size_t length = 0; length < bytes.size(); length += 3) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
    CHECK_FALSE(read_recording(file));
  }
  // Indices that name nothing
  const auto refused = [&](auto change) {
    Written other = written;
    change(other.recording);
    REQUIRE(write_recording(other.recording, file));
    return !read_recording(file);
  };
  CHECK(refused([](LaunchRecording& r) { r.accesses[0].array = 2; }));
  CHECK(refused([](LaunchRecording& r) { r.accesses[0].site = 10; }));
  CHECK(refused([](LaunchRecording& r) { r.accesses[0].launch = 1; }));
  CHECK(refused([](LaunchRecording& r) { r.intervals[0].launch = 1; }));
  CHECK(refused([](LaunchRecording& r) { r.sites[3].caller = 4; }));
  CHECK(refused([](LaunchRecording& r) { r.arrays[0].element_bytes = 0; }));
  CHECK(refused([](LaunchRecording& r) { r.arrays[0].elements = std::uint64_t(1) << 62; }));
  CHECK(refused([](LaunchRecording& r) { r.accesses[0].offset = std::int64_t(1) << 62; }));
  CHECK(refused([](LaunchRecording& r) { r.accesses[0].bytes = 0xffffffffu; }));
}

TEST_CASE("inside: lines of merged functions are read from addr2line") {
  const auto places =
      code_lines_in("0x0000000000001234\n/k/a.hpp:12\n/k/b.hpp:7 (discriminator 3)\n0x01\n??:0\n??:?\n");
  REQUIRE(places.size() == 2);
  REQUIRE(places[0].size() == 2);
  CHECK(places[0][0].file == "/k/a.hpp");
  CHECK(places[0][1].line == 7);
  CHECK(places[1].empty());
}

TEST_CASE("inside: the accesses of wald's update of tags on ten points are those of the paper", "[slow]") {
  const Program wald("wald");
  // The first update: the steps before it are the start, the ranks and the first sort
  const std::string text = content_of(std::string(KDSCOPE_SOURCE_DIR) + "/algorithms/builders/wald/update_tags.hpp");
  const std::uint32_t reading = line_with(text, "const std::uint32_t tag = tags[i];"),
                      left = line_with(text, "if (i < pivot) tags[i]"),
                      right = line_with(text, "if (i > pivot) tags[i]");
  const Look all = wald.look("wald-10", {});
  CHECK(all.faults.empty());
  CHECK(all.crash.empty());
  const auto launch = std::ranges::find(all.recording.launches, "build / level 0 / update tags", &Launch::step);
  REQUIRE(launch != all.recording.launches.end());
  CHECK(launch->lanes == 10);
  // Six points lie left of the root's pivot at position 6, three right of it; node 1 is the left child, 2 the right one
  std::vector<std::string> expected, found;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::string lane = std::to_string(i) + ": ", element = "tags[" + lane.substr(0, 1) + "] ";
    expected.push_back(lane + element + "0 read, line " + std::to_string(reading));
    if (i < 6) expected.push_back(lane + element + "1 written, line " + std::to_string(left));
    if (i > 6) expected.push_back(lane + element + "2 written, line " + std::to_string(right));
  }
  for (const Access& access : all.recording.accesses)
    if (access.launch == static_cast<std::uint32_t>(launch - all.recording.launches.begin()))
      found.push_back(std::to_string(access.lane) + ": " + all.recording.element_of(access) + " " +
                      all.recording.value_of(access) + (access.is(reads) ? " read" : " written") + ", line " +
                      std::to_string(all.recording.sites[access.site].line));
  CHECK(found == expected);
}

TEST_CASE("inside: planted faults are found and named, and what is right is not", "[slow]") {
  const auto kit = find_kit().value();
  const test::TemporaryFolder folder;
  auto text = new_builder("textbook", kit.include_folders.front(), "x.cu").value();
  const auto insert = [&](const std::string& before, const std::string& what) {
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.insert(at, what);
  };
  insert("/// Builds the left-balanced tree", R"(
struct MissingBarrier {
  std::uint32_t* out;
  template <class Block>
  void operator()(Block& block) const {
    auto* h = block.template shared<std::uint32_t>(32);
    block.lanes([&](int lane) { h[lane] = 0; });
    block.lanes([&](int lane) {
      h[lane] = static_cast<std::uint32_t>(lane) + 1;
      out[32 * block.index() + lane] = h[31 - lane];  // no barrier
    });
  }
};
struct PastShared {
  template <class Block>
  void operator()(Block& block) const {
    auto* past = block.template shared<std::uint32_t>(32);
    block.lanes([&](int lane) { past[lane + 1] = 5; });
  }
};
struct NobodyWrote {
  std::uint32_t* out;
  template <class Block>
  void operator()(Block& block) const {
    auto* fresh = block.template shared<std::uint32_t>(32);
    block.lanes([&](int lane) {
      if (lane < 31) fresh[lane] = 1;
    });
    block.lanes([&](int lane) { out[32 * block.index() + lane] = fresh[lane]; });
  }
};
struct TwoWriters {
  std::uint32_t* out;
  void operator()(std::uint32_t i) const { out[i / 2] = i; }
};
struct LostUpdates {
  std::uint32_t* out;
  template <class Block>
  void operator()(Block& block) const {
    block.lanes([&](int lane) {
      if (lane == 0) ++out[0];
    });
  }
};
struct GlobalPast {
  std::uint32_t* out;
  std::uint32_t n;
  void operator()(std::uint32_t i) const { out[i + 1] = 2; }
};
struct Sound {
  std::uint32_t *out, *flag;
  template <class Block>
  void operator()(Block& block) const {
    auto* sums = block.template shared<std::uint32_t>(32);
    auto mine = block.template per_lane<std::uint32_t>();
    block.lanes([&](int lane) { sums[lane] = 2, mine[lane] = static_cast<std::uint32_t>(lane); });
    block.exclusive_sum(sums, 32);
    block.lanes([&](int lane) {
      block.atomic_add(&out[64], sums[lane]);
      out[32 * block.index() + lane] = sums[31 - lane] + mine[lane];
      *flag = 1;  // all write the same
    });
  }
};
struct Votes {
  std::uint32_t* out;
  template <class Warp>
  void operator()(Warp& warp) const {
    const std::uint32_t mask = warp.ballot([&](int lane) { return lane % 3 == 0; });
    auto value = warp.template per_lane<std::uint32_t>();
    warp.lanes([&](int lane) { value[lane] = static_cast<std::uint32_t>(10 * lane); });
    auto other = warp.shuffle(value, [&](int lane) { return lane ^ 1; });
    warp.lanes([&](int lane) { out[lane] = other[lane] + mask; });
  }
};
struct BranchBarrier {
  template <class Block>
  void operator()(Block& block) const {
    block.lanes([&](int lane) {
      if (lane == 3) block.lanes([&](int) {});
    });
  }
};

)");
  // One step for each
  std::string steps =
      "  auto out = exec.template array<std::uint32_t>(\"out\", 65), flag = exec.template "
      "array<std::uint32_t>(\"flag\", 1);\n";
  for (const auto& [name, launch] : std::vector<std::pair<std::string, std::string>>{
           {"clear", "for_each(name, 65, Start{reinterpret_cast<PointId*>(out.data()), out.data()})"},
           {"missing barrier", "for_each_block(name, 2, 32, 128, MissingBarrier{out.data()})"},
           {"past shared", "for_each_block(name, 1, 32, 128, PastShared{})"},
           {"nobody wrote", "for_each_block(name, 2, 32, 128, NobodyWrote{out.data()})"},
           {"two writers", "for_each(name, 8, TwoWriters{out.data()})"},
           {"lost updates", "for_each_block(name, 3, 32, 0, LostUpdates{out.data()})"},
           {"global past", "for_each(name, 65, GlobalPast{out.data(), 65})"},
           {"sound", "for_each_block(name, 2, 32, 128, Sound{out.data(), flag.data()})"},
           {"votes", "for_each_warp(name, 1, 0, Votes{out.data()})"},
           {"branch barrier", "for_each_block(name, 1, 32, 0, BranchBarrier{})"},
       })
    steps += "  rec.step(StepLabel{\"" + name + "\"}, [&](const char* name) { exec." + launch + "; });\n";
  insert("  // Give all points to the root\n  rec.step(", steps);
  const std::string path = folder.file("planted.cu");
  std::ofstream(path) << text;
  const auto line = [&](const std::string& part) { return "planted.cu:" + std::to_string(line_with(text, part)); };
  const Program planted(path);

  // All of them at once: the last one ends the program
  const Look look = planted.look("wald-10", {});
  CHECK(look.crash.empty());
  std::map<std::string, std::vector<const Fault*>> faults;
  for (const Fault& fault : look.faults)
    faults[fault.first ? look.recording.launches[fault.first->launch].name : ""].push_back(&fault);
  const auto only = [&](const std::string& launch) -> const Fault& {
    INFO(launch);
    REQUIRE(faults[launch].size() == 1);
    return *faults[launch].front();
  };
  CHECK(faults["clear"].empty());
  CHECK(faults["sound"].empty());
  CHECK(faults["votes"].empty());
  CHECK(faults["start"].empty());

  const Fault& barrier = only("missing barrier");
  CHECK(barrier.kind == FaultKind::race_in_group);
  const std::string wrote = line("h[lane] = static_cast"), read = line("no barrier");
  CHECK(barrier.sentence == read + " reads h[16] = 0 (block 0, interval 1, lane 15) and " + wrote +
                                " writes h[16] <- 17 (lane 16), with no barrier between them and no atomic operation "
                                "of 'missing barrier'");
  CHECK(only("past shared").sentence == line("past[lane + 1] = 5") +
                                            " writes past[32], but the shared array 'past' has 32 elements (block 0, "
                                            "interval 0, lane 31)");
  CHECK(only("nobody wrote").sentence == line("= fresh[lane]") +
                                             " reads fresh[31], which nobody has written (block 0, interval 1, lane "
                                             "31)");
  CHECK(only("nobody wrote").times == 2);  // in both blocks
  CHECK(only("two writers").kind == FaultKind::race_between_groups);
  CHECK(only("two writers").sentence == line("out[i / 2] = i") + " writes out[0] <- 0 (index 0) and " +
                                            line("out[i / 2] = i") +
                                            " writes out[0] <- 1 (index 1), in any order, without an atomic operation "
                                            "of 'two writers'");
  for (const Fault* fault : faults["lost updates"]) CHECK(fault->kind == FaultKind::race_between_groups);
  CHECK_FALSE(faults["lost updates"].empty());
  CHECK(only("global past").sentence ==
        line("out[i + 1] = 2") + " writes out[65], but 'out' has 65 elements (index 64)");
  const Fault& branch = only("");
  CHECK(branch.kind == FaultKind::barrier);
  CHECK(branch.sentence == line("block.lanes([&](int) {})") +
                               " calls lanes() inside an interval: all lanes make this call together, and wait there "
                               "for one another (block 0, interval 0, lane 3), and lane 2 has not come there");

  // What all lanes do together
  const LaunchRecording& recording = look.recording;
  const auto call = [&](const std::string& name) -> const Interval& {
    const auto found = std::ranges::find(recording.intervals, name, &Interval::call);
    REQUIRE(found != recording.intervals.end());
    return *found;
  };
  CHECK(call("ballot").values == std::vector<std::uint64_t>{0x49249249});
  CHECK(recording.line_of(call("ballot").site) == line("warp.ballot("));
  CHECK(call("shuffle").values[6] == 70);
  CHECK(call("shuffle").sources[6] == 7);
  CHECK(call("exclusive_sum").values[31] == 62);

  // Blocks, lanes and the budget choose what is recorded
  Wanted wanted;
  wanted.steps = {7, 8};
  wanted.groups = {1, 2}, wanted.lanes = {4, 6};
  const Look part = planted.look("wald-10", wanted);
  REQUIRE(part.recording.launches.size() == 1);
  CHECK(part.recording.launches[0].name == "sound");
  CHECK(part.faults.empty());
  std::set<std::uint32_t> lanes;
  std::vector<std::string> fifth;
  for (const Access& access : part.recording.accesses) {
    CHECK(access.group == 1);
    lanes.insert(access.lane);
    if (access.lane == 5) fifth.push_back(cell_text(part.recording, access));
  }
  CHECK(lanes == std::set<std::uint32_t>{4, 5});
  // Its element of the shared array, its sum of five twos, the total so far, the mirrored sum, both results
  // Block 0 has added 32 * 31 = 992 before, and lanes 0 to 5 of this block 0 + 2 + ... + 10
  CHECK(fifth == std::vector<std::string>{"[5] <- 2", "[5] 10", "[64] +> " + std::to_string(2 + 992 + 30), "[26] 52",
                                          "[37] <- 57", "[0] <- 1"});
  wanted = {{7, 8}, {}, {}, 10, ""};
  const Look little = planted.look("wald-10", wanted);
  CHECK(little.recording.accesses.size() == 10);
  CHECK(little.recording.launches[0].left_out == 2 * 32 * 6 - 10);
}

}  // namespace kdscope::inside_test
