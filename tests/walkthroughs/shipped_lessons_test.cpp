// Runs every shipped lesson: opens its data, records its algorithm, resolves its stops and checks its claims.

#include "tests/walkthroughs/shipped_lessons.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/applications/tracking/rigid_fit.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/trees/split_planes/sah_cost.hpp"

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

/// The cells of the rows of a lesson's last table, which follow its rule "|---|".
std::vector<std::vector<std::string>> table_in(const std::string& narration) {
  std::vector<std::vector<std::string>> table;
  std::istringstream lines(narration);
  bool in_body = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|---")) {
      in_body = true;
    } else if (in_body && line.starts_with("|")) {
      std::istringstream cells(line.substr(1));
      table.emplace_back();
      for (std::string cell; std::getline(cells, cell, '|');) table.back().push_back(cell.substr(1, cell.size() - 2));
    }
  }
  return table;
}

SplitPlaneTree split_plane_tree(const Lesson& lesson, const std::map<std::string, std::string>& parameters) {
  RunRequest request;
  request.algorithm = lesson.algorithm;
  request.points = open_data_set(lesson.data).value();
  request.parameters = lesson.parameters;
  for (const auto& [name, value] : parameters) request.parameters[name] = value;
  request.backend = Backend::cpu;
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

/// The text of a number with so many digits behind the point.
std::string rounded(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

}  // namespace

TEST_CASE("every shipped lesson can be read, in teaching order") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const LessonCatalogue catalogue = read_lessons(shipped_lessons);
  for (const Error& problem : catalogue.problems) FAIL_CHECK(problem.message());
  std::vector<std::string> ids;
  for (const Lesson& lesson : catalogue.lessons) ids.push_back(lesson.id);
  CHECK(ids == std::vector<std::string>{"textbook/first-tree",
                                        "wald/six-points",
                                        "wald/ten-points",
                                        "wald/bunny",
                                        "wald/debug-a-kernel",
                                        "wald/nearest-with-a-stack",
                                        "wald/nearest-without-a-stack",
                                        "wald/closest-corner",
                                        "wald/sorted-queries",
                                        "wald/other-metrics",
                                        "wald/periodic-space",
                                        "wald/count-in-a-box",
                                        "wehr/chunks-and-medians",
                                        "wehr/segmented-radix-sort",
                                        "wehr/inside-a-block",
                                        "wehr/why-the-strategy-switches",
                                        "wehr/priority-queue",
                                        "wehr/tracking",
                                        "hu/ten-points",
                                        "hu/many-dimensions",
                                        "hu/best-bin-first",
                                        "hu/what-a-search-gains",
                                        "brown/super-key-sort",
                                        "brown/remove-duplicates",
                                        "brown/partition",
                                        "brown/median-stores",
                                        "brown/box-search",
                                        "zhou/large-nodes",
                                        "zhou/segmented-reduction",
                                        "zhou/small-nodes",
                                        "zhou/surface-area-heuristic",
                                        "zhou/pre-order",
                                        "zhou/ray",
                                        "zhou/whole-pipeline",
                                        "zhou/photons",
                                        "zhou/radius-histogram",
                                        "zhou/point-clouds",
                                        "rank/how-fast"});
}

TEST_CASE("every shipped lesson stops at steps of its own run, in order, and claims what the trace shows") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    CAPTURE(lesson.id);
    const auto trace = trace_of(lesson);
    const auto stops = resolve_stops(lesson, *trace);
    INFO((stops ? std::string() : stops.error().message()));
    REQUIRE(stops);
    for (std::size_t i = 1; i < stops->size(); ++i) {
      // Places inside one step share it
      const bool inside = !lesson.stops[i - 1].inside.empty() && !lesson.stops[i].inside.empty();
      CHECK((inside ? (*stops)[i - 1] <= (*stops)[i] : (*stops)[i - 1] < (*stops)[i]));
    }
    const auto held = check_claims(lesson, trace);
    INFO((held ? std::string() : held.error().message()));
    CHECK(held);
    Lesson beyond = lesson;
    beyond.axes = {0, trace->header.dim};
    CHECK_FALSE(resolve_stops(beyond, *trace));
  }
}

