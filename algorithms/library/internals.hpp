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
  std::string kind;    ///< id of the tree's kind
  PointSet shape;      ///< number, type and dimensions of the tree's points; no words
  std::optional<SearchedTree> tree;  ///< on the host, or where it was built; never empty
  mutable std::once_flag hash_known, order_known, words_known;
  mutable std::uint64_t hash = 0;                   ///< of a tree that was kept there, once asked for
  mutable std::vector<std::uint32_t> order, words;  ///< permutation() and coordinates, once asked for

  /// Returns the tree on the host. Errors: those of its copy from a device.
  Result<std::shared_ptr<const kdscope::Tree>> on_host() const;
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
