#include "algorithms/run/run.hpp"

#include "algorithms/registry/usual_algorithm.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {

Result<RunRequest> opened(RunRequest request, const RunControl& control) {
  if (!request.algorithm.empty())
    if (const auto complete = complete_parameters(request.algorithm, request.parameters); !complete)
      return complete.error();
  if (!request.points) {
    if (control.progress) control.progress(0.0, "Opening " + request.data);
    auto data = open_data_set(request.data);
    if (!data) return data.error();
    request.points = *data;
  }
  if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the run was cancelled", "", ""};
  if (request.algorithm.empty()) request.algorithm = usual_algorithm(request.points->points);
  return request;
}

Result<BuildReport> run_build(const RunRequest& request, const RunControl& control) {
  if (variants::Runners* runners = variants::runners_in_use()) return runners->build(request, control);
  return build(request, control);
}

Result<variants::Recording> run_record(const RunRequest& request, const RunControl& control) {
  if (variants::Runners* runners = variants::runners_in_use()) return runners->record(request, control);
  const auto trace = record(request, control);
  if (!trace) return trace.error();
  return variants::Recording{*trace};
}

}  // namespace kdscope
