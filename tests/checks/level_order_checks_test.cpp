// Compares the reference of wehr's rules with trees derived by hand, and tests the checks: sound state passes, and the
// responsible check reports every planted fault. The faults of a pass are the errors of the printed Algorithm 5.
#include "algorithms/checks/level_order_checks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "algorithms/checks/key_loss.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/trees/level_order/layout.hpp"
#include "algorithms/trees/level_order/reference.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/level_order/verify.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::level_order_checks_test {

namespace {

std::shared_ptr<const PointSet> some_points(std::uint32_t n, std::uint32_t dim, ScalarType type,
                                            std::uint32_t distinct) {
  PointSet set;
  set.type = type;
  set.dim = dim;
  for (std::uint32_t i = 0; i < n * dim; ++i) {
    const std::int32_t value = static_cast<std::int32_t>(mix64(i) % distinct) - 7;
    set.words.push_back(type == ScalarType::int32 ? word_of(value) : word_of(0.25f * static_cast<float>(value)));
  }
  return std::make_shared<PointSet>(std::move(set));
}

/// Returns keys [k][n] that lose the lowest `bits` bits of the coordinates' order; exact for 0.
std::vector<std::uint32_t> keys_of(const PointSet& points, int bits = 0) {
  std::vector<std::uint32_t> keys;
  const PointsView view = view_of(points);
  for (std::uint32_t d = 0; d < view.dim; ++d)
    for (std::uint32_t i = 0; i < view.n; ++i) keys.push_back(bits == 32 ? 0 : view.key(i, d) >> bits);
  return keys;
}

std::string failed_checks(const std::vector<CheckResult>& findings) {
  std::string names;
  for (const CheckResult& f : findings)
    if (!f.passed) names += (names.empty() ? "" : ", ") + f.name;
  return names;
}

/// One pass of Algorithm 5 by simple host code, either as intended or with one of its errors.
enum class Slip { none, upwards, splitting_not_copied, not_shifted };

struct State {
  std::vector<PointId> ids;
  std::vector<std::uint32_t> keys;
  operator KeyState() const { return {ids, keys}; }  // NOLINT: implicit on purpose
};

struct PassOutput {
  std::vector<std::uint32_t> h, columns, H, H_sum;
  State T;
};

PassOutput run_pass(const State& in, const RadixPass& pass, Slip slip) {
  const std::uint32_t n = pass.chunks.n, base = pass.base, tpb = pass.threads_per_block, chunks = pass.chunks.count();
  PassOutput out;
  out.h.assign(std::size_t(pass.blocks()) * 2 * base, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    if (!pass.chunks.is_splitting(i)) {
      const std::uint32_t relative = pass.chunks.chunk_at(i) - pass.chunks.chunk_at(i / tpb * tpb);
      ++out.h[(i / tpb * 2 + relative) * base + pass.digit_of(in.keys[i])];
    }
  for (std::uint32_t c = 0; c <= chunks; ++c)
    out.columns.push_back(c == chunks ? pass.blocks() + c - 1 : pass.chunks.edge(c) / tpb + c);
  const auto place = [&](std::uint32_t c, std::uint32_t digit, std::uint32_t block) {
    return base * out.columns[c] + digit * (out.columns[c + 1] - out.columns[c]) + (block + c - out.columns[c]);
  };
  out.H.assign(std::size_t(base) * out.columns[chunks], 0);
  for (std::uint32_t block = 0; block < pass.blocks(); ++block)
    for (std::uint32_t r = 0; r < 2; ++r)
      for (std::uint32_t digit = 0; digit < base; ++digit)
        if (const std::uint32_t count = out.h[(block * 2 + r) * base + digit])
          out.H[place(pass.chunks.chunk_at(block * tpb) + r, digit, block)] = count;
  out.H_sum.resize(out.H.size());
  std::partial_sum(out.H.begin(), out.H.end(), out.H_sum.begin());
  std::vector<std::uint32_t> left = out.H_sum;
  out.T = {std::vector<PointId>(n), std::vector<std::uint32_t>(n)};
  for (std::uint32_t step = 0; step < n; ++step) {
    const std::uint32_t i = slip == Slip::upwards ? step : n - 1 - step, c = pass.chunks.chunk_at(i);
    std::uint32_t to = i;
    if (!pass.chunks.is_splitting(i))
      to = --left[place(c, pass.digit_of(in.keys[i]), i / tpb)] + (slip == Slip::not_shifted ? 0 : c);
    else if (slip == Slip::splitting_not_copied)
      continue;
    out.T.ids[to] = in.ids[i], out.T.keys[to] = in.keys[i];
  }
  return out;
}

State starting_state(std::uint32_t n, std::uint32_t largest_key) {
  State state;
  for (std::uint32_t i = 0; i < n; ++i)
    state.ids.push_back({(i * 7 + 3) % n}),
        state.keys.push_back(static_cast<std::uint32_t>(mix64(i + n) % (largest_key + 1)));
  return state;
}

}  // namespace

TEST_CASE("the reference of ten points is the tree worked out by hand") {
  // Wald's ten points. By x, the median at 10/2 = 5 is (45,40). Level 1 by y: (10,15) (40,33) [(15,43)] (25,54)
  // (44,58) with the median at 10/4, and (68,21) [(46,63)] (53,67) (62,69) with the median at 30/4. Level 2 by x has
  // chunks 0-1, 3-4, 6 and 8-9 with medians at 1, 3, 6 and 8; the leaves 0, 4 and 9 remain.
  const auto points = std::make_shared<PointSet>(points_from_rows<std::int32_t>(
      2, {10, 15, 46, 63, 68, 21, 40, 33, 25, 54, 15, 43, 44, 58, 45, 40, 62, 69, 53, 67}));
  const LevelOrderTree tree = reference_median_tree(keys_of(*points), points);
  const std::vector<PointId> wanted{{7},     {5},     {1}, {3},     {4},     {2},     {9}, {0},
                                    {no_id}, {no_id}, {6}, {no_id}, {no_id}, {no_id}, {8}};
  CHECK(tree.point_of_node == wanted);
  CHECK(failed_checks(verify_level_order_tree(tree, *points)) == "");
}

TEST_CASE("the verifier accepts reference trees of exact keys") {
  for (std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 5u, 10u, 100u, 127u, 128u, 1000u})
    for (std::uint32_t dim : {1u, 2u, 3u, 8u})
      for (ScalarType type : {ScalarType::float32, ScalarType::int32})
        for (std::uint32_t distinct : {1u, 5u, 1000u}) {
          const auto points = some_points(n, dim, type, distinct);
          CHECK(failed_checks(verify_level_order_tree(reference_median_tree(keys_of(*points), points), *points)) == "");
        }
}

