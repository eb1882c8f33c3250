// Tests the orders in which lanes run, and the guards of shared memory.
#include "algorithms/variants/lane_order.hpp"

#include <algorithm>
#include <set>

#include "algorithms/variants/named_memory.hpp"
#include "algorithms/variants/ordered_exec.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::lane_order_test {

namespace {

using Exec = WithNamedMemory<OrderedExec>;

struct InOrder {
  explicit InOrder(LaneOrder order) { set_lane_order(order); }
  ~InOrder() { set_lane_order({}); }
};

/// Counts how many lanes see each value: with an atomic operation, or without.
struct Count {
  std::uint32_t* counts;
  bool atomic;
  template <class Block>
  void operator()(Block& block) const {
    auto* h = block.template shared<std::uint32_t>(2);
    block.lanes([&](int lane) {
      if (lane < 2) h[lane] = 0;
    });
    block.lanes([&](int lane) {
      if (atomic)
        block.atomic_add(&h[lane % 2], 1u);
      else
        ++h[lane % 2];
    });
    block.lanes([&](int lane) {
      if (lane < 2) counts[lane] = h[lane];
    });
  }
};

std::vector<std::uint32_t> counted(bool atomic) {
  Exec exec;
  auto counts = exec.array<std::uint32_t>("counts", 2);
  exec.for_each_block("count", 1, 8, 2 * sizeof(std::uint32_t), Count{counts.data(), atomic});
  return {counts.data(), counts.data() + 2};
}

std::vector<std::uint32_t> order_of_lanes(std::uint32_t n) {
  std::vector<std::uint32_t> lanes;
  OrderedExec().for_each("lanes", n, [&](std::uint32_t i) { lanes.push_back(i); });
  return lanes;
}

}  // namespace

TEST_CASE("lane orders: names come back as they were written, others are refused") {
  for (const LaneOrder& order :
       {LaneOrder{}, LaneOrder{LaneOrder::Kind::descending, 0}, LaneOrder{LaneOrder::Kind::shuffled, 99},
        LaneOrder{LaneOrder::Kind::at_once, 0}, LaneOrder{LaneOrder::Kind::at_once_by_words, 0}})
    CHECK(lane_order_named(name_of(order)) == order);
  for (const char* name : {"", "shuffled", "shuffled ", "shuffled -1", "shuffled 1x", "shuffled 99999999999", "up"})
    CHECK_FALSE(lane_order_named(name));
}

TEST_CASE("lane orders: threads run in the order, and a seed gives the same one again") {
  CHECK(order_of_lanes(4) == std::vector<std::uint32_t>{0, 1, 2, 3});
  {
    const InOrder order({LaneOrder::Kind::descending, 0});
    CHECK(order_of_lanes(4) == std::vector<std::uint32_t>{3, 2, 1, 0});
  }
  std::vector<std::vector<std::uint32_t>> shuffled;
  for (const std::uint64_t seed : {17, 17, 18}) {
    const InOrder order({LaneOrder::Kind::shuffled, seed});
    shuffled.push_back(order_of_lanes(100));
    CHECK(order_of_lanes(100) != shuffled.back());  // another one for the next launch
  }
  CHECK(shuffled[0] == shuffled[1]);
  CHECK(shuffled[0] != shuffled[2]);
  std::ranges::sort(shuffled[0]);
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(shuffled[0][i] == i);
}

TEST_CASE("lane orders: lanes at once lose the updates that no atomic operation protects") {
  CHECK(counted(true) == std::vector<std::uint32_t>{4, 4});
  CHECK(counted(false) == std::vector<std::uint32_t>{4, 4});
  const InOrder order({LaneOrder::Kind::at_once, 0});
  CHECK(counted(true) == std::vector<std::uint32_t>{4, 4});
  CHECK(counted(false) == std::vector<std::uint32_t>{1, 1});
  CHECK(compared_share() == 1);

  // The same in an array, and threads without blocks
  Exec exec;
  auto total = exec.array<std::uint32_t>("total", 1);
  total.data()[0] = 0;
  exec.for_each("add", 8, [at = total.data()](std::uint32_t) { ++*at; });
  CHECK(total.data()[0] == 1);
}

TEST_CASE("lane orders: blocks and warps at once lose the updates that no atomic operation protects") {
  struct CountGroups {
    std::uint32_t* total;
    bool atomic;
    void operator()(OrderedBlock& block) const {
      block.lanes([&](int lane) {
        if (lane > 0) return;
        if (atomic)
          block.atomic_add(total, 1u);
        else
          ++*total;
      });
    }
  };
  const auto of_blocks = [](bool atomic) {
    Exec exec;
    auto total = exec.array<std::uint32_t>("total", 1);
    total.data()[0] = 0;
    exec.for_each_block("count", 5, 4, 0, CountGroups{total.data(), atomic});
    return total.data()[0];
  };
  const auto of_warps = [] {
    Exec exec;
    auto total = exec.array<std::uint32_t>("total", 1);
    total.data()[0] = 10;
    exec.for_each_warp("count", 3, 0, [at = total.data()](OrderedWarp& warp) {
      warp.lanes([&](int lane) {
        if (lane == 0) ++*at;
      });
    });
    return total.data()[0];
  };
  CHECK(of_blocks(true) == 5);
  CHECK(of_blocks(false) == 5);
  CHECK(of_warps() == 13);
  for (const auto kind : {LaneOrder::Kind::descending, LaneOrder::Kind::at_once}) {
    const InOrder order({kind, 0});
    const bool at_once = kind == LaneOrder::Kind::at_once;
    CHECK(of_blocks(true) == 5);
    CHECK(of_blocks(false) == (at_once ? 1 : 5));
    CHECK(of_warps() == (at_once ? 11 : 13));
  }
}

