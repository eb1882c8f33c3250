#pragma once
// Chooses the algorithm to run on points if the user has chosen none.

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Returns whether a builder takes points of this dimension and type.
bool takes(const AlgorithmSpec& spec, const PointSet& points);

/// Returns the default algorithm of a build request if it takes the points, else the first algorithm that does. If none
/// does, returns the default, whose run then reports the reason.
const std::string& usual_algorithm(const PointSet& points);

}  // namespace kdscope
