#pragma once
// What the objects of library.hpp hold, for sources of kdscope that go on from them, such as the Python module. Not
// installed.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/library/library.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"

namespace kdscope::library {

struct Tree::State {
  std::string builder;
  BuildReport report;  ///< without its tree
  std::shared_ptr<const kdscope::Tree> tree;
  mutable std::once_flag searched_before, order_known, words_known;
  mutable std::optional<SearchedTree> searched;     ///< once it has been searched
  mutable std::vector<std::uint32_t> order, words;  ///< permutation() and coordinates, once asked for
};

struct Trace::State {
  std::shared_ptr<const kdscope::Trace> trace;
};

/// Returns a copy of points as builders take them. name: of the data, for errors. Errors: no whole number of points, a
/// coordinate that is not finite.
Result<std::shared_ptr<const DataSet>> data_set_of(const Points& points, const std::string& name);

/// Returns the request of a run. Errors: those of data_set_of() and backend_named().
Result<RunRequest> request_of(const Points& points, const BuildOptions& options);

}  // namespace kdscope::library
