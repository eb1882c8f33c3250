#include "algorithms/trace/phase_path.hpp"

#include <algorithm>

namespace kdscope {

PhasePath::PhasePath(std::string_view text) {
  while (!text.empty()) {
    const std::size_t slash = text.find('/');
    std::string_view phase = text.substr(0, slash);
    while (!phase.empty() && phase.front() == ' ') phase.remove_prefix(1);
    while (!phase.empty() && phase.back() == ' ') phase.remove_suffix(1);
    if (!phase.empty()) phases_.emplace_back(phase);
    text = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  }
}

bool PhasePath::matches(const Step& step) const {
  return !phases_.empty() &&
         std::search(step.path.begin(), step.path.end(), phases_.begin(), phases_.end()) != step.path.end();
}

}  // namespace kdscope
