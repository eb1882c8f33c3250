#include "algorithms/run/run.hpp"

#include "datasets/datasets.hpp"

namespace kdscope {

Result<TypedRun> opened(RunRequest request, const RunControl& control) {
  std::optional<TypedRun> run;
  if (!request.algorithm.empty()) {  // before the points: files take time
    auto read = typed(std::move(request));
    if (!read) return read.error();
    run = std::move(*read);
  }
  RunRequest& wanted = run ? run->request : request;
  if (!wanted.points) {
    if (control.progress) control.progress(0.0, "Opening " + wanted.data);
    auto data = open_data_set(wanted.data);
    if (!data) return data.error();
    wanted.points = *data;
  }
  if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "the run was cancelled", "", ""};
  return run ? std::move(*run) : typed(std::move(request));
}

Result<BuildReport> run_build(const TypedRun& run, const RunControl& control) {
  if (const auto runners = variants::runners_in_use()) return runners->build(run.request, control);
  return build(run, control);
}

Result<variants::Recording> run_record(const TypedRun& run, const RunControl& control,
                                       const variants::StepsArrived& arrived) {
  if (const auto runners = variants::runners_in_use()) return runners->record(run.request, control, arrived);
  const auto trace = record(run, control);
  if (!trace) return trace.error();
  return variants::Recording{*trace};
}

Result<BuildReport> run_build(const RunRequest& request, const RunControl& control) {
  const auto run = opened(request, control);
  return run ? run_build(*run, control) : run.error();
}

Result<variants::Recording> run_record(const RunRequest& request, const RunControl& control) {
  const auto run = opened(request, control);
  return run ? run_record(*run, control) : run.error();
}

}  // namespace kdscope
