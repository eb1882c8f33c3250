// CSV and XYZ: one point per row.

#include <algorithm>
#include <array>
#include <optional>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

using Cell = CsvField;

struct Separator {
  char character;  ///< ' ' for any number of blanks and tabs
  const char* name;
};
constexpr std::array separators{Separator{';', "semicolon"}, Separator{',', "comma"}, Separator{'\t', "tab"},
                                Separator{' ', "blank"}};

/// Splits rows into cells as RFC 4180 does: a quoted cell may hold separators, line ends, and quotes written twice.
class RowSplitter {
 public:
  RowSplitter(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// Splits a row that begins with `line`, and takes more lines for quoted cells. Refuses a cell that is not closed.
  void split(std::string_view line, LineScanner& lines, std::vector<Cell>& cells) const {
    cells.clear();
    for (bool more = true; more;) {
      skip_blanks(line);
      if (separator_ == ' ' && line.empty() && !cells.empty()) break;
      if (line.starts_with('"')) {
        cells.push_back({quoted_cell(line, lines), true});
      } else {
        std::size_t end = 0;
        while (end < line.size() && !ends_cell(line[end])) ++end;
        cells.push_back({trimmed(line.substr(0, end))});
        line.remove_prefix(end);
      }
      more = !line.empty();
      if (more) line.remove_prefix(1);
    }
  }

 private:
  bool ends_cell(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }
  void skip_blanks(std::string_view& line) const {
    while (!line.empty() && is_blank(line.front()) && line.front() != separator_) line.remove_prefix(1);
    while (separator_ == ' ' && !line.empty() && is_blank(line.front())) line.remove_prefix(1);
  }
  std::string_view quoted_cell(std::string_view& line, LineScanner& lines) const {
    const std::string_view opening = line.substr(0, 1);
    const auto begin = static_cast<std::size_t>(line.data() - text_.data()) + 1;
    auto end_of_line = begin - 1 + line.size();
    const std::size_t at = closing_quote(text_, begin);
    while (at == text_.npos || at >= end_of_line) {
      std::string_view next;
      if (at == text_.npos || !lines.next(next)) refuse(lines.where(opening), "a quoted cell is never closed");
      end_of_line = static_cast<std::size_t>(next.data() - text_.data()) + next.size();
    }
    line = text_.substr(at + 1, end_of_line - at - 1);
    while (!line.empty() && is_blank(line.front()) && !ends_cell(line.front())) line.remove_prefix(1);
    if (!line.empty() && !ends_cell(line.front())) refuse(lines.where(line), "text follows a quoted cell");
    return trimmed(text_.substr(begin, at - begin));
  }

  std::string_view text_;
  char separator_;
};

bool is_number(std::string_view cell) { return read_number(cell).kind != NumberText::Kind::not_a_number; }

/// The number that a decimal comma stands in, with a point; empty for other texts.
std::string with_decimal_point(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == cell.npos) return "";
  std::string with_point = std::string(cell.substr(0, comma)) + "." + std::string(cell.substr(comma + 1));
  return is_number(with_point) ? with_point : "";
}

/// Whether a cell is an error of a spreadsheet, in any language: "#DIV/0!", "#WERT!", "#NAME?", "Err:502".
bool is_spreadsheet_error(std::string_view cell) {
  if (is_keyword(cell.substr(0, 4), "err:")) return true;
  if (cell.size() < 4 || cell.front() != '#' || (cell.back() != '!' && cell.back() != '?')) return false;
  return std::ranges::all_of(cell.substr(1, cell.size() - 2), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' || static_cast<signed char>(c) < 0;
  });
}

/// What programs write where they have no number.
bool is_missing(std::string_view cell) {
  constexpr std::string_view words[] = {"",    "na",   "n/a",  "#n/a", "#na", "#n/a n/a", "#nv", "#n/d", "null", "nil",
                                        "nat", "none", "<na>", "-",    "--",  "---",      ".",   "?",    "*",    "\\n"};
  if (std::ranges::any_of(words, [&](std::string_view word) { return is_keyword(cell, word); })) return true;
  const std::size_t digits = cell.starts_with('-') || cell.starts_with('+') ? 1 : 0;
  return is_spreadsheet_error(cell) || cell.substr(digits).starts_with("1.#");  // as 1.#QNAN of older C libraries
}

