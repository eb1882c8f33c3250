#pragma once
// What to run on points when nobody says.

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Whether a builder takes points of this dimension and type.
bool takes(const AlgorithmSpec& spec, const PointSet& points);

/// The default of a build request where it takes the points, else the first algorithm that does; the default where none
/// does, to say why.
const std::string& usual_algorithm(const PointSet& points);

}  // namespace kdscope
