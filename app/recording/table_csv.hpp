#pragma once
// The arrays of one step as comma-separated values, streamed: every element, every number exact.

#include <functional>
#include <string_view>

#include "algorithms/builders/algorithm.hpp"
#include "visualizer/model/concealment.hpp"

namespace kdscope {

/// Writes the arrays whose index is in a space: a head line with their names, then one line per index with one column
/// per array. An array of several components has one column per component ("points.x"); a shorter array ends in empty
/// fields. Floats have the fewest digits that read back as the same value. Lines end in LF, as in all tables of
/// kdscope. `sink` takes some hundred KiB at a time and returns false when it cannot. Work O(elements), memory O(1).
/// Errors: nothing written yet at this step, cancelled, a sink that fails (io_failure). Hidden arrays have
/// concealed_text in every field.
Result<void> write_csv(const Cursor& cursor, Space space, const std::function<bool(std::string_view)>& sink,
                       const RunControl& control = {}, const Concealment& concealed = {});

}  // namespace kdscope