TEST_CASE("lane orders: two lanes that change bytes of one word at once keep those of one of them") {
  Exec exec;
  auto words = exec.array<std::uint32_t>("words", 1);
  auto bytes = exec.array<std::uint8_t>("bytes", 4);
  words.data()[0] = 0;
  std::ranges::fill(bytes.data(), bytes.data() + 4, std::uint8_t(0));
  {
    const InOrder order({LaneOrder::Kind::at_once, 0});
    exec.for_each("bytes of words", 4,
                  [at = words.data()](std::uint32_t i) { reinterpret_cast<std::uint8_t*>(at)[i] = 1; });
    CHECK(words.data()[0] == 0x01010101);
    words.data()[0] = 0;
  }
  const InOrder order({LaneOrder::Kind::at_once_by_words, 0});
  exec.for_each("pack", 4, [at = words.data()](std::uint32_t i) { *at += 1u << 8 * i; });
  CHECK(words.data()[0] == 0x01000000);
  exec.for_each("bytes", 4, [at = bytes.data()](std::uint32_t i) { at[i] = 1; });
  CHECK(std::ranges::count(bytes.data(), bytes.data() + 4, std::uint8_t(1)) == 4);

  // Members of a struct are words of their own
  struct Pair {
    std::uint32_t a, b;
  };
  auto pairs = exec.array<Pair>("pairs", 1);
  pairs.data()[0] = {0, 0};
  exec.for_each("members", 2, [at = pairs.data()](std::uint32_t i) { (i == 0 ? at->a : at->b) = 7; });
  CHECK(pairs.data()[0].a == 7);
  CHECK(pairs.data()[0].b == 7);
  CHECK(sizes_of<double>().word_bytes == 4);
  CHECK(sizes_of<std::uint16_t>().word_bytes == 2);
}

TEST_CASE("lane orders: what a device does in another way is refused where it stands") {
  const auto refusal = [](auto body) -> std::string {
    try {
      OrderedExec().for_each_block("misuse", 1, 8, 256, body);
    } catch (const ErrorException& e) {
      CHECK(e.error().where.find("lane_order_test.cpp:") != std::string::npos);
      running_lane() = {};
      return e.error().what;
    }
    return "";
  };
  CHECK(refusal([](OrderedBlock& block) {
          block.lanes([&](int) { block.lanes([](int) {}); });
        }).starts_with("calls lanes() inside an interval"));
  CHECK(refusal([](OrderedBlock& block) {
          block.lanes([&](int lane) {
            if (lane == 3) block.template shared<int>(1);
          });
        }).starts_with("calls shared() inside an interval"));
  CHECK(refusal([](OrderedBlock& block) {
          auto own = block.template per_lane<int>();
          block.lanes([&](int lane) { own[lane] = own[lane ^ 1]; });
        }).starts_with("uses the registers of lane 1 in another lane"));
  CHECK(refusal([](OrderedBlock& block) {
          auto own = block.template per_lane<int>();
          own[0] = 1;
        }).starts_with("uses the registers of lane 0 outside of an interval"));
  CHECK(refusal([](OrderedBlock& block) {
          auto* h = block.template shared<std::uint32_t>(1);
          block.atomic_add(h, 1u);
        }).starts_with("calls atomic_add() outside of an interval"));
  const std::string change = refusal([](OrderedBlock& block) {
    auto* h = block.template shared<std::uint32_t>(1);
    block.lanes([&](int) { h[0] = 1; });
    ++h[0];
    block.lanes([&](int) {});
  });
  CHECK(change ==
        "changes the shared array 'h' outside of an interval, where every lane of a device does so, before this line");
  // What is right passes
  CHECK(refusal([](OrderedBlock& block) {
          auto* h = block.template shared<std::uint32_t>(8);
          auto own = block.template per_lane<int>();
          block.lanes([&](int lane) { h[lane] = 1, own[lane] = lane; });
          block.exclusive_sum(h, 8);
          const std::uint32_t last = h[7];
          block.lanes([&](int lane) { block.atomic_add(&h[0], last + static_cast<std::uint32_t>(own[lane])); });
        }) == "");
  const auto of_warp = [](auto body) -> std::string {
    try {
      OrderedExec().for_each_warp("misuse", 1, 256, body);
    } catch (const ErrorException& e) {
      running_lane() = {};
      return e.error().what;
    }
    return "";
  };
  CHECK(of_warp([](OrderedWarp& warp) {
          auto own = warp.template per_lane<int>();
          warp.lanes([&](int lane) { own[lane] = own[31 - lane]; });
        }).starts_with("uses the registers of lane 31 in another lane"));
  CHECK(of_warp([](OrderedWarp& warp) {
          auto own = warp.template per_lane<int>();
          warp.shuffle(own, [](int lane) { return lane + 1; });
        }).starts_with("shuffles from lane 32, but a warp has lanes 0 to 31"));
  CHECK(of_warp([](OrderedWarp& warp) {
          warp.lanes([&](int) { warp.ballot([](int) { return true; }); });
        }).starts_with("calls ballot() inside an interval"));
}

