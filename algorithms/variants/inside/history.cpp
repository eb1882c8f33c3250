#include "algorithms/variants/inside/history.hpp"

#include <charconv>

namespace kdscope::access_log {

std::optional<std::pair<std::string, std::int64_t>> element_named(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos || open == 0 || !text.ends_with(']')) return std::nullopt;
  std::int64_t index = 0;
  const char *begin = text.data() + open + 1, *end = text.data() + text.size() - 1;
  const auto [rest, failed] = std::from_chars(begin, end, index);
  if (failed != std::errc() || rest != end) return std::nullopt;
  return std::pair(std::string(text.substr(0, open)), index);
}

std::vector<std::size_t> accesses_of_element(const LaunchRecording& recording, std::string_view array,
                                             std::int64_t index) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < recording.accesses.size(); ++i) {
    const Access& access = recording.accesses[i];
    const WatchedArray& of = recording.array_of(access);
    if (of.name != array) continue;
    const std::int64_t begin = index * of.element_bytes, end = begin + of.element_bytes;
    if (access.offset < end && access.offset + access.bytes > begin) found.push_back(i);
  }
  return found;
}

}  // namespace kdscope::access_log
