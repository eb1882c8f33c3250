// Tests recorded searches: their steps replay what the search does, and end with its answer.
#include <numeric>
#include <set>

#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_validity.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::recorded_search_test {
using namespace kdscope::tests;

namespace {

std::shared_ptr<const Trace> recorded(const std::string& algorithm, const std::string& data, const SearchOfRun& search,
                                      const Parameters& parameters = {}) {
  RunRequest request{{}, algorithm, parameters, Backend::cpu, false, data_of(data)};
  request.search = texts_of(search);
  const auto trace = record(request);
  INFO(algorithm << ", " << search.search << ", " << data << ": " << (trace ? "" : trace.error().message()));
  REQUIRE(trace);
  return *trace;
}

std::vector<std::uint32_t> numbers(const Cursor& cursor, const char* name) {
  const TypedArray* array = cursor.array(name);
  REQUIRE(array);
  const auto values = array->as<std::uint32_t>();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("recorded search: every search of points, stepped, ends with the answer of the search at full speed") {
  const SearchOfRun of_ten{"", SearchQuestion::nearest, 2, {}, {50, 40}, {}};
  const SearchOfRun of_many{"", SearchQuestion::nearest, 5, {}, {0.4, 0.7, 0.2}, {}};
  const SearchOfRun ball{"", SearchQuestion::ball, 1, 0.2, {0.4, 0.7, 0.2}, {}};
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    for (const auto& [data, asked] : {std::pair{"wald-10", of_ten},
                                      {"uniform:n=300,dim=3,seed=1", of_many},
                                      {"uniform:n=300,dim=3,seed=1", ball}}) {
      const auto tree = tree_over(algorithm.id, data_of(data));
      for (const Search* each : searches_of(tree->kind().id())) {
        SearchOfRun search = asked;
        search.search = each->spec.id;
        if (std::ranges::count(each->spec.questions, search.question) == 0) continue;
        const auto trace = recorded(algorithm.id, data, search);
        INFO(algorithm.id << ", " << each->spec.id << ", " << data);
        CHECK(check_trace(*trace));
        CHECK(trace->header.search.at("search") == each->spec.id);
        for (const Step& step : trace->steps)
          for (const CheckResult& check : step.checks) CHECK(check.passed);
        REQUIRE(!trace->steps.back().checks.empty());
        Cursor end(trace);
        end.seek(end.step_count());
        // The same tree is at the end of the recording.
        const auto again = recorded_tree(trace).value();
        CHECK(tree_hash(again.tree) == tree_hash(*tree));

        SearchRequest request{search.search, tree, queries_for(*data_of(data), 1, 1), search.question, search.k};
        auto query = std::make_shared<DataSet>(*request.queries);
        query->points.words.clear();
        for (const double c : search.query)
          query->points.words.push_back(query->points.type == ScalarType::float32 ? word_of(static_cast<float>(c))
                                                                                  : word_of(static_cast<int>(c)));
        request.queries = query;
        request.radius = search.radius;
        request.backend = Backend::cpu;
        const auto found = kdscope::search(request);
        REQUIRE(found);
        std::vector<std::uint32_t> stepped = numbers(end, search_arrays::found), at_speed = found->found;
        if (!found->reaches.empty()) {  // rounds accept points that the last radius leaves out
          CHECK(stepped.size() >= at_speed.size());
          continue;
        }
        CHECK(stepped == at_speed);
        CHECK(numbers(end, search_arrays::visited).size() == found->visited[0]);
        // A node is visited once, and those that wait in the end were never looked at.
        std::vector<std::uint32_t> visited = numbers(end, search_arrays::visited);
        std::ranges::sort(visited);
        CHECK(std::ranges::adjacent_find(visited) == visited.end());
      }
    }
  }
}

TEST_CASE("recorded search: Wald's ten points, step by step") {
  const auto trace = recorded("wald", "wald-10", {"stack", SearchQuestion::nearest, 1, {}, {50, 40}, {}});
  Cursor cursor(trace);
  CHECK(path_text(cursor.current()) == "search / finished tree");
  cursor.seek(1);
  CHECK(path_text(cursor.current()) == "search / node 0 / visit");
  CHECK(numbers(cursor, search_arrays::visited) == std::vector<std::uint32_t>{0});
  CHECK(numbers(cursor, search_arrays::waiting).size() == 1);
  CHECK(cursor.current().code_anchor == "queries/stack");
  REQUIRE(cursor.array(search_arrays::reach));
  CHECK(std::isfinite(cursor.array(search_arrays::reach)->number(0)));
  // The reach never grows, and the last found is nearest of all.
  double reach = 1e9;
  for (std::uint32_t step = 1; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    CHECK(cursor.array(search_arrays::reach)->number(0) <= reach);
    reach = cursor.array(search_arrays::reach)->number(0);
  }
  CHECK(reach == 5);
  CHECK(cursor.current().title.starts_with("The answer is p7 at 5 after "));
}

TEST_CASE("recorded search: phases tell where the walk descends, where it backtracks, and each round") {
  const auto phases = [](const Trace& trace) {
    std::string all;
    for (const Step& step : trace.steps) all += (all.empty() ? "" : " ") + (step.phase.empty() ? "-" : step.phase);
    return all;
  };
  const auto stack = recorded("wald", "wald-10", {"stack", SearchQuestion::nearest, 1, {}, {50, 40}, {}});
  // Nodes 0, 2 and 5; 6 is skipped; 1, 3 and 8; then what waits in the stack
  CHECK(phases(*stack) ==
        "- descend descend descend backtrack backtrack descend descend backtrack backtrack backtrack answer");
}

TEST_CASE("recorded search: a histogram of radii grows with every point, to the counts of its round") {
  const auto trace =
      recorded("zhou-vvh", "wald-10",
               {"radius-histogram", SearchQuestion::nearest, 3, {}, {40, 50}, {{"bins", "4"}, {"levels", "0"}}},
               {{"small", "4"}});
  Cursor cursor(trace);
  std::vector<std::uint32_t> before, last;
  for (std::uint32_t step = 1; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    if (cursor.current().phase != "round 1") continue;
    last = numbers(cursor, search_arrays::bin_count);
    REQUIRE(last.size() == 4);
    CHECK(std::accumulate(last.begin(), last.end(), 0u) == numbers(cursor, search_arrays::found).size());
    for (std::size_t bin = 0; bin < before.size(); ++bin) CHECK(last[bin] >= before[bin]);
    before = last;
  }
  CHECK(last == std::vector<std::uint32_t>{0, 4, 2, 2});  // as the kernel counts them
}

TEST_CASE("recorded search: a trace file keeps the search") {
  if (!trace_files_available()) return;
  const test::TemporaryFolder folder;
  const auto trace = recorded("wald", "wald-10", {"closest-corner", SearchQuestion::ball, 1, 20.5, {50, 40}, {}});
  const std::string path = folder.file("search.kdtrace");
  REQUIRE(save_trace(*trace, path));
  const auto back = load_trace(path).value();
  CHECK(back->header.search == trace->header.search);
  CHECK(equal(*back, *trace));
  const auto search = search_in(back->header.search).value();
  CHECK(search.radius == 20.5);
  CHECK(search.query == std::vector<double>{50, 40});
  CHECK(texts_of(search) == trace->header.search);
}

TEST_CASE("recorded search: what cannot be searched is one sentence") {
  const auto refused = [&](const std::string& data, Parameters texts) {
    RunRequest request;
    request.points = data_of(data);
    request.backend = Backend::cpu;
    request.search = std::move(texts);
    const auto trace = record(request);
    REQUIRE_FALSE(trace);
    return trace.error().message();
  };
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", "50"}}).find("1 dimensions, the points 2") !=
        std::string::npos);
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", "50,nan"}}).find("the coordinate 'nan'") !=
        std::string::npos);
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", "50,0.5"}}).find("points have whole coordinates") !=
        std::string::npos);
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", ""}}).find("no coordinates") != std::string::npos);
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", "1,2"}, {"k", "0"}}).find("k is '0'") != std::string::npos);
  CHECK(refused("wald-10", {{"search", "stack"}, {"query", "1,2"}, {"kk", "0"}}).find("no parameter 'kk'") !=
        std::string::npos);
  CHECK(refused("uniform:n=9,dim=2", {{"search", "stack"}, {"query", "1e300,2"}}).find("no 32-bit float") !=
        std::string::npos);
}

