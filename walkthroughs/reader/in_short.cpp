#include "walkthroughs/reader/in_short.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>
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

/// Whether the full stop behind a text belongs to its last word: "in Fig. 2".
bool ends_shortened(std::string_view text) {
  constexpr std::string_view shortened[] = {"Fig", "Figs", "Eq", "Eqs", "Sec", "cf", "vs", "e.g", "i.e"};
  const std::string_view word = text.substr(text.find_last_of(" \n(") + 1);
  return std::ranges::find(shortened, word) != std::end(shortened);
}

/// Returns where a block's n-th sentence ends, or its size, and takes the number of sentences off n. What stands in
/// brackets is part of the sentence around them.
std::size_t end_of_sentence(std::string_view block, int& n) {
  bool code = false;
  int brackets = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i] == '`') code = !code;
    if (code) continue;
    brackets += block[i] == '(' ? 1 : block[i] == ')' ? -1 : 0;
    if (block[i] != '.' && block[i] != '?' && block[i] != '!') continue;
    std::size_t end = i + 1;
    while (end < block.size() && std::string_view("*_\")").find(block[end]) != std::string_view::npos) ++end;
    if (end < block.size() && block[end] != ' ' && block[end] != '\n') continue;
    if (brackets > std::ranges::count(block.substr(i, end - i), ')') || ends_shortened(block.substr(0, i))) continue;
    const std::size_t next = block.find_first_not_of(" \n", end);
    // "e.g. the": a small letter goes on with the sentence.
    if (next != std::string_view::npos && std::islower(static_cast<unsigned char>(block[next]))) continue;
    if (--n == 0) return end;
  }
  return block.size();
}

/// Returns where the last sentence of a paragraph starts.
std::size_t start_of_last_sentence(std::string_view block) {
  for (std::size_t start = 0;;) {
    int one = 1;
    const std::size_t end = start + end_of_sentence(block.substr(start), one);
    const std::size_t next = block.find_first_not_of(" \n", end);
    if (next == std::string_view::npos) return start;
    start = next;
  }
}

/// Returns the length of a heading in bold, which ends like a sentence, at the front of a paragraph, with the blank
/// behind it: "**Why so?** Because ...".
std::size_t length_of_heading(const std::string& block) {
  const std::size_t end = block.starts_with("**") ? block.find("**", 2) : std::string::npos;
  if (end == std::string::npos || std::string_view(".?!").find(block[end - 1]) == std::string_view::npos) return 0;
  return std::min(block.find_first_not_of(" \n", end + 2), block.size());
}

/// Whether a sentence sends its reader to a control of the window.
bool names_control(std::string sentence) {
  constexpr std::string_view controls[] = {" pane",  "View >", " menu",    "Ctrl+",   "Shift+",
                                           "ress *", "ress F", "lick on ", "lick a ", "Side by side"};
  std::ranges::replace(sentence, '\n', ' ');
  return std::ranges::any_of(controls, [&](std::string_view c) { return sentence.find(c) != std::string::npos; });
}

}  // namespace

std::string without_controls(const std::string& markdown) {
  std::string text;
  for (const std::string& block : blocks_of(markdown)) {
    if (block.empty()) continue;
    std::string kept;
    for (std::string_view rest = block; is_prose(block) && !rest.empty();) {
      int one = 1;
      const std::size_t end = std::min(rest.find_first_not_of(" \n", end_of_sentence(rest, one)), rest.size());
      if (!names_control(std::string(rest.substr(0, end)))) kept += rest.substr(0, end);
      rest.remove_prefix(end);
    }
    if (!is_prose(block)) kept = block;
    kept.erase(kept.find_last_not_of(" \n") + 1);
    if (!kept.empty()) text += (text.empty() ? "" : "\n\n") + kept;
  }
  return text;
}

namespace {

/// Returns the first sentences of a text with the headings of their paragraphs, and its tables if `tables` is set;
/// empty if it has neither. A table keeps the sentence that leads to it, which says what its figures are of. Where the
/// table or a list is left out, that sentence ends with a full stop.
std::string beginning_of(const std::string& markdown, int sentences, bool tables) {
  std::string text;
  const auto close = [&] {
    if (text.ends_with(':')) text.back() = '.';
  };
  const std::vector<std::string> blocks = blocks_of(without_controls(markdown));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string& block = blocks[i];
    const std::size_t heading = length_of_heading(block);
    if (heading == block.size()) continue;
    const std::string_view body = std::string_view(block).substr(heading);
    const bool prose = is_prose(body), leads = prose && tables && body.ends_with(':') && i + 1 < blocks.size() &&
                                               blocks[i + 1].starts_with('|');
    if (!(prose && sentences > 0) && !leads && !(tables && block.starts_with('|'))) continue;
    if (prose) close();
    if (!text.empty()) text += "\n\n";
    if (!prose) {
      text += block;
      continue;
    }
    const std::size_t taken = sentences > 0 ? end_of_sentence(body, sentences) : 0;
    text.append(block, 0, heading + taken);
    if (leads && taken < body.size())
      text.append(taken > 0 ? " " : "").append(body.substr(std::max(taken, start_of_last_sentence(body))));
  }
  close();
  return text;
}

}  // namespace

std::vector<std::string> in_short(const std::string& markdown) {
  std::vector<std::string> versions;
  for (const bool tables : {true, false})
    for (const int sentences : {2, 1, 0}) {
      std::string version = beginning_of(markdown, sentences, tables);
      if (!version.empty() && std::ranges::find(versions, version) == versions.end())
        versions.push_back(std::move(version));
    }
  return versions.empty() ? std::vector{markdown} : versions;
}

}  // namespace kdscope
