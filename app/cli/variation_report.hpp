#pragma once
// Prints what varies between runs of one builder or of one variant.

#include <ostream>

#include "algorithms/trace/variation.hpp"

namespace kdscope::cli {

void print_variation(const Variation& variation, std::ostream& out);
/// The same as one JSON value.
void write_variation(const Variation& variation, std::ostream& out);

}  // namespace kdscope::cli
