// Tests recorded batches: every point is a query, in two orders, with what each costs.
#include <numeric>
#include <set>

#include "algorithms/queries/registration.hpp"
#include "algorithms/queries/warp_work.hpp"
#include "algorithms/queries/wehr/wehr.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_validity.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::recorded_batch_test {
using namespace kdscope::tests;

namespace {

Result<std::shared_ptr<const Trace>> batch_of(const std::string& algorithm, const std::string& data,
                                              const SearchOfRun& search) {
  RunRequest request{{}, algorithm, {}, Backend::cpu, false, data_of(data)};
  request.search = texts_of(search);
  return record(request);
}

SearchOfRun of_all(const std::string& search = "") {
  SearchOfRun all;
  all.search = search;
  all.k = 4;
  all.all_points = true;
  return all;
}

std::vector<std::uint32_t> numbers(const Cursor& cursor, const char* name) {
  const TypedArray* array = cursor.array(name);
  INFO(name);
  REQUIRE(array);
  const auto values = array->as<std::uint32_t>();
  return {values.begin(), values.end()};
}

std::size_t step_named(const Trace& trace, const std::string& name) {
  for (std::size_t i = 0; i < trace.steps.size(); ++i)
    if (trace.steps[i].name == name) return i;
  FAIL(name);
  return 0;
}

/// A search that gives up subtrees by a parameter of another name than the shipped ones have.
struct LimitedByAnotherName : queries::wehr::BoundedPriorityQueue {
  struct Options {
    std::uint32_t room = 0;
  };
  static const OptionTable<Options>& option_table() {
    static const auto table =
        OptionTable<Options>().integer({"room", "Room", "Nodes that may wait; 0: no limit."}, &Options::room, 0, 9);
    return table;
  }
  Options chosen;
  explicit LimitedByAnotherName(const Options& options) : chosen(options) {}
  bool may_give_up(SearchQuestion) const { return chosen.room > 0; }
};

}  // namespace

TEST_CASE("recorded batches: a search that may give up subtrees is not compared, and every other is") {
  const auto checks = [](const std::string& algorithm, const SearchOfRun& search) {
    const auto trace = batch_of(algorithm, "uniform:n=300,dim=2,seed=5", search).value();
    std::vector<std::string> names;
    for (const CheckResult& check : trace->steps.back().checks) {
      INFO(check.detail);
      CHECK(check.passed);
      names.push_back(check.name);
    }
    return std::ranges::count(names, "answer");
  };
  for (const std::string algorithm : {"wehr", "hu"}) {
    INFO(algorithm);
    SearchOfRun search = of_all();
    CHECK(checks(algorithm, search) == 1);
    search.parameters = {{"queue", "0"}};
    CHECK(checks(algorithm, search) == 1);
    search.parameters = {{"queue", "2"}};
    CHECK(checks(algorithm, search) == 0);
    search.question = SearchQuestion::ball;
    search.radius = 0.1;
    CHECK(checks(algorithm, search) == (algorithm == "hu" ? 1 : 0));  // balls of hu give up nothing
  }
}

TEST_CASE("searches: which may give up subtrees is declared, whatever their parameters are called") {
  const SearchSpec limited = queries::declared<LimitedByAnotherName>("a", "A", "", "", "");
  REQUIRE(limited.may_give_up);
  CHECK(limited.may_give_up(SearchQuestion::ball, *limited.parse("a", {{"room", "3"}})));
  CHECK_FALSE(limited.may_give_up(SearchQuestion::ball, *limited.parse("a", {{"room", "0"}})));
  for (const Search& search : all_searches()) {
    INFO(search.spec.id);
    const auto defaults = typed_search_options(search.spec.id, {}).value();
    for (const SearchQuestion question : search.spec.questions)
      CHECK_FALSE((search.spec.may_give_up && search.spec.may_give_up(question, defaults)));
  }
  const auto none = typed_search_options("no-such-search", {});
  REQUIRE_FALSE(none);
  CHECK(none.error().what.find("no-such-search") != std::string::npos);
}

