// query: finds the nearest points of queries in a tree that it builds.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

Result<std::optional<double>> radius_from(const Arguments& arguments) {
  if (!arguments.has("--radius")) return std::optional<double>();
  const std::string text = arguments.text("--radius");
  double radius = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), radius);
  if (failed != std::errc() || end != text.data() + text.size())
    return Error{ErrorKind::bad_usage, "--radius is '" + text + "'", "", "give a number, for example 0.05"};
  return std::optional<double>(radius);
}

Result<QueryOrder> order_from(const Arguments& arguments) {
  const std::string text = arguments.text("--order", "given");
  if (text == "given") return QueryOrder::given;
  if (text == "morton") return QueryOrder::morton;
  return Error{ErrorKind::bad_usage, "--order is '" + text + "'", "", "choose given or morton"};
}

/// The rows "query,rank,point,distance", nearest first; ranks that the radius leaves empty have none.
std::string rows_of(const SearchRequest& request, const SearchReport& report) {
  std::string rows = "query,rank,point,distance\n";
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    if (report.points[i] == no_id) continue;
    rows += std::to_string(i / request.k) + "," + std::to_string(i % request.k + 1) + "," +
            std::to_string(report.points[i]) + "," + shortest(std::sqrt(report.squared_distances[i])) + "\n";
  }
  return rows;
}

/// A NumPy array [queries, k] of point (4294967295 where the radius holds fewer) and squared distance.
std::string npy_of(const SearchRequest& request, const SearchReport& report) {
  std::ostringstream out;
  tree_files::write_npy_header(
      out, "{'descr': [('point', '<u4'), ('squared_distance', '<f8')], 'fortran_order': False, 'shape': (" +
               std::to_string(request.queries->points.size()) + ", " + std::to_string(request.k) + "), }");
  const auto write = [&](const auto& value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    write(report.points[i]);
    write(report.squared_distances[i]);
  }
  return out.str();
}

Result<void> write_text(const std::string& path, const std::string& text) {
  auto file = ReplacedFile::begin(path);
  if (!file) return file.error();
  if (auto written = file->write(text); !written) return written;
  return file->keep();
}

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

void print_report(const BuildRequest& built, const SearchRequest& request, const SearchReport& report,
                  std::ostream& out) {
  const std::size_t n = built.data->points.size(), queries = request.queries->points.size();
  const double ms = median_ms(report.search_ms);
  const auto [least, most] = std::minmax_element(report.search_ms.begin(), report.search_ms.end());
  const Visits visits(report.visited);
  out << "search            " << request.search << ", k " << request.k;
  if (request.radius) out << ", radius " << shortest(*request.radius);
  out << "\ntree              " << built.algorithm << " over " << n << " points (" << printable(built.data->name)
      << ")\nqueries           " << queries << " (" << printable(request.queries->name) << ")\nback end          "
      << name_of(report.device.backend) << ", " << report.device.name << "\ntime              " << duration_text(ms)
      << "  median of " << report.search_ms.size() << ", " << duration_text(*least) << " to " << duration_text(*most)
      << "; " << short_number(ms > 0 ? static_cast<double>(queries) / ms / 1000 : 0) << " million queries per second\n";
  if (!report.sort_ms.empty())
    out << "sorting queries   " << duration_text(median_ms(report.sort_ms))
        << "  along a Morton curve, included above\n";
  out << "visited           " << short_number(visits.mean) << " of " << n << " nodes per query, at most " << visits.most
      << "\n";
}

void write_report(const BuildRequest& built, const SearchRequest& request, const SearchReport& report,
                  const std::optional<std::string>& difference, std::ostream& out) {
  JsonWriter json(out);
  const Visits visits(report.visited);
  json.begin_object();
  json.member("search", request.search);
  json.member("algorithm", built.algorithm);
  json.member("data", built.data->name);
  json.member("n", built.data->points.size());
  json.member("queries", request.queries->name);
  json.member("query_count", request.queries->points.size());
  json.member("k", request.k);
  json.key("radius");
  request.radius ? json.value(*request.radius) : json.value(nullptr);
  json.member("backend", name_of(report.device.backend));
  json.member("device", report.device.name);
  json.member("order", request.order == QueryOrder::morton ? "morton" : "given");
  json.member("search_ms", report.search_ms);
  json.member("sort_ms", report.sort_ms);
  json.member("median_ms", median_ms(report.search_ms));
  json.member("peak_bytes", report.peak_bytes);
  json.member("visited_mean", visits.mean);
  json.member("visited_most", visits.most);
  json.key("difference");  // null: equal, or not compared
  difference && !difference->empty() ? json.value(*difference) : json.value(nullptr);
  json.member("verified", difference.has_value());
  json.end_object();
  out << "\n";
}

