#include "algorithms/variants/device_report.hpp"

#include <filesystem>
#include <regex>

namespace kdscope::variants {
namespace {

/// How far behind an array an access still counts as one of it.
constexpr std::uint64_t largest_distance = 1 << 20;

std::optional<PlaceInArray> array_at(std::uint64_t address, const std::vector<Event>& arrays) {
  const Event* nearest = nullptr;
  // A later array may have the memory of an earlier one.
  for (const Event& array : arrays)
    if (array.place && array.element_bytes > 0 && array.address <= address &&
        (!nearest || array.address >= nearest->address))
      nearest = &array;
  if (!nearest || address - nearest->address > nearest->place->size * nearest->element_bytes + largest_distance)
    return std::nullopt;
  PlaceInArray place = *nearest->place;
  place.index = static_cast<std::int64_t>((address - nearest->address) / nearest->element_bytes);
  return place;
}

}  // namespace

std::optional<Event> access_in(const std::string& output, const std::string& file, const std::vector<Event>& arrays) {
  static const std::regex first_line("Invalid __\\w+__ (read|write|atomic)"), hex("0x([0-9a-f]{6,16})");
  std::smatch found;
  if (!std::regex_search(output, found, first_line)) return std::nullopt;
  Event access{Event::Kind::fault};
  access.writes = found[1] != "read";
  // The report of this access goes on to the next empty line.
  std::string report = output.substr(static_cast<std::size_t>(found.position()));
  report = report.substr(0, report.find("========= \n"));
  access.text = report.substr(0, 4096);
  const std::string name = std::filesystem::path(file).filename().string() + ":";
  if (const std::size_t at = report.find(name); at != std::string::npos)
    access.line = static_cast<std::uint32_t>(std::strtoul(report.c_str() + at + name.size(), nullptr, 10));
  if (const std::size_t at = report.find("is out of bounds"); at != std::string::npos) {
    const std::size_t begin = report.rfind('\n', at) + 1;
    const std::string line = report.substr(begin, at - begin);
    if (std::regex_search(line, found, hex))
      access.place = array_at(std::strtoull(found[1].str().c_str(), nullptr, 16), arrays);
  }
  return access;
}

}  // namespace kdscope::variants
