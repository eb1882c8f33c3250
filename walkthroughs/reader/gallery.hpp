#pragma once
// The gallery of broken variants: each is a builder's stage with one bug, and an exercise to find it. No Qt here.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A broken variant (the format: walkthroughs/AUTHORING.md).
struct GalleryEntry {
  std::string id;  ///< its file name without the ending: "inclusive-scan"
  std::string title;
  std::string source;   ///< citation
  std::string variant;  ///< path of the variant's file
  std::string data;     ///< data specification on which the bug shows; a file may lie beside the text
  std::map<std::string, std::string> parameters;

  /// Where the bug shows first: in an element of an array after a step, in a check that fails there, or as a crash in a
  /// step.
  struct Symptom {
    std::string step;   ///< path: "build / level 0 / update tags"
    std::string array;  ///< empty for a check or a crash
    std::uint64_t index = 0;
    std::string check;  ///< the check's name
    std::string crash;  ///< a part of the sentence that reports it
  } symptom;
  /// The order of lanes in which it shows: "descending", "shuffled SEED", "at once"; empty for the usual one.
  std::string order;

  /// Replacing `wrong`, which occurs once in the variant's file, by `right` removes the bug.
  struct Fix {
    std::uint32_t line = 0;
    std::string wrong, right;
  };
  std::optional<Fix> fix;  ///< none in a failure that its owner has yet to understand

  std::string story, exercise, solution;  ///< Markdown
};

/// Reads an entry from its text. Strict, as parse_lesson(). path: of the text; the variant's file is beside it.
Result<GalleryEntry> parse_gallery_entry(const std::string& text, const std::string& path);
/// The same from a file of at most 1 MiB. Errors also of kind io_failure.
Result<GalleryEntry> read_gallery_entry(const std::string& path);

/// The entries in a folder by id; a damaged one is reported in `problems` and left out.
struct Gallery {
  std::vector<GalleryEntry> entries;
  std::vector<Error> problems;
};
Gallery read_gallery(const std::string& folder);

/// The folder of the gallery: a folder in lessons_folder().
inline constexpr const char* gallery_name = "gallery";
std::string gallery_folder();

/// Returns the text of a variant with the bug removed; nullopt if `wrong` does not occur exactly once, on its line.
std::optional<std::string> with_fix(const std::string& text, const GalleryEntry::Fix& fix);

}  // namespace kdscope