TEST_CASE("equal keys keep the order that the level before left them in") {
  // Level 0 by x: b c | a | d e by key and index. Level 1 by y has only equal keys, so it keeps the order by x.
  const auto points =
      std::make_shared<PointSet>(points_from_rows<std::int32_t>(2, {5, 0, 1, 0, 1, 0, 9, 0, 9, 0, 0, 0, 7, 0}));
  const LevelOrderTree tree = reference_median_tree(keys_of(*points), points);
  // By x: 5 1 2 [0] 6 3 4. The medians of the threes are 1 and 3, and the leaves are 5 2 6 4.
  CHECK(tree.point_of_node == std::vector<PointId>{{0}, {1}, {3}, {5}, {2}, {6}, {4}});
}

TEST_CASE("the verifier finds every planted corruption of a tree") {
  const auto points = some_points(100, 3, ScalarType::float32, 1000);
  const LevelOrderTree good = reference_median_tree(keys_of(*points), points);
  const auto found = [&](const std::function<void(LevelOrderTree&)>& corrupt) {
    LevelOrderTree tree = good;
    corrupt(tree);
    return failed_checks(verify_level_order_tree(tree, *points));
  };
  const auto change_points = [](LevelOrderTree& t, const std::function<void(PointSet&)>& change) {
    auto copy = std::make_shared<PointSet>(*t.points);
    change(*copy);
    t.points = copy;
  };
  CHECK(found([](LevelOrderTree&) {}) == "");
  CHECK(found([](LevelOrderTree& t) { t.point_of_node.pop_back(); }) == "size");
  CHECK(found([](LevelOrderTree& t) { t.split_dim.pop_back(); }) == "size");
  CHECK(found([](LevelOrderTree& t) { t = {}; }) == "size");
  CHECK(found([&](LevelOrderTree& t) { change_points(t, [](PointSet& p) { p.dim = 1; }); }) == "records");
  CHECK(found([&](LevelOrderTree& t) { change_points(t, [](PointSet& p) { p.words[50] ^= 1; }); }) == "records");
  CHECK(found([&](LevelOrderTree& t) { change_points(t, [](PointSet& p) { p.type = ScalarType::int32; }); }) ==
        "records");
  CHECK(found([](LevelOrderTree& t) { t.point_of_node[7] = t.point_of_node[8]; }) == "permutation");
  CHECK(found([](LevelOrderTree& t) { t.point_of_node[7] = {100}; }) == "permutation");
  CHECK(found([](LevelOrderTree& t) { t.point_of_node[7] = {no_id}; }) == "shape, permutation");
  // Move a leaf of the last level into the gap beside it.
  const auto gap =
      std::find(good.point_of_node.begin(), good.point_of_node.end(), PointId{no_id}) - good.point_of_node.begin();
  REQUIRE(gap > 63);
  REQUIRE(gap + 1 < 127);
  CHECK(found([&](LevelOrderTree& t) { std::swap(t.point_of_node[gap], t.point_of_node[gap + 1]); }).find("shape") ==
        0);
  CHECK(found([](LevelOrderTree& t) { t.split_dim[0] = 1; }) == "split dimensions");
  for (std::uint32_t node : {0u, 1u, 6u, 20u, 31u})
    CHECK(found([&](LevelOrderTree& t) { std::swap(t.point_of_node[node], t.point_of_node[2 * node + 1]); }) ==
          "kd-order");
  CHECK(found([&](LevelOrderTree& t) { std::swap(t.point_of_node[32], t.point_of_node[62]); }) == "kd-order");
}

