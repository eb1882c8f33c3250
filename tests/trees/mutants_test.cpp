// Tests verifiers with two hundred mutants of a sound tree of every kind. Whether a mutant is wrong is decided without
// the verifier: if the rules permit exactly one tree, every other tree is wrong; otherwise brute force applies the
// definition.
#include <algorithm>
#include <functional>
#include <set>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/leaf_buckets/verify.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/left_balanced/verify.hpp"
#include "algorithms/trees/level_order/reference.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "algorithms/trees/level_order/verify.hpp"
#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/median_stores/verify.hpp"
#include "algorithms/trees/split_planes/exact_triangles.hpp"
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/verify.hpp"
#include "algorithms/trees/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

using Ids = std::vector<std::uint32_t>;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x2545f4914f6cdd1dull) {}
  std::uint32_t below(std::size_t end) {
    return static_cast<std::uint32_t>(mix64(state_ += 0x9e3779b97f4a7c15ull) % end);
  }
  /// Changes one number of a list (to another element's value, a neighbour's value, a nearby value or an invalid one),
  /// changes the length of the list, or swaps two elements.
  template <class T>
  void change(std::vector<T>& list) {
    if (list.empty()) return;
    T& one = list[below(list.size())];
    switch (below(7)) {
      case 0:
        one = list[below(list.size())];
        break;
      case 1:
        std::swap(one, list[below(list.size())]);
        break;
      case 2:
        std::swap(one, list[std::min<std::size_t>(static_cast<std::size_t>(&one - list.data()) + 1, list.size() - 1)]);
        break;
      case 3:
        add(one, 1);
        break;
      case 4:
        add(one, ~0u);
        break;
      case 5:
        set(one, below(2) ? no_id : below(2 * list.size()));
        break;
      default:
        if (below(4) > 0)
          add(one, below(2) ? 0x100u : 0x800000u);
        else if (below(2))
          list.pop_back();
        else
          list.push_back(one);
    }
  }

 private:
  static void add(std::uint32_t& x, std::uint32_t by) { x += by; }
  static void add(std::uint8_t& x, std::uint32_t by) { x = static_cast<std::uint8_t>(x + by); }
  static void add(PointId& x, std::uint32_t by) { x.value += by; }
  static void set(std::uint32_t& x, std::uint32_t to) { x = to; }
  static void set(std::uint8_t& x, std::uint32_t to) { x = static_cast<std::uint8_t>(to); }
  static void set(PointId& x, std::uint32_t to) { x.value = to; }
  std::uint64_t state_;
};

/// Returns points some of which coincide in one coordinate or in all.
PointSet some_points(std::uint32_t n, std::uint32_t dim, std::uint32_t places) {
  PointSet points{ScalarType::float32, dim, 0, {}};
  for (std::uint32_t i = 0; i < n * dim; ++i)
    points.words.push_back(word_of(static_cast<float>(mix64(i + 7919 * places) % places) / 4));
  return points;
}

bool passes(const std::vector<CheckResult>& findings) {
  return std::all_of(findings.begin(), findings.end(), [](const CheckResult& f) { return f.passed; });
}

/// Mutates a tree until 200 mutants are wrong. Mutants that are right must pass. mutate: makes one change at a random
/// place.
template <class Kind>
void check_mutants(const Kind& sound, const std::function<void(Kind&, Dice&)>& mutate,
                   const std::function<bool(const Kind&)>& is_right, const std::function<bool(const Kind&)>& verify) {
  REQUIRE(is_right(sound));
  REQUIRE(verify(sound));
  int wrong = 0, accepted = 0, refused = 0;
  for (std::uint64_t seed = 1; wrong < 200 && seed < 5000; ++seed) {
    Kind mutant = sound;
    Dice dice(seed);
    for (std::uint32_t changes = 1 + (dice.below(4) == 0); changes > 0; --changes) mutate(mutant, dice);
    const bool right = is_right(mutant), verified = verify(mutant);
    wrong += !right;
    if (!right && verified) ++accepted, UNSCOPED_INFO("the mutant of seed " << seed << " is wrong, and passes");
    if (right && !verified) ++refused, UNSCOPED_INFO("the mutant of seed " << seed << " is right, and fails");
  }
  CHECK(wrong == 200);
  CHECK(accepted == 0);
  CHECK(refused == 0);
}

std::uint32_t key(const PointSet& points, PointId point, std::uint32_t d) {
  return ordered_key(points.word(point.value, d), points.type);
}

}  // namespace