TEST_CASE("lane orders: an interval whose arrays are too large to compare is reported") {
  const InOrder order({LaneOrder::Kind::at_once, 0});
  Exec exec;
  auto large = exec.array<std::uint32_t>("large", 1 << 20);
  exec.for_each("write", 1 << 10, [at = large.data()](std::uint32_t i) { at[i] = i; });
  CHECK(large.data()[1023] == 1023);
  CHECK(compared_share() == 0);
}

TEST_CASE("lane orders: equal elements of a sort end in the order of lanes") {
  const auto sorted = [] {
    std::vector<int> values{10, 20, 11, 21};
    OrderedExec().sort("tens", values.data(), 4, [](int a, int b) { return a / 10 < b / 10; });
    return values;
  };
  CHECK(sorted() == std::vector<int>{10, 11, 20, 21});
  const InOrder order({LaneOrder::Kind::descending, 0});
  CHECK(sorted() == std::vector<int>{11, 10, 21, 20});
}

TEST_CASE("shared arrays: named, guarded, filled, and bounded by what the launch asks for") {
  SharedArrays arrays("block", 64);
  arrays.begin_group(5);
  const auto where = std::source_location::current();
  auto* const h = static_cast<std::uint32_t*>(arrays.take(4, 8, where, false));
  CHECK(h[7] == 0xbebebebe);
  const auto past = array_at(h + 8);
  REQUIRE(past);
  CHECK(past->index == 8);
  CHECK(past->size == 8);
  CHECK(past->shared);
  arrays.take(4, 100, where, true);  // registers of lanes
  arrays.take(16, 2, where, false);
  CHECK_THROWS_AS(arrays.take(1, 1, where, false), ErrorException);
  CHECK(running_lane_text() == "block 5");
  h[7] = 1;
  arrays.begin_group(6);
  CHECK(arrays.take(4, 8, where, false) == h);
  CHECK(h[7] == 0xbebebebe);  // what the block before left is gone
}

TEST_CASE("shared arrays: each order fills them with another byte, or one array alone") {
  const auto where = std::source_location::current();
  const auto filled = [&] {
    SharedArrays arrays("block", 64);
    arrays.begin_group(0);
    return *static_cast<std::uint8_t*>(arrays.take(1, 8, where, false));
  };
  std::set<int> bytes{filled()};
  for (const auto kind : {LaneOrder::Kind::descending, LaneOrder::Kind::shuffled, LaneOrder::Kind::at_once}) {
    const InOrder order({kind, 0});
    bytes.insert(filled());
  }
  CHECK(bytes.size() == 4);
  CHECK_FALSE(bytes.contains(0));  // what is often meant
  set_shared_fill({0x11, ""});
  CHECK(filled() == 0x11);
  set_shared_fill({0x11, "another"});
  CHECK(filled() == unwritten_shared_byte);
  const auto names = shared_array_names();
  REQUIRE(names.size() == 1);
  set_shared_fill({0x11, names.front()});
  CHECK(filled() == 0x11);
  set_lane_order({});
}

TEST_CASE("shared arrays: the variable's name is read from the line that takes the array") {
  const auto name = [](const std::string& line, const std::string& before = "") {
    return variable_of_call(before, line, line.rfind('('));
  };
  CHECK(name("    auto* h = block.template shared<std::uint32_t>(8);") == "h");
  CHECK(name("    std::uint32_t* other = block.shared<int>(8);") == "other");
  CHECK(name("  Box3* const boxes = warp.template shared<Box3>(64);") == "boxes");
  CHECK(name("        counters_(block.template shared<std::uint32_t>(1)),") == "counters");
  CHECK(name("    Buffer buffer{this->warp_.template shared<PointId>(8), 3};") == "buffer");
  CHECK(name("  auto first = block.template per_lane<int>(), second = block.template per_lane<int>();") == "second");
  CHECK(name("        block.template shared<int>(2 * n);", "    auto* wide =") == "wide");
  CHECK(name("    return block_.template shared<int>(8);", "  }") == "shared");
  CHECK(name("", "") == "shared");
}

}  // namespace kdscope::lane_order_test