TEST_CASE("a coarse quantization breaks kd-order, and the verifier says where and how often") {
  const auto points = std::make_shared<PointSet>(points_from_rows<std::int32_t>(1, {30, 10, 20, 5}));
  const auto verified = [&](const std::vector<std::uint32_t>& keys) {
    const auto findings = verify_level_order_tree(reference_median_tree(keys, points), *points);
    CHECK(failed_checks(findings) == "kd-order");
    return findings.back().detail;
  };
  // All keys are equal, so the original order is kept, and the medians are point 2 and then point 1.
  CHECK(verified({0, 0, 0, 0}) ==
        "2 of 4 points lie on a wrong side; the first is node 2 (point 3): 5 in dimension 0, right of node 0, which "
        "splits at 20");
  CHECK(verified({1, 1, 1, 0}) ==
        "1 of 4 points lies on a wrong side; the first is node 1 (point 0): 30 in dimension 0, left of node 0, which "
        "splits at 10");
  const auto equal = std::make_shared<PointSet>(points_from_rows<std::int32_t>(1, {4, 4, 4, 4}));
  CHECK(failed_checks(
            verify_level_order_tree(reference_median_tree(std::vector<std::uint32_t>(4, 0), equal), *equal)) == "");
}

TEST_CASE("distinct coordinates that share a key are counted in each dimension, equal ones as one") {
  const PointSet points = points_from_rows<float>(2, {0, 0, 1, 0, 1, 0, 2, 0, 3, 5, -0.0f, 0.0f});
  const auto loss = [&](const std::vector<std::uint32_t>& keys) { return key_loss(keys, view_of(points)); };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const auto counts = [&](const std::vector<std::uint32_t>& keys) {
    return Pair(loss(keys).distinct, loss(keys).sharing);
  };
  // x is 0, 1, 1, 2, 3, 0 and y 0, 0, 0, 0, 5, 0: six distinct coordinates.
  CHECK(counts({0, 1, 1, 2, 3, 0, 0, 0, 0, 0, 5, 0}) == Pair(6, 0));
  CHECK(counts({0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 5, 0}) == Pair(6, 2));
  CHECK(counts({0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0}) == Pair(6, 4));
  CHECK(counts(std::vector<std::uint32_t>(12, 0)) == Pair(6, 6));
  CHECK(counts({0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0}) == Pair(6, 4));  // two and two
  CHECK(loss({0, 1, 1, 2, 3, 0, 0, 0, 0, 0, 5, 0}).ordered);
  CHECK_FALSE(loss({0, 2, 2, 1, 3, 0, 0, 0, 0, 0, 5, 0}).ordered);  // decreases from x = 1 to 2
  CHECK_FALSE(loss({0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 5, 0}).ordered);  // both have x = 1
  CHECK(key_loss({}, view_of(PointSet{})).distinct == 0);

  CHECK(check_keys(loss({0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 5, 0}), false).passed);
  CHECK(check_keys(loss({0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 5, 0}), false).statement ==
        "keys order the points as their coordinates do; 2 of 6 distinct coordinates share a key with another one");
  CHECK(check_keys(loss({0, 1, 1, 1, 3, 0, 0, 0, 0, 0, 5, 0}), true).detail ==
        "2 of 6 distinct coordinates share a key with another one");
  CHECK(check_keys(loss({0, 1, 1, 2, 3, 0, 0, 0, 0, 0, 5, 0}), true).passed);
  CHECK_FALSE(check_keys(loss({0, 2, 2, 1, 3, 0, 0, 0, 0, 0, 5, 0}), false).passed);
}