TEST_CASE("every mutant of a left-balanced tree is found") {
  for (const Split split : {Split::round_robin, Split::widest}) {
    const PointSet points = some_points(37, 3, 9);
    const LeftBalancedTree sound = reference_left_balanced_tree(points, split);
    check_mutants<LeftBalancedTree>(
        sound,
        [](LeftBalancedTree& t, Dice& dice) {
          switch (dice.below(4)) {
            case 0:
              return dice.change(t.point_of_node);
            case 1:
              return dice.change(t.split_dim);
            case 2:
              return dice.change(t.points.words);
            default: {  // Two nodes change places, records and all.
              const std::uint32_t a = dice.below(t.size()), b = dice.below(t.size());
              if (a >= t.point_of_node.size() || t.points.words.size() != 3 * t.point_of_node.size()) return;
              std::swap(t.point_of_node[a], t.point_of_node[b]);
              for (std::uint32_t d = 0; d < 3; ++d) std::swap(t.points.words[3 * a + d], t.points.words[3 * b + d]);
            }
          }
        },
        // Coordinate and index order the points totally, so there is only one tree.
        [&](const LeftBalancedTree& t) {
          return t.point_of_node == sound.point_of_node && t.split_dim == sound.split_dim &&
                 t.points.words == sound.points.words;
        },
        [&](const LeftBalancedTree& t) { return passes(verify_left_balanced_tree(t, points, split)); });
  }
}

TEST_CASE("every mutant of a level-order tree is found") {
  const auto points = std::make_shared<PointSet>(some_points(45, 2, 30));
  Ids keys(2 * points->size());
  for (std::uint32_t i = 0; i < points->size(); ++i)
    for (std::uint32_t d = 0; d < 2; ++d) keys[d * points->size() + i] = key(*points, {i}, d);
  const LevelOrderTree sound = reference_median_tree(keys, points);
  // Points on a plane may be on either side of it, so several trees are right: all trees of this shape in which all
  // points are ordered.
  const auto is_right = [&](const LevelOrderTree& t) {
    if (t.point_of_node.size() != sound.point_of_node.size() || t.split_dim != sound.split_dim ||
        t.points->words != points->words)
      return false;
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < t.size(); ++i) {
      if ((t.point_of_node[i].value == no_id) != (sound.point_of_node[i].value == no_id)) return false;
      if (t.point_of_node[i].value != no_id &&
          (t.point_of_node[i].value >= points->size() || !seen.insert(t.point_of_node[i].value).second))
        return false;
    }
    const std::function<bool(std::size_t, const std::function<bool(PointId)>&)> all_below =
        [&](std::size_t node, const std::function<bool(PointId)>& holds) {
          return node >= t.size() || ((t.point_of_node[node].value == no_id || holds(t.point_of_node[node])) &&
                                      all_below(2 * node + 1, holds) && all_below(2 * node + 2, holds));
        };
    for (std::size_t i = 0; i < t.size(); ++i) {
      const PointId own = t.point_of_node[i];
      if (own.value == no_id) continue;
      const std::uint32_t d = t.split_dim[i];
      if (!all_below(2 * i + 1, [&](PointId p) { return key(*points, p, d) <= key(*points, own, d); })) return false;
      if (!all_below(2 * i + 2, [&](PointId p) { return key(*points, p, d) >= key(*points, own, d); })) return false;
    }
    return true;
  };
  check_mutants<LevelOrderTree>(
      sound,
      [](LevelOrderTree& t, Dice& dice) {
        if (dice.below(8) > 0) return dice.below(4) ? dice.change(t.point_of_node) : dice.change(t.split_dim);
        auto changed = std::make_shared<PointSet>(*t.points);
        dice.change(changed->words);
        t.points = changed;
      },
      is_right, [&](const LevelOrderTree& t) { return passes(verify_level_order_tree(t, *points)); });
}

