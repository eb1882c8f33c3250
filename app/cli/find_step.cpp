#include "app/cli/find_step.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace kdscope::cli {

Result<std::uint32_t> find_step(const Trace& trace, const std::string& text) {
  const std::size_t count = trace.steps.size();
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc() && rest == end) {
    if (number < count) return number;
    return Error{ErrorKind::bad_usage, "there is no step " + text, "",
                 count == 0 ? "the trace has no steps" : "the steps are 0 to " + std::to_string(count - 1)};
  }
  const std::vector<std::uint32_t> matching = steps_matching(trace, text);
  if (matching.size() == 1) return matching[0];
  if (matching.empty())
    return Error{ErrorKind::bad_usage, "no step is called '" + text + "'", "",
                 "give its number, or phases such as \"level 1 / sort\""};
  std::string numbers;
  for (std::size_t i = 0; i < std::min<std::size_t>(matching.size(), 8); ++i)
    numbers += (i ? ", " : "") + std::to_string(matching[i]);
  if (matching.size() > 8) numbers += ", ...";
  return Error{ErrorKind::bad_usage,
               std::to_string(matching.size()) + " steps are called '" + text + "' (" + numbers + ")", "",
               "give one's number, or more phases"};
}

}  // namespace kdscope::cli
