// CSV and XYZ: one point per row.

#include <algorithm>
#include <array>
#include <optional>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

/// A cell of a row. A quoted one lacks its outer quotes.
struct Cell {
  std::string_view text;
  bool quoted = false;
};

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
    std::size_t at = begin;
    for (;; ++at) {
      at = text_.find('"', at);
      while (at == text_.npos || at >= end_of_line) {
        std::string_view next;
        if (at == text_.npos || !lines.next(next)) refuse(lines.where(opening), "a quoted cell is never closed");
        end_of_line = static_cast<std::size_t>(next.data() - text_.data()) + next.size();
      }
      if (at + 1 >= end_of_line || text_[at + 1] != '"') break;
      ++at;
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

/// What programs write where they have no number.
bool is_missing(std::string_view cell) {
  return cell.empty() || is_keyword(cell, "na") || is_keyword(cell, "n/a") || is_keyword(cell, "null");
}

std::string name_in(const Cell& cell) {
  std::string name;
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    name += cell.text[i];
    if (cell.quoted && cell.text.substr(i).starts_with("\"\"")) ++i;
  }
  return name;
}

/// Whether cells are the numbers 0, 1, 2, ..., which programs write as the names of columns without a name.
bool are_counted(const std::vector<Cell>& cells, std::size_t first) {
  for (std::size_t i = first; i < cells.size(); ++i)
    if (cells[i].text != std::to_string(i - first)) return false;
  return cells.size() > first;
}

/// Whether a first row names the columns: no cell is a number, and only the first, that of row numbers, may be empty.
/// `xyz`: nor does a cell begin like one, as with numbers that commas part.
bool names_columns(const std::vector<Cell>& cells, bool xyz) {
  constexpr std::string_view beginnings = "+-.0123456789";
  if (xyz && std::ranges::any_of(cells, [&](const Cell& cell) {
        return !cell.text.empty() && beginnings.find(cell.text.front()) != beginnings.npos;
      }))
    return false;
  if (cells.size() > 1 && cells[0].text.empty() && are_counted(cells, 1)) return true;
  // A point without any coordinate; a name among others may look like a missing value, as that of sodium does.
  if (std::ranges::all_of(cells, [](const Cell& cell) { return is_missing(cell.text); })) return false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view text = cells[i].text;
    if (text.empty() ? i > 0 || cells.size() == 1 : is_number(text) || !with_decimal_point(text).empty()) return false;
  }
  return true;
}

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.starts_with('#') || line.starts_with("//");
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
    points_->finish(set);
    return set;
  }

 private:
  /// Spreadsheets may write "sep=;" as the first line.
  void read_separator_line() {
    LineScanner ahead = lines_;
    std::string_view line;
    if (xyz_ || !ahead.next(line) || line.size() != 5 || !is_keyword(line.substr(0, 4), "sep=")) return;
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
    std::size_t columns = 0, rows = 0, all = 0, numbers = 0;
    for (std::string_view line; rows < most_rows && ahead.next(line);) {
      if (trimmed(line).empty() || is_comment(line)) continue;
      try {
        splitter.split(line, ahead, cells);
      } catch (const ErrorException&) {
        return -1;  // the row has another separator, or is refused when it is read
      }
      if (rows++ == 0) columns = cells.size();
      if (cells.size() < 2 || cells.size() != columns) return -1;
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
  /// holds names and no point.
  bool begin(DataSet& set) {
    columns_ = cells_.size();
    check_dimension(lines_.where(), columns_);
    const bool named = options_.header ? *options_.header : names_columns(cells_, xyz_);
    std::vector<Cell> titles = cells_;
    if (!named) titles = titles_in_comment();
    std::vector<std::string> names;
    for (const Cell& cell : titles) names.push_back(name_in(cell));
    if (!named && !options_.header && columns_ > 1 && are_counted(cells_, 0))
      set.warnings.push_back(lines_.where() + ": the first row, " + std::string(trimmed(text_of_row())) +
                             ", is read as a point; if it names the columns, open the file with header=yes.");
    std::vector<bool> usual(columns_, true);
    if (!names.empty() && columns_ > 1 && (names[0].empty() || names[0] == "Unnamed: 0")) {
      usual[0] = false;
      if (options_.columns.empty()) {
        std::string all = "1";
        for (std::size_t i = 2; i <= std::min<std::size_t>(columns_, 8); ++i) all += "," + std::to_string(i);
        set.warnings.push_back(file_ + ": the first column has no name and is left out, as one of row numbers; open " +
                               "the file with columns=" + all + (columns_ > 8 ? ",..." : "") + " to keep it.");
      }
    }
    const ColumnChoice choice = choose_columns(options_, names, std::move(usual), file_);
    set.column_names = choice.names;
    wanted_ = choice.wanted;
    points_.emplace(file_, choice, ScalarType::int32, options_, text_);
    return named;
  }

  /// A comment directly in front of the first row may name its columns: "# x, y, z".
  std::vector<Cell> titles_in_comment() {
    std::vector<Cell> titles;
    std::string_view line = trimmed(last_comment_);
    if (line.empty()) return {};
    line.remove_prefix(std::min(line.find_first_not_of("#/"), line.size()));
    try {
      LineScanner none("", file_);
      RowSplitter(text_, *separator_).split(line, none, titles);
    } catch (const ErrorException&) {
      return {};
    }
    return titles.size() == columns_ && names_columns(titles, xyz_) ? titles : std::vector<Cell>{};
  }

  std::string text_of_row() const {
    std::string row;
    for (std::size_t i = 0; i < std::min<std::size_t>(cells_.size(), 8); ++i)
      row += (i == 0 ? "" : ",") + std::string(cells_[i].text);
    return row + (cells_.size() > 8 ? ",..." : "");
  }

  void add_row() {
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

  [[noreturn]] void refuse_ragged() const {
    // A decimal comma may part a row where the first one was parted otherwise.
    if (*separator_ != ',')
      for (const Cell& cell : cells_)
        if (!with_decimal_point(cell.text).empty()) refuse_cell(cell.text);
    refuse(lines_.where(), "this row has " + std::to_string(cells_.size()) +
                               (cells_.size() == 1 ? " value" : " values") + ", the rows before it have " +
                               std::to_string(columns_));
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