TEST_CASE("every mutant of a tree of buckets is found") {
  const auto points = std::make_shared<PointSet>(some_points(60, 2, 25));
  constexpr std::uint32_t leaf_size = 4;
  const BucketTree sound = reference_middle_split_tree(points, leaf_size);
  // A list of nodes is a tree if a walk from the root visits all of them once, parents first. Any order in a bucket is
  // right, and so is any split value between the points that it separates.
  const auto is_right = [&](const BucketTree& t) {
    const std::size_t m = t.parent.size();
    if (m != t.left_child.size() || m != t.split_dim.size() || m != t.split_value.size() || m != t.first.size() ||
        m != t.count.size() || t.box.size() != 4 * m || t.points->words != points->words)
      return false;
    Ids sorted;
    for (const PointId p : t.point_of_position) sorted.push_back(p.value);
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() != points->size()) return false;
    for (std::uint32_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != i) return false;
    std::size_t met = 0;
    const std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t)> walk =
        [&](std::uint32_t node, std::uint32_t parent, std::uint32_t first, std::uint32_t count) {
          if (node >= m || t.parent[node] != parent || t.first[node] != first || t.count[node] != count || count == 0 ||
              ++met > m)
            return false;
          const auto position = [&](std::uint32_t i, std::uint32_t d) {
            return key(*points, t.point_of_position[i], d);
          };
          bool coincide = true;
          for (std::uint32_t d = 0; d < 2; ++d) {
            std::uint32_t lo = ~0u, hi = 0;
            for (std::uint32_t i = first; i < first + count; ++i)
              lo = std::min(lo, position(i, d)), hi = std::max(hi, position(i, d));
            coincide = coincide && lo == hi;
            if (ordered_key(t.box[4 * node + d], points->type) != lo ||
                ordered_key(t.box[4 * node + 2 + d], points->type) != hi)
              return false;
          }
          const std::uint32_t left = t.left_child[node];
          if (left == no_id)
            return (count <= leaf_size || coincide) && t.split_dim[node] == no_id && t.split_value[node] == 0;
          if (count <= leaf_size || coincide || t.split_dim[node] >= 2 || left <= node || left + 1 >= m) return false;
          const std::uint32_t d = t.split_dim[node], plane = ordered_key(t.split_value[node], points->type),
                              on_left = t.count[left];
          if (on_left == 0 || on_left >= count) return false;
          for (std::uint32_t i = first; i < first + count; ++i)
            if ((position(i, d) < plane) != (i < first + on_left)) return false;
          return walk(left, node, first, on_left) && walk(left + 1, node, first + on_left, count - on_left);
        };
    return walk(0, no_id, 0, static_cast<std::uint32_t>(points->size())) && met == m;
  };
  check_mutants<BucketTree>(
      sound,
      [](BucketTree& t, Dice& dice) {
        switch (dice.below(8)) {
          case 0:
            return dice.change(t.point_of_position);
          case 1:
            return dice.change(t.parent);
          case 2:
            return dice.change(t.left_child);
          case 3:
            return dice.change(t.split_dim);
          case 4:
            return dice.change(t.split_value);
          case 5:
            return dice.change(t.first);
          case 6:
            return dice.change(t.count);
          default:
            return dice.change(t.box);
        }
      },
      is_right, [&](const BucketTree& t) { return passes(verify_bucket_tree(t, *points, leaf_size)); });
}

TEST_CASE("every mutant of a tree of median stores is found") {
  const auto points = std::make_shared<PointSet>(some_points(40, 2, 6));
  const MedianStoreTree sound = reference_median_store_tree(points);
  REQUIRE(sound.removed.size() > 3);
  check_mutants<MedianStoreTree>(
      sound,
      [](MedianStoreTree& t, Dice& dice) {
        switch (dice.below(5)) {
          case 0:
            return dice.change(t.stores);
          case 1:
            return dice.change(t.less);
          case 2:
            return dice.change(t.greater);
          case 3:
            return dice.change(t.removed);
          default: {
            auto changed = std::make_shared<PointSet>(*t.points);
            dice.change(changed->words);
            t.points = changed;
          }
        }
      },
      // Super keys of unique points are a total order, so there is only one tree.
      [&](const MedianStoreTree& t) {
        return t.stores == sound.stores && t.less == sound.less && t.greater == sound.greater &&
               t.removed == sound.removed && t.points->words == points->words;
      },
      [&](const MedianStoreTree& t) { return passes(verify_median_store_tree(t, *points)); });
}

namespace {

void mutate_split_planes(SplitPlaneTree& t, Dice& dice) {
  switch (dice.below(11)) {
    case 0:
      return dice.change(t.parent);
    case 1:
      return dice.change(t.right_child);
    case 2:
      return dice.change(t.split_dim);
    case 3:
      return dice.change(t.split_value);
    case 4:
      return dice.change(t.first);
    case 5:
      return dice.change(t.count);
    case 6:
      return dice.change(t.box);
    case 7:
      return dice.change(t.primitive_of_position);
    case 8:
      t.depth_bounded += 1 + dice.below(3);
      return;
    default: {  // A leaf loses a primitive, or lists another one more, and all spans are right.
      if (t.primitive_of_position.empty() || t.count.size() != t.parent.size() || t.first.size() != t.parent.size() ||
          t.right_child.size() != t.parent.size())
        return;
      Ids leaves;
      const bool loses = dice.below(2) == 0;
      for (std::uint32_t i = 0; i < t.size(); ++i)
        if (t.is_leaf(i) && t.first[i] + t.count[i] <= t.primitive_of_position.size() && (!loses || t.count[i] > 0))
          leaves.push_back(i);
      if (leaves.empty()) return;
      const std::uint32_t leaf = leaves[dice.below(leaves.size())];
      const auto begin = t.primitive_of_position.begin() + t.first[leaf], end = begin + t.count[leaf];
      const std::uint32_t at = t.first[leaf];
      if (loses)
        t.primitive_of_position.erase(begin + dice.below(t.count[leaf]));
      else {
        const std::uint32_t one = dice.below(t.primitives());
        const auto place = std::lower_bound(begin, end, one);
        if (place != end && *place == one) return;
        t.primitive_of_position.insert(place, one);
      }
      for (std::uint32_t i = 0; i < t.size(); ++i) {
        const bool holds = i == leaf || (!t.is_leaf(i) && i < leaf && t.first[i] <= at && leaf < [&] {
                             std::uint32_t last = i;
                             while (!t.is_leaf(last) && t.right_child[last] < t.size() && t.right_child[last] > last)
                               last = t.right_child[last];
                             return last + 1;
                           }());
        if (holds)
          t.count[i] += loses ? ~0u : 1u;
        else if (i > leaf)
          t.first[i] += loses ? ~0u : 1u;
      }
    }
  }
}

bool equal(const SplitPlaneTree& a, const SplitPlaneTree& b) {
  return a.parent == b.parent && a.right_child == b.right_child && a.split_dim == b.split_dim &&
         a.split_value == b.split_value && a.first == b.first && a.count == b.count && a.box == b.box &&
         a.primitive_of_position == b.primitive_of_position && a.depth_bounded == b.depth_bounded;
}

}  // namespace

