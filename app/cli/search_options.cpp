#include "app/cli/search_options.hpp"

#include "algorithms/core/caught.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : &name == &names.back() ? " or " : ", ") + name;
  return text;
}

std::vector<std::string> ids_of_searches() {
  std::vector<std::string> ids;
  for (const Search& each : all_searches()) ids.push_back(each.spec.id);
  return ids;
}

std::vector<std::string> questions() {
  std::vector<std::string> names;
  for (int i = 0; i < search_question_count; ++i) names.emplace_back(name_of(static_cast<SearchQuestion>(i)));
  return names;
}

std::uint32_t largest_k() {
  std::uint32_t most = 1;
  for (const Search& each : all_searches()) most = std::max(most, each.spec.most_k);
  return most;
}

/// Moves a query from the coordinates of the data's file to those that are kept.
void keep_as(const DataSet& data, SearchOfRun& search) {
  const std::size_t dim = data.points.dim;
  for (std::size_t i = 0; i < search.query.size(); ++i) {
    // Directions of rays are not shifted
    const bool is_place = i < dim;
    search.query[i] = (search.query[i] - (is_place && i < data.shift.size() ? data.shift[i] : 0)) * data.scale;
  }
}

}  // namespace

std::vector<Option> search_options() {
  return {{"--search", "ID",
           joined(ids_of_searches()) + ". Default: the first that answers the question for the algorithm's trees."},
          {"--question", "Q",
           joined(questions()) + ": the k nearest points, all points within a radius, all points in a box around the "
                                 "query with half sides of the radius, their number alone, or what a ray hits. "
                                 "Default: nearest."},
          {"--k", "K", "Neighbours per query, 1 to " + std::to_string(largest_k()) + ". Default: 1."},
          {"--radius", "R", "The radius of a ball or a box; nearest points farther away are left out."},
          {"--metric", "M",
           "By which distance points are nearest: euclidean; l1, the sum of the differences; or max, the largest one. "
           "stack-free, stack and closest-corner take all. Default: euclidean."},
          {"--period", "X,Y",
           "The space repeats itself after so much along each axis, and the nearest are found across its ends. "
           "stack-free and stack do so."},
          {"--search-param", "NAME=VALUE", "A parameter of the search; see kdscope-cli list searches.", false, true}};
}

Result<SearchRequest> search_request_from(const Arguments& arguments) {
  SearchRequest request;
  request.search = arguments.text("--search");
  if (!request.search.empty())
    if (auto named = search_named(request.search); !named) {
      Error error = named.error();
      if (std::string similar = did_you_mean(request.search, ids_of_searches()); !similar.empty())
        error.remedy = std::move(similar);
      return error;
    }
  const auto question = value_of(arguments.choice("--question", questions()));
  if (!question.empty()) request.question = *question_named(question);
  request.k = static_cast<std::uint32_t>(value_of(arguments.integer("--k", 1, 1, largest_k())));
  if (arguments.has("--radius")) {
    const auto radius = value_of(arguments.numbers("--radius", 1, "0.05"));
    request.radius = radius.front();
  }
  request.measure = value_of(measure_in(arguments.text("--metric"), arguments.text("--period")));
  request.parameters = value_of(arguments.named_values("--search-param", "queue=40"));
  return request;
}

Result<SearchOfRun> search_of_run_from(const Arguments& arguments) {
  auto asked = value_of(search_request_from(arguments));
  return SearchOfRun{.search = std::move(asked.search),
                     .question = asked.question,
                     .k = asked.k,
                     .radius = asked.radius,
                     .parameters = std::move(asked.parameters),
                     .measure = std::move(asked.measure)};
}

Result<Parameters> recorded_search_from(const Arguments& arguments, const DataSet& data) {
  if (!arguments.has("--query")) {
    for (const Option& option : search_options())
      if (arguments.has(option.name))
        return Error{ErrorKind::bad_usage, option.name + " is for the search of a query", "",
                     "give the query with --query X,Y, or --query all"};
    return Parameters();
  }
  SearchOfRun asked = value_of(search_of_run_from(arguments));
  ensure(set_query(asked, arguments.text("--query")));
  keep_as(data, asked);
  return texts_of(asked);
}

}  // namespace kdscope::cli