Result<ExitCode> run_query(const Arguments& arguments, Console& console) {
  const auto k = arguments.integer("--k", 1, 1, most_neighbours);
  if (!k) return k.error();
  const auto repeat = arguments.integer("--repeat", 1, 1, 1'000'000);
  if (!repeat) return repeat.error();
  const auto radius = radius_from(arguments);
  if (!radius) return radius.error();
  const auto order = order_from(arguments);
  if (!order) return order.error();
  const std::string out = arguments.text("--out");
  if (!out.empty()) {
    if (const auto there = check_folder_of(out); !there) return there.error();
    if (const auto other = check_output_is_not_input("--out", out, arguments.text("--data")); !other)
      return other.error();
    if (const auto other = check_output_is_not_input("--out", out, arguments.text("--queries")); !other)
      return other.error();
  }
  auto to_build = request_from(arguments);
  if (!to_build) return to_build.error();
  print_warnings(*to_build->data, console);
  SearchRequest request;
  request.queries = to_build->data;
  if (arguments.has("--queries")) {
    const auto queries = open_data_set(arguments.text("--queries"));
    if (!queries) return queries.error();
    print_warnings(**queries, console);
    request.queries = *queries;
  }
  request.search = arguments.text("--search", request.search);
  request.k = static_cast<std::uint32_t>(*k);
  request.radius = *radius;
  request.order = *order;
  request.backend = to_build->backend;
  request.repeat = static_cast<int>(*repeat);

  auto report = build(*to_build, control_for(console));
  finish_progress(console);
  if (!report) return report.error();
  request.tree = std::make_shared<const Tree>(std::move(report->tree));
  const auto found = search(request, control_for(console));
  finish_progress(console);
  if (!found) return found.error();
  std::optional<std::string> difference;
  if (arguments.has("--verify")) {
    const auto expected = search_by_comparing_all(request, to_build->data->points, control_for(console));
    if (!expected) return expected.error();
    difference = first_difference(request, *found, *expected);
  }
  if (!out.empty())
    if (const auto written =
            write_text(out, out.ends_with(".npy") ? npy_of(request, *found) : rows_of(request, *found));
        !written)
      return written.error();

  if (arguments.has("--json")) {
    write_report(*to_build, request, *found, difference, console.out);
  } else {
    print_report(*to_build, request, *found, console.out);
    if (difference)
      console.out << (difference->empty() ? "equal to a comparison with every point" : "FAILED: " + *difference)
                  << "\n";
  }
  return difference && !difference->empty() ? exit_failed_check : exit_ok;
}

}  // namespace

Command query_command() {
  CommandSpec spec{
      "query",
      "find the nearest points of queries in a tree",
      "Builds a tree and finds the k nearest points of every query, with ties by original index. Prints the time of "
      "the search, with tree and queries resident on the device, and how many nodes a query visits. The queries are "
      "the points themselves unless --queries names others.",
      {},
      run_options(),
      {"query --data wald-10 --k 3 --verify",
       "query --data uniform:n=1000000,dim=3 --k 8 --search closest-corner --repeat 5",
       "query --data bunny --queries uniform:n=100,dim=3 --radius 0.1 --k 20 --out near.csv"}};
  std::string ids;
  for (const Search& each : all_searches())
    ids += (ids.empty() ? "" : &each == &all_searches().back() ? " or " : ", ") + each.spec.id;
  spec.options.push_back({"--search", "ID", ids + ". Default: stack-free."});
  spec.options.push_back({"--queries", "SPEC", "A data set or file of the data's dimensions and type."});
  spec.options.push_back({"--k", "K", "Neighbours per query, 1 to 128. Default: 1."});
  spec.options.push_back({"--radius", "R", "Leave out points farther away than R."});
  spec.options.push_back({"--order", "ORDER",
                          "The order in which threads serve the queries: given, or morton, which sorts them along a "
                          "Morton curve first. Default: given."});
  spec.options.push_back({"--repeat", "R", "Timed searches, 1 to 1000000. Default: 1."});
  spec.options.push_back({"--verify", "", "Compare every query with every point; exit code 4 if a neighbour differs."});
  spec.options.push_back({"--out", "FILE",
                          "Write the neighbours. FILE.csv has rows of query, rank, point, distance; FILE.npy is an "
                          "array [queries, K] of point and squared_distance."});
  spec.options.push_back(json_option());
  return {std::move(spec), run_query};
}

}  // namespace kdscope::cli
