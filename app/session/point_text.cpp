// Coordinates as people type and paste them, read by the rules of the CSV loader.

#include <cmath>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/session/point_edits.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {
namespace {

constexpr const char* clipboard = "clipboard";
constexpr const char* int_range = "these points have whole coordinates of -2147483648 to 2147483647";

/// The same text with a comma where tabs, or else blanks, part the cells. Every piece keeps its line and column.
std::string with_commas(std::string_view text) {
  std::string result(text);
  if (text.find(',') != std::string_view::npos) return result;
  const bool tabs = text.find('\t') != std::string_view::npos;
  for (std::size_t begin = 0; begin < result.size();) {
    const std::size_t end = std::min(result.find('\n', begin), result.size());
    std::size_t first = begin, last = end;
    const auto outside = [&](char c) { return c == ' ' || c == '\r' || (!tabs && c == '\t'); };
    while (first < last && outside(result[first])) ++first;
    while (last > first && outside(result[last - 1])) --last;
    for (std::size_t i = first; i < last; ++i) {
      if (tabs ? result[i] == '\t' : result[i] == ' ' && result[i - 1] != ' ' && result[i - 1] != ',') result[i] = ',';
    }
    begin = end + 1;
  }
  return result;
}

/// "clipboard:3:5" is for programs; people read "line 3 of the clipboard, column 5".
std::string place_in_words(const std::string& where) {
  std::string_view rest = where;
  rest.remove_prefix(std::string_view(clipboard).size());
  if (!rest.starts_with(':')) return "the clipboard";
  rest.remove_prefix(1);
  const std::size_t colon = rest.find(':');
  std::string words = "line " + std::string(rest.substr(0, colon)) + " of the clipboard";
  if (colon != std::string_view::npos) words += ", column " + std::string(rest.substr(colon + 1));
  return words;
}

}  // namespace

Result<std::uint32_t> coordinate_word(std::string_view text, ScalarType type) {
  text = trimmed(text);
  const auto fail = [&](const std::string& why, const std::string& remedy) {
    return Error{ErrorKind::bad_input, excerpt(text) + " " + why, "", remedy};
  };
  const NumberText number = read_number(text);
  const std::string what_to_type = type == ScalarType::int32 ? int_range : "type a number such as 0.25";
  if (text.empty() || number.kind == NumberText::Kind::not_a_number) return fail("is not a number", what_to_type);
  if (number.kind == NumberText::Kind::too_large)
    return fail(type == ScalarType::int32 ? "does not fit in 32 bits" : "is too large for a 32-bit float",
                type == ScalarType::int32 ? int_range : "");
  if (number.kind == NumberText::Kind::integer)
    return type == ScalarType::int32 ? word_of(number.integer) : word_of(static_cast<float>(number.integer));
  if (std::isnan(number.real)) return fail("is no place", what_to_type);
  if (std::isinf(number.real)) return fail("is not finite", what_to_type);
  if (type == ScalarType::float32) return word_of(number.real);
  // "12.0" is whole, and a long row of digits is a number that does not fit; a float would round both.
  double exact = number.real;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  from_chars(digits.data(), digits.data() + digits.size(), exact);
  const double whole = std::trunc(exact);
  if (whole != exact) return fail("is not a whole number", int_range);
  if (whole < -2147483648.0 || whole > 2147483647.0) return fail("does not fit in 32 bits", int_range);
  return word_of(static_cast<std::int32_t>(whole));
}

Result<DataSet> parse_pasted_points(std::string_view text, std::uint32_t most_dimensions) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{ErrorKind::bad_input, "there is no text on the clipboard", "",
                 "copy rows of numbers, one point per row"};
  auto parsed = parse_points(FileFormat::csv, with_commas(text), clipboard);
  if (!parsed) {
    Error error = parsed.error();
    if (error.where.starts_with(clipboard)) error.where = place_in_words(error.where);
    if (error.remedy.empty() || error.remedy.find("file's name") != std::string::npos)
      error.remedy = "nothing was pasted";  // a clipboard has no parameters
    return error;
  }
  if (parsed->points.dim > most_dimensions)
    return Error{ErrorKind::bad_input, "its rows have " + std::to_string(parsed->points.dim) + " values",
                 "line 1 of the clipboard", "points may have 1 to " + std::to_string(most_dimensions) + " coordinates"};
  parsed->name = own_points_name("pasted");
  return parsed;
}

Result<std::vector<std::uint32_t>> words_as(const PointSet& target, const PointSet& pasted) {
  if (pasted.dim != target.dim)
    return Error{ErrorKind::bad_input,
                 "the rows have " + std::to_string(pasted.dim) + (pasted.dim == 1 ? " value" : " values") +
                     ", these points have " + std::to_string(target.dim) +
                     (target.dim == 1 ? " coordinate" : " coordinates"),
                 "line 1 of the clipboard", "paste them as new points instead"};
  std::vector<std::uint32_t> words;
  words.reserve(pasted.size() * target.stride());
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    for (std::uint32_t d = 0; d < target.dim; ++d) {
      const double value = pasted.value(i, d);
      if (target.type == ScalarType::int32 &&
          (value != std::trunc(value) || value < -2147483648.0 || value > 2147483647.0))
        return Error{ErrorKind::bad_input,
                     coordinate_text(pasted.word(i, d), pasted.type) + " is not a whole number of 32 bits",
                     "point " + std::to_string(i) + " of the clipboard",
                     "these points are integers: paste as new points instead"};
      words.push_back(nearest_word(value, target.type));
    }
    words.insert(words.end(), target.payload_words, 0);
  }
  return words;
}

}  // namespace kdscope
