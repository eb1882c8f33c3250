#pragma once
// Questions for the class, with the answer that the program can check. No Qt here.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kdscope {

/// What a question expects as its answer, and so how it is answered.
enum class AnswerKind {
  positions,  ///< a click on columns of the table
  points,     ///< a click on points
  nodes,      ///< a click on nodes of the tree
  cell,       ///< a click on one cell of a row of the table
  split,      ///< a click on a place in the view: a coordinate along a dimension
  number,     ///< a typed number
  words,      ///< a typed word or short text
  choice      ///< one of several given texts
};

/// An answer that the program can check.
struct ExpectedAnswer {
  AnswerKind kind = AnswerKind::words;
  /// Positions, points or nodes: exactly these, in any order, ascending. A cell has one position.
  std::vector<std::uint32_t> elements = {};
  std::string row = {};                 ///< of a cell
  double number = 0;                    ///< of a number, or the coordinate of a split
  double within = 0;                    ///< largest difference of a right number or coordinate, at least 0
  std::uint32_t dimension = 0;          ///< of a split, counted from 0
  std::vector<std::string> texts = {};  ///< words: each right text. choice: the texts to choose from, at least two
  std::uint32_t right = 0;              ///< choice: index of the right text

  bool operator==(const ExpectedAnswer&) const = default;
};

/// Parts of the window that give an answer away.
enum class HiddenPart {
  marks,    ///< outlines and lines of roles, such as the pivot's, in table, view and tree
  changes,  ///< underlines of what the step changed
  tree,     ///< nodes of the tree, with the numbers of its levels
  splits,   ///< planes and cells in the view
  strips,   ///< strips of segments
  counts,   ///< histograms and candidates
  code      ///< pseudocode and source with their values
};
inline constexpr std::array hidden_parts{HiddenPart::marks,  HiddenPart::changes, HiddenPart::tree, HiddenPart::splits,
                                         HiddenPart::strips, HiddenPart::counts,  HiddenPart::code};

const char* name_of(AnswerKind kind);
const char* name_of(HiddenPart part);
std::optional<HiddenPart> hidden_part_named(const std::string& name);

/// A question put to the class at a stop.
struct Question {
  std::string text;
  std::string answer;                     ///< Markdown: the model answer, with its reason
  std::string hint;                       ///< Markdown; may be empty
  std::optional<ExpectedAnswer> expects;  ///< empty: an open question, which the class answers aloud
  std::vector<HiddenPart> hides;          ///< hidden until the question is answered, revealed or skipped
  std::vector<std::string> hidden_rows;   ///< rows of the table, the same

  bool operator==(const Question&) const = default;
};

}  // namespace kdscope
