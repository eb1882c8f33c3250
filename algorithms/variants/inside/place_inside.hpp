#pragma once
// A place inside a step by its name: "block 0 / interval 2 / lane 5".

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kdscope::access_log {

/// What the name leaves out is the first one.
struct PlaceInside {
  std::uint32_t launch = 0;  ///< of those of the step that the recording holds
  std::uint32_t group = 0;
  std::optional<std::uint32_t> interval = {}, lane = {};
  bool operator==(const PlaceInside&) const = default;
};

/// Reads parts "launch 1", "block 3" or "warp 3", "interval 2", and "lane 5" or "index 5", with '/' between them.
/// Returns nullopt for another text.
inline std::optional<PlaceInside> place_inside(std::string_view text) {
  PlaceInside place;
  while (true) {
    const std::size_t slash = text.find('/');
    std::string_view part = text.substr(0, slash);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    const std::size_t space = part.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view word = part.substr(0, space), digits = part.substr(space + 1);
    std::uint32_t number = 0;
    const auto [rest, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failed != std::errc() || rest != digits.data() + digits.size()) return std::nullopt;
    if (word == "launch")
      place.launch = number;
    else if (word == "block" || word == "warp")
      place.group = number;
    else if (word == "interval")
      place.interval = number;
    else if (word == "lane" || word == "index")
      place.lane = number;
    else
      return std::nullopt;
    if (slash == std::string_view::npos) return place;
    text.remove_prefix(slash + 1);
  }
}

}  // namespace kdscope::access_log