/// Whether cells are the numbers 0, 1, 2, ..., which programs write as the names of columns without a name.
bool are_counted(const std::vector<Cell>& cells, std::size_t first) {
  for (std::size_t i = first; i < cells.size(); ++i)
    if (cells[i].text != std::to_string(i - first)) return false;
  return cells.size() > first;
}

/// How many cells there are up to the last that is not empty, 1 at least. Programs end rows with separators.
std::size_t filled_cells(const std::vector<Cell>& cells) {
  std::size_t filled = cells.size();
  while (filled > 1 && cells[filled - 1].text.empty()) --filled;
  return filled;
}

/// Whether a first row names the columns: no cell is a number, and only the first, that of row numbers, may be empty.
/// `xyz`: nor does a cell begin like one, as with numbers that commas part.
bool names_columns(std::vector<Cell> cells, bool xyz) {
  // A point without any coordinate; a name among others may look like a missing value, as that of sodium does.
  if (std::ranges::all_of(cells, [](const Cell& cell) { return is_missing(cell.text); })) return false;
  cells.resize(filled_cells(cells));
  constexpr std::string_view beginnings = "+-.0123456789";
  if (xyz && std::ranges::any_of(cells, [&](const Cell& cell) {
        return !cell.text.empty() && beginnings.find(cell.text.front()) != beginnings.npos;
      }))
    return false;
  if (cells.size() > 1 && cells[0].text.empty() && are_counted(cells, 1)) return true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view text = cells[i].text;
    if (text.empty() ? i > 0 || cells.size() == 1 : is_number(text) || !with_decimal_point(text).empty()) return false;
  }
  return true;
}

/// Whether a line is a comment. A row may also begin with "#N/A", which is a value.
bool is_comment(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("//") || line.starts_with('%')) return true;
  return line.starts_with('#') && !is_missing(line.substr(0, line.find_first_of(",;\t ")));
}

/// "1,2,3": the columns in front of `end`, for a remedy.
std::string column_numbers(std::size_t end) {
  std::string numbers = "1";
  for (std::size_t i = 2; i <= std::min<std::size_t>(end, 12); ++i) numbers += "," + std::to_string(i);
  return numbers + (end > 12 ? ",..." : "");
}

/// Reads the rows of a text; `xyz`: of an XYZ file, which has blanks between values and may have empty lines.
class DelimitedText {
 public:
  DelimitedText(std::string_view text, const std::string& file, const ReadOptions& options, bool xyz)
      : text_(text), file_(file), options_(options), xyz_(xyz), lines_(text, file) {}

  DataSet read() {
    read_separator_line();
    if (!separator_) separator_ = options_.separator ? *options_.separator : xyz_ ? ' ' : likely_separator();
    const RowSplitter splitter(text_, *separator_);
    DataSet set;
    for (std::string_view line; next_row(line);) {
      splitter.split(line, lines_, cells_);
      if (!points_ && begin(set)) continue;
      add_row();
    }
    if (!points_) refuse(file_, xyz_ ? "the file holds no points" : "the file is empty");
    if (points_->count() == 0) refuse(lines_.where(), "the file has column names but no points");
    if (promised_ && *promised_ != points_->count())
      refuse(where_promised_,
             "the first row promises " + count_text(*promised_, "point", "points") + ", and " +
                 std::to_string(points_->count()) + (points_->count() == 1 ? " follows" : " follow"),
             "correct or remove that row");
    if (rows_have_names_)
      set.warnings.push_back(file_ + ": each row begins with a name in quotes that has no column title, as R writes; " +
                             "it is left out.");
    points_->finish(set);
    return set;
  }

