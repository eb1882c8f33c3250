// Tests the checks of split-plane trees: sound trees pass, and the responsible check reports every planted fault.
#include <functional>
#include <set>

#include "algorithms/trees/split_planes/exact_sah.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/verify.hpp"
#include "algorithms/trees/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::split_plane_checks_test {

namespace {

std::shared_ptr<const DataSet> opened(const std::string& specification) { return open_data_set(specification).value(); }

std::string failed(const std::vector<CheckResult>& findings) {
  for (const CheckResult& f : findings)
    if (!f.passed) return f.name;
  return "";
}

/// Removes a position from the leaf that has it. All spans stay valid.
void drop(SplitPlaneTree& t, std::uint32_t position) {
  t.primitive_of_position.erase(t.primitive_of_position.begin() + position);
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    if (t.first[i] > position)
      --t.first[i];
    else if (t.first[i] + t.count[i] > position)
      --t.count[i];
  }
}

std::uint32_t leaf_with(const SplitPlaneTree& t, const std::function<bool(std::uint32_t)>& wanted) {
  for (std::uint32_t i = 0; i < t.size(); ++i)
    if (t.is_leaf(i) && wanted(i)) return i;
  FAIL("no leaf is as this test needs it");
  return no_id;
}

/// Returns a tree of points, split at the middle point of the wider dimension until each leaf holds only one place.
SplitPlaneTree tree_of_points(std::shared_ptr<const DataSet> data) {
  SplitPlaneTree t;
  t.data = data;
  t.primitive = Primitive::point;
  const PointSet& points = data->points;
  const std::function<void(std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::uint32_t)> add =
      [&](std::vector<std::uint32_t> members, std::vector<std::uint32_t> box, std::uint32_t parent) {
        const std::uint32_t node = t.size(), k = points.dim;
        t.parent.push_back(parent);
        for (auto* ids : {&t.right_child, &t.split_dim}) ids->push_back(no_id);
        t.split_value.push_back(0);
        t.first.push_back(static_cast<std::uint32_t>(t.primitive_of_position.size()));
        t.count.push_back(static_cast<std::uint32_t>(members.size()));
        t.box.insert(t.box.end(), box.begin(), box.end());
        for (std::uint32_t d = 0; d < k && t.split_dim[node] == no_id && members.size() > 3; ++d) {
          std::set<double> places;
          for (const std::uint32_t p : members) places.insert(points.value(p, d));
          if (places.size() < 2) continue;
          t.split_dim[node] = d;
          t.split_value[node] =
              word_of(static_cast<float>(*std::next(places.begin(), static_cast<std::ptrdiff_t>(places.size() / 2))));
        }
        const std::uint32_t d = t.split_dim[node];
        if (d == no_id) {
          t.primitive_of_position.insert(t.primitive_of_position.end(), members.begin(), members.end());
          return;
        }
        std::vector<std::uint32_t> sides[2], boxes[2] = {box, box};
        for (const std::uint32_t p : members)
          sides[points.value(p, d) >= scalar_value(t.split_value[node], points.type)].push_back(p);
        boxes[0][k + d] = boxes[1][d] = t.split_value[node];
        add(sides[0], boxes[0], node);
        t.right_child[node] = t.size();
        add(sides[1], boxes[1], node);
      };
  std::vector<std::uint32_t> all(points.size()), box;
  for (std::uint32_t p = 0; p < all.size(); ++p) all[p] = p;
  const Box around = bounding_box(points);
  for (const auto* ends : {&around.lo, &around.hi})
    for (const double c : *ends) box.push_back(word_of(static_cast<float>(c)));
  add(all, box, no_id);
  return t;
}

}  // namespace

