#pragma once
// The run that steps what was picked in the pane of an application.

#include "algorithms/applications/application.hpp"
#include "app/session/session.hpp"

namespace kdscope {

/// Returns a run with an application's trees. Parameters of another algorithm are left out.
inline RunSpec with_trees_of(const Application& application, RunSpec spec) {
  if (spec.algorithm != application.algorithm) spec.parameters.clear();
  spec.algorithm = application.algorithm;
  spec.search.clear();
  return spec;
}

/// The same with a search to record.
inline RunSpec with_search_of(const Application& application, RunSpec spec, const SearchOfRun& search) {
  spec = with_trees_of(application, std::move(spec));
  spec.search = texts_of(search);
  return spec;
}

}  // namespace kdscope
