#include "app/cli/bench_options.hpp"

#include <algorithm>
#include <charconv>

#include "algorithms/core/caught.hpp"
#include "algorithms/registry/built_trees.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/arguments/run_arguments.hpp"
#include "app/bench/peer_programs.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

constexpr double longest_s = 86'400;
/// Options that do not change which rows there are.
constexpr const char* how_measured[] = {"--repeat", "--time-limit"};

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0, end; from <= list.size(); from = end + 1) {
    end = std::min(list.find(',', from), list.size());
    parts.push_back(list.substr(from, end - from));
  }
  return parts;
}

/// Reads "wald:sort=bitonic,split=widest".
Result<BenchedProcedure> procedure_in(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  BenchedProcedure procedure{text.substr(0, colon)};
  if (colon == std::string::npos) return procedure;
  for (const std::string& part : parts_of(text.substr(colon + 1))) {
    const std::size_t equals = part.find('=');
    if (equals == 0 || equals == std::string::npos)
      return Error{ErrorKind::bad_usage,
                   "in " + option + " " + text + ", " + kdscope::quoted(part) + " is not NAME=VALUE", "",
                   "write for example " + option + " wald:sort=bitonic"};
    if (!procedure.given.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      return Error{ErrorKind::bad_usage, option + " " + text + " gives " + part.substr(0, equals) + " twice", "",
                   "give it once"};
  }
  return procedure;
}

std::string text_of(const BenchedProcedure& procedure) {
  std::string text = procedure.id;
  for (const auto& [name, value] : procedure.given) text += (text == procedure.id ? ":" : ",") + name + "=" + value;
  return text;
}

bool has_parameter(const AlgorithmSpec& algorithm, const std::string& name) {
  return std::ranges::count(algorithm.parameters, name, &ParameterSpec::name) > 0;
}

/// The builders, each with the values of --param that it has. `all` stands for every builder of points.
Result<std::vector<BenchedProcedure>> builders_from(const Arguments& arguments) {
  std::vector<BenchedProcedure> builders;
  auto given = arguments.all("--algorithm");
  if (given.empty()) given = {"all"};
  for (const std::string& text : given) {
    if (text == "all") {
      for (const AlgorithmSpec& each : algorithms())
        if (!each.takes_triangles) builders.push_back({each.id});
      continue;
    }
    builders.push_back(value_of(procedure_in("--algorithm", text)));
  }
  const auto parameters = value_of(parameters_from(arguments));
  for (const auto& [name, value] : parameters) {
    bool used = false;
    for (BenchedProcedure& builder : builders)
      if (const AlgorithmSpec* spec = find_algorithm(builder.id); spec && has_parameter(*spec, name))
        used = true, builder.given.emplace(name, value);
    if (!used)
      return Error{ErrorKind::bad_usage, "none of these builders has a parameter " + kdscope::quoted(name), "",
                   "see kdscope-cli list algorithms"};
  }
  for (auto at = builders.begin(); at != builders.end(); ++at)
    if (std::any_of(builders.begin(), at, [&](const auto& each) { return text_of(each) == text_of(*at); }))
      return Error{ErrorKind::bad_usage, "--algorithm names " + text_of(*at) + " twice", "", "name it once"};
  return builders;
}

/// The searches for nearest points of a builder's trees, the usual one first.
std::vector<std::string> searches_of_builder(const std::string& builder) {
  std::vector<std::string> ids;
  const TreeKind* kind = built_tree_kind(builder);
  if (!kind || find_algorithm(builder)->takes_triangles) return ids;
  for (const Search* search : searches_of(kind->id()))
    if (std::ranges::count(search->spec.questions, SearchQuestion::nearest) > 0) ids.push_back(search->spec.id);
  return ids;
}

/// The searches; `usual` and `all` stand for those of the builders' trees.
Result<std::vector<BenchedProcedure>> searches_from(const Arguments& arguments,
                                                    const std::vector<BenchedProcedure>& builders) {
  std::vector<BenchedProcedure> searches;
  const auto add = [&](BenchedProcedure search) {
    if (std::ranges::none_of(searches, [&](const auto& each) { return text_of(each) == text_of(search); }))
      searches.push_back(std::move(search));
  };
  for (const std::string& text : arguments.all("--search")) {
    if (text == "usual" || text == "all") {
      for (const BenchedProcedure& builder : builders) {
        const auto ids = searches_of_builder(builder.id);
        for (std::size_t i = 0; i < (text == "all" ? ids.size() : std::min<std::size_t>(1, ids.size())); ++i)
          add({ids[i]});
      }
      continue;
    }
    auto search = value_of(procedure_in("--search", text));
    add(std::move(search));
  }
  return searches;
}

Result<std::vector<Backend>> backends_from(const Arguments& arguments) {
  std::vector<Backend> backends;
  auto given = arguments.all("--backend");
  if (given.empty()) given = {"auto"};
  for (const std::string& text : given) {
    auto backend = value_of(backend_named(text));
    if (backend == Backend::automatic) {
      const auto devices = value_of(kdscope::run(DevicesRequest{}));
      backend = devices.devices.front().backend;
    }
    if (std::ranges::count(backends, backend) > 0)
      return Error{ErrorKind::bad_usage, std::string("--backend names ") + name_of(backend) + " twice", "",
                   "name it once"};
    backends.push_back(backend);
  }
  return backends;
}

/// The libraries beside kdscope: by default all that this build has.
std::vector<std::string> libraries_from(const Arguments& arguments) {
  if (arguments.text("--beside") == "none") return {};
  if (arguments.has("--beside")) return parts_of(arguments.text("--beside"));
  std::vector<std::string> all;
  for (const PeerLibrary& library : peer_libraries())
    if (has_peer(library.id)) all.push_back(library.id);
  return all;
}

Result<double> seconds_from(const Arguments& arguments, double fallback) {
  if (!arguments.has("--time-limit")) return fallback;
  const std::string text = arguments.text("--time-limit");
  double seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (problem != std::errc() || end != text.data() + text.size() || !(seconds > 0 && seconds <= longest_s))
    return Error{ErrorKind::bad_usage, "--time-limit cannot be " + kdscope::quoted(text), "",
                 "give seconds, more than 0 and at most 86400"};
  return seconds;
}

}  // namespace

