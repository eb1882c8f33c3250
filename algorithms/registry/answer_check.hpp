#pragma once
// Judges a search's answer by comparing every query with every point, or every ray with every triangle. Shares no code
// with the searches, and rounds as they do nowhere.

#include <string>

#include "algorithms/queries/search.hpp"

namespace kdscope {

/// What comparing everything with everything showed.
struct AnswerCheck {
  std::string difference;  ///< the first wrong result in one sentence; empty if the answer is right
  double recall = 1;       ///< share of the expected results that were found, 0 to 1; 1 if none was expected
};

/// Checks an answer on all threads of the machine. points: the input of the tree, in its original order; those that the
/// tree leaves out are not expected.
///
/// Points are compared in twice the precision of a double. A result is right if its squared distance is one that
/// rounding to the search's numbers allows, and no point that is nearer beyond rounding is missing. Where all numbers
/// are exact, as on small whole numbers, ties must be in the order of indices, and distances equal bit for bit.
/// Hits of rays are decided by the signs of determinants in exact arithmetic. A search that chose its own reaches must
/// find all points within them.
///
/// Work O(queries x n). Errors: cancelled.
Result<AnswerCheck> check_answer(const SearchRequest& request, const SearchReport& found, const PointSet& points,
                                 const RunControl& control = {});

/// Returns, for people, the comparison that check_answer() makes: "every point", "each of the 11 points in the tree",
/// "every triangle".
std::string compared_with(const Tree& tree);

}  // namespace kdscope
