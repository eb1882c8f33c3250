#include "algorithms/variants/device_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "algorithms/text/quotes.hpp"

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

/// Returns the part of an output from a place on to the next report.
std::string report_at(const std::string& output, std::ptrdiff_t place) {
  const std::string rest = output.substr(static_cast<std::size_t>(place));
  return rest.substr(0, rest.find("========= \n"));
}

/// Returns the line of a file that a report names first, from a place on; 0 if it names none.
std::uint32_t line_in(const std::string& report, const std::string& file, std::size_t from = 0) {
  const std::string name = std::filesystem::path(file).filename().string() + ":";
  const std::size_t at = report.find(name, from);
  return at == std::string::npos
             ? 0
             : static_cast<std::uint32_t>(std::strtoul(report.c_str() + at + name.size(), nullptr, 10));
}

std::string line_text(std::uint32_t line) { return line > 0 ? "line " + std::to_string(line) : "another place"; }

/// Returns the array that holds the address in a line of a report, if there is one.
std::optional<PlaceInArray> place_in(const std::string& report, const char* words, const std::vector<Event>& arrays) {
  static const std::regex hex("0x([0-9a-f]{6,16})");
  const std::size_t at = report.find(words);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = report.rfind('\n', at) + 1;
  const std::string line = report.substr(begin, report.find('\n', at) - begin);
  std::smatch found;
  if (!std::regex_search(line, found, hex)) return std::nullopt;
  return array_at(std::strtoull(found[1].str().c_str(), nullptr, 16), arrays);
}

Event sentence(std::uint32_t line, const std::string& deed, const std::string& tool) {
  Event fault{Event::Kind::fault, std::string(misuse_mark) + deed + " (" + tool + ")"};
  fault.line = line;
  return fault;
}

std::optional<Event> access_in(const std::string& output, const std::string& file, const std::vector<Event>& arrays) {
  static const std::regex first_line("Invalid __\\w+__ (read|write|atomic)");
  std::smatch found;
  if (!std::regex_search(output, found, first_line)) return std::nullopt;
  Event access{Event::Kind::fault};
  access.writes = found[1] != "read";
  const std::string report = report_at(output, found.position());
  access.text = report.substr(0, 4096);
  access.line = line_in(report, file);
  access.place = place_in(report, "is out of bounds", arrays);
  return access;
}

std::optional<Event> race_in(const std::string& output, const std::string& file) {
  static const std::regex first_line("Race reported between (Read|Write|Atomic) access"),
      other_line("and (Read|Write|Atomic) access"), hazard("(RAW|WAR|WAW) hazard");
  std::smatch found, other;
  // The short report names both accesses, the long one each hazard
  if (std::regex_search(output, found, first_line)) {
    const std::string report = report_at(output, found.position());
    const std::uint32_t line = line_in(report, file);
    std::string deed = std::string(found[1] == "Read" ? "reads" : "writes") + " shared memory that ";
    if (!std::regex_search(report, other, other_line)) return sentence(line, deed + "another lane uses", "racecheck");
    const std::uint32_t second = line_in(report, file, static_cast<std::size_t>(other.position()));
    return sentence(line,
                    deed + (second == line ? "another lane" : line_text(second)) +
                        (other[1] == "Read" ? " reads" : " writes") + ", with no barrier between them",
                    "racecheck");
  }
  if (!std::regex_search(output, found, hazard)) return std::nullopt;
  return sentence(
      line_in(report_at(output, found.position()), file),
      "uses shared memory that another lane writes, with no barrier between them: a hazard of kind " + found[1].str(),
      "racecheck");
}

std::optional<Event> unwritten_in(const std::string& output, const std::string& file,
                                  const std::vector<Event>& arrays) {
  static const std::regex first_line("Uninitialized __\\w+__ memory read|Uninitialized access");
  std::smatch found;
  if (!std::regex_search(output, found, first_line)) return std::nullopt;
  const std::string report = report_at(output, found.position());
  auto place = place_in(report, "Address ", arrays);
  if (!place) place = place_in(report, " 0x", arrays);
  return sentence(line_in(report, file),
                  place ? "reads " + place->array + "[" + std::to_string(place->index) + "] before anything wrote there"
                        : "reads memory before anything wrote there",
                  "initcheck");
}

std::optional<Event> barrier_in(const std::string& output, const std::string& file) {
  static const std::regex first_line("Barrier error detected\\. ?([^\n]*)");
  std::smatch found;
  if (!std::regex_search(output, found, first_line)) return std::nullopt;
  const std::string what = found[1].str().substr(0, 200);
  return sentence(line_in(report_at(output, found.position()), file),
                  "waits at a barrier that not all lanes reach" + (what.empty() ? "" : ": " + what), "synccheck");
}

const std::vector<std::string>& device_tools() {
  static const std::vector<std::string> names{"memcheck", "racecheck", "initcheck", "synccheck"};
  return names;
}

}  // namespace

Result<std::vector<std::string>> device_tools_in(const std::string& list) {
  const Error fault{ErrorKind::bad_usage, "", "", "the tools are memcheck, racecheck, initcheck and synccheck"};
  std::vector<std::string> tools;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    Error error = fault;
    error.what = "compute-sanitizer has no tool " + kdscope::quoted(word);
    if (std::ranges::find(device_tools(), word) == device_tools().end()) return error;
    error.what = "the tool " + word + " is named twice";
    if (std::ranges::find(tools, word) != tools.end()) return error;
    tools.push_back(word);
  }
  if (tools.empty() || list.ends_with(','))
    return Error{fault.kind, "the list of tools ends with a comma, or is empty", "", fault.remedy};
  return tools;
}

std::vector<std::string> device_tool_command(const Kit& kit, const std::string& tool, const std::string& program) {
  return {(std::filesystem::path(kit.cuda_compiler).parent_path() / "compute-sanitizer").string(),
          "--tool",
          tool,
          "--error-exitcode",
          "9",
          program};
}

std::optional<Event> fault_in(const std::string& output, const std::string& tool, const std::string& file,
                              const std::vector<Event>& arrays) {
  if (tool == "racecheck") return race_in(output, file);
  if (tool == "initcheck") return unwritten_in(output, file, arrays);
  if (tool == "synccheck") return barrier_in(output, file);
  return access_in(output, file, arrays);
}

}  // namespace kdscope::variants