TEST_CASE("recorded search: the number of nodes is that of the tree, without the room of stores and levels") {
  // 12 points on 4 x 4 places: wehr's tree is one node per point; brown's tree leaves duplicates out and is one node
  // per place that is taken.
  for (const char* spec : {"grid:n=12,dim=2,side=4", "uniform:n=11,dim=2,seed=1", "uniform:n=16,dim=3,seed=1"}) {
    INFO(spec);
    const auto data = data_of(spec);
    std::set<std::vector<double>> places;
    std::vector<double> at;
    for (std::size_t i = 0; i < data->points.size(); ++i) {
      at.clear();
      for (std::uint32_t d = 0; d < data->points.dim; ++d) at.push_back(data->points.value(i, d));
      places.insert(at);
    }
    SearchOfRun all_within{"", SearchQuestion::ball, 1, 1e3, at, {}};
    for (const char* algorithm : {"brown", "wehr"}) {
      const auto trace = recorded(algorithm, spec, all_within);
      const auto nodes = algorithm == std::string("wehr") ? data->points.size() : places.size();
      const std::string count = std::to_string(nodes), title = trace->steps.back().title;
      INFO(title);
      CHECK(title.find(" after " + count + " of " + count + " nodes visited") != std::string::npos);
    }
  }
}

TEST_CASE("recorded search: a log that is full says so") {
  const auto data = data_of("uniform:n=500,dim=2,seed=1");
  SearchRequest request{"stack", tree_over("wald", data), data};
  request.backend = Backend::cpu;
  const auto all = log_search(request, 100'000).value();
  CHECK(all.total == all.events.size());
  const auto some = log_search(request, 7).value();
  CHECK(some.total == all.total);
  CHECK(some.events == std::vector<SearchEvent>(all.events.begin(), all.events.begin() + 7));
}

}  // namespace kdscope::recorded_search_test
