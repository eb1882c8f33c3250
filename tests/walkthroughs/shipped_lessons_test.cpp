// Runs every shipped lesson: opens its data, records its algorithm, resolves its stops and checks its claims.

#include "tests/walkthroughs/shipped_lessons.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <sstream>

#include "algorithms/applications/tracking/rigid_fit.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/numbers.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

LESSON_CASE("every shipped lesson can be read, in teaching order") {
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
                                        "brown/inside-a-warp",
                                        "brown/median-stores",
                                        "brown/two-gpus",
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
                                        "rank/how-fast",
                                        "rank/inside-a-block"});
}

LESSON_CASE("the prose of shipped lessons has minus signs, and hyphens in words and code alone") {
  const std::regex code("`[^`]*`|```[^]*?```"), hyphen("(^|[ (=,:|])-[0-9]| - ");
  const auto check = [&](const std::string& text) {
    INFO(text);
    CHECK_FALSE(std::regex_search(std::regex_replace(text, code, ""), hyphen));
  };
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    CAPTURE(lesson.id);
    check(lesson.aim);
    for (const Stop& stop : lesson.stops) {
      check(stop.narration);
      for (const Question& question : stop.questions)
        for (const std::string& text : {question.text, question.answer, question.hint}) check(text);
    }
  }
}

LESSON_CASE("every shipped lesson stops at steps of its own run, in order, and claims what the trace shows") {
  for (const Lesson& lesson : read_lessons(shipped_lessons).lessons) {
    CAPTURE(lesson.id);
    const auto trace = trace_of(lesson);
    const auto stops = resolve_stops(lesson, *trace).value();
    for (std::size_t i = 1; i < stops.size(); ++i) {
      // Places inside one step share it
      const bool inside = !lesson.stops[i - 1].inside.empty() && !lesson.stops[i].inside.empty();
      CHECK((inside ? stops[i - 1] <= stops[i] : stops[i - 1] < stops[i]));
    }
    const auto held = check_claims(lesson, trace);
    INFO((held ? std::string() : held.error().message()));
    CHECK(held);
    Lesson beyond = lesson;
    beyond.axes = {0, trace->header.dim};
    CHECK_FALSE(resolve_stops(beyond, *trace));
  }
}

LESSON_CASE("what a search gains: the table is what the searches visit") {
  const Lesson lesson = lesson_named("hu/what-a-search-gains");
  const auto data = open_data_set(lesson.data).value();
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
    auto built = build({{}, algorithm, {}, Backend::cpu, false, data}).value();
    SearchRequest request;
    request.search = id;
    request.backend = Backend::cpu;
    request.tree = std::make_shared<const Tree>(std::move(built.tree));
    request.queries = queries;
    const auto report = search(request).value();
    CHECK(report.visited == std::vector<std::uint32_t>{near, far});
    algorithms_shown.insert(algorithm);
  }
  CHECK(algorithms_shown.size() == 5);
}

LESSON_CASE("the ten points' lesson shows every state that the paper prints") {
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

LESSON_CASE("the leaves of the sixty-four dimensions' lesson are as narrow as it says") {
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

LESSON_CASE("the bunny's lesson walks from node 9 to the root as its run's planes say") {
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
      const std::string number = value < 0 ? "\u2212" + short_number(-value, 4) : short_number(value, 4);
      CHECK(table[row][1] == std::string(1, "xyz"[d]) + " = " + number);
      CHECK(table[row][2] == (is_left ? "left" : "right"));
      node = parent;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const std::string& width = table[row][3 + d];
      CHECK((width == "?" ? "4.537" : width) == short_number(high[d] - low[d], 4));
    }
  }
  CHECK(node == 0);
}

LESSON_CASE("the bunny's lesson has the visits of searches in both trees") {
  const auto table = table_in(lesson_named("wald/bunny").stops.back().narration);
  REQUIRE(table.size() == 4);
  for (const auto& row : table) {
    const bool desk = row[0].find("desk") != std::string::npos;
    for (const bool widest : {false, true}) {
      CAPTURE(row[0], row[1], widest);
      const RunRequest build_request{{},           "wald", {{"split", widest ? "widest" : "round-robin"}},
                                     Backend::cpu, false,  open_data_set(desk ? "workbench:n=20000" : "bunny").value()};
      SearchRequest request;
      request.search = "stack-free";
      request.k = static_cast<std::uint32_t>(std::stoul(row[1]));
      request.backend = Backend::cpu;
      request.tree = std::make_shared<const Tree>(build(build_request).value().tree);
      request.queries = open_data_set(desk ? "workbench:n=1000,seed=7" : "bunny:sample=1000,seed=7").value();
      const auto report = search(request).value();
      double visits = 0;
      for (const std::uint32_t visited : report.visited) visits += visited;
      CHECK(rounded(visits / static_cast<double>(report.visited.size()), 1) == row[widest ? 3 : 2]);
    }
  }
}

LESSON_CASE("the masks in the partition's lesson are those of its run") {
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
    CHECK(cut[0].at(lane + 1) == cursor.text("reference(y)", 10 + lane));
    CHECK(cut[1].at(lane + 1) == (cursor.number("side(y)", 10 + lane) > 0 ? "1" : "0"));
  }
  const auto stop = std::ranges::find(lesson.stops, "level 2 / dimension 1 / partition", &Stop::select);
  std::string told = stop->narration;
  std::ranges::replace(told, '\n', ' ');
  CHECK(told.find("(lanes 0 to 8: " + of_array_0 + ")") != std::string::npos);
}

LESSON_CASE("the lesson on tracking moves the bracket as the algorithm does") {
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

LESSON_CASE("the limit's lesson divides the times of builds by the time of the compulsory bytes") {
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

LESSON_CASE("a wrong value planted anywhere in a shipped lesson is found, and a stop that is no longer one") {
  for (const char* id : {"brown/super-key-sort",
                         "brown/remove-duplicates",
                         "brown/partition",
                         "brown/median-stores",
                         "brown/two-gpus",
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
