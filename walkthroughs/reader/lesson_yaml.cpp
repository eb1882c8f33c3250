// The lesson format, as walkthroughs/AUTHORING.md describes it. Everything that is wrong is thrown as an
// ErrorException with its line, and caught once, in parse_lesson.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include "algorithms/text/printable_text.hpp"
#include "walkthroughs/reader/bounded_yaml.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {
namespace {

constexpr std::size_t max_message_bytes = 400;

/// A lesson's text as lines, with the file's name for messages. Line numbers are 1-based.
class LessonText {
 public:
  LessonText(const std::string& text, std::string path) : path_(std::move(path)) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      lines_.push_back(std::move(line));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (std::any_of(lines_[i].begin(), lines_[i].end(), [](unsigned char c) { return c < 32 && c != '\t'; }))
        fail(number_of(i), "this is not a text file: the line holds a control character");
  }

  std::size_t size() const { return lines_.size(); }
  const std::string& operator[](std::size_t i) const { return lines_[i]; }
  static int number_of(std::size_t i) { return static_cast<int>(i) + 1; }

  [[noreturn]] void fail(int line, std::string what, std::string remedy = "") const {
    // A message quotes names from the file, of any length and any bytes.
    const bool cut = what.size() > max_message_bytes;
    what = printable(std::string_view(what).substr(0, max_message_bytes)) + (cut ? "..." : "");
    throw ErrorException(
        {ErrorKind::bad_input, std::move(what), path_ + ":" + std::to_string(line), std::move(remedy)});
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
  bool blank(std::size_t i) const { return lines_[i].find_first_not_of(" \t") == std::string::npos; }

 private:
  std::string path_;
  std::vector<std::string> lines_;
};

/// A node of one YAML block, with what is needed to report its place and to check its format.
class Field {
 public:
  /// `at` is the node whose place in the block is this field's: for a value, its key.
  Field(const LessonText& text, YAML::Node node, const YAML::Node& at, int first_line, std::string name)
      : text_(text),
        node_(std::move(node)),
        first_line_(first_line),
        line_(first_line + std::max(0, at.Mark().line)),
        name_(std::move(name)) {}

  /// Reads lines [begin, end) as one YAML mapping.
  static Field block(const LessonText& text, std::size_t begin, std::size_t end, std::string name) {
    const int first_line = LessonText::number_of(begin);
    try {
      const YAML::Node document = read_yaml(text.joined(begin, end));
      return Field(text, document, document, first_line, std::move(name));
    } catch (const YAML::Exception& e) {
      text.fail(first_line + std::max(0, e.mark.line), name + " is not valid YAML: " + e.msg);
    }
  }

  int line() const { return line_; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    text_.fail(line_, what, remedy);
  }

  /// The values of a mapping that has all of `required`, perhaps some of `optional`, and nothing else.
  std::map<std::string, Field> fields(const std::set<std::string>& required,
                                      const std::set<std::string>& optional) const {
    std::map<std::string, Field> found;
    for (auto& [key, value] : pairs()) {
      if (!required.contains(key) && !optional.contains(key))
        value.fail("unknown key '" + key + "' in " + name_, "known are " + listed(required, optional));
      found.emplace(key, std::move(value));
    }
    for (const std::string& key : required)
      if (!found.contains(key)) fail(name_ + " has no '" + key + "'");
    return found;
  }

  /// The entries of a mapping in their order; keys are texts and occur once.
  std::vector<std::pair<std::string, Field>> pairs() const {
    if (!node_.IsMap()) fail(name_ + " must be a mapping of names to values");
    std::vector<std::pair<std::string, Field>> entries;
    std::set<std::string> seen;
    for (const auto& entry : node_) {
      if (!entry.first.IsScalar()) fail("a key of " + name_ + " is not a name");
      const std::string key = entry.first.Scalar();
      Field value(text_, entry.second, entry.first, first_line_, "'" + key + "'");
      if (!seen.insert(key).second) value.fail("'" + key + "' is given twice in " + name_);
      entries.emplace_back(key, std::move(value));
    }
    return entries;
  }

  std::vector<Field> items() const {
    if (!node_.IsSequence()) fail(name_ + " must be a list");
    std::vector<Field> list;
    for (const auto& item : node_) list.emplace_back(text_, item, item, first_line_, "an entry of " + name_);
    return list;
  }

  std::string text() const {
    if (!node_.IsScalar() || node_.Scalar().find_first_not_of(" \t\n") == std::string::npos)
      fail(name_ + " must be a text that is not empty");
    return node_.Scalar();
  }

  /// The text, cut at white space.
  std::vector<std::string> words() const {
    std::istringstream in(text());
    std::vector<std::string> list;
    for (std::string word; in >> word;) list.push_back(word);
    return list;
  }