TEST_CASE("every mutant of a tree of split planes is found where its rules are known") {
  // The rules permit exactly one tree.
  const SplitPlaneRules rules{4, 25, 1, 20, ScalarType::float32};
  SplitPlaneRules photon_rules = rules;
  photon_rules.radius = 20;
  const auto data = open_data_set("triangles:n=40,seed=3").value();
  const SplitPlaneTree sound = reference_sah_tree(data, rules);
  REQUIRE(sound.size() > 20);
  check_mutants<SplitPlaneTree>(
      sound, mutate_split_planes, [&](const SplitPlaneTree& t) { return equal(t, sound); },
      [&](const SplitPlaneTree& t) { return passes(verify_split_plane_tree(t, data->points, rules)); });
  const auto photons = open_data_set("clustered:n=70,dim=3").value();
  const SplitPlaneTree of_points = reference_vvh_tree(photons, photon_rules);
  REQUIRE(of_points.size() > 20);
  check_mutants<SplitPlaneTree>(
      of_points, mutate_split_planes, [&](const SplitPlaneTree& t) { return equal(t, of_points); },
      [&](const SplitPlaneTree& t) { return passes(verify_split_plane_tree(t, photons->points, photon_rules)); });
}

TEST_CASE("without rules, every leaf is found that lacks a triangle with an inner extent in it") {
  const auto data = open_data_set("triangles:n=60,seed=5").value();
  const SplitPlaneTree sound = reference_sah_tree(data, {8, 25, 1, 20, ScalarType::float32});
  REQUIRE(passes(verify_split_plane_tree(sound, data->points)));
  constexpr float inf = std::numeric_limits<float>::infinity();
  int wrong = 0, missed = 0;
  for (std::uint64_t seed = 1; wrong < 200 && seed < 5000; ++seed) {
    Dice dice(seed);
    SplitPlaneTree t = sound;
    const std::uint32_t position = dice.below(t.primitive_of_position.size()),
                        triangle = t.primitive_of_position[position];
    std::uint32_t leaf = no_id;
    for (std::uint32_t i = 0; i < t.size(); ++i) {
      const bool holds = t.first[i] <= position && position < t.first[i] + t.count[i];
      if (holds && t.is_leaf(i)) leaf = i;
      if (holds)
        --t.count[i];
      else if (t.first[i] > position)
        --t.first[i];
    }
    REQUIRE(leaf != no_id);
    t.primitive_of_position.erase(t.primitive_of_position.begin() + position);
    // Use the extreme points of the part, which the verifier does not use. No triangle of this soup is flat.
    ExactTriangle corners;
    ExactBox cell;
    for (std::uint32_t d = 0; d < 3; ++d) {
      for (std::uint32_t c = 0; c < 3; ++c)
        corners[c][d] = static_cast<float>(data->points.value(data->triangles[3 * triangle + c], d));
      cell.lo[d] = float_of(sound.box[6 * leaf + d]), cell.hi[d] = float_of(sound.box[6 * leaf + 3 + d]);
    }
    const ExactBox everything{{-inf, -inf, -inf}, {inf, inf, inf}},
        part = smallest_box_of_part(corners, cell, everything);
    bool reaches = !(part == everything);
    for (std::size_t d = 0; d < 3; ++d) reaches = reaches && part.lo[d] < cell.hi[d] && part.hi[d] > cell.lo[d];
    if (!reaches) continue;
    ++wrong;
    missed += passes(verify_split_plane_tree(t, data->points));
  }
  CHECK(wrong == 200);
  CHECK(missed == 0);
}
