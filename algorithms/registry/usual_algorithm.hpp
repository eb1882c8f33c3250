#pragma once
// The algorithm to run on points if none is chosen.

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Returns whether a builder takes points of this dimension and type.
bool takes(const AlgorithmSpec& spec, const PointSet& points);

/// Returns the default algorithm of a build request if it takes the points, else the first one that does; if none does,
/// returns the default, whose run then reports why.
const std::string& usual_algorithm(const PointSet& points);

}  // namespace kdscope
