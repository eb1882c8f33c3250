#pragma once
// Lists every builder of this build. The list is generated from the folders here.

#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

const std::vector<const Builder*>& builders();

}  // namespace kdscope
