#pragma once
// A part of a step's path, as people write it: "level 1 / sort".

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

class PhasePath {
 public:
  /// Reads phases between slashes. Blanks around them do not count.
  explicit PhasePath(std::string_view text);
  /// Returns whether the step's path contains the phases consecutively, in order. No phases match no step.
  bool matches(const Step& step) const;

 private:
  std::vector<std::string> phases_;
};

}  // namespace kdscope
