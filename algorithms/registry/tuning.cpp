#include "algorithms/registry/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "algorithms/core/configuration_folder.hpp"
#include "algorithms/core/rank_deviation.hpp"
#include "algorithms/core/replaced_file.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_bytes = 4 << 20;

/// A search whose builder and parameters have been checked.
struct CheckedSearch {
  TypedRun run;  ///< without points
  ParameterSpec parameter;
  Device device;
};

Result<CheckedSearch> checked_tuning(const TuningRequest& request) {
  const auto run = typed({"", request.algorithm, request.parameters});
  if (!run) return run.error();
  const AlgorithmSpec* algorithm = &run->builder->spec;
  const auto tunable = tunable_parameters(*algorithm);
  const auto parameter = std::find_if(tunable.begin(), tunable.end(), [&](const auto& p) {
    return request.parameter.empty() || p.name == request.parameter;
  });
  if (parameter == tunable.end())
    return Error{ErrorKind::bad_usage,
                 request.parameter.empty()
                     ? algorithm->id + " has no parameter to search"
                     : "there is nothing to search for parameter '" + request.parameter + "' of " + algorithm->id,
                 "", tunable.empty() ? "choose another algorithm" : "choose " + tunable.front().name};
  const DeviceReport found = find_devices();
  for (const Device& device : found.devices)
    if (request.backend == Backend::automatic || device.backend == request.backend)
      return CheckedSearch{*run, *parameter, device};
  return Error{ErrorKind::no_device, "no CUDA device can be used: " + found.cuda_status, "", "choose the CPU back end"};
}

/// Returns whether times are lower than others beyond chance, although the lowest of many values was chosen: with five
/// builds of each, all of them are.
bool is_clearly_faster(const std::vector<double>& times, const std::vector<double>& than) {
  constexpr double least_deviation = 2.5, largest_ratio = 0.98;
  return rank_deviation(than, times) > least_deviation && median_ms(times) < largest_ratio * median_ms(than);
}

}  // namespace

std::vector<std::uint64_t> tuning_sizes(std::uint64_t most) {
  constexpr double least = 2000;
  std::vector<std::uint64_t> sizes;
  for (int i = 0; i < 10 && most >= least; ++i) {
    const double size = least * std::pow(static_cast<double>(most) / least, i / 9.0),
                 unit = std::pow(10, std::floor(std::log10(size)) - 1);
    const auto n = std::min(most, static_cast<std::uint64_t>(std::llround(std::round(size / unit) * unit)));
    if (sizes.empty() || n > sizes.back()) sizes.push_back(n);
  }
  return sizes.empty() ? std::vector{most} : sizes;
}

std::vector<ParameterSpec> tunable_parameters(const AlgorithmSpec& algorithm) {
  std::vector<ParameterSpec> tunable;
  for (const ParameterSpec& p : algorithm.parameters)
    if (!p.candidates.empty()) tunable.push_back(p);
  return tunable;
}

