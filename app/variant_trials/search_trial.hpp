#pragma once
// Tries a search of one's own in place of the one of a recorded run, and looks inside it. For the window. No Qt.

#include <cstddef>
#include <optional>
#include <string>

#include "app/variant_trials/step_look.hpp"

namespace kdscope {

/// What a search of one's own did.
struct SearchTrial {
  access_log::Look look;
  /// The first element of the answer that differs from the original's, in a sentence; empty if the answers are equal.
  std::string difference;
  std::optional<std::size_t> access = {};  ///< that wrote it, by its index; none: nobody did
};

/// Runs the search of request.search_file and that of the run with the run's queries, and compares what they leave. The
/// numbers of nodes visited are no part of the answer. Errors: those of look_inside_step(); bad_usage if the file is no
/// search, if the run is none, or if its trees are of another algorithm.
Result<SearchTrial> try_search(StepLookRequest request, variants::CompilerErrors& errors,
                               const RunControl& control = {});

/// The outcome in one sentence: "gives the answer of the original, and has 2 findings".
std::string outcome_text(const SearchTrial& trial);

}  // namespace kdscope
