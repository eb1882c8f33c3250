#pragma once
// Faults that are planted in stages of builders: files of tests/variants/planted.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/kit.hpp"
#include "algorithms/variants/stage_source.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

struct PlantedFault {
  std::string algorithm, stage;  ///< without a stage: in a copy of the whole builder
  std::string data;
  std::string points;  ///< in place of `data`: lines of a CSV file
  Parameters parameters;
  std::vector<std::pair<std::string, std::string>> changes;
  std::string found;  ///< "KIND: SENTENCE"; see with_lines()
};

/// Returns the blocks of a file by their heads, the lines "[head]".
inline std::vector<std::pair<std::string, std::string>> blocks_of(const std::filesystem::path& path) {
  std::vector<std::pair<std::string, std::string>> blocks{{"", ""}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("[") && line.ends_with("]"))
      blocks.push_back({line.substr(1, line.size() - 2), ""});
    else
      blocks.back().second += (blocks.back().second.empty() ? "" : "\n") + line;
  }
  return blocks;
}

inline PlantedFault read_fault(const std::filesystem::path& path) {
  PlantedFault fault;
  for (const auto& [head, text] : blocks_of(path)) {
    std::istringstream words(text);
    if (head == "in") words >> fault.algorithm >> fault.stage;
    if (head == "data") fault.data = text;
    if (head == "points") fault.points = text;
    if (head == "with")
      for (std::string word; words >> word;)
        fault.parameters[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    if (head == "replaced") fault.changes.push_back({text, ""});
    if (head == "by") fault.changes.back().second = text;
    if (head == "found") fault.found = text, std::ranges::replace(fault.found, '\n', ' ');
  }
  return fault;
}

/// Returns the text of the variant with the fault.
inline std::string variant_of(const PlantedFault& fault, const std::string& name) {
  std::string text;
  if (fault.stage.empty()) {
    const auto kit = variants::find_kit().value();
    const auto builder = variants::new_builder(fault.algorithm, kit.include_folders.front(), name).value();
    text = builder;
  } else {
    const auto stage = variants::find_stage(fault.algorithm, fault.stage).value();
    text = variants::new_variant(fault.algorithm, {stage}, name);
  }
  for (const auto& [before, after] : fault.changes) {
    const std::size_t at = text.find(before);
    INFO("the stage has no longer, or twice: " << before);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(before, at + 1) == std::string::npos);
    text.replace(at, before.size(), after);
  }
  return text;
}

/// Returns the text of a header of a builder.
inline std::string header_text(const std::string& name) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(KDSCOPE_SOURCE_DIR "/algorithms/builders"))
    if (entry.path().filename() == name) {
      std::ifstream file(entry.path());
      return {std::istreambuf_iterator<char>(file), {}};
    }
  return "";
}

/// Replaces {part} by "NAME:LINE", where the variant's text has the part at `from` or later, and {header.hpp|part} by
/// the header's line.
inline std::string with_lines(std::string found, const std::string& text, const std::string& name,
                              std::size_t from = 0) {
  for (std::size_t open; (open = found.find('{')) != std::string::npos;) {
    const std::size_t close = found.find('}', open), bar = found.find(".hpp|", open);
    REQUIRE(close != std::string::npos);
    const bool in_header = bar < close;
    const std::size_t begin = in_header ? bar + 5 : open + 1;
    const std::string part = found.substr(begin, close - begin),
                      file = in_header ? found.substr(open + 1, bar + 3 - open) : name,
                      lines = in_header ? header_text(file) : text;
    const std::size_t at = lines.find(part, in_header ? 0 : from);
    INFO("no line of " << file << " has " << part);
    REQUIRE(at != std::string::npos);
    const auto line = 1 + std::count(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    found.replace(open, close - open + 1, file + ":" + std::to_string(line));
  }
  return found;
}

}  // namespace kdscope::test