TEST_CASE("warp work: a warp takes the turns of its longest query") {
  std::vector<std::uint32_t> visited(40, 2), order(40);
  std::iota(order.begin(), order.end(), 0u);
  visited[3] = 10, visited[35] = 4;
  WarpWork work = warp_work(visited, order);
  CHECK(work.visits == 38 * 2 + 10 + 4);
  CHECK(work.turns == 10 + 4);
  CHECK(work.slots == 10 * 32 + 4 * 8);
  CHECK(work.share() == Approx(90.0 / 352));
  std::swap(order[35], order[0]);  // both long queries in the first warp
  work = warp_work(visited, order);
  CHECK(work.turns == 10 + 2);
  CHECK(warp_work({}, {}).share() == 1);
}

TEST_CASE("recorded batch: the rows tell what every query visits and how long its warp takes") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    const auto trace = batch_of(algorithm.id, "clustered:n=300,dim=2,seed=3", of_all());
    INFO(algorithm.id << (trace ? "" : ": " + trace.error().message()));
    REQUIRE(trace);
    CHECK(check_trace(**trace));
    CHECK((*trace)->header.search.at("query") == "all");
    REQUIRE((*trace)->steps.size() == 3);
    CHECK((*trace)->steps.back().checks.size() == 2);
    for (const CheckResult& check : (*trace)->steps.back().checks) CHECK(check.passed);
    // What each query visits is what a search of it alone visits.
    SearchRequest one;
    one.backend = Backend::cpu;
    one.tree = tree_over(algorithm.id, data_of("clustered:n=300,dim=2,seed=3"));
    one.queries = data_of("clustered:n=300,dim=2,seed=3");
    one.k = 4;
    const auto alone = search(one).value();
    for (const char* name : {"given order", "Morton order"}) {
      INFO(name);
      Cursor cursor(*trace);
      cursor.seek(static_cast<std::uint32_t>(step_named(**trace, name)));
      const auto query = numbers(cursor, batch_arrays::query), turns = numbers(cursor, batch_arrays::turns),
                 warp = numbers(cursor, batch_arrays::warp), idle = numbers(cursor, batch_arrays::idle),
                 visits = numbers(cursor, batch_arrays::visits), lanes = numbers(cursor, batch_arrays::lanes);
      CHECK(visits == alone.visited);
      std::vector<std::uint32_t> sorted = query;
      std::ranges::sort(sorted);
      std::vector<std::uint32_t> every(300);
      std::iota(every.begin(), every.end(), 0u);
      CHECK(sorted == every);
      CHECK((query == every) == (std::string(name) == "given order"));
      const std::size_t columns = *std::ranges::max_element(visits) + std::size_t(1);
      REQUIRE(lanes.size() == 10 * columns);
      for (std::size_t i = 0; i < 300; ++i) {
        CHECK(turns[i] == visits[query[i]]);
        CHECK(warp[i] == i / 32);
        const std::size_t first = i / 32 * 32, end = std::min<std::size_t>(first + 32, 300);
        CHECK(turns[i] + idle[i] == *std::max_element(turns.begin() + static_cast<std::ptrdiff_t>(first),
                                                      turns.begin() + static_cast<std::ptrdiff_t>(end)));
      }
      for (std::size_t w = 0; w < 10; ++w)
        for (std::size_t turn = 0; turn < columns; ++turn)
          CHECK(lanes[w * columns + turn] ==
                std::count_if(turns.begin() + static_cast<std::ptrdiff_t>(32 * w),
                              turns.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(32 * w + 32, 300)),
                              [&](std::uint32_t t) { return t > turn; }));
    }
  }
}