TEST_CASE("what a search gains: the table is what the searches visit") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("hu/what-a-search-gains");
  const auto data = open_data_set(lesson.data);
  REQUIRE(data);
  auto queries = std::make_shared<DataSet>();
  queries->points.dim = 2;
  for (const float coordinate : {0.52f, 0.47f, 2.0f, 1.75f}) queries->points.words.push_back(word_of(coordinate));
  std::istringstream lines(lesson.stops.back().narration);
  std::set<std::string> algorithms_shown;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::erase_if(line, [](char c) { return c == '|' || c == '`'; });
    std::istringstream cells(line);
    std::string algorithm, id;
    std::uint32_t near = 0, far = 0;
    REQUIRE(cells >> algorithm >> id >> near >> far);
    INFO(line);
    RunRequest build_request;
    build_request.algorithm = algorithm;
    build_request.points = *data;
    build_request.backend = Backend::cpu;
    auto built = build(build_request);
    REQUIRE(built);
    SearchRequest request;
    request.search = id;
    request.backend = Backend::cpu;
    request.tree = std::make_shared<const Tree>(std::move(built->tree));
    request.queries = queries;
    const auto report = search(request);
    REQUIRE(report);
    CHECK(report->visited == std::vector<std::uint32_t>{near, far});
    algorithms_shown.insert(algorithm);
  }
  CHECK(algorithms_shown.size() == 5);
}

TEST_CASE("the ten points' lesson shows every state that the paper prints") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("wald/ten-points");
  // Wald 2023, §5: tags, x and y of the initial state, after each sort and tag update, and after the final sort.
  const char* printed[8][3] = {
      {"0 0 0 0 0 0 0 0 0 0", "10 46 68 40 25 15 44 45 62 53", "15 63 21 33 54 43 58 40 69 67"},
      {"0 0 0 0 0 0 0 0 0 0", "10 15 25 40 44 45 46 53 62 68", "15 43 54 33 58 40 63 67 69 21"},
      {"1 1 1 1 1 1 0 2 2 2", "10 15 25 40 44 45 46 53 62 68", "15 43 54 33 58 40 63 67 69 21"},
      {"0 1 1 1 1 1 1 2 2 2", "46 10 40 45 15 25 44 68 53 62", "63 15 33 40 43 54 58 21 67 69"},
      {"0 3 3 3 1 4 4 5 2 6", "46 10 40 45 15 25 44 68 53 62", "63 15 33 40 43 54 58 21 67 69"},
      {"0 1 2 3 3 3 4 4 5 6", "46 15 53 10 40 45 25 44 68 62", "63 43 67 15 33 40 54 58 21 69"},
      {"0 1 2 7 3 8 9 4 5 6", "46 15 53 10 40 45 25 44 68 62", "63 43 67 15 33 40 54 58 21 69"},
      {"0 1 2 3 4 5 6 7 8 9", "46 15 53 40 44 68 62 10 45 25", "63 43 67 33 58 21 69 15 40 54"}};
  std::size_t state = 0;
  for (const Stop& stop : lesson.stops) {
    if (stop.select == "rank coordinates") continue;  // our own step, not in the paper
    REQUIRE(state < std::size(printed));
    REQUIRE(stop.shows.size() == 3);
    const char* rows[] = {"tags", "data[i].x", "data[i].y"};
    for (std::size_t r = 0; r < 3; ++r) {
      CAPTURE(stop.title, rows[r]);
      std::string values;
      for (const std::string& value : stop.shows[r].values) values += (values.empty() ? "" : " ") + value;
      CHECK(stop.shows[r].row == rows[r]);
      CHECK(stop.shows[r].whole);
      CHECK(values == printed[state][r]);
    }
    ++state;
  }
  CHECK(state == std::size(printed));
}