 private:
  /// Spreadsheets may write "sep=;" as the first line.
  void read_separator_line() {
    LineScanner ahead = lines_;
    std::string_view line;
    if (xyz_ || !ahead.next(line)) return;
    if (line.starts_with('"') && line.size() > 1 && line.find('"', 1) == line.size() - 1)
      line = line.substr(1, line.size() - 2);
    if (line.size() < 5 || !is_keyword(line.substr(0, 4), "sep=")) return;
    if (line.find_first_not_of(line[4], 4) != line.npos) return;
    if (std::ranges::find(separators, line[4], &Separator::character) == separators.end()) return;
    separator_ = line[4];
    lines_ = ahead;
  }

  /// The next line that is neither empty nor a comment. Empty lines may only end a CSV file: in the middle they are
  /// lost rows.
  bool next_row(std::string_view& line) {
    std::uint64_t empty_line = 0;
    while (lines_.next(line)) {
      if (trimmed(line).empty()) {
        if (empty_line == 0) empty_line = lines_.line_number();
        continue;
      }
      const bool comment = is_comment(line);
      if (comment && !points_) last_comment_ = line;
      if (comment) continue;
      if (empty_line != 0 && !xyz_ && points_)
        refuse(file_ + ":" + std::to_string(empty_line), "this row is empty, but rows follow it",
               "remove the empty line");
      return true;
    }
    return false;
  }

  /// The separator that parts the first rows into the same number of cells, with most numbers in them; otherwise the
  /// first that occurs.
  char likely_separator() const {
    constexpr std::size_t most_rows = 10;
    std::vector<std::string_view> rows;
    LineScanner ahead = lines_;
    for (std::string_view line; rows.size() < most_rows && ahead.next(line);)
      if (!trimmed(line).empty() && !is_comment(line)) rows.push_back(line);
    char best = 0;
    double most = -1;
    for (const Separator& each : separators) {
      const double share = share_of_numbers(each.character, most_rows);
      if (share > most) most = share, best = each.character;
    }
    if (best != 0 || rows.empty()) return best != 0 ? best : ',';
    if (rows.front().find(';') != rows.front().npos) return ';';
    for (const char separator : {',', '\t'})
      if (std::ranges::any_of(rows, [&](auto row) { return trimmed(row).find(separator) != row.npos; }))
        return separator;
    return trimmed(rows.back()).find(' ') == rows.back().npos ? ',' : ' ';
  }

  /// The share of numbers in the cells of the rows behind the first; negative if rows have different numbers of cells,
  /// or one.
  double share_of_numbers(char separator, std::size_t most_rows) const {
    LineScanner ahead = lines_;
    const RowSplitter splitter(text_, separator);
    std::vector<Cell> cells;
    std::size_t columns = 0, least = 0, rows = 0, all = 0, numbers = 0;
    for (std::string_view line; rows < most_rows && ahead.next(line);) {
      if (trimmed(line).empty() || is_comment(line)) continue;
      try {
        splitter.split(line, ahead, cells);
      } catch (const ErrorException&) {
        return -1;  // the row has another separator, or is refused when it is read
      }
      const std::size_t filled = filled_cells(cells);
      if (rows++ == 0) columns = cells.size(), least = filled;
      if (cells.size() < 2 || (cells.size() != columns && (cells.size() < least || filled > least))) return -1;
      if (rows == 1) all = numbers = 0;  // the names of the columns, perhaps
      for (const Cell& cell : cells) {
        ++all;
        // Between blanks, a comma rather parts columns too.
        numbers += is_number(cell.text) || is_missing(cell.text) ||
                   (separator != ' ' && !with_decimal_point(cell.text).empty());
      }
    }
    return all == 0 ? -1 : static_cast<double>(numbers) / static_cast<double>(all);
  }

