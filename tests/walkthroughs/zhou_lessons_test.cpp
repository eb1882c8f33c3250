// The numbers that the lessons on the work of Zhou et al. state are those of the program.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/trees/split_planes/sah_cost.hpp"
#include "tests/support/cases.hpp"
#include "tests/walkthroughs/shipped_lessons.hpp"

using namespace kdscope;

namespace {

/// The cost of a candidate in a node after the cursor's step; fails unless exactly one is recorded.
double cost_of(const Cursor& cursor, double node, double candidate) {
  double cost = 0;
  std::size_t found = 0;
  for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i)
    if (cursor.number("cost.node", i) == node && cursor.number("cost.candidate", i) == candidate)
      ++found, cost = cursor.number("cost", i);
  CHECK(found == 1);
  return cost;
}

SplitPlaneTree split_plane_tree(const Lesson& lesson, const std::map<std::string, std::string>& parameters) {
  RunRequest request{{}, lesson.algorithm, lesson.parameters, Backend::cpu, false, open_data_set(lesson.data).value()};
  for (const auto& [name, value] : parameters) request.parameters[name] = value;
  return build(request).value().tree.as<SplitPlaneTree>();
}

/// A cell of the plane: its two lower ends, then its two upper ones.
using Cell = std::array<int, 4>;

std::array<Cell, 2> cut(const Cell& cell, std::size_t dim, int value) {
  std::array<Cell, 2> children = {cell, cell};
  children[0][dim + 2] = children[1][dim] = value;
  return children;
}

bool reaches(int x, int y, int radius, const Cell& cell) {
  const int dx = std::max({cell[0] - x, 0, x - cell[2]}), dy = std::max({cell[1] - y, 0, y - cell[3]});
  return dx * dx + dy * dy <= radius * radius;
}

/// The places with whole coordinates from which a ball reaches a cell.
std::vector<std::pair<int, int>> places_that_reach(const Cell& cell, int radius) {
  std::vector<std::pair<int, int>> places;
  for (int x = cell[0] - radius; x <= cell[2] + radius; ++x)
    for (int y = cell[1] - radius; y <= cell[3] + radius; ++y)
      if (reaches(x, y, radius, cell)) places.emplace_back(x, y);
  return places;
}

/// The area of a cell whose sides have all moved out by the radius.
double grown(const Cell& cell, int radius) {
  return (cell[2] - cell[0] + 2. * radius) * (cell[3] - cell[1] + 2. * radius);
}

}  // namespace

LESSON_CASE("the costs in the small nodes' lesson are those of its run") {
  Cursor cursor(trace_of(lesson_named("zhou/small-nodes")));
  const struct {
    const char* step;
    double node, candidate, cost;
  } told[] = {{"level 0 / small nodes / evaluate costs", 0, 6, 1 + 2 * 6 / 12. + 3 * 6 / 12.},
              {"level 0 / small nodes / evaluate costs", 0, 8, 1 + 2 * 3 / 8. + 3 * 5 / 8.},
              {"level 1 / small nodes / evaluate costs", 1, 2, 2},
              {"level 1 / small nodes / evaluate costs", 2, 12, 1 + 2 * 4 / 6. + 1 * 2 / 6.},
              {"level 2 / small nodes / evaluate costs", 3, 21, 2},
              {"level 2 / small nodes / evaluate costs", 3, 8, 2}};
  for (const auto& claim : told) {
    CAPTURE(claim.step, claim.candidate);
    cursor.seek(steps_matching(cursor.trace(), claim.step).at(0));
    std::size_t found = 0;
    for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i)
      if (cursor.number("cost.node", i) == claim.node && cursor.number("cost.candidate", i) == claim.candidate) {
        ++found;
        CHECK(cursor.number("cost", i) == Approx(claim.cost));
      }
    CHECK(found == 1);
  }
}