TEST_CASE("The verifier finds planted faults of a tree over triangles") {
  const auto data = opened("triangles:n=60,seed=3");
  const SplitPlaneTree sound = exact_sah_tree(data);
  REQUIRE(sound.size() > 20);
  const std::uint32_t full = leaf_with(sound, [&](std::uint32_t i) { return sound.count[i] > 0; });
  const std::uint32_t two = leaf_with(sound, [&](std::uint32_t i) { return sound.count[i] > 1; });
  const auto verdict = [&](const std::function<void(SplitPlaneTree&)>& plant) {
    SplitPlaneTree tree = sound;
    plant(tree);
    return failed(verify_tree(Tree(tree), data->points));
  };
  CHECK(verdict([](SplitPlaneTree&) {}) == "");

  CHECK(verdict([](SplitPlaneTree& t) { t.parent.pop_back(); }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.box.pop_back(); }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.parent[0] = 0; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.parent[2] = 0; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { ++t.right_child[0]; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.right_child[0] = no_id; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.right_child[t.size() - 1] = 3; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t.split_dim[0] = 3; }) == "nodes");
  CHECK(verdict([&](SplitPlaneTree& t) { t.split_dim[full] = 0; }) == "nodes");
  CHECK(verdict([](SplitPlaneTree& t) { t = {t.data, t.primitive, {}, {}, {}, {}, {}, {}, {}, {}, 0}; }) == "nodes");

  CHECK(verdict([&](SplitPlaneTree& t) { ++t.count[full]; }) == "positions");
  CHECK(verdict([&](SplitPlaneTree& t) { ++t.first[two]; }) == "positions");
  CHECK(verdict([](SplitPlaneTree& t) { --t.count[0]; }) == "positions");
  CHECK(verdict([](SplitPlaneTree& t) { t.primitive_of_position.push_back(0); }) == "positions");
  CHECK(verdict([](SplitPlaneTree& t) { t.primitive_of_position.pop_back(); }) == "positions");

  CHECK(verdict([](SplitPlaneTree& t) { t.box[3] = word_of(0.01f); }) == "boxes");
  CHECK(verdict([&](SplitPlaneTree& t) { t.box[6 * std::size_t(full)] = word_of(0.5f); }) == "boxes");
  CHECK(verdict([](SplitPlaneTree& t) { t.split_value[0] = word_of(7.0f); }) == "boxes");
  CHECK(verdict([](SplitPlaneTree& t) { t.split_dim[0] = (t.split_dim[0] + 1) % 3; }) == "boxes");

  CHECK(verdict([&](SplitPlaneTree& t) {
          std::swap(t.primitive_of_position[t.first[two]], t.primitive_of_position[t.first[two] + 1]);
        }) == "lists");
  CHECK(verdict([&](SplitPlaneTree& t) {
          t.primitive_of_position[t.first[two] + 1] = t.primitive_of_position[t.first[two]];
        }) == "lists");
  CHECK(verdict([&](SplitPlaneTree& t) { t.primitive_of_position[t.first[full] + t.count[full] - 1] = 60; }) ==
        "lists");

  // Replace the only triangle of a leaf by another triangle.
  const std::uint32_t one = leaf_with(sound, [&](std::uint32_t i) { return sound.count[i] == 1; });
  std::set<std::string> seen;
  for (std::uint32_t other = 0; other < 60; ++other)
    seen.insert(verdict([&](SplitPlaneTree& t) { t.primitive_of_position[t.first[one]] = other; }));
  CHECK(seen == std::set<std::string>{"", "nothing lost", "nothing strange"});

  CHECK(verdict([](SplitPlaneTree& t) { t.data = nullptr; }) == "same data");
  const auto with = [&](const std::function<void(DataSet&)>& change) {
    return verdict([&](SplitPlaneTree& t) {
      DataSet changed = *t.data;
      change(changed);
      t.data = std::make_shared<DataSet>(std::move(changed));
    });
  };
  CHECK(with([](DataSet& d) { d.points.words[7] ^= 1; }) == "same data");
  CHECK(with([](DataSet& d) { d.triangles[5] = 900; }) == "same data");
  CHECK(with([](DataSet& d) { d.points.dim = 2; }) == "same data");
}

TEST_CASE("A missing reference of a wall is found, in whose plane nodes are split") {
  const auto data = opened("toys");
  const SplitPlaneTree sound = exact_sah_tree(data);
  REQUIRE(failed(verify_split_plane_tree(sound, data->points)) == "");
  const auto flat_at = [&](std::uint32_t t, std::uint32_t d) {
    const auto value = [&](std::uint32_t c) { return data->points.value(data->triangles[3 * std::size_t(t) + c], d); };
    return value(0) == value(1) && value(1) == value(2);
  };
  std::vector<std::uint32_t> listings(data->triangles.size() / 3);
  for (const std::uint32_t t : sound.primitive_of_position) ++listings[t];
  int tried = 0, found = 0;
  for (std::uint32_t i = 0; i < sound.primitive_of_position.size() && tried < 30; i += 101) {
    const std::uint32_t t = sound.primitive_of_position[i];
    if (listings[t] < 3 || !(flat_at(t, 0) || flat_at(t, 1) || flat_at(t, 2))) continue;
    SplitPlaneTree tree = sound;
    drop(tree, i);
    ++tried;
    found += failed(verify_split_plane_tree(tree, data->points)) == "nothing lost";
  }
  CHECK(tried == 30);
  CHECK(found == tried);
}

