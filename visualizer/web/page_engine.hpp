#pragma once
// The engine of pages (visualizer/web/engine): the script that a page holds, or that stands beside it.

#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// How a page gets its engine; static if both are empty.
struct PageEngine {
  std::string script = {};  ///< the engine's text, which becomes part of the page
  std::string file = {};    ///< or the relative address of a file with it
};

/// The name of the engine's file, also beside the pages of a course.
inline constexpr const char* engine_file_name = "kdscope-engine.js";

/// Returns the text of the engine: of $KDSCOPE_ENGINE, of the installation, or of this source tree. Errors: there is
/// none, and how to build it; one of another version.
Result<std::string> read_engine();

}  // namespace kdscope
