#pragma once
// The pseudo-code that a page shows beside its steps. Who makes the page reads it, because a trace alone does not hold
// it.

#include <functional>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

struct PageCode {
  struct Line {
    int number = 0;  ///< from 1
    int indent = 0;
    std::vector<std::string> pieces;  ///< a value may stand after each
  };
  struct Value {
    int line = 0, piece = 0;  ///< from 0
    std::string text;         ///< "level = 1"
  };
  /// What a step runs.
  struct Run {
    std::vector<int> lines;     ///< from 0, ascending
    std::vector<Value> values;  ///< none where they are hidden
    std::string facts;          ///< how it was launched, and what it wrote
  };
  std::vector<Line> lines;  ///< empty: the algorithm has no pseudo-code
  /// Returns what the cursor's step runs, with its values if they are wanted. May be empty if there are no lines.
  std::function<Run(const Cursor& now, const Cursor* before, bool values)> run_at;
};

}  // namespace kdscope