Result<TuningReport> search_tuning(const TuningRequest& request, const std::function<void(const TuningRow&)>& heard,
                                   const RunControl& control) {
  const auto search = checked_tuning(request);
  if (!search) return search.error();
  const auto sizes = request.sizes.empty() ? tuning_sizes(500'000) : request.sizes;
  TuningReport report;
  report.device = search->device;
  RunRequest run = search->run.request;
  run.backend = search->device.backend;
  double all = 0, done = 0;
  for (const std::uint64_t n : sizes) all += static_cast<double>(n + 10'000);
  RunControl quiet;
  quiet.stop = control.stop;
  std::vector<std::string> values;
  run.repeat = 1;
  const int rounds = std::max(1, request.repeat);
  const auto build_with = [&](std::size_t i, bool) -> Result<double> {
    if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the search was cancelled", "", ""};
    const auto n = run.points->points.size();
    if (control.progress)
      control.progress(done / all, std::to_string(n) + " points, " + search->parameter.name + " " + values[i]);
    run.parameters[search->parameter.name] = values[i];
    const auto took = request.measure ? request.measure(run, quiet) : build(run, quiet);
    if (!took) return took.error();
    done += static_cast<double>(n + 10'000) / static_cast<double>(values.size() * (rounds + 1u));
    return median_ms(took->build_ms);
  };
  for (const std::uint64_t n : sizes) {
    const auto data = request.data(n);
    if (!data) return data.error();
    run.points = *data;
    // The value that "auto" takes without a search
    const std::string usual_value = std::to_string(
        search->run.builder->automatic(search->parameter.name, (*data)->points, search->run.options, run.backend));
    values = search->parameter.candidates;
    if (std::ranges::find(values, usual_value) == values.end()) values.push_back(usual_value);
    const auto times = samples_in_turn(values.size(), rounds, build_with);
    if (!times && times.error().kind == ErrorKind::out_of_memory && !report.rows.empty()) {
      report.cut_short = times.error().message();
      return report;
    }
    if (!times) return times.error();
    std::vector<TuningRow> of_size;
    for (std::size_t i = 0; i < values.size(); ++i) {
      of_size.push_back({run.algorithm, search->parameter.name, n, values[i], median_ms((*times)[i])});
      if (heard) heard(of_size.back());
    }
    // Another value than the usual one must be clearly faster. A size without such a value keeps "auto".
    const std::size_t best =
        static_cast<std::size_t>(std::ranges::min_element(of_size, {}, &TuningRow::median_ms) - of_size.begin());
    const std::size_t usual = static_cast<std::size_t>(std::ranges::find(values, usual_value) - values.begin());
    const bool clear = best == usual || is_clearly_faster((*times)[best], (*times)[usual]);
    if (!clear) report.undecided.push_back(n);
    report.kept.push_back(of_size[clear ? best : usual]);
    const auto& candidates = search->parameter.candidates;
    if (!clear || std::ranges::find(candidates, report.kept.back().value) == candidates.end())
      report.kept.back().value = automatic_value;
    report.rows.insert(report.rows.end(), of_size.begin(), of_size.end());
  }
  return report;
}

const TuningRow* best_tuning(const std::vector<TuningRow>& rows, std::uint64_t n) {
  const auto apart = [&](const TuningRow& row) {
    return std::abs(std::log(static_cast<double>(row.n)) -
                    std::log(static_cast<double>(std::max<std::uint64_t>(n, 1))));
  };
  const auto key = [&](const TuningRow& row) { return std::tuple(apart(row), row.n, row.median_ms); };
  const auto best = std::min_element(rows.begin(), rows.end(),
                                     [&](const TuningRow& a, const TuningRow& b) { return key(a) < key(b); });
  return best == rows.end() ? nullptr : &*best;
}

std::string tuning_path(const Device& device) {
  const char* named = std::getenv("KDSCOPE_TUNING");
  std::string folder = named && *named ? named : configuration_folder();
  if (folder.empty()) return "";
  if (!named || !*named) folder += "/tuning";
  std::string name = std::string(name_of(device.backend)) + "-" + device.name.substr(0, 100);
  for (char& c : name)
    if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && c != '-') c = '_';
  return folder + "/" + name + ".txt";
}

Result<void> store_tuning(const TuningReport& report) {
  const std::string path = tuning_path(report.device);
  if (path.empty())
    return Error{ErrorKind::io_failure, "there is no folder to keep a search in", "",
                 "set HOME, XDG_CONFIG_HOME or KDSCOPE_TUNING"};
  std::vector<TuningRow> rows;
  if (const auto older = stored_tuning(report.device))
    for (const TuningRow& row : *older)
      if (std::none_of(report.kept.begin(), report.kept.end(), [&](const TuningRow& r) {
            return r.algorithm == row.algorithm && r.parameter == row.parameter;
          }))
        rows.push_back(row);
  rows.insert(rows.end(), report.kept.begin(), report.kept.end());

  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  return replace_file(path, tuning_text(report.device, rows));
}

Result<std::vector<TuningRow>> stored_tuning(const Device& device) {
  const std::string path = tuning_path(device);
  std::error_code problem;
  if (path.empty() || !std::filesystem::exists(path, problem)) return std::vector<TuningRow>();
  std::ifstream file(path, std::ios::binary);
  std::string text(most_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.eof() || text.empty())
    return Error{ErrorKind::io_failure,
                 text.size() == most_bytes ? "is too long for a stored search" : "cannot be read", path,
                 "remove it, or search again"};
  return parse_tuning(text, device, path);
}

Result<std::optional<std::string>> tuned_value(const Device& device, std::string_view algorithm,
                                               std::string_view parameter, std::uint64_t n) {
  std::vector<std::string> candidates;
  if (const AlgorithmSpec* spec = find_algorithm(algorithm))
    for (const ParameterSpec& p : spec->parameters)
      if (p.name == parameter) candidates = p.candidates;
  if (candidates.empty()) return std::optional<std::string>();
  auto rows = stored_tuning(device);
  if (!rows) return rows.error();
  std::erase_if(*rows, [&](const TuningRow& row) {
    return row.algorithm != algorithm || row.parameter != parameter ||
           (row.value != automatic_value &&
            std::find(candidates.begin(), candidates.end(), row.value) == candidates.end());
  });
  const TuningRow* best = best_tuning(*rows, n);
  return best && best->value != automatic_value ? std::optional(best->value) : std::nullopt;
}

}  // namespace kdscope
