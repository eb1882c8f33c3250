#pragma once
// Steps as command lines name them.

#include <cstdint>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope::cli {

/// Returns a step by its number, or by a phase path that matches exactly one. Errors of kind bad_usage: none or several
/// match.
Result<std::uint32_t> find_step(const Trace& trace, const std::string& text);

}  // namespace kdscope::cli