TEST_CASE("the leaves of the sixty-four dimensions' lesson are as narrow as it says") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("hu/many-dimensions");
  Cursor cursor(trace_of(lesson));
  cursor.seek(cursor.step_count() - 1);
  const std::uint32_t k = cursor.trace().header.dim;
  double widest = 0;
  std::size_t leaves = 0;
  for (std::uint64_t node = 0; node < cursor.row_size(partition_arrays::leaf); ++node) {
    if (cursor.number(partition_arrays::leaf, node) != 1) continue;
    ++leaves;
    const auto coordinate = [&](std::uint64_t end) {
      return cursor.number(partition_arrays::tight_box, node * 2 * k + end);
    };
    for (std::uint32_t d = 0; d < k; ++d) widest = std::max(widest, coordinate(k + d) - coordinate(d));
  }
  CHECK(leaves == 4);
  CHECK(widest <= 0.125);
  CHECK(widest > 0.12);
  CHECK(lesson.stops.back().narration.find("no wider than 0.125 in any coordinate") != std::string::npos);
}

TEST_CASE("the costs in the small nodes' lesson are those of its run") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
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

TEST_CASE("the bunny's lesson walks from node 9 to the root as its run's planes say") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("wald/bunny");
  std::vector<std::vector<std::string>> table;
  for (const Stop& stop : lesson.stops)
    if (stop.title == "One thread walks to the root") table = table_in(stop.narration);
  REQUIRE(table.size() == 4);
  Cursor cursor(trace_of(lesson));
  cursor.seek(cursor.step_count() - 1);
  double low[3], high[3];
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = HUGE_VAL, high[d] = -HUGE_VAL;
    for (std::size_t i = d; i < cursor.row_size(points_array); i += 3) {
      low[d] = std::min(low[d], cursor.number(points_array, i));
      high[d] = std::max(high[d], cursor.number(points_array, i));
    }
  }
  std::uint32_t node = 9;
  for (std::size_t row = 0; row < table.size(); ++row) {
    CAPTURE(row);
    if (row > 0) {
      const std::uint32_t parent = (node - 1) / 2;
      const auto d = static_cast<std::size_t>(cursor.number(partition_arrays::split_dim, parent));
      const double value = cursor.number(partition_arrays::split_value, parent);
      const bool is_left = node % 2 == 1;
      (is_left ? high : low)[d] = value;
      CHECK(table[row][0] == std::to_string(node) + " to " + std::to_string(parent));
      CHECK(table[row][1] == std::string(1, "xyz"[d]) + " = " + rounded(value, 2));
      CHECK(table[row][2] == (is_left ? "the left child's side" : "the right child's side"));
      node = parent;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const std::string& width = table[row][3 + d];
      CHECK((width == "?" ? "4.54" : width) == rounded(high[d] - low[d], 2));
    }
  }
  CHECK(node == 0);
}

TEST_CASE("the bunny's lesson has the visits of searches in both trees") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const auto table = table_in(lesson_named("wald/bunny").stops.back().narration);
  REQUIRE(table.size() == 4);
  for (const auto& row : table) {
    const bool desk = row[0].find("desk") != std::string::npos;
    for (const bool widest : {false, true}) {
      CAPTURE(row[0], row[1], widest);
      RunRequest build_request;
      build_request.algorithm = "wald";
      build_request.points = open_data_set(desk ? "workbench:n=20000" : "bunny").value();
      build_request.parameters["split"] = widest ? "widest" : "round-robin";
      build_request.backend = Backend::cpu;
      SearchRequest request;
      request.search = "stack-free";
      request.k = static_cast<std::uint32_t>(std::stoul(row[1]));
      request.backend = Backend::cpu;
      request.tree = std::make_shared<const Tree>(build(build_request).value().tree);
      request.queries = open_data_set(desk ? "workbench:n=1000,seed=7" : "bunny:sample=1000,seed=7").value();
      const auto report = search(request);
      REQUIRE(report);
      double visits = 0;
      for (const std::uint32_t visited : report->visited) visits += visited;
      CHECK(rounded(visits / static_cast<double>(report->visited.size()), 1) == row[widest ? 3 : 2]);
    }
  }
}

