#pragma once
// Every builder of this build; the list is generated from the folders here.

#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

const std::vector<const Builder*>& builders();

}  // namespace kdscope