TEST_CASE("every state of a sound pass is accepted; each slip of Algorithm 5 fails, and only in its distribution") {
  std::uint32_t runs = 0, slips_found[4] = {};
  for (std::uint32_t n : {1u, 2u, 7u, 32u, 33u, 100u, 255u})
    for (std::uint32_t tpb : {4u, 8u, 32u})
      for (std::uint32_t base : {2u, 10u, 256u})
        for (int level = 0; level <= median_levels(n) && (n >> level) >= tpb; ++level)
          for (std::uint32_t number = 0; number < 2; ++number) {
            const RadixPass pass{{n, level}, base, number, tpb};
            INFO("n " << n << ", tpb " << tpb << ", base " << base << ", level " << level << ", pass " << number);
            const State in = starting_state(n, 99);
            for (Slip slip : {Slip::none, Slip::upwards, Slip::splitting_not_copied, Slip::not_shifted}) {
              const PassOutput out = run_pass(in, pass, slip);
              REQUIRE(check_block_histograms(in.keys, out.h, pass).detail == "");
              REQUIRE(check_histogram_layout(out.h, out.columns, out.H, pass).detail == "");
              REQUIRE(check_prefix_sum(out.H, out.H_sum, pass.chunks).detail == "");
              const CheckResult f = check_distribution(in, out.T, pass);
              if (slip == Slip::none) REQUIRE(f.detail == "");
              slips_found[static_cast<int>(slip)] += !f.passed;
            }
            ++runs;
          }
  CHECK(runs > 100);
  CHECK(slips_found[0] == 0);
  for (int slip = 1; slip < 4; ++slip) CHECK(slips_found[slip] > runs / 3);
}