TEST_CASE("the masks in the partition's lesson are those of its run") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("brown/partition");
  Cursor cursor(trace_of(lesson));
  const auto table_at = [&](const char* select) {
    for (const Stop& stop : lesson.stops)
      if (stop.select == select) return table_in(stop.narration);
    return std::vector<std::vector<std::string>>();
  };

  const auto eight_lanes = table_at("level 0 / dimension 1 / partition");
  cursor.seek(steps_matching(cursor.trace(), "level 0 / dimension 1 / partition").at(0));
  REQUIRE(eight_lanes.size() == 3);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const double side = cursor.number("side(y)", 32 + lane);
    CHECK(eight_lanes[0].at(lane + 1) == cursor.text("reference(y)", 32 + lane));
    CHECK(eight_lanes[1].at(lane + 1) == (side < 0 ? "1" : "0"));
    CHECK(eight_lanes[2].at(lane + 1) == (side > 0 ? "1" : "0"));
  }

  // Lanes 0 to 8 read array 0, which begins at position 0; lanes 16 to 24 read array 1, which begins at position 10.
  const auto cut = table_at("level 2 / dimension 1 / partition");
  cursor.seek(steps_matching(cursor.trace(), "level 2 / mark sides").at(0));
  REQUIRE(cut.size() == 2);
  std::string of_array_0;
  for (std::size_t lane = 0; lane < 9; ++lane) {
    of_array_0 += (lane ? " " : "") + std::string(cursor.number("side(y)", lane) > 0 ? "1" : "0");
    CHECK(cut[0].at(lane + 3) == cursor.text("reference(y)", 10 + lane));
    CHECK(cut[1].at(lane + 3) == (cursor.number("side(y)", 10 + lane) > 0 ? "1" : "0"));
  }
  CHECK(cut[1][1] == of_array_0);
}

TEST_CASE("the lesson on tracking moves the bracket as the algorithm does") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const auto trace = trace_of(lesson_named("wehr/tracking"));
  const Cursor cursor(trace);
  const TypedArray& points = *cursor.array(points_array);
  const auto scan = [&](std::size_t i) { return Vector3{points.number(2 * i), points.number(2 * i + 1), 0}; };
  const std::vector<Vector3> bracket{{0, 0, 0}, {0, 10, 0}, {0, 20, 0}, {10, 0, 0}, {20, 0, 0}};
  const std::vector<std::size_t> right{3, 1, 6, 4, 8};
  Vector3 corner{34, 14, 0};
  std::vector<std::vector<std::size_t>> partners;
  std::vector<Vector3> corners{corner};
  constexpr double scale = 1.0 / 128;
  for (int iteration = 0; iteration < 3; ++iteration) {
    partners.emplace_back();
    tracking::FitToPoints::Sums sums;
    for (const Vector3& p : bracket) {
      std::size_t nearest = 0;
      for (std::size_t i = 0; i < points.size() / 2; ++i)
        if (length(scan(i) - corner - p) < length(scan(nearest) - corner - p)) nearest = i;
      partners.back().push_back(nearest);
      sums =
          tracking::AddSums()(sums, tracking::FitToPoints::sums_of({scale * (corner + p), {}, scale * scan(nearest)}));
    }
    const Placement fit = tracking::FitToPoints::motion(sums);
    CHECK(length(fit.x - Vector3{1, 0, 0}) < 1e-9);  // no turn
    corner = (1 / scale) * fit(scale * corner);
    corners.push_back(corner);
  }
  CHECK(partners == std::vector<std::vector<std::size_t>>{{3, 3, 1, 3, 4}, right, right});
  CHECK(length(corners[1] - Vector3{36, 16, 0}) < 1e-6);
  CHECK(length(corners[2] - Vector3{40, 20, 0}) < 1e-6);
  CHECK(length(corners[3] - corners[2]) < 1e-6);
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
  const auto field = strength_field(handles);
  REQUIRE(field);
  CHECK(field->strength[0] == Approx(0.5));
  auto pressed = std::make_shared<DataSet>(*roof);
  pressed->points = deformed(roof->points, field->strength, {0, 0, -4});
  request.points = pressed;
  const auto again = estimate_cloud(request);
  REQUIRE(again);
  CHECK(again->density[0] == Approx(4 / 36.).epsilon(0.003));
  // Lifted, p9 is the nearest to p0 after p7.
  const PointSet lifted = deformed(roof->points, field->strength, {0, 0, 8});
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

