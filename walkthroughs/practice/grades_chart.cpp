// The chart of a class: one bar per question, divided by outcome.

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "walkthroughs/practice/grades.hpp"

namespace kdscope {
namespace {

// Sizes in the units of the picture.
constexpr int margin = 24, label_width = 430, bar_width = 480, bar_height = 22, line_height = 17, between = 29,
              header_height = 84;
constexpr int picture_width = margin + label_width + bar_width + margin;
constexpr std::size_t longest_label = 58;  // characters that fit beside the bars

/// A part of a bar. The colours are those of Okabe and Ito, which people with any colour vision distinguish; a letter
/// stands in every part that has room for one.
struct Part {
  const char *name, *letter, *fill, *ink;
};
constexpr std::array<Part, 5> parts{{{"right", "R", "#0072b2", "#ffffff"},
                                     {"wrong", "W", "#d55e00", "#ffffff"},
                                     {"revealed", "V", "#f0e442", "#000000"},
                                     {"skipped", "S", "#b8b8b8", "#000000"},
                                     {"not opened", "", "#ffffff", "#000000"}}};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

/// Returns the beginning of a text, with an ellipsis if that is not all.
std::string shortened(std::string_view text, std::size_t most_characters) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < most_characters && !rest.empty(); ++i)
    rest.remove_prefix(std::max<std::size_t>(1, utf8_length(rest)));
  if (rest.empty()) return std::string(text);
  return std::string(text.substr(0, text.size() - rest.size())) + "\xe2\x80\xa6";
}

/// Breaks a text at spaces into lines that fit beside the bars. A word that is longer than a line is shortened.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const auto part : std::views::split(text, ' ')) {
    const std::string word(part.begin(), part.end()), longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (!lines.back().empty() && shortened(longer, longest_label) != longer)
      lines.push_back(shortened(word, longest_label));
    else
      lines.back() = shortened(longer, longest_label);
  }
  return lines;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string rectangle(double x, double y, double width, double height, const Part& part) {
  return "<rect" + attribute("x", short_number(x)) + attribute("y", short_number(y)) +
         attribute("width", short_number(width)) + attribute("height", short_number(height)) +
         attribute("fill", part.fill) + " stroke=\"#404040\" stroke-width=\"0.5\"/>\n";
}

std::string label(double x, double y, int size, const std::string& text, const char* anchor = "start",
                  const char* ink = "#202020", const char* weight = "normal") {
  return "<text" + attribute("x", short_number(x)) + attribute("y", short_number(y)) +
         attribute("font-size", std::to_string(size)) + attribute("text-anchor", anchor) + attribute("fill", ink) +
         attribute("font-weight", weight) + ">" + escaped(text) + "</text>\n";
}

std::array<std::uint64_t, parts.size()> counts_of(const GradeTable& table, std::size_t question) {
  std::array<std::uint64_t, parts.size()> counts{};
  for (const GradeRow& row : table.rows)
    ++counts[row.grades[question] ? static_cast<std::size_t>(row.grades[question]->outcome) : parts.size() - 1];
  return counts;
}

std::string legend() {
  std::string text;
  double x = margin + label_width;
  for (const Part& part : parts) {
    text += rectangle(x, 52, 14, 14, part);
    text += label(x + 7, 63, 10, part.letter, "middle", part.ink);
    text += label(x + 19, 64, 13, part.name);
    x += 40 + 7.2 * static_cast<double>(std::string_view(part.name).size());
  }
  return text;
}

}  // namespace

std::string grades_svg(const GradeTable& table) {
  std::string bars;
  int top = header_height;
  for (std::size_t q = 0; q < table.questions.size(); ++q) {
    const GradedQuestion& question = table.questions[q];
    bars += "<g>\n<title>" + escaped(name_of(question) + ": " + question.asked) + "</title>\n";
    double x = margin + label_width;
    const auto counts = counts_of(table, q);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (counts[p] == 0) continue;
      const double share = static_cast<double>(counts[p]) / static_cast<double>(table.rows.size());
      const double width = bar_width * share;
      bars += rectangle(x, top + 4, width, bar_height, parts[p]);
      const std::string percent = std::to_string(static_cast<int>(100 * share + 0.5)) + " %";
      const std::string letter = parts[p].letter;
      if (width >= 64)
        bars +=
            label(x + width / 2, top + 20, 13, letter + (letter.empty() ? "" : " ") + percent, "middle", parts[p].ink);
      else if (width >= 16)
        bars += label(x + width / 2, top + 20, 13, letter, "middle", parts[p].ink);
      x += width;
    }
    for (const std::string& line : lines_of(question.asked)) {
      bars += label(margin, top + 14, 13, line, "start", "#202020", "bold");
      top += line_height;
    }
    bars += label(margin, top + 14, 11, shortened(name_of(question), longest_label + 14), "start", "#505050");
    bars += "</g>\n";
    top += between;
  }
  const std::string height = std::to_string(top + margin), width = std::to_string(picture_width);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
         attribute("viewBox", "0 0 " + width + " " + height) + " font-family=\"sans-serif\">\n" +
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         label(margin, 34, 20,
               count_text(table.rows.size(), "hand-in", "hand-ins") + ", " +
                   count_text(table.questions.size(), "question", "questions"),
               "start", "#202020", "bold") +
         legend() + bars + "</svg>\n";
}

}  // namespace kdscope
