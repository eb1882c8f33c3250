#pragma once
// Markdown files with YAML front matter, as lines with numbers for messages.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/loaders/text_scan.hpp"
#include "datasets/loaders/utf16.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {

/// A Markdown text as lines. Line numbers are 1-based.
class MarkdownText {
 public:
  explicit MarkdownText(const std::string& text) {
    if (is_utf16(text, "")) fail(1, "the text is in UTF-16", "save it in UTF-8");
    LineScanner lines(text, "");
    for (std::string_view line; lines.next(line);) lines_.emplace_back(line);
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (std::any_of(lines_[i].begin(), lines_[i].end(), [](unsigned char c) { return c < 32 && c != '\t'; }))
        fail(number_of(i), "this is not a text file: the line holds a control character");
  }

  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t i) const { return lines_[i]; }
  static int number_of(std::size_t i) { return static_cast<int>(i) + 1; }

  [[noreturn]] void fail(int line, std::string what, std::string remedy = "") const {
    throw YamlFieldError(line, what, std::move(remedy));
  }

  /// First line at or after `from` that reads exactly `wanted`; size() if there is none.
  std::size_t find(std::string_view wanted, std::size_t from) const {
    return std::find(lines_.begin() + static_cast<std::ptrdiff_t>(std::min(from, size())), lines_.end(), wanted) -
           lines_.begin();
  }

  /// Lines [begin, end) without blank lines around them.
  std::string prose(std::size_t begin, std::size_t end) const {
    while (begin < end && blank(begin)) ++begin;
    while (begin < end && blank(end - 1)) --end;
    return joined(begin, end);
  }
  std::string joined(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += (i == begin ? "" : "\n") + lines_[i];
    return text;
  }
  /// The line that closes the front matter, which begins on the first line. what: "lesson", for messages.
  std::size_t end_of_front_matter(const std::string& what) const {
    if (size() == 0 || lines_[0] != "---") fail(1, "a " + what + " begins with a line '---' and its front matter");
    const std::size_t end = find("---", 1);
    if (end == size()) fail(1, "the front matter is never closed", "end it with a line '---'");
    return end;
  }
  bool blank(std::size_t i) const { return lines_[i].find_first_not_of(" \t") == std::string::npos; }

 private:
  std::vector<std::string> lines_;
};

/// Lines [begin, end) as one YAML mapping.
inline YamlField yaml_block(const MarkdownText& text, std::size_t begin, std::size_t end, std::string name) {
  return YamlField::document(text.joined(begin, end), MarkdownText::number_of(begin), std::move(name));
}

}  // namespace kdscope
