#include "app/experiments/zhou_2008.hpp"

#include <cstdio>

#include "algorithms/trees/split_planes/exact_sah.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::zhou_2008 {

const std::array<Scene, 6> scenes{{
    {"toys", 11'000, "85", "12", "79.0", "67.9", "8", {"37", "22", "18", "16", "15", "14", "13", "12"}},
    {"museum", 27'000, "108", "17", "76.6", "38.3", "18", {"57", "34", "26", "22", "20", "19", "18", "17"}},
    {"robots", 71'000, "487", "39", "68.6", "59.7", "50", {"197", "107", "77", "63", "55", "49", "46", "39"}},
    {"kitchen", 111'000, "559", "53", "49.6", "77.8", "90", {"260", "139", "98", "79", "68", "60", "56", "53"}},
    {"fairy-forest",
     178'000,
     "1226",
     "77",
     "74.4",
     "94.6",
     "123",
     {"463", "242", "169", "133", "113", "100", "91", "77"}},
    {"dragon", 252'000, "1354", "93", "124.2", "193.9", "178", {"564", "292", "202", "157", "132", "116", "105", "93"}},
}};

Experiment experiment(std::string id, const std::string& place, std::string title, Measure measure) {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = std::move(id);
  spec.citation = "Zhou et al. 2008, " + place;
  spec.title = std::move(title);
  spec.counted = "triangles";
  spec.x_column = "triangles";
  spec.x = {"triangles", "", true};
  spec.series_column = "builder";
  spec.printed = {{"8800_ultra", "8800 ULTRA"}};
  spec.parameters = parameters_of("zhou-sah", {"small", "chunk", "empty", "traversal"});
  return made;
}

ExperimentRow& add_row(ExperimentSpec& spec, const Scene& scene, std::string series) {
  ExperimentRow& row = kdscope::add_row(spec, std::move(series), scene.triangles);
  row.builds("zhou-sah", scene.data, 3, {});
  return row;
}

double traversal_cost(const Parameters& parameters) { return std::stod(parameters.at("traversal")) / 100; }

double cost_of(const Tree& tree) {
  for (const auto& [name, number] : tree.kind().facts(tree).numbers)
    if (name == "sah_cost") return std::get<double>(number);
  return 0;
}

Result<Tree> exact_tree(const std::shared_ptr<const DataSet>& data, const ExperimentRow& row,
                        const RunControl& control) {
  try {
    return Tree(exact_sah_tree(data, traversal_cost(row.facts.parameters), 64, control.stop));
  } catch (const ErrorException& e) {
    return e.error();
  }
}

Result<std::optional<Tree>> measure_exact(ExperimentRow& row, const ExperimentOptions& options,
                                          const RunControl& control) {
  const auto data = open_data_set(row.specification());  // data generation is not part of the build
  if (!data) return data.error();
  row.device = {};
  row.device.name = "1 thread";
  std::optional<Tree> made;
  const auto times = time_on_cpu(
      row,
      [&] {
        auto tree = exact_tree(*data, row, control);
        if (!tree) throw ErrorException(tree.error());
        made = std::move(*tree);
      },
      options, control);
  if (!times) return times.error();
  if (times->empty()) return std::optional<Tree>();
  row.samples = {*times};
  row.facts.hash = tree_hash(*made);
  row.facts.parameters = {{"traversal", row.facts.parameters.at("traversal")}};
  return made;
}

std::string decimal(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string percent_of(const char* value, const char* whole) {
  return decimal(100 * std::stod(value) / std::stod(whole));
}

}  // namespace kdscope::zhou_2008
