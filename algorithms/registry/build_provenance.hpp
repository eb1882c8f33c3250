#pragma once
// Which commit and which compiler this program was built from.

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Of this program, as recordings keep it. Written by the build (app/cmake/WriteProvenance.cmake).
const BuildProvenance& build_provenance();

}  // namespace kdscope