TEST_CASE("the lesson on point clouds states the densities, normals and strengths of the program") {
  const auto roof = open_data_set("roof-10").value();
  CloudRequest request;
  request.points = roof;
  request.k = 4;
  request.backend = Backend::cpu;
  const auto normal = [](const Cloud& cloud, std::size_t i) {
    return Vector3{cloud.normals[3 * i], cloud.normals[3 * i + 1], cloud.normals[3 * i + 2]};
  };
  const auto near = [](const Vector3& a, const Vector3& b) { return length(a - b) < 1e-6; };
  const double half = std::sqrt(0.5);
  const Vector3 left{-half, 0, half}, right{half, 0, half}, up{0, 0, 1};
  const std::set<std::size_t> turned{0, 3, 7, 8}, ridge{2, 5};
  const auto oriented = estimate_cloud(request);
  request.oriented = false;
  const auto raw = estimate_cloud(request);
  REQUIRE(oriented);
  REQUIRE(raw);
  CHECK(oriented->parts == 1);
  for (std::size_t i = 0; i < 10; ++i) {
    CAPTURE(i);
    const Vector3 outside = turned.contains(i) ? left : ridge.contains(i) ? up : right;
    CHECK(near(normal(*oriented, i), outside));
    CHECK(near(normal(*raw, i), turned.contains(i) ? -1 * left : outside));
  }
  // Radii are those of rings of the histogram, a little larger
  CHECK(oriented->density[0] == Approx(4 / 48.).epsilon(0.003));
  CHECK(oriented->density[3] == Approx(4 / 128.).epsilon(0.005));
  StrengthRequest handles;
  handles.points = roof;
  handles.active = {2, 5};
  handles.fixed = {1, 3, 6, 8};
  handles.backend = Backend::cpu;
  const auto field = strength_field(handles).value();
  CHECK(field.strength[0] == Approx(0.5));
  auto pressed = std::make_shared<DataSet>(*roof);
  pressed->points = deformed(roof->points, field.strength, {0, 0, -4});
  request.points = pressed;
  const auto again = estimate_cloud(request).value();
  CHECK(again.density[0] == Approx(4 / 36.).epsilon(0.003));
  // Lifted, p9 is the nearest to p0 after p7.
  const PointSet lifted = deformed(roof->points, field.strength, {0, 0, 8});
  std::vector<std::pair<double, std::uint32_t>> others;
  for (std::uint32_t i = 1; i < 10; ++i) {
    double squares = 0;
    for (std::uint32_t d = 0; d < 3; ++d) squares += std::pow(lifted.value(i, d) - lifted.value(0, d), 2);
    others.emplace_back(squares, i);
  }
  std::ranges::sort(others);
  CHECK(others[0] == std::pair{16., 7u});
  CHECK(others[1] == std::pair{64., 9u});
  CHECK(others[2] == std::pair{80., 3u});
}

LESSON_CASE("the pipeline's lesson counts the rays of its picture", "[slow]") {
  std::vector<std::vector<std::string>> table;
  for (const Stop& stop : lesson_named("zhou/whole-pipeline").stops)
    if (stop.title == "Passes over lists of rays") table = table_in(stop.narration);
  REQUIRE(table.size() == 4);
  const auto number_in = [](std::string text) {
    std::erase(text, ',');
    return static_cast<std::uint64_t>(std::stoull(text));
  };
  const std::shared_ptr<const DataSet> scene = open_data_set("kitchen").value();
  PictureRequest request;
  request.scene = scene;
  request.look = look_of(*scene);
  request.camera = camera_before(*scene, 1024, 1024);
  request.keep_tree = true;
  request.backend = Backend::cpu;
  CHECK(request.look.lights.size() == 6);
  CHECK(request.look.bounces == 8);
  // A line has what its bounces add to the rays of those before.
  RayCounts listed;
  for (const auto& [line, bounces] : {std::pair{0u, 0u}, {1u, 1u}, {2u, 2u}, {3u, 8u}}) {
    CAPTURE(bounces);
    request.look.bounces = bounces;
    const auto picture = trace_picture(request).value();
    request.kept = picture.tree;
    (line == 0 ? listed.eye : listed.mirrored) += number_in(table[line].at(1));
    listed.shadow += number_in(table[line].at(2));
    CHECK(picture.rays.eye == listed.eye);
    CHECK(picture.rays.mirrored == listed.mirrored);
    CHECK(picture.rays.shadow == listed.shadow);
  }
  CHECK(listed.shadow == 3'211'071);
  CHECK(listed.sum() == 4'464'726);
}

