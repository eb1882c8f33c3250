#pragma once
// Chooses the algorithm to run on points if the user has chosen none.

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// The algorithm of runs that name none, where it takes the points.
inline constexpr const char* usual_algorithm_id = "wald";

/// Returns whether a builder takes points of this dimension and type.
bool takes(const AlgorithmSpec& spec, const PointSet& points);

/// Returns usual_algorithm_id if it takes the points, else the first algorithm that does. If none does, returns
/// usual_algorithm_id, whose run then reports the reason.
const std::string& usual_algorithm(const PointSet& points);

}  // namespace kdscope