TEST_CASE("A reference that is missing is found, wherever a triangle reaches into the leaf") {
  for (const std::string kind : {"soup", "one-point", "flat", "two"}) {
    const auto data = opened("triangles:n=40,seed=2,kind=" + kind);
    const SplitPlaneTree sound = exact_sah_tree(data);
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < sound.primitive_of_position.size(); ++i) {
      SplitPlaneTree tree = sound;
      drop(tree, i);
      found += failed(verify_split_plane_tree(tree, data->points)) == "nothing lost";
    }
    INFO(kind);
    CHECK(found == sound.primitive_of_position.size());
  }
}

TEST_CASE("What lies in a plane, or begins there, is above it; what only touches it from below is not") {
  auto data = std::make_shared<DataSet>();
  // Triangles that reach up to z = 1, that lie in z = 1, and that start there.
  data->points =
      points_from_rows<float>(3, {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 2, 0, 1, 2});
  for (std::uint32_t v = 0; v < 9; ++v) data->triangles.push_back(v);
  const auto words = [](std::vector<float> values) {
    std::vector<std::uint32_t> list;
    for (const float v : values) list.push_back(word_of(v));
    return list;
  };
  SplitPlaneTree sound{data,
                       Primitive::triangle,
                       {no_id, 0, 0},
                       {2, no_id, no_id},
                       {2, no_id, no_id},
                       words({1, 0, 0}),
                       {0, 0, 1},
                       {3, 1, 2},
                       words({0, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 2}),
                       {0, 1, 2},
                       0};
  CHECK(failed(verify_split_plane_tree(sound, data->points)) == "");
  for (const std::uint32_t above : {1u, 2u}) {
    SplitPlaneTree tree = sound;
    tree.primitive_of_position.insert(tree.primitive_of_position.begin() + 1, above);
    tree.count = {4, 2, 2}, tree.first[2] = 2;
    CHECK(failed(verify_split_plane_tree(tree, data->points)) == "nothing strange");
  }
}

TEST_CASE("Both zeros are one coordinate") {
  auto data = std::make_shared<DataSet>();
  data->points = points_from_rows<float>(3, {-1, -1, -0.0f, 1, -1, 0, 0, 1, -0.0f, -1, 1, 2, 1, 1, 2, 0, -1, 2});
  data->triangles = {0, 1, 2, 3, 4, 5};
  SplitPlaneTree tree = exact_sah_tree(data, 0.01);
  REQUIRE(tree.size() > 1);
  for (std::uint32_t& word : tree.box)
    if (word == 0) word = word_of(-0.0f);
  CHECK(failed(verify_split_plane_tree(tree, data->points)) == "");
}

TEST_CASE("The verifier finds planted faults of a tree over points") {
  for (const std::string specification : {"uniform:n=80,dim=2,seed=4", "grid:n=90,dim=3,side=3", "equal:n=9,dim=2",
                                          "uniform:n=0,dim=3", "uniform:n=70,dim=5"}) {
    const auto data = opened(specification);
    INFO(specification);
    CHECK(failed(verify_split_plane_tree(data->points.size() > 0 ? tree_of_points(data) : exact_sah_tree(data),
                                         data->points)) == "");
  }
  const auto data = opened("uniform:n=80,dim=2,seed=4");
  const SplitPlaneTree sound = tree_of_points(data);
  const auto verdict = [&](const std::function<void(SplitPlaneTree&)>& plant) {
    SplitPlaneTree tree = sound;
    plant(tree);
    return failed(verify_split_plane_tree(tree, data->points));
  };
  CHECK(verdict([](SplitPlaneTree& t) { t.primitive_of_position[0] = t.primitive_of_position.back(); }) != "");
  CHECK(verdict([](SplitPlaneTree& t) { drop(t, 5); }) == "nothing lost");
  // A point on a plane is above it. A plane at the point's own coordinate is right; one float further, the point is on
  // the wrong side.
  for (std::uint32_t i = 0; i < sound.size(); ++i) {
    if (sound.is_leaf(i)) continue;
    CHECK(verdict([&](SplitPlaneTree& t) {
            const std::uint32_t old = t.split_value[i],
                                further =
                                    word_of_ordered_key(ordered_key(old, ScalarType::float32) + 1, ScalarType::float32);
            const std::uint32_t d = t.split_dim[i];
            t.split_value[i] = further;
            for (std::uint32_t below = i + 1; below < t.size(); ++below)
              for (const std::uint32_t side : {d, 2 + d})
                if (t.box[4 * std::size_t(below) + side] == old) t.box[4 * std::size_t(below) + side] = further;
          }) != "");
  }
}

}  // namespace kdscope::split_plane_checks_test