  std::uint32_t number(std::string_view digits, std::uint32_t min, std::uint32_t max) const {
    std::uint32_t value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc() || end != digits.data() + digits.size() || value < min || value > max)
      fail(name_ + " has '" + std::string(digits) + "' where a whole number from " + std::to_string(min) + " to " +
           std::to_string(max) + " is expected");
    return value;
  }

 private:
  static std::string listed(const std::set<std::string>& required, const std::set<std::string>& optional) {
    std::string text;
    for (const auto* names : {&required, &optional})
      for (const std::string& name : *names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  const LessonText& text_;
  YAML::Node node_;
  int first_line_;  ///< of the block in the file
  int line_;
  std::string name_;
};

using Fields = std::map<std::string, Field>;
constexpr std::uint32_t max_index = 0x7fffffff;
constexpr std::uint32_t max_claimed_values = 100000;

/// What the rows of one lesson may still claim. Seven bytes can claim 100,000 values, and each repeats its text.
class ClaimBudget {
 public:
  /// Takes `count` values of `length` characters, before they are stored.
  void take(std::uint64_t count, std::uint64_t length, const Field& field) {
    if (count > values_)
      field.fail("the rows of this lesson claim more than " + std::to_string(max_values) + " values");
    if (count * length > characters_)
      field.fail("the rows of this lesson claim more than " + std::to_string(max_characters >> 20) + " MiB of text");
    values_ -= count;
    characters_ -= count * length;
  }

 private:
  static constexpr std::uint64_t max_values = 500'000, max_characters = 8 << 20;
  std::uint64_t values_ = max_values, characters_ = max_characters;
};

/// "0 1*3 2 ..." claims 0 1 1 1 2 and leaves the rest of the row open.
ClaimedRow claimed_row(const std::string& row, const Field& field, ClaimBudget& budget) {
  ClaimedRow claim{row, {}, true, field.line()};
  for (const std::string& word : field.words()) {
    if (!claim.whole) field.fail("row '" + row + "' goes on after '...'");
    const std::size_t star = word.find('*');
    const std::uint32_t count =
        star == std::string::npos ? 1 : field.number(std::string_view(word).substr(star + 1), 1, max_claimed_values);
    if (word == "...")
      claim.whole = false;
    else if (star == 0)
      field.fail("row '" + row + "' repeats nothing in '" + word + "'");
    else if (claim.values.size() + count > max_claimed_values)
      field.fail("row '" + row + "' claims more than " + std::to_string(max_claimed_values) + " values");
    else {
      const std::string value = word.substr(0, star);
      budget.take(count, value.size(), field);
      claim.values.insert(claim.values.end(), count, value);
    }
  }
  if (claim.values.empty()) field.fail("row '" + row + "' claims no value");
  return claim;
}

/// Ranges are written as one reads them off a table: "6" or "0-5", both ends included.
Highlight highlight_of(const Field& field) {
  const Fields fields = field.fields({"role", "ranges"}, {"space", "nodes"});
  Highlight highlight;
  const Field& role_field = fields.at("role");
  const auto role = role_named(role_field.text());
  if (!role)
    role_field.fail("no role is called '" + role_field.text() + "'",
                    "roles are pivot, segment, settled, read, write, compare");
  highlight.role = *role;
  if (const auto given = fields.find("space"); given != fields.end()) {
    const auto space = space_named(given->second.text());
    if (!space) given->second.fail("no space is called '" + given->second.text() + "'", "use position, point or node");
    highlight.space = *space;
  }
  const Field& ranges = fields.at("ranges");
  for (const std::string& word : ranges.words()) {
    const std::size_t dash = word.find('-');
    const std::uint32_t first = ranges.number(std::string_view(word).substr(0, dash), 0, max_index);
    const std::uint32_t last =
        dash == std::string::npos ? first : ranges.number(std::string_view(word).substr(dash + 1), first, max_index);
    highlight.ranges.push_back({first, last + 1ull});
  }
  if (const auto given = fields.find("nodes"); given != fields.end()) {
    for (const std::string& word : given->second.words())
      highlight.nodes.push_back(given->second.number(word, 0, max_index));
    if (highlight.nodes.size() != highlight.ranges.size())
      given->second.fail("'nodes' names " + std::to_string(highlight.nodes.size()) + " nodes for " +
                         std::to_string(highlight.ranges.size()) + " ranges");
  }
  return highlight;
}

Stop stop_of(const LessonText& text, std::string title, std::size_t block_begin, std::size_t block_end, int line,
             ClaimBudget& budget) {
  Stop stop;
  stop.title = std::move(title);
  stop.line = line;
  const Field block = Field::block(text, block_begin, block_end, "the stop block");
  const Fields fields = block.fields({"select"}, {"occurrence", "shows", "highlights", "questions"});
  stop.select = fields.at("select").text();
  if (const auto given = fields.find("occurrence"); given != fields.end())
    stop.occurrence = given->second.number(given->second.text(), 1, max_index);
  if (const auto given = fields.find("shows"); given != fields.end())
    for (const auto& [row, values] : given->second.pairs()) stop.shows.push_back(claimed_row(row, values, budget));
  if (const auto given = fields.find("highlights"); given != fields.end())
    for (const Field& item : given->second.items()) stop.highlights.push_back(highlight_of(item));
  if (const auto given = fields.find("questions"); given != fields.end())
    for (const Field& item : given->second.items()) {
      const Fields question = item.fields({"ask", "answer"}, {});
      stop.questions.push_back({question.at("ask").text(), question.at("answer").text()});
    }
  return stop;
}

bool opens_stop(const std::string& line) { return line.starts_with("## "); }
bool is_fence(const std::string& line) { return line.starts_with("```") || line.starts_with("~~~"); }

/// First line in [from, end) that begins a stop, fenced code passed over; a stop block that follows no heading is
/// refused.
std::size_t next_heading(const LessonText& text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (opens_stop(text[i])) return i;
    if (!is_fence(text[i])) continue;
    if (text[i] == "```stop")
      text.fail(LessonText::number_of(i), "a stop block must directly follow its heading",
                "begin a stop with '## Title'");
    const std::size_t close = text.find(text[i].substr(0, 3), i + 1);
    if (close == text.size()) text.fail(LessonText::number_of(i), "this code block is never closed");
    i = close;
  }
  return text.size();
}

/// "walkthroughs/wald/ten-points.md" is lesson "wald/ten-points".
std::string id_of(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().filename().string();
  return folder.empty() ? file.stem().string() : folder + "/" + file.stem().string();
}

Lesson lesson_of(const LessonText& text, const std::string& path) {
  Lesson lesson;
  lesson.id = id_of(path);
  lesson.path = path;

  if (text.size() == 0 || text[0] != "---") text.fail(1, "a lesson begins with a line '---' and its front matter");
  const std::size_t body = text.find("---", 1);
  if (body == text.size()) text.fail(1, "the front matter is never closed", "end it with a line '---'");
  const Fields fields = Field::block(text, 1, body, "the front matter")
                            .fields({"title", "source", "data", "algorithm"}, {"parameters", "axes", "order"});
  lesson.title = fields.at("title").text();
  lesson.source = fields.at("source").text();
  lesson.data = fields.at("data").text();
  lesson.algorithm = fields.at("algorithm").text();
  if (const auto given = fields.find("parameters"); given != fields.end())
    for (const auto& [name, value] : given->second.pairs()) lesson.parameters[name] = value.text();
  if (const auto given = fields.find("axes"); given != fields.end()) {
    const Field& axes = given->second;
    for (const std::string& word : axes.words()) lesson.axes.push_back(axes.number(word, 0, max_index));
    if (const std::set<std::uint32_t> different(lesson.axes.begin(), lesson.axes.end());
        different.size() != lesson.axes.size() || different.size() < 2 || different.size() > 3)
      axes.fail("'axes' must be two or three different dimensions, counted from 0");
  }
  if (const auto given = fields.find("order"); given != fields.end())
    lesson.order = static_cast<int>(given->second.number(given->second.text(), 0, 1000));

  std::size_t heading = next_heading(text, body + 1);
  lesson.introduction = text.prose(body + 1, heading);
  if (heading == text.size())
    text.fail(LessonText::number_of(body), "the lesson has no stops", "begin a stop with '## Title'");
  ClaimBudget budget;
  while (heading < text.size()) {
    const int line = LessonText::number_of(heading);
    const std::string title = text[heading].substr(text[heading].find_first_not_of("# \t") == std::string::npos
                                                       ? text[heading].size()
                                                       : text[heading].find_first_not_of("# \t"));
    if (title.empty()) text.fail(line, "the stop has no title");
    std::size_t open = heading + 1;
    while (open < text.size() && text.blank(open)) ++open;
    if (open == text.size() || text[open] != "```stop")
      text.fail(line, "stop '" + title + "' has no stop block", "open one with ```stop right under the heading");
    const std::size_t close = text.find("```", open + 1);
    if (close == text.size()) text.fail(LessonText::number_of(open), "this stop block is never closed");
    Stop stop = stop_of(text, title, open + 1, close, line, budget);
    heading = next_heading(text, close + 1);
    stop.narration = text.prose(close + 1, heading);
    if (stop.narration.empty()) text.fail(line, "stop '" + title + "' has no narration");
    lesson.stops.push_back(std::move(stop));
  }
  return lesson;
}

}  // namespace

bool lessons_available() { return true; }

Result<Lesson> parse_lesson(const std::string& text, const std::string& path) {
  try {
    return lesson_of(LessonText(text, path), path);
  } catch (const ErrorException& e) {
    return e.error();
  } catch (const YAML::Exception& e) {
    return Error{ErrorKind::bad_input, "the lesson's YAML cannot be used: " + printable(e.msg), path, ""};
  }
}

}  // namespace kdscope