std::vector<Option> bench_row_options() {
  std::string libraries;
  for (const PeerLibrary& library : peer_libraries()) libraries += (libraries.empty() ? "" : ",") + library.id;
  return {
      {"--algorithm", "ID[:NAME=VALUE,...]",
       "A builder with its parameters; `all` for every builder of points. Default: all.", false, true,
       "What is measured"},
      {"--param", "NAME=VALUE", "A parameter of every builder that has it, such as sort=bitonic.", false, true},
      {"--data", "SPEC",
       "Points as of build --data. A generator takes each of the sizes: uniform, clustered, presorted (sorted), grid "
       "(many ties), equal, line, sphere, also with parameters: uniform:dim=2,type=int. {n} marks the place of the "
       "size elsewhere: toys:triangles={n}. Other data have their own size. Default: uniform.",
       false, true},
      {"--n", "N,...", "The sizes; K, M or G multiply by 10^3, 10^6 or 10^9. Default: 10K,100K,1M."},
      {"--search", "ID[:NAME=VALUE,...]",
       "Also search for the nearest points of every point, on the trees that this search takes: the id of a search, "
       "`usual` for the first one of each builder's trees, `all` for all of them. Default: none.",
       false, true},
      {"--k", "K,...", "Neighbours per query of the searches. Default: 8."},
      {"--order", "ORDER",
       "The order in which kdscope's searches serve the queries: given, morton (sorting is timed) or tree (it is "
       "not). Libraries serve them as given. Default: given."},
      {"--backend", "NAME", "auto, cpu or cuda; if it is given twice, each has a table of its own. Default: auto.",
       false, true},
      {"--processors", "N", "Use only N threads of the CPU, or N multiprocessors of the GPU. Default: all."},
      {"--beside", "LIST",
       "Libraries to measure beside kdscope on the CPU: some of " + libraries +
           ", or none. Default: those that were installed when kdscope was built."},
      {"--repeat", "R",
       "Repetitions per row after one or two that do not count. Default: 25, or down to 3 if they would take over 2 s.",
       false, false, "How it is measured"},
      {"--time-limit", "SECONDS",
       "What one row may take, all repetitions together; making the points does not count. A row that cannot be "
       "repeated within it is left out, with this as the reason. Default: 60."}};
}

