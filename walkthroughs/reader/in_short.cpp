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

/// Returns the length of a heading in bold, which ends like a sentence, at the front of a paragraph, with the blank
/// behind it: "**Why so?** Because ...".
std::size_t length_of_heading(const std::string& block) {
  const std::size_t end = block.starts_with("**") ? block.find("**", 2) : std::string::npos;
  if (end == std::string::npos || std::string_view(".?!").find(block[end - 1]) == std::string_view::npos) return 0;
  return std::min(block.find_first_not_of(" \n", end + 2), block.size());
}

/// Whether a sentence speaks of something that the sentence before it names.
bool leans_back(std::string_view sentence) {
  constexpr std::string_view words[] = {"It ", "Its ", "They ", "Their ", "This ", "That ", "These ", "Those ", "So "};
  return std::ranges::any_of(words, [&](std::string_view word) { return sentence.starts_with(word); });
}

/// Whether a sentence sends its reader to a control of the window.
bool names_control(std::string sentence) {
  constexpr std::string_view controls[] = {" slider", " pane",  "View >",   " menu",   "Ctrl+",       "Shift+",
                                           "ress *",  "ress F", "lick on ", "lick a ", "Side by side"};
  std::ranges::replace(sentence, '\n', ' ');
  return std::ranges::any_of(controls, [&](std::string_view c) { return sentence.find(c) != std::string::npos; });
}

}  // namespace

std::string without_controls(const std::string& markdown) {
  std::string text;
  for (const std::string& block : blocks_of(markdown)) {
    if (block.empty()) continue;
    std::string kept;
    bool left_out = false;  // the sentence before
    for (std::string_view rest = block; is_prose(block) && !rest.empty();) {
      int one = 1;
      const std::size_t end = std::min(rest.find_first_not_of(" \n", end_of_sentence(rest, one)), rest.size());
      const std::string_view sentence = rest.substr(0, end);
      left_out = names_control(std::string(sentence)) || (left_out && leans_back(sentence));
      if (!left_out) kept += sentence;
      rest.remove_prefix(end);
    }
    if (!is_prose(block)) kept = block;
    kept.erase(kept.find_last_not_of(" \n") + 1);
    if (!kept.empty()) text += (text.empty() ? "" : "\n\n") + kept;
  }
  return text;
}

namespace {

/// Whether a sentence defines a term, which stands in bold behind its first word, and needs no sentence before it.
bool defines_term(const std::string& sentence) {
  return sentence.find("**") != std::string::npos && !sentence.starts_with("**") && !leans_back(sentence);
}

/// Returns the first sentences of a text with the headings of their paragraphs, and its tables if `tables` is set;
/// empty if it has neither. The last of them gives way to a later one that defines a term. A table keeps the sentence
/// that leads to it, which says what its figures are of. Where the table or a list is left out, that sentence ends with
/// a full stop.
std::string beginning_of(const std::string& markdown, std::size_t sentences, bool tables) {
  struct Sentence {
    std::size_t block;
    std::string text;     // with the blanks behind it
    std::string heading;  // of the paragraph, if other sentences stand between
  };
  std::vector<Sentence> all;
  const std::vector<std::string> blocks = blocks_of(without_controls(markdown));
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::size_t heading = length_of_heading(blocks[block]);
    std::string_view rest = std::string_view(blocks[block]).substr(heading);
    if (rest.empty()) continue;
    if (!is_prose(rest)) {
      if (tables && blocks[block].starts_with('|')) all.push_back({block, blocks[block], ""});
      continue;
    }
    for (std::size_t end = 0; !rest.empty(); rest.remove_prefix(end)) {
      int one = 1;
      end = std::min(rest.find_first_not_of(" \n", end_of_sentence(rest, one)), rest.size());
      const bool first = rest.size() == blocks[block].size() - heading;
      const std::string of_block = blocks[block].substr(0, heading), sentence(rest.substr(0, end));
      all.push_back(first ? Sentence{block, of_block + sentence, ""} : Sentence{block, sentence, of_block});
    }
  }
  const auto is_table = [](const Sentence& each) { return each.text.starts_with('|'); };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < all.size() && kept.size() < sentences; ++i)
    if (!is_table(all[i])) kept.push_back(i);
  const auto defines = [&](std::size_t i) { return defines_term(all[i].text); };
  if (!kept.empty() && std::ranges::none_of(kept, defines))
    for (std::size_t i = kept.back() + 1; i < all.size(); ++i)
      if (defines(i)) {
        kept.back() = i;
        break;
      }
  for (std::size_t i = 1; i < all.size(); ++i)
    if (const Sentence& before = all[i - 1];
        is_table(all[i]) && before.block + 1 == all[i].block && before.text[before.text.find_last_not_of(" \n")] == ':')
      kept.push_back(i - 1);
  std::string text;
  std::size_t block = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_table(all[i]) && std::ranges::find(kept, i) == kept.end()) continue;
    if (!text.empty()) text.erase(text.find_last_not_of(" \n") + 1);
    if (text.ends_with(':') && !is_table(all[i])) text.back() = '.';
    const bool opens = text.empty() || all[i].block != block;
    if (!text.empty()) text += opens ? "\n\n" : " ";
    text += (opens ? all[i].heading : "") + all[i].text;
    block = all[i].block;
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  if (text.ends_with(':')) text.back() = '.';
  return text;
}

}  // namespace

std::vector<std::string> in_short(const std::string& markdown) {
  std::vector<std::string> versions;
  for (const bool tables : {true, false})
    for (const std::size_t sentences : {2, 1, 0}) {
      std::string version = beginning_of(markdown, sentences, tables);
      if (!version.empty() && std::ranges::find(versions, version) == versions.end())
        versions.push_back(std::move(version));
    }
  return versions.empty() ? std::vector{markdown} : versions;
}

}  // namespace kdscope