TEST_CASE("planted faults in a pass are reported with their place") {
  // 20 positions in two chunks, with the splitting element at 10; blocks of 4.
  const RadixPass pass{{20, 1}, 10, 1, 4};
  const State in = starting_state(20, 99);
  const PassOutput good = run_pass(in, pass, Slip::none);
  PassOutput out = good;
  const auto restore = [&] { out = good; };

  CHECK(pass.digit_of(789) == 8);
  CHECK(RadixPass{{20, 1}, 256, 3, 4}.digit_of(0xfe000000u) == 0xfe);
  CHECK(RadixPass{{20, 1}, 2, 31, 4}.digit_of(0x80000000u) == 1);
  CHECK(RadixPass{{20, 1}, 32, 40, 4}.digit_of(0xffffffffu) == 0);

  const std::uint32_t digit = pass.digit_of(in.keys[9]);
  --out.h[(2 * 2 + 0) * 10 + digit];
  CHECK(check_block_histograms(in.keys, out.h, pass).detail ==
        "h_0 of block 2 has " + std::to_string(out.h[40 + digit]) + " for digit " + std::to_string(digit) +
            ", there are " + std::to_string(out.h[40 + digit] + 1));
  restore();
  ++out.h[(2 * 2 + 1) * 10 + pass.digit_of(in.keys[10])];  // counts the splitting element
  CHECK(check_block_histograms(in.keys, out.h, pass).detail.find("h_1 of block 2 has") == 0);
  restore();
  out.h.pop_back();
  CHECK(check_block_histograms(in.keys, out.h, pass).detail == "h has 99 elements, not 100");
  CHECK_FALSE(check_histogram_layout(out.h, out.columns, out.H, pass).passed);
  restore();
  CHECK(check_block_histograms(in.keys, std::vector<std::uint32_t>(2 * 10), {{20, 2}, 10, 0, 32})
            .detail.find("overlaps more than two chunks") != std::string::npos);

  // Plant a row-major order instead of column-major, a lost count, and invalid columns.
  std::swap(out.H[0], *std::find_if(out.H.begin() + 1, out.H.end(), [&](auto count) { return count != out.H[0]; }));
  CHECK(check_histogram_layout(out.h, out.columns, out.H, pass).detail.find("H[0] is ") == 0);
  restore();
  out.H.push_back(0);
  CHECK(check_histogram_layout(out.h, out.columns, out.H, pass).detail.find("H has ") == 0);
  restore();
  for (std::vector<std::uint32_t> columns : {std::vector<std::uint32_t>{1, 3, 6},
                                             {0, 0, 6},
                                             {0, 7, 6},
                                             {0, 3},
                                             {0, 4, 6},
                                             {0, 3, 7},
                                             {0, 2, 6},
                                             {0, 1, 0xffffffffu}}) {
    CAPTURE(columns);
    CHECK_FALSE(check_histogram_layout(good.h, columns, good.H, pass).passed);
  }

  out.H_sum[5] += 1;
  CHECK(check_prefix_sum(out.H, out.H_sum, pass.chunks).detail.find("H'[5] is ") == 0);
  restore();
  std::exclusive_scan(out.H.begin(), out.H.end(), out.H_sum.begin(), 0u);
  CHECK_FALSE(check_prefix_sum(out.H, out.H_sum, pass.chunks).passed);
  restore();
  CHECK(check_prefix_sum(good.H, good.H_sum, {20, 1}).passed);
  CHECK(check_prefix_sum(good.H, good.H_sum, {20, 2}).detail == "H' ends with 19");
  CHECK_FALSE(check_prefix_sum(good.H, {}, pass.chunks).passed);

  for (std::size_t i : {0u, 9u, 10u, 19u}) {
    out.T.keys[i] += 1;
    CHECK(check_distribution(in, out.T, pass).detail.find("T[" + std::to_string(i) + "] is ") == 0);
    restore();
    out.T.ids[i] = {no_id};
    CHECK(check_distribution(in, out.T, pass).detail.find("I'[" + std::to_string(i) + "] is 4294967295") == 0);
    restore();
  }
  out.T.ids.pop_back();
  CHECK_FALSE(check_distribution(in, out.T, pass).passed);
}

