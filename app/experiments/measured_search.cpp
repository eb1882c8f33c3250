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
  request.search = row.search->search;
  request.tree = tree;
  const auto queries = open_queries(row.search->queries.empty() ? row.build.data : row.search->queries, data);
  if (!queries) return queries.error();
  request.queries = *queries;
  request.question = row.search->question;
  request.k = row.search->k;
  request.backend = backend;
  request.processors = row.build.processors;
  request.parameters = row.search->fixed;
  if (const Search* search = find_search(request.search))
    for (const ParameterSpec& parameter : search->spec.parameters)
      if (const auto chosen = row.parameters.find(parameter.name); chosen != row.parameters.end())
        request.parameters.insert(*chosen);
  return checked_request(std::move(request));
}

Result<void> measure_search(ExperimentRow& row, const BuildReport& built, const std::shared_ptr<const Tree>& tree,
                            const DataSet& data, const ExperimentOptions& options, const RunControl& control) {
  auto request = request_of(row, tree, data, built.device.backend);
  if (!request) return request.error();
  auto report = search(*request, control);  // warms up, and tells how often it can be repeated
  if (report) {
    request->repeat = options.repeat > 0 ? options.repeat : usual_repeats(report->search_ms.front());
    report = search(*request, control);
  }
  if (!report && report.error().kind == ErrorKind::out_of_memory) {
    row.reason = "oom";
    return {};
  }
  if (!report) return report.error();
  row.samples = {report->search_ms};
  row.tree_hash = built.tree_hash;
  row.device = report->device;
  row.parameters = built.parameters;
  row.parameters.insert(request->parameters.begin(), request->parameters.end());
  return {};
}

}  // namespace

Result<void> measure_searches(std::span<ExperimentRow> rows, const ExperimentOptions& options,
                              const RunControl& control) {
  const bool times_build = std::ranges::any_of(rows, [](const ExperimentRow& row) { return !row.search; });
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
  const auto data = open_data_set(rows.front().build.data);
  if (!data) return data.error();
  const auto tree = std::make_shared<const Tree>(std::move(built.tree));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].search) {
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