LESSON_CASE("the photons' lesson computes the costs of its run, and what other radii would choose") {
  const Lesson lesson = lesson_named("zhou/photons");
  Cursor cursor(trace_of(lesson));
  cursor.seek(steps_matching(cursor.trace(), "level 1 / small nodes / evaluate costs").at(0));
  CHECK(cost_of(cursor, 1, 25) == Approx(1 + 5 * 38 / 84. + 6 * 66 / 84.));
  CHECK(cost_of(cursor, 1, 28) == Approx(1 + 8 * 44 / 84. + 3 * 60 / 84.));
  CHECK(cost_of(cursor, 1, 21) == Approx(1 + 8 * 25 / 60. + 3 * 55 / 60.));
  CHECK(rounded(cost_of(cursor, 2, 55), 2) == "6.44");

  // The surface area heuristic, with perimeters, takes y = 61 of all candidates of node 1, and y = 80 in node 2.
  const Cell node_1 = {36, 37, 76, 101}, node_2 = {76, 37, 116, 101};
  std::map<double, std::pair<double, double>> best;  // of each node: the least cost, and its candidate
  for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i) {
    const double node = cursor.number("cost.node", i), candidate = cursor.number("cost.candidate", i);
    const auto row = static_cast<std::uint64_t>(candidate);
    const auto d = static_cast<std::size_t>(cursor.number("candidate.dim", row));
    const auto children = cut(node == 1 ? node_1 : node_2, d, static_cast<int>(cursor.number("candidate.value", row)));
    const auto counts = {std::popcount(static_cast<std::uint64_t>(cursor.number("candidate.left", row))),
                         std::popcount(static_cast<std::uint64_t>(cursor.number("candidate.right", row)))};
    double cost = 1;
    for (std::size_t side = 0; side < 2; ++side)
      cost +=
          counts.begin()[side] * (children[side][2] - children[side][0] + children[side][3] - children[side][1]) / 104.;
    const auto known = best.find(node);
    if (known == best.end() || cost < known->second.first) best[node] = {cost, candidate};
    if (candidate == 21) CHECK(cost == Approx(1 + 8 * 69 / 104. + 3 * 99 / 104.));
  }
  CHECK(best.at(1).second == 28);
  CHECK(best.at(1).first == Approx(1 + 8 * 64 / 104. + 3 * 80 / 104.));
  CHECK(best.at(2).second == 55);

  cursor.seek(steps_matching(cursor.trace(), "level 2 / small nodes / evaluate costs").at(0));
  CHECK(cost_of(cursor, 6, 48) == Approx(1 + 5 * 25 / 60.));
  cursor.seek(steps_matching(cursor.trace(), "level 4 / small nodes / evaluate costs").at(0));
  CHECK(cost_of(cursor, 16, 25) == Approx(1 + 3 * 23 / 29. + 2 * 26 / 29.));

  // Without a radius, node 2 splits x = 111; with R = 20, node 1 splits y = 61. The coordinates are integers.
  const SplitPlaneTree points_alone = split_plane_tree(lesson, {{"radius", "0"}});
  CHECK(points_alone.split_value[1] == 41);
  CHECK(points_alone.split_dim[points_alone.right_child[0]] == 0);
  CHECK(points_alone.split_value[points_alone.right_child[0]] == 111);
  const SplitPlaneTree larger_ball = split_plane_tree(lesson, {{"radius", "250"}});
  CHECK(larger_ball.split_dim[1] == 1);
  CHECK(larger_ball.split_value[1] == 61);
}