  /// Takes the names of the columns from the first row, or from the comment in front of it. Returns whether the row
  /// holds no point, but names, or a count of points.
  bool begin(DataSet& set) {
    if (counts_points()) return true;
    named_ = options_.header ? *options_.header : names_columns(cells_, xyz_);
    columns_ = filled_cells(cells_);
    if (!named_ && columns_ < cells_.size()) columns_ = columns_with_values();
    check_dimension(lines_.where(), columns_);
    std::vector<Cell> titles = cells_;
    titles.resize(columns_);
    if (!named_) titles = titles_in_comment();
    std::vector<std::string> names;
    for (const Cell& cell : titles) names.push_back(cell.value());
    if (!named_ && !options_.header && columns_ > 1 && are_counted(cells_, 0))
      set.warnings.push_back(lines_.where() + ": the first row, " + std::string(trimmed(text_of_row())) +
                             ", is read as a point; if it names the columns, open the file with header=yes.");
    std::vector<bool> usual = usual_columns(names, set.warnings);
    const ColumnChoice choice = choose_columns(options_, names, std::move(usual), file_);
    warn_of_repeated_name(choice.names, set.warnings);
    set.column_names = choice.names;
    wanted_ = choice.wanted;
    points_.emplace(file_, choice, ScalarType::int32, options_, text_);
    return named_;
  }

  /// Whether the first row is one whole number and rows of several values follow it, as some scanners write.
  bool counts_points() {
    std::uint64_t count = 0;
    if (promised_ || options_.header || cells_.size() != 1 || !read_integer(cells_[0].text, count)) return false;
    LineScanner ahead = lines_;
    std::vector<Cell> cells;
    if (!next_row_cells(ahead, cells) || filled_cells(cells) < 2) return false;
    promised_ = count;
    where_promised_ = lines_.where();
    return true;
  }

  /// Splits the next row of values. Returns false where there is none, or where it is refused when it is read.
  bool next_row_cells(LineScanner& ahead, std::vector<Cell>& cells) const {
    for (std::string_view line; ahead.next(line);) {
      if (trimmed(line).empty() || is_comment(line)) continue;
      try {
        RowSplitter(text_, *separator_).split(line, ahead, cells);
      } catch (const ErrorException&) {
        return false;
      }
      return true;
    }
    return false;
  }

  /// The columns of this and the following rows that hold a value anywhere.
  std::size_t columns_with_values() const {
    std::size_t columns = filled_cells(cells_);
    LineScanner ahead = lines_;
    for (std::vector<Cell> cells; columns < cells_.size() && next_row_cells(ahead, cells);)
      columns = std::max(columns, std::min(filled_cells(cells), cells_.size()));
    return columns;
  }

  /// The columns that are coordinates if none are chosen. Warns of others.
  std::vector<bool> usual_columns(const std::vector<std::string>& names, std::vector<std::string>& warnings) const {
    std::vector<bool> usual(columns_, true);
    if (!names.empty()) usual = coordinates_by_name(names);
    const bool numbered = !names.empty() && columns_ > 1 && (names[0].empty() || names[0] == "Unnamed: 0");
    if (!options_.columns.empty()) return usual;
    const std::string keep = "open the file with columns=" + column_numbers(columns_) + " to keep ";
    if (const auto left_out = std::ranges::count(usual, false); left_out > 0) {
      std::string list;
      for (std::size_t i = 0; i < columns_; ++i)
        if (!usual[i]) list += (list.empty() ? "" : ", ") + names[i];
      warnings.push_back(file_ + ": beside x and y, " + (left_out == 1 ? "column " : "columns ") + list +
                         (left_out == 1 ? " is no coordinate and is" : " are no coordinates and are") + " left out; " +
                         keep + (left_out == 1 ? "it." : "them."));
    }
    if (numbered) {
      usual[0] = false;
      warnings.push_back(file_ + ": the first column has no name and is left out, as one of row numbers; " + keep +
                         "it.");
    }
    if (names.empty()) warn_of_nameless_columns(usual, warnings);
    return usual;
  }

