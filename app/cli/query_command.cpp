// query: searches a tree that it builds.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/queries/warp_work.hpp"
#include "algorithms/registry/answer_check.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/answer_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/search_options.hpp"
#include "app/cli/searched_tree.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

/// What a search costs, over all queries.
struct Visits {
  double mean = 0;
  std::uint32_t most = 0;

  explicit Visits(const std::vector<std::uint32_t>& visited) {
    for (const std::uint32_t each : visited) {
      mean += each;
      most = std::max(most, each);
    }
    if (!visited.empty()) mean /= static_cast<double>(visited.size());
  }
};

/// By what share the radii that a search chose exceed the distances of the k-th points.
struct RadiusError {
  bool known = false;
  double mean = 0, most = 0;

  RadiusError(const SearchRequest& request, const SearchReport& report) {
    std::size_t measured = 0;
    for (std::size_t query = 0; query < report.reaches.size(); ++query) {
      const std::uint64_t last = report.offsets[query] + request.k - 1;
      if (last >= report.offsets[query + 1] || report.distances[last] == 0) continue;
      const double error = std::sqrt(report.reaches[query] / report.distances[last]) - 1;
      mean += error, most = std::max(most, error), ++measured;
    }
    known = measured > 0;
    if (known) mean /= static_cast<double>(measured);
  }
};

/// Returns how many points or hits a search has found or counted.
std::uint64_t results_of(const SearchReport& report) {
  return std::accumulate(report.counts.begin(), report.counts.end(), std::uint64_t{report.found.size()});
}

/// Returns ", metric l1, period 1,1"; empty for the usual measure.
std::string measure_text(const Measure& measure) {
  std::string text;
  if (measure.metric != Metric::euclidean) text += ", metric " + std::string(name_of(measure.metric));
  for (std::size_t d = 0; d < measure.period.size(); ++d)
    text += (d == 0 ? ", period " : ",") + shortest(measure.period[d]);
  return text;
}

void report_search(const SearchedTree& built, const SearchRequest& request, const SearchSpec& spec,
                   const SearchReport& found, const std::optional<AnswerCheck>& comparison, Report&& report) {
  const std::size_t queries = request.queries->points.size(),
                    left_out = request.tree->kind().left_out(*request.tree).size();
  const double ms = median_ms(found.search_ms);
  const auto [least, most] = std::ranges::minmax(found.search_ms);
  const Visits visits(found.visited);
  const RadiusError error(request, found);
  std::optional<double> at_work, mean_error, most_error, recall;
  std::optional<std::string> difference;
  // The lanes of a packet visit together, and a warp's packets follow one another.
  if (!spec.serves_packets) at_work = warp_work(found.visited, found.order).share();
  if (error.known) mean_error = error.mean, most_error = error.most;
  if (comparison) recall = comparison->recall;
  if (comparison && !comparison->difference.empty()) difference = comparison->difference;

  report.line("search", request.search, ", ", name_of(request.question),
              request.question == SearchQuestion::nearest ? ", k " + std::to_string(request.k) : "",
              request.radius ? ", radius " + shortest(*request.radius) : "", measure_text(request.measure));
  report.line("tree", built.algorithm.empty() ? std::string(request.tree->kind().id()) : built.algorithm, " over ",
              request.tree->kind().contents(*request.tree), " (", printable(built.data->name), ")");
  report.member("search", request.search)
      .member("algorithm", built.algorithm)
      .member("data", built.data->name)
      .member("n", built.data->points.size());
  report
      .line("queries", queries, " (", printable(request.queries->name), "), ", results_of(found),
            request.question == SearchQuestion::count ? " points counted" : " results")
      .member("queries", request.queries->name)
      .member("query_count", queries);
  report.member("question", name_of(request.question))
      .member("k", request.k)
      .member("radius", request.radius)
      .member("metric", name_of(request.measure.metric))
      .member("period", request.measure.period);
  report.device(found.device).member("order", name_of(request.order));
  report
      .line("time", duration_text(ms), "  median of ", found.search_ms.size(), ", ", duration_text(least), " to ",
            duration_text(most), "; ", short_number(ms > 0 ? static_cast<double>(queries) / ms / 1000 : 0),
            " million queries per second")
      .member("search_ms", found.search_ms);
  if (!found.sort_ms.empty())
    report.line("sorting queries", duration_text(median_ms(found.sort_ms)),
                request.order == QueryOrder::morton ? "  along a Morton curve" : "  by the search itself",
                ", included above");
  report.member("sort_ms", found.sort_ms).member("median_ms", ms).member("peak_bytes", found.peak_bytes);
  report
      .line("visited", short_number(visits.mean), " nodes per query, at most ", visits.most,
            at_work ? "; " + short_number(100 * *at_work, 3) + " % of the lanes of a warp at work"
                    : ", those of its packet")
      .member("visited_mean", visits.mean)
      .member("visited_most", visits.most)
      .member("lanes_at_work", at_work);  // null: queries are served in packets
  if (const std::string fewer = left_out_text(*request.tree); !fewer.empty()) report.line("left out", fewer);
  if (error.known)
    report.line("radius", short_number(100 * error.mean), " % more than to the last of ", request.k,
                " points, at most ", short_number(100 * error.most), " %");
  report
      .member("radius_error_mean", mean_error)  // null: the search chooses no radius
      .member("radius_error_most", most_error)
      .member("left_out", left_out)
      .member("results", results_of(found));
  report
      .member("difference", difference)  // null: equal, or not compared
      .member("recall", recall)
      .member("verified", comparison.has_value());
}

