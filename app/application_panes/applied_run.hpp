#pragma once
// The run that steps what was picked in the pane of an application.

#include "algorithms/applications/application.hpp"
#include "app/session/session.hpp"

namespace kdscope {

/// Returns a run with an application's trees. Parameters of another algorithm are left out.
inline RunRequest with_trees_of(const Application& application, RunRequest run) {
  if (run.algorithm != application.algorithm) run.parameters.clear();
  run.algorithm = application.algorithm;
  run.search.clear();
  return run;
}

/// The same with a search to record.
inline RunRequest with_search_of(const Application& application, RunRequest run, const SearchOfRun& search) {
  run = with_trees_of(application, std::move(run));
  run.search = texts_of(search);
  return run;
}

}  // namespace kdscope