TEST_CASE(
    "recorded batch: the lanes of a warp visit fewer different nodes if queries are sorted, and the title says so") {
  const std::string data = "uniform:n=1024,dim=2,seed=1";
  const auto trace = batch_of("wald", data, of_all("stack-free")).value();
  // The nodes that some queries visit, from searches of them alone.
  SearchRequest one;
  one.backend = Backend::cpu;
  one.search = "stack-free";
  one.tree = tree_over("wald", data_of(data));
  one.k = 4;
  const auto set = data_of(data);
  const PointSet& points = set->points;
  const auto nodes_of = [&](std::uint32_t query) {
    auto alone = std::make_shared<DataSet>();
    alone->points.dim = 2;
    alone->points.words = {points.words[2 * query], points.words[2 * query + 1]};
    one.queries = alone;
    const auto log = log_search(one, 100'000).value();
    std::vector<std::uint32_t> nodes;
    for (const SearchEvent& event : log.events)
      if (event.kind == EventKind::enter) nodes.push_back(event.node);
    return nodes;
  };
  std::vector<double> different;
  for (const char* name : {"given order", "Morton order"}) {
    INFO(name);
    Cursor cursor(trace);
    cursor.seek(static_cast<std::uint32_t>(step_named(*trace, name)));
    const auto query = numbers(cursor, batch_arrays::query), visits = numbers(cursor, batch_arrays::visits),
               nodes = numbers(cursor, batch_arrays::nodes), lanes = numbers(cursor, batch_arrays::lanes);
    REQUIRE(nodes.size() == lanes.size());
    const std::size_t columns = nodes.size() / 32;
    constexpr std::size_t warp = 5;
    std::vector<std::vector<std::uint32_t>> paths;
    for (std::size_t lane = 0; lane < 32; ++lane) paths.push_back(nodes_of(query[32 * warp + lane]));
    for (std::size_t turn = 0; turn < columns; ++turn) {
      std::set<std::uint32_t> in_turn;
      for (const auto& path : paths)
        if (turn < path.size()) in_turn.insert(path[turn]);
      CHECK(nodes[warp * columns + turn] == in_turn.size());
    }
    const WarpWork work = warp_work(visits, query);
    different.push_back(std::accumulate(nodes.begin(), nodes.end(), 0.0) / static_cast<double>(work.turns));
    const std::string& title = cursor.current().title;
    const auto at = title.find("are at work, at ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(title.substr(at + 16)) == Approx(different.back()).epsilon(0.006));
  }
  CHECK(different[1] < 0.7 * different[0]);
}

TEST_CASE("recorded batch: files keep it, and requests that make no sense are refused") {
  const SearchOfRun all = of_all();
  const auto read = search_in(texts_of(all)).value();
  CHECK(read.all_points);
  const auto trace = batch_of("hu", "hu-10", all).value();
  const test::TemporaryFolder folder;
  const std::string path = folder.file("batch.kdtrace");
  REQUIRE(save_trace(*trace, path));
  const auto back = load_trace(path).value();
  CHECK(equal(*back, *trace));

  SearchOfRun rays = all;
  rays.question = SearchQuestion::nearest_hit;
  CHECK(search_in(texts_of(rays)).error().message().find("the points are no rays") != std::string::npos);
  CHECK_FALSE(batch_of("zhou-sah", "zhou-8", rays));
  SearchOfRun many = all;
  many.k = 11;
  const auto refused = batch_of("hu", "hu-10", many);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("11") != std::string::npos);
}

TEST_CASE("recorded batch: packets show what they visit together, and no turns of single lanes") {
  const auto trace = batch_of("rank", "clustered:n=300,dim=2,seed=3", of_all("bucket-packets")).value();
  CHECK(check_trace(*trace));
  for (const CheckResult& check : trace->steps.back().checks) CHECK(check.passed);
  for (const char* name : {"given order", "Morton order"}) {
    INFO(name);
    Cursor cursor(trace);
    cursor.seek(static_cast<std::uint32_t>(step_named(*trace, name)));
    CHECK(numbers(cursor, batch_arrays::visits).size() == 300);
    CHECK_FALSE(cursor.array(batch_arrays::idle));
    CHECK_FALSE(cursor.array(batch_arrays::lanes));
    CHECK_FALSE(cursor.array(batch_arrays::nodes));
    CHECK(cursor.current().title.find("the packet of a query visits ") != std::string::npos);
  }
}

}  // namespace kdscope::recorded_batch_test