  /// Columns without names behind x, y and z. An XYZ file has colours there.
  void warn_of_nameless_columns(std::vector<bool>& usual, std::vector<std::string>& warnings) const {
    const std::size_t colours = first_of_colours();
    if (colours != 0 && xyz_) {
      std::fill(usual.begin() + 3, usual.end(), false);
      warnings.push_back(file_ + ": columns " + std::to_string(colours + 1) + " to " + std::to_string(colours + 3) +
                         " look like colours from 0 to 255, so only the first 3 are coordinates; open the file with " +
                         "columns=" + column_numbers(columns_) + " to keep all.");
    } else if (colours != 0) {
      warnings.push_back(file_ + ": columns " + std::to_string(colours + 1) + " to " + std::to_string(colours + 3) +
                         " look like colours from 0 to 255, and are read as coordinates; open the file with " +
                         "columns=1,2,3 to leave them out.");
    } else if (xyz_ && columns_ > 3) {
      warnings.push_back(file_ + ": the " + std::to_string(columns_) +
                         " columns have no names, and all are read as coordinates; open the file with columns=1,2,3 " +
                         "for x, y and z alone.");
    }
  }

  /// The first of three neighbouring columns behind the third whose values look like colours in the first rows: whole
  /// numbers from 0 to 255, some above 1; in CSV files beside coordinates that do not look so, or with one above 99.
  /// 0 if there are none.
  std::size_t first_of_colours() const {
    constexpr std::size_t most_rows = 100;
    if (columns_ < 6) return 0;
    std::vector<std::int32_t> largest(columns_, 0);  // -1: no colour
    LineScanner ahead = lines_;
    std::vector<Cell> cells = cells_;
    for (std::size_t row = 0; row < most_rows && (row == 0 || next_row_cells(ahead, cells)); ++row)
      for (std::size_t i = 0; i < std::min(columns_, cells.size()); ++i) {
        const NumberText number = read_number(cells[i].text);
        const bool fits = number.kind == NumberText::Kind::integer && number.integer >= 0 && number.integer <= 255;
        largest[i] = fits && largest[i] >= 0 ? std::max(largest[i], number.integer) : -1;
      }
    const auto look_so = [&](std::size_t i) { return std::min({largest[i], largest[i + 1], largest[i + 2]}) >= 0; };
    for (std::size_t i = 3; i + 3 <= columns_; ++i) {
      const std::int32_t most = std::max({largest[i], largest[i + 1], largest[i + 2]});
      if (look_so(i) && most > (xyz_ || !look_so(0) ? 1 : 99)) return i;
    }
    return 0;
  }