bool names_rows(const Arguments& arguments) {
  return std::ranges::any_of(bench_row_options(), [&](const Option& option) {
    return std::ranges::count(how_measured, option.name) == 0 && arguments.has(option.name);
  });
}

Result<BenchPlan> bench_plan_from(const Arguments& arguments) {
  BenchPlan plan;
  plan.builders = value_of(builders_from(arguments));
  plan.data = arguments.all("--data");
  if (plan.data.empty()) plan.data = {"uniform"};
  for (auto at = plan.data.begin(); at != plan.data.end(); ++at)
    if (std::find(plan.data.begin(), at, *at) != at)
      return Error{ErrorKind::bad_usage, "--data names " + kdscope::quoted(*at) + " twice", "", "name it once"};
  plan.sizes = value_of(arguments.integers("--n", {10'000, 100'000, 1'000'000}, 1, 0x7fffffff));
  plan.searches = value_of(searches_from(arguments, plan.builders));
  for (const char* option : {"--k", "--order"})
    if (plan.searches.empty() && arguments.has(option))
      return Error{ErrorKind::bad_usage, std::string(option) + " is for searches", "", "choose some with --search"};
  const auto ks = value_of(arguments.integers("--k", {8}, 1, 1'000'000));
  for (const std::uint64_t k : ks) plan.ks.push_back(static_cast<std::uint32_t>(k));
  std::vector<std::string> orders;
  for (int i = 0; i < query_order_count; ++i) orders.emplace_back(name_of(static_cast<QueryOrder>(i)));
  const auto order = value_of(arguments.choice("--order", orders));
  if (!order.empty()) plan.order = static_cast<QueryOrder>(std::ranges::find(orders, order) - orders.begin());
  plan.backends = value_of(backends_from(arguments));
  plan.processors = static_cast<int>(value_of(arguments.integer("--processors", 0, 1, 1'000'000)));
  plan.libraries = libraries_from(arguments);
  plan.repeats = static_cast<int>(value_of(arguments.integer("--repeat", 0, 1, 1'000'000)));
  plan.time_limit_s = value_of(seconds_from(arguments, plan.time_limit_s));
  return plan;
}

std::vector<std::string> words_of(const BenchPlan& plan) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  const auto add_list = [&](const char* option, const auto& values) {
    std::string list;
    for (const auto& value : values) {
      if (!list.empty()) list += ",";
      if constexpr (requires { std::to_string(value); })
        list += std::to_string(value);
      else
        list += value;
    }
    if (!list.empty()) add(option, list);
  };
  for (const BenchedProcedure& builder : plan.builders) add("--algorithm", text_of(builder));
  for (const std::string& data : plan.data) add("--data", data);
  add_list("--n", plan.sizes);
  for (const BenchedProcedure& search : plan.searches) add("--search", text_of(search));
  if (!plan.searches.empty()) {
    add_list("--k", plan.ks);
    add("--order", name_of(plan.order));
  }
  for (const Backend backend : plan.backends) add("--backend", name_of(backend));
  if (plan.processors > 0) add("--processors", std::to_string(plan.processors));
  add_list("--beside", plan.libraries.empty() ? std::vector<std::string>{"none"} : plan.libraries);
  if (plan.repeats > 0) add("--repeat", std::to_string(plan.repeats));
  add("--time-limit", shortest(plan.time_limit_s));
  return words;
}

}  // namespace kdscope::cli