LESSON_CASE("the photons' lesson counts what searches from every place cost") {
  const Lesson lesson = lesson_named("zhou/photons");
  const int radius = 10;

  // One split of node 1, with both children as leaves
  const Cell node_1 = {36, 37, 76, 101};
  struct Plane {
    const char* name;
    std::size_t dim;
    int value;
    std::array<int, 2> counts;
  };
  const Plane planes[] = {{"y = 55", 1, 55, {5, 6}}, {"y = 61", 1, 61, {8, 3}}, {"x = 41", 0, 41, {8, 3}}};
  std::vector<std::vector<std::string>> of_planes;
  for (const Stop& stop : lesson.stops)
    if (stop.select == "level 1 / small nodes / split small nodes") of_planes = table_in(stop.narration);
  REQUIRE(of_planes.size() == std::size(planes));
  for (std::size_t i = 0; i < std::size(planes); ++i) {
    const auto& [name, dim, value, counts] = planes[i];
    CAPTURE(name);
    const auto children = cut(node_1, dim, value);
    int places = 0, both = 0;
    double counted = 0, exact = 1, heuristic = 1;
    for (const auto& [x, y] : places_that_reach(node_1, radius)) {
      const bool opens[] = {reaches(x, y, radius, children[0]), reaches(x, y, radius, children[1])};
      ++places;
      both += opens[0] && opens[1];
      counted += 1 + opens[0] * counts[0] + opens[1] * counts[1];
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const double all = grown(node_1, radius), part = grown(children[side], radius);
      const double corners = (4 - std::acos(-1.0)) * radius * radius;
      heuristic += counts[side] * part / all;
      exact += counts[side] * (part - corners) / (all - corners);
    }
    CHECK(places == 5061);
    const std::string thousands = std::to_string(both / 1000) + "," + std::to_string(both % 1000);
    CHECK(of_planes[i] == std::vector<std::string>{name, thousands, rounded(counted / places, 3), rounded(exact, 3),
                                                   rounded(heuristic, 3)});
  }

  // Whole trees for several radii, under searches of one radius
  const auto table = table_in(lesson.stops.back().narration);
  REQUIRE(table.size() == 5);
  for (const auto& row : table) {
    CAPTURE(row[0]);
    const SplitPlaneTree tree = split_plane_tree(lesson, {{"radius", std::to_string(std::stoi(row[0]) * 1000 / 80)}});
    const auto cell_of = [&](std::uint32_t node) {
      Cell cell;
      for (std::size_t end = 0; end < 4; ++end) cell[end] = static_cast<int>(tree.box[node * std::size_t{4} + end]);
      return cell;
    };
    auto queries = std::make_shared<DataSet>();
    queries->points.dim = 2;
    queries->points.type = ScalarType::int32;
    std::vector<std::uint32_t> opened;
    double steps = 0, tests = 0;
    for (const auto& [x, y] : places_that_reach(cell_of(0), radius)) {
      opened.push_back(0);
      for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (!reaches(x, y, radius, cell_of(node))) continue;
        ++opened.back();
        (tree.is_leaf(node) ? tests : steps) += tree.is_leaf(node) ? tree.count[node] : 1;
      }
      queries->points.words.push_back(static_cast<std::uint32_t>(x));
      queries->points.words.push_back(static_cast<std::uint32_t>(y));
    }
    const auto places = static_cast<double>(opened.size());
    CHECK(row == std::vector<std::string>{row[0], std::to_string(tree.size()), std::to_string(shape_of(tree).leaves),
                                          rounded(steps / places, 2), rounded(tests / places, 2),
                                          rounded((steps + tests) / places, 2)});

    // The range search opens these nodes and no others
    SearchRequest request;
    request.search = "radius-histogram";
    request.question = SearchQuestion::ball;
    request.radius = radius;
    request.backend = Backend::cpu;
    request.tree = std::make_shared<const Tree>(tree);
    request.queries = queries;
    const auto report = search(request).value();
    CHECK(report.visited == opened);
  }
}

LESSON_CASE("the surface area heuristic's lesson computes the costs of its run, and of trees by halves") {
  const Lesson lesson = lesson_named("zhou/surface-area-heuristic");
  Cursor cursor(trace_of(lesson));
  cursor.seek(steps_matching(cursor.trace(), "level 0 / small nodes / evaluate costs").at(0));
  CHECK(cost_of(cursor, 0, 12) == Approx(1 + 4 * 7 / 16. + 4 * 9 / 16.));
  CHECK(cost_of(cursor, 0, 3) == Approx(1 + 6 * 4 / 10. + 2 * 6 / 10.));
  CHECK(cost_of(cursor, 0, 3) == cost_of(cursor, 0, 15));
  cursor.seek(steps_matching(cursor.trace(), "level 1 / small nodes / evaluate costs").at(0));
  CHECK(cost_of(cursor, 2, 18) == Approx(1 + 2 * 7 / 16.));
  CHECK(cost_of(cursor, 2, 36) == Approx(2));
  cursor.seek(steps_matching(cursor.trace(), "level 3 / small nodes / evaluate costs").at(0));
  double least = 100;
  for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i)
    if (cursor.number("cost.node", i) == 7) least = std::min(least, cursor.number("cost", i));
  CHECK(least == 3);

  const auto table = table_in(lesson.stops.back().narration);
  REQUIRE(table.size() == 4);
  const std::map<std::string, std::string> rules[] = {
      {{"traversal", "10000"}}, {{"small", "1"}}, {{"small", "3"}}, {{"small", "8"}}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    CAPTURE(table[i][0]);
    const SplitPlaneTree tree = split_plane_tree(lesson, rules[i]);
    CHECK(std::to_string(tree.size()) == table[i][1]);
    CHECK(std::to_string(shape_of(tree).deepest_leaf) == table[i][2]);
    CHECK(rounded(sah_cost(tree, 1).total(), 2) == table[i][3]);
  }
  // One halving of the root costs as much as the lesson computes for x = 8.
  CHECK(sah_cost(split_plane_tree(lesson, {{"small", "1"}, {"depth", "1"}}), 1).total() == 5.5);
}