TEST_CASE("the pipeline's lesson counts the rays of its picture", "[slow]") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
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
    const auto picture = trace_picture(request);
    REQUIRE(picture);
    request.kept = picture->tree;
    (line == 0 ? listed.eye : listed.mirrored) += number_in(table[line].at(1));
    listed.shadow += number_in(table[line].at(2));
    CHECK(picture->rays.eye == listed.eye);
    CHECK(picture->rays.mirrored == listed.mirrored);
    CHECK(picture->rays.shadow == listed.shadow);
  }
  CHECK(listed.shadow == 3'211'071);
  CHECK(listed.sum() == 4'464'726);
}

TEST_CASE("the photons' lesson computes the costs of its run, and what other radii would choose") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
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

TEST_CASE("the photons' lesson counts what searches from every place cost") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
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
    CHECK(of_planes[i] == std::vector<std::string>{name, thousands, rounded(counted / places, 2), rounded(exact, 2),
                                                   rounded(heuristic, 2)});
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
    const auto report = search(request);
    REQUIRE(report);
    CHECK(report->visited == opened);
  }
}

TEST_CASE("the surface area heuristic's lesson computes the costs of its run, and of trees by halves") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
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

TEST_CASE("the limit's lesson divides the times of builds by the time of the compulsory bytes") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Lesson lesson = lesson_named("rank/how-fast");
  const auto table = table_in(lesson.introduction);
  REQUIRE(table.size() == 6);
  const double bound = 1e7 * 28 / 3.0e12 * 1e3;  // ms
  CHECK(table[0][1] == rounded(bound, 3));
  for (const auto& row : table) {
    CAPTURE(row[0]);
    CHECK(row[2] == rounded(std::stod(row[1]) / bound, 0));
  }
}

TEST_CASE("a wrong value planted anywhere in a shipped lesson is found, and a stop that is no longer one") {
  if (!lessons_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  for (const char* id : {"brown/super-key-sort",
                         "brown/remove-duplicates",
                         "brown/partition",
                         "brown/median-stores",
                         "brown/box-search",
                         "hu/best-bin-first",
                         "hu/what-a-search-gains",
                         "wehr/priority-queue",
                         "hu/ten-points",
                         "hu/many-dimensions",
                         "wald/ten-points",
                         "wald/six-points",
                         "wald/debug-a-kernel",
                         "wald/nearest-with-a-stack",
                         "wald/nearest-without-a-stack",
                         "wald/closest-corner",
                         "wald/other-metrics",
                         "wald/periodic-space",
                         "wald/count-in-a-box",
                         "wehr/chunks-and-medians",
                         "wehr/segmented-radix-sort",
                         "zhou/large-nodes",
                         "zhou/segmented-reduction",
                         "zhou/small-nodes",
                         "zhou/surface-area-heuristic",
                         "zhou/pre-order",
                         "zhou/photons",
                         "zhou/ray",
                         "zhou/radius-histogram",
                         "zhou/point-clouds",
                         "textbook/first-tree",
                         "rank/how-fast"}) {
    const Lesson good = lesson_named(id);
    const auto trace = trace_of(good);
    REQUIRE(check_claims(good, trace));
    for (std::size_t s = 0; s < good.stops.size(); ++s) {
      for (std::size_t r = 0; r < good.stops[s].shows.size(); ++r)
        for (std::size_t v = 0; v < good.stops[s].shows[r].values.size(); ++v) {
          Lesson wrong = good;
          wrong.stops[s].shows[r].values[v] += "7";
          const auto held = check_claims(wrong, trace);
          REQUIRE_FALSE(held);
          CHECK(held.error().kind == ErrorKind::failed_check);
          CHECK(held.error().where == good.path + ":" + std::to_string(good.stops[s].shows[r].line));
          CHECK(held.error().what.find("index " + std::to_string(v) + " ") != std::string::npos);
        }
      Lesson wrong = good;
      for (const char* select : {"sort", "level 0", "build", "level 9 / sort", "nonsense"}) {
        if (steps_matching(*trace, select).size() == 1) continue;  // a level of one step
        wrong.stops[s].select = select;
        CHECK_FALSE(resolve_stops(wrong, *trace));
      }
    }
  }
}
