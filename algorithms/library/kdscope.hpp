#pragma once
// The header that programs include: the types and functions of library.hpp as kdscope::Tree, kdscope::build() and so
// on. Sources of kdscope itself include library.hpp, because their own types have some of these names.

#include "algorithms/library/library.hpp"

namespace kdscope {
using namespace library;
}
