#include "walkthroughs/reader/in_short.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace kdscope {
namespace {

/// Splits a text at its empty lines; a fenced block stays whole.
std::vector<std::string> blocks_of(const std::string& markdown) {
  std::vector<std::string> blocks(1);
  bool fenced = false;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string line = markdown.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced && line.find_first_not_of(" \t\r") == std::string::npos) {
      if (!blocks.back().empty()) blocks.emplace_back();
    } else {
      blocks.back() += (blocks.back().empty() ? "" : "\n") + line;
    }
  }
  return blocks;
}

bool is_prose(std::string_view block) {
  const bool list = block.starts_with("- ") || block.starts_with("* ") || block.starts_with("+ ") ||
                    (std::isdigit(static_cast<unsigned char>(block.front())) && block.find(". ") <= 3);
  return !list && std::string_view("|#>`!<").find(block.front()) == std::string_view::npos && !block.starts_with("---");
}

/// Returns where a block's n-th sentence ends, or its size, and takes the number of sentences off n.
std::size_t end_of_sentence(std::string_view block, int& n) {
  bool code = false;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i] == '`') code = !code;
    if (code || (block[i] != '.' && block[i] != '?' && block[i] != '!')) continue;
    std::size_t end = i + 1;
    while (end < block.size() && std::string_view("*_\")").find(block[end]) != std::string_view::npos) ++end;
    if (end < block.size() && block[end] != ' ' && block[end] != '\n') continue;
    const std::size_t next = block.find_first_not_of(" \n", end);
    // "e.g. the": a small letter goes on with the sentence.
    if (next != std::string_view::npos && std::islower(static_cast<unsigned char>(block[next]))) continue;
    if (--n == 0) return end;
  }
  return block.size();
}

/// Takes a heading in bold, which ends like a sentence, off the front of a paragraph: "**Why so?** Because ...".
std::string without_heading(const std::string& block) {
  const std::size_t end = block.starts_with("**") ? block.find("**", 2) : std::string::npos;
  if (end == std::string::npos || std::string_view(".?!:").find(block[end - 1]) == std::string_view::npos) return block;
  const std::size_t rest = block.find_first_not_of(" \n", end + 2);
  return rest == std::string::npos ? std::string() : block.substr(rest);
}

/// Returns the first sentences of a text, and its tables if `tables` is set; empty if it has neither.
std::string beginning_of(const std::string& markdown, int sentences, bool tables) {
  std::string text;
  for (const std::string& whole : blocks_of(markdown)) {
    const std::string block = without_heading(whole);
    if (block.empty()) continue;
    const bool prose = is_prose(block);
    if (!(prose && sentences > 0) && !(tables && block.starts_with('|'))) continue;
    if (!text.empty()) text += "\n\n";
    text += prose ? block.substr(0, end_of_sentence(block, sentences)) : block;
  }
  return text;
}

}  // namespace

std::vector<std::string> in_short(const std::string& markdown) {
  std::vector<std::string> versions{beginning_of(markdown, 2, true), beginning_of(markdown, 2, false),
                                    beginning_of(markdown, 1, false)};
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  std::erase(versions, "");
  return versions.empty() ? std::vector{markdown} : versions;
}

}  // namespace kdscope