  void warn_of_repeated_name(const std::vector<std::string>& names, std::vector<std::string>& warnings) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i)) {
        warnings.push_back(file_ + ": several columns are named " + excerpt(names[i]) +
                           "; choose by number, such as columns=" + column_numbers(std::min<std::size_t>(columns_, 3)) +
                           ", if one of them is no coordinate.");
        return;
      }
  }

  /// A comment directly in front of the first row may name its columns: "# x, y, z".
  std::vector<Cell> titles_in_comment() {
    std::vector<Cell> titles;
    std::string_view line = trimmed(last_comment_);
    if (line.empty()) return {};
    line.remove_prefix(std::min(line.find_first_not_of("#/%"), line.size()));
    try {
      LineScanner none("", file_);
      RowSplitter(text_, *separator_).split(line, none, titles);
    } catch (const ErrorException&) {
      return {};
    }
    titles.resize(std::min(titles.size(), std::max(filled_cells(titles), columns_)));
    return titles.size() == columns_ && names_columns(titles, xyz_) ? titles : std::vector<Cell>{};
  }

  std::string text_of_row() const {
    std::string row;
    for (std::size_t i = 0; i < std::min<std::size_t>(cells_.size(), 8); ++i)
      row += (i == 0 ? "" : ",") + std::string(cells_[i].text);
    return row + (cells_.size() > 8 ? ",..." : "");
  }

  void add_row() {
    if (cells_.size() > columns_) cells_.resize(std::max(filled_cells(cells_), columns_));
    drop_row_name();
    if (cells_.size() != columns_) refuse_ragged();
    for (std::size_t column = 0; column < columns_; ++column) {
      if (!wanted_[column]) continue;
      const std::string_view cell = cells_[column].text;
      const auto where = [&] { return lines_.where(cell); };
      const NumberText number = read_number(cell);
      if (number.kind != NumberText::Kind::not_a_number)
        points_->add(number, cell, where);
      else if (options_.drop_missing && is_missing(cell))
        points_->add_missing(where);
      else
        refuse_cell(cell);
    }
  }

  /// Leaves out the name of a row: R gives rows names, and their column none.
  void drop_row_name() {
    if (!named_ || cells_.size() != columns_ + 1 || !cells_[0].quoted) return;
    if (points_->count() > 0 && !rows_have_names_) return;
    rows_have_names_ = true;
    cells_.erase(cells_.begin());
  }

  [[noreturn]] void refuse_ragged() const {
    // A decimal comma may part a row where the first one was parted otherwise.
    if (*separator_ != ',')
      for (const Cell& cell : cells_)
        if (!with_decimal_point(cell.text).empty()) refuse_cell(cell.text);
    refuse(lines_.where(),
           "this row has " + count_text(cells_.size(), "value", "values") + ", the rows before it have " +
               std::to_string(columns_),
           named_ && points_->count() == 0 ? "let the first row name each column, or remove it" : "");
  }
  [[noreturn]] void refuse_cell(std::string_view cell) const {
    const std::string where = lines_.where(cell);
    if (cell.empty()) refuse(where, "the value is empty", "give a number, or add missing=drop behind the file's name");
    if (is_missing(cell))
      refuse(where, excerpt(cell) + " is not a number", "give one, or add missing=drop behind the file's name");
    if (const std::string with_point = with_decimal_point(cell); !with_point.empty())
      refuse(where, excerpt(cell) + " is a number with a decimal comma",
             "save the file with decimal points, such as " + with_point);
    std::string remedy;
    for (const Separator& each : separators)
      if (each.character != *separator_ && cell.find(each.character) != cell.npos)
        remedy = std::string("if the columns are parted by ") + each.name + "s, add separator=" + each.name +
                 " behind the file's name";
    if (remedy.empty() && options_.columns.empty()) {
      std::string numbers;
      for (std::size_t i = 0; i < std::min<std::size_t>(columns_, 8); ++i)
        if (is_number(cells_[i].text)) numbers += (numbers.empty() ? "" : ",") + std::to_string(i + 1);
      if (!numbers.empty()) remedy = "choose columns of numbers with columns=" + numbers + " behind the file's name";
      if (!numbers.empty() && !options_.header && points_->count() == 0)
        remedy += ", or add header=yes if the row names the columns";
      if (numbers.empty() && points_->count() == 0)
        remedy = named_ ? "if the row holds units, let it begin with #"
                        : "add header=yes behind the file's name if the row names the columns";
    }
    refuse(where, excerpt(cell) + " is not a number", remedy);
  }

  std::string_view text_;
  const std::string& file_;
  const ReadOptions& options_;
  bool xyz_;
  LineScanner lines_;
  std::optional<char> separator_;
  std::optional<PointCollector> points_;
  std::vector<Cell> cells_;  ///< of the row that is read
  std::size_t columns_ = 0;
  bool named_ = false;                     ///< the first row names the columns
  bool rows_have_names_ = false;           ///< each row begins with a name in quotes that has no column
  std::optional<std::uint64_t> promised_;  ///< points, by the first row
  std::string where_promised_;
  std::vector<bool> wanted_;  ///< [columns_]
  std::string_view last_comment_;
};

}  // namespace

DataSet parse_csv(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  return DelimitedText(bytes, file, options, false).read();
}

DataSet parse_xyz(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  return DelimitedText(bytes, file, options, true).read();
}

}  // namespace kdscope
