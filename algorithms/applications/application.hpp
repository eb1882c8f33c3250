#pragma once
// What an application runs. Each application says it once, with what a pick in its picture asks: whoever shows an
// application asks it for the run.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/queries/recorded_search.hpp"

namespace kdscope {

/// The trees and the searches of an application.
struct Application {
  std::string algorithm;  ///< that builds its trees
  std::string search;
  SearchQuestion question = SearchQuestion::nearest;
  Parameters search_parameters = {};  ///< that differ from the defaults
  std::string data = {};              ///< an example that it takes; empty: any of its kind

  /// Returns the options of the builder and of the search. Errors: those of typed_options().
  Result<TypedOptions> builder_options(const Parameters& given = {}) const;
  Result<TypedOptions> search_options(const Parameters& given = {}) const;

  /// Returns the largest number of points or triangles; 0 if this program lacks the builder.
  std::uint64_t most_points() const;

  /// Returns its search for one query, as a run records it. query: coordinates, or origin and direction of a ray; they
  /// are rounded to floats as the kernels' are.
  SearchOfRun search_of(const std::vector<double>& query, std::uint32_t k = 1) const;
};

}  // namespace kdscope