Result<ExitCode> run_query(const Arguments& arguments, Console& console) {
  auto request = value_of(search_request_from(arguments));
  const auto repeat = value_of(arguments.integer("--repeat", 1, 1, 1'000'000));
  std::vector<std::string> orders;
  for (int i = 0; i < query_order_count; ++i) orders.emplace_back(name_of(static_cast<QueryOrder>(i)));
  const auto order = value_of(arguments.choice("--order", orders));
  const std::string out = arguments.text("--out");
  if (!out.empty()) {
    ensure(check_folder_of(out));
    ensure(check_output_is_not_input("--out", out, arguments.text("--data")));
    ensure(check_output_is_not_input("--out", out, arguments.text("--queries")));
  }
  // The tree is read, or built once the request is known to be possible
  std::optional<TypedRun> to_build;
  SearchedTree searched;
  if (arguments.has("--tree")) {
    ensure(check_tree_alone(arguments));
    if (!out.empty()) ensure(check_output_is_not_input("--out", out, arguments.text("--tree")));
    searched = value_of(read_searched_tree(arguments.text("--tree")));
    request.backend = value_of(backend_named(arguments.text("--backend", "auto")));
  } else {
    if (!arguments.has("--data"))
      return Error{ErrorKind::bad_usage, "query needs --data SPEC or --tree FILE", "", "for example --data wald-10"};
    to_build = value_of(run_from(arguments));
    searched.data = to_build->request.points;
    print_warnings(*searched.data, console);
    searched.algorithm = to_build->request.algorithm;
    request.backend = to_build->request.backend;
  }
  const DataSet& data = *searched.data;
  request.queries = searched.data;
  if (arguments.has("--queries")) {
    const auto queries = value_of(open_queries(arguments.text("--queries"), data));
    if (queries->name != data.name) print_warnings(*queries, console);
    request.queries = queries;
  }
  const auto named = std::ranges::find(orders, order);
  if (named != orders.end()) request.order = static_cast<QueryOrder>(named - orders.begin());
  request.repeat = static_cast<int>(repeat);
  request.tree = searched.tree;
  request = value_of(to_build ? checked_before_build(std::move(request), searched.algorithm, data)
                              : checked_request(std::move(request)));
  const auto used = value_of(search_named(request.search));

  if (to_build) {
    auto report = value_of(kdscope::run_build(*to_build, control_for(console)));
    finish_progress(console);
    request.tree = std::make_shared<const Tree>(std::move(report.tree));
  }
  const auto found = value_of(search(request, control_for(console)));
  finish_progress(console);
  std::optional<AnswerCheck> comparison;
  if (arguments.has("--verify")) {
    comparison = value_of(check_answer(request, found, data.points, control_for(console)));
    finish_progress(console);
  }
  if (!out.empty()) ensure(write_answers(out, request, found));

  const bool as_json = arguments.has("--json");
  report_search(searched, request, used->spec, found, comparison, Report(console.out, as_json));
  if (comparison && !as_json)
    console.out << (comparison->difference.empty()
                        ? "equal to a comparison with " + compared_with(*request.tree)
                        : "FAILED: " + comparison->difference + " (recall " + short_number(comparison->recall) + ")")
                << "\n";
  return comparison && !comparison->difference.empty() ? exit_failed_check : exit_ok;
}

}  // namespace

Command query_command() {
  CommandSpec spec{
      "query",
      "search a tree for the points near queries",
      "Builds a tree, or reads one, and finds, for every query, its k nearest points, or all points within a ball or a "
      "box; in trees "
      "over triangles, what rays hit. Results are in ascending order of distance, ties by original index. Prints the "
      "time of the search, with tree and queries resident on the device, and how many nodes a query visits. The "
      "queries are the points themselves unless --queries names others.",
      {},
      {},
      {"query --data wald-10 --k 3 --verify",
       "query --data uniform:n=1000000,dim=3 --k 8 --search closest-corner --repeat 5",
       "query --data bunny --queries uniform:n=100,dim=3 --question ball --radius 0.1 --out near.csv",
       "query --algorithm zhou-sah --data dragon --queries eye-rays:width=1920,height=1080 --question nearest-hit"}};
  spec.options = {algorithm_option("wald"), data_option(false), backend_option(), parameter_option()};
  spec.options.push_back({"--tree", "FILE",
                          "Search this tree in place of one that is built: what build --tree-out wrote, or the last "
                          "step of a trace. It is checked first."});
  for (Option& option : search_options()) spec.options.push_back(std::move(option));
  spec.options.push_back({"--queries", "SPEC",
                          "A data set or file of the data's dimensions; for rays, of twice its dimensions: "
                          "origin and direction. eye-rays:width=1920,height=1080 are a camera's, "
                          "random-rays:n=100000,seed=1 cross the scene anywhere."});
  spec.options.push_back(
      {"--order", "ORDER",
       "The order in which threads serve the queries: given; morton, which sorts them along a Morton "
       "curve first; or tree, for the points themselves in the tree's order. Default: given."});
  spec.options.push_back({"--repeat", "R", "Timed searches, 1 to 1000000. Default: 1."});
  spec.options.push_back(
      {"--verify", "",
       "Compare every query with every point of the tree, or every ray with every triangle, in more exact arithmetic; "
       "exit code 4 if a result is wrong."});
  spec.options.push_back(
      {"--out", "FILE",
       "Write the results as rows of query, rank, point or triangle, and distance: FILE.csv as text, "
       "FILE.npy as an array of records with the squared distance of points."});
  spec.options.push_back(json_option());
  return {std::move(spec), run_query};
}

}  // namespace kdscope::cli