TEST_CASE("planted faults in a level's sort are reported with their place") {
  const ChunksOfLevel chunks{12, 1};  // 0 to 5, the splitting element 6, 7 to 11
  State before;
  before.keys = {4, 2, 4, 1, 2, 9, 5, 8, 8, 3, 8, 0};
  for (std::uint32_t i = 0; i < 12; ++i) before.ids.push_back({11 - i});
  State good;
  for (std::uint32_t from : {3, 1, 4, 0, 2, 5, 6, 11, 9, 7, 8, 10})
    good.ids.push_back(before.ids[from]), good.keys.push_back(before.keys[from]);
  CHECK(check_chunks_sorted(before, good, chunks).detail == "");
  CHECK(check_splitting_elements(before, good, chunks).detail == "");

  const auto with = [&](const std::function<void(State&)>& change) {
    State after = good;
    change(after);
    return after;
  };
  const auto exchanged = [&](std::size_t a, std::size_t b) {
    return with([&](State& s) { std::swap(s.ids[a], s.ids[b]), std::swap(s.keys[a], s.keys[b]); });
  };
  CHECK(check_chunks_sorted(before, exchanged(0, 1), chunks).detail == "chunk 0, position 1: key 1 follows 2");
  CHECK(check_chunks_sorted(before, exchanged(1, 2), chunks).detail ==
        "chunk 0, position 2: points 7 and 10 have the same key and were the other way round");
  CHECK(check_chunks_sorted(before, exchanged(5, 11), chunks).detail ==
        "chunk 0, position 5: point 1 was not in this chunk");
  CHECK(check_chunks_sorted(before, exchanged(5, 6), chunks).detail ==
        "chunk 0, position 5: point 5 was not in this chunk");
  CHECK(check_chunks_sorted(before, with([](State& s) { s.keys[8] = 4; }), chunks).detail ==
        "chunk 1, position 8: the key of point 2 has changed from 3 to 4");
  CHECK(check_chunks_sorted(before, with([](State& s) { s.ids[8] = {no_id}; }), chunks).detail ==
        "chunk 1, position 8: point 4294967295 was not in this chunk");
  CHECK(check_chunks_sorted(before, with([](State& s) { s.ids[2] = s.ids[1]; }), chunks).detail ==
        "chunk 0, position 2: points 10 and 10 have the same key and were the other way round");
  CHECK_FALSE(check_chunks_sorted(before, with([](State& s) { s.ids.pop_back(); }), chunks).passed);
  CHECK_FALSE(check_chunks_sorted(with([](State& s) { s.ids.assign(12, {99}); }), good, chunks).passed);

  CHECK(check_splitting_elements(before, exchanged(5, 6), chunks).detail == "position 6 held point 5 and now 6");
  CHECK(check_splitting_elements(before, with([](State& s) { s.keys[6] = 6; }), chunks).detail ==
        "position 6 held key 5 and now 6");
  CHECK(check_splitting_elements(before, exchanged(0, 5), chunks).passed);
  CHECK(check_splitting_elements({}, {}, {0, 0}).passed);
  CHECK(check_chunks_sorted({}, {}, {0, 0}).passed);
}

TEST_CASE("keys that do not follow the index, and nodes that are not medians, are reported") {
  const std::vector<std::uint32_t> keys{30, 10, 20, 50, 40};
  State state{{{1}, {2}, {0}, {4}, {3}}, {10, 20, 30, 40, 50}};
  CHECK(check_keys_follow_index(state, keys, 1).passed);
  state.keys[3] = 41;
  CHECK(check_keys_follow_index(state, keys, 1).detail == "p_1[3] is 41, the key of point 4 is 40");
  state.ids[3] = {5};
  CHECK(check_keys_follow_index(state, keys, 0).detail == "index[3] is 5, which is no point");
  state.ids.pop_back();
  CHECK(check_keys_follow_index(state, keys, 0).detail == "index has 4 elements, not 5");

  // Five positions: medians 2, 1 and 3; leaves 0 and 4, in the first and the last of the last level's chunks 0 to 3.
  const std::vector<PointId> index{{1}, {2}, {0}, {4}, {3}};
  std::vector<PointId> tree(7, PointId{no_id});
  tree[0] = {0};
  CHECK(check_level_nodes(tree, index, 0).passed);
  CHECK(check_level_nodes(tree, index, 1).detail == "tree[1] is empty, not point 2");
  tree[1] = {2}, tree[2] = {4};
  CHECK(check_level_nodes(tree, index, 1).passed);
  CHECK(check_level_nodes(tree, index, 0).detail == "tree[1] is point 2, not empty");
  tree[3] = {1}, tree[6] = {3};
  CHECK(check_level_nodes(tree, index, 2).passed);
  std::swap(tree[3], tree[4]);
  CHECK(check_level_nodes(tree, index, 2).detail == "tree[3] is empty, not point 1");
  std::swap(tree[3], tree[4]);
  tree[2] = {3};  // the result of integer midpoints: position (3 + 5) / 2
  CHECK(check_level_nodes(tree, index, 2).detail == "tree[2] is point 3, not point 4");
  CHECK(check_level_nodes({}, index, 0).detail == "tree has 0 elements, not 7");
  CHECK(check_level_nodes({}, {}, 0).passed);
}

}  // namespace kdscope::level_order_checks_test
