#include "app/experiments/measured_search.hpp"

#include <algorithm>
#include <memory>

#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

/// The request of a row, to be searched once.
Result<SearchRequest> request_of(const ExperimentRow& row, const std::shared_ptr<const Tree>& tree, const DataSet& data,
                                 Backend backend) {
  SearchRequest request;
  request.search = row.what.search;
  request.tree = tree;
  const auto queries = open_queries(row.queries.empty() ? row.specification() : row.queries, data);
  if (!queries) return queries.error();
  request.queries = *queries;
  request.k = row.what.k;
  request.backend = backend;
  request.processors = row.what.processors;
  request.parameters = row.what.search_given;
  if (const Search* search = find_search(request.search))
    for (const ParameterSpec& parameter : search->spec.parameters)
      if (const auto chosen = row.facts.parameters.find(parameter.name); chosen != row.facts.parameters.end())
        request.parameters.insert(*chosen);
  return checked_request(std::move(request));
}

Result<void> measure_search(ExperimentRow& row, const BuildReport& built, const std::shared_ptr<const Tree>& tree,
                            const DataSet& data, const ExperimentOptions& options, const RunControl& control) {
  auto request = request_of(row, tree, data, built.device.backend);
  if (!request) return request.error();
  const auto report = sample_searches(row, *request, {options.repeat}, control);
  if (!report && report.error().kind == ErrorKind::out_of_memory) {
    row.reason = "oom";
    return {};
  }
  if (!report) return report.error();
  row.facts.hash = built.tree_hash;
  row.device = report->device;
  Parameters parameters = built.parameters;
  parameters.merge(row.facts.parameters);
  row.facts.parameters = std::move(parameters);
  return {};
}

}  // namespace

Result<void> measure_searches(std::span<ExperimentRow> rows, const ExperimentOptions& options,
                              const RunControl& control) {
  const bool times_build = std::ranges::any_of(rows, [](const ExperimentRow& row) { return !row.searching(); });
  ExperimentOptions build_options = options;
  if (!times_build) build_options.repeat = 1;
  const double parts = static_cast<double>(rows.size() + 1);
  auto reports = build_row(rows.front(), {}, false, build_options, share_of(control, 0, 1 / parts));
  if (!reports) return reports.error();
  if (reports->empty()) {
    for (ExperimentRow& row : rows.subspan(1)) row.reason = rows.front().reason, row.device = rows.front().device;
    return {};
  }
  BuildReport& built = reports->front();
  const auto data = open_data_set(rows.front().specification());
  if (!data) return data.error();
  const auto tree = std::make_shared<const Tree>(std::move(built.tree));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].searching()) {
      fill_row(rows[i], built.build_ms, built);
      continue;
    }
    const double begin = static_cast<double>(i + 1) / parts;
    const auto measured =
        measure_search(rows[i], built, tree, **data, options, share_of(control, begin, begin + 1 / parts));
    if (!measured) return measured;
  }
  return {};
}

}  // namespace kdscope
