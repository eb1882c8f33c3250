// The lesson format, as walkthroughs/AUTHORING.md describes it. Everything that is wrong is thrown with its
// line, and caught once, in parse_lesson.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/inside/place_inside.hpp"
#include "datasets/loaders/loaders.hpp"
#include "walkthroughs/reader/front_matter.hpp"
#include "walkthroughs/reader/lesson.hpp"
#include "walkthroughs/reader/mark_yaml.hpp"
#include "walkthroughs/reader/panes.hpp"
#include "walkthroughs/reader/question_yaml.hpp"

namespace kdscope {
namespace {

std::uint32_t index_in(const YamlField& field, std::string_view digits, std::uint32_t min, std::uint32_t max) {
  return static_cast<std::uint32_t>(field.natural(digits, min, max));
}

constexpr std::uint32_t max_claimed_values = 100000;

/// What the rows of one lesson may still claim. Seven bytes can claim 100,000 values, and each repeats its text.
class ClaimBudget {
 public:
  /// Takes `count` values of `length` characters, before they are stored.
  void take(std::uint64_t count, std::uint64_t length, const YamlField& field) {
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
ClaimedRow claimed_row(const std::string& row, const YamlField& field, ClaimBudget& budget) {
  ClaimedRow claim{row, {}, true, field.line()};
  for (const std::string& word : field.words()) {
    if (!claim.whole) field.fail("row '" + row + "' goes on after '...'");
    const std::size_t star = word.find('*');
    const std::uint32_t count =
        star == std::string::npos ? 1 : index_in(field, std::string_view(word).substr(star + 1), 1, max_claimed_values);
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
Highlight highlight_of(const YamlField& field) {
  const YamlFields fields = field.fields({"role", "ranges"}, {"space", "nodes"});
  Highlight highlight;
  const YamlField& role_field = fields.at("role");
  const auto role = role_named(role_field.text());
  if (!role)
    role_field.fail("no role is called '" + role_field.text() + "'",
                    "roles are pivot, segment, settled, read, write, compare");
  highlight.role = *role;
  if (const YamlField* given = find(fields, "space")) {
    const auto space = space_named(given->text());
    if (!space) given->fail("no space is called '" + given->text() + "'", "use position, point or node");
    highlight.space = *space;
  }
  const YamlField& ranges = fields.at("ranges");
  for (const std::string& word : ranges.words()) {
    const std::size_t dash = word.find('-');
    const std::uint32_t first = index_in(ranges, std::string_view(word).substr(0, dash), 0, max_index);
    const std::uint32_t last =
        dash == std::string::npos ? first : index_in(ranges, std::string_view(word).substr(dash + 1), first, max_index);
    highlight.ranges.push_back({first, last + 1ull});
  }
  if (const YamlField* given = find(fields, "nodes")) {
    for (const std::string& word : given->words()) highlight.nodes.push_back(index_in(*given, word, 0, max_index));
    if (highlight.nodes.size() != highlight.ranges.size())
      given->fail("'nodes' names " + std::to_string(highlight.nodes.size()) + " nodes for " +
                  std::to_string(highlight.ranges.size()) + " ranges");
  }
  return highlight;
}

Stop stop_of(const MarkdownText& text, std::string title, std::size_t block_begin, std::size_t block_end, int line,
             ClaimBudget& budget) {
  Stop stop;
  stop.title = std::move(title);
  stop.line = line;
  const YamlField block = yaml_block(text, block_begin, block_end, "the stop block");
  const YamlFields fields = block.fields(
      {"select"}, {"occurrence", "shows", "highlights", "marks", "questions", "panes", "inside", "rows", "notes"});
  stop.select = fields.at("select").text();
  if (const YamlField* given = find(fields, "occurrence"))
    stop.occurrence = index_in(*given, given->text(), 1, max_index);
  if (const YamlField* given = find(fields, "shows"))
    for (const auto& [row, values] : given->pairs()) stop.shows.push_back(claimed_row(row, values, budget));
  if (const YamlField* given = find(fields, "highlights"))
    for (const YamlField& item : given->items()) stop.highlights.push_back(highlight_of(item));
  if (const YamlField* given = find(fields, "marks")) stop.marks = read_marks(*given);
  if (const YamlField* given = find(fields, "questions"))
    for (const YamlField& item : given->items()) stop.questions.push_back(question_of(item));
  if (const YamlField* given = find(fields, "panes")) stop.panes = words_among(*given, lesson_panes());
  if (const YamlField* given = find(fields, "inside")) {
    stop.inside = given->text();
    if (!access_log::place_inside(stop.inside))
      given->fail("'" + stop.inside + "' is no place inside a step",
                  "write, for example, block 0 / interval 2 / lane 5");
  }
  if (const YamlField* given = find(fields, "rows")) stop.rows = texts_of(*given);
  if (const YamlField* given = find(fields, "notes")) stop.notes = given->text();
  return stop;
}

bool opens_stop(const std::string& line) { return line.starts_with("## "); }
bool is_fence(const std::string& line) { return line.starts_with("```") || line.starts_with("~~~"); }

/// First line in [from, end) that begins a stop, fenced code passed over; a stop block that follows no heading is
/// refused.
std::size_t next_heading(const MarkdownText& text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (opens_stop(text[i])) return i;
    if (!is_fence(text[i])) continue;
    if (text[i] == "```stop")
      text.fail(MarkdownText::number_of(i), "a stop block must directly follow its heading",
                "begin a stop with '## Title'");
    const std::size_t close = text.find(text[i].substr(0, 3), i + 1);
    if (close == text.size()) text.fail(MarkdownText::number_of(i), "this code block is never closed");
    i = close;
  }
  return text.size();
}

/// Points that the lesson itself holds: the text of a CSV file.
std::shared_ptr<const DataSet> points_of(const YamlField& field, const std::string& name) {
  auto points = parse_points(FileFormat::csv, field.text(), field.name());
  if (!points) field.fail(points.error().where + ": " + points.error().what, points.error().remedy);
  points->name = name;
  return std::make_shared<const DataSet>(std::move(*points));
}

/// "walkthroughs/wald/ten-points.md" is lesson "wald/ten-points".
std::string id_of(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().filename().string();
  return folder.empty() ? file.stem().string() : folder + "/" + file.stem().string();
}

Lesson lesson_of(const MarkdownText& text, const std::string& path) {
  Lesson lesson;
  lesson.id = id_of(path);
  lesson.path = path;

  const std::size_t body = text.end_of_front_matter("lesson");
  const YamlFields fields =
      yaml_block(text, 1, body, "the front matter")
          .fields({"title", "source", "data", "algorithm"},
                  {"points", "parameters", "search", "axes", "order", "aim", "minutes", "builds_on"});
  lesson.title = fields.at("title").text();
  lesson.source = fields.at("source").text();
  lesson.data = fields.at("data").text();
  if (const YamlField* given = find(fields, "points")) lesson.points = points_of(*given, lesson.data);
  lesson.algorithm = fields.at("algorithm").text();
  if (const YamlField* given = find(fields, "parameters"))
    for (const auto& [name, value] : given->pairs()) lesson.parameters[name] = value.text();
  if (const YamlField* given = find(fields, "search"))
    for (const auto& [name, value] : given->pairs()) lesson.search[name] = value.text();
  if (const YamlField* given = find(fields, "axes")) {
    const YamlField& axes = *given;
    for (const std::string& word : axes.words()) lesson.axes.push_back(index_in(axes, word, 0, max_index));
    if (const std::set<std::uint32_t> different(lesson.axes.begin(), lesson.axes.end());
        different.size() != lesson.axes.size() || different.size() < 2 || different.size() > 3)
      axes.fail("'axes' must be two or three different dimensions, counted from 0");
  }
  if (const YamlField* given = find(fields, "order"))
    lesson.order = static_cast<int>(index_in(*given, given->text(), 0, 1000));
  if (const YamlField* given = find(fields, "aim")) lesson.aim = given->text();
  if (const YamlField* given = find(fields, "minutes"))
    lesson.minutes = static_cast<int>(index_in(*given, given->text(), 1, 600));
  if (const YamlField* given = find(fields, "builds_on")) lesson.builds_on = given->words();

  std::size_t heading = next_heading(text, body + 1);
  lesson.introduction = text.prose(body + 1, heading);
  if (heading == text.size())
    text.fail(MarkdownText::number_of(body), "the lesson has no stops", "begin a stop with '## Title'");
  ClaimBudget budget;
  while (heading < text.size()) {
    const int line = MarkdownText::number_of(heading);
    const std::string title = text[heading].substr(text[heading].find_first_not_of("# \t") == std::string::npos
                                                       ? text[heading].size()
                                                       : text[heading].find_first_not_of("# \t"));
    if (title.empty()) text.fail(line, "the stop has no title");
    std::size_t open = heading + 1;
    while (open < text.size() && text.blank(open)) ++open;
    if (open == text.size() || text[open] != "```stop")
      text.fail(line, "stop '" + title + "' has no stop block", "open one with ```stop right under the heading");
    const std::size_t close = text.find("```", open + 1);
    if (close == text.size()) text.fail(MarkdownText::number_of(open), "this stop block is never closed");
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

Result<Lesson> parse_lesson(const std::string& text, const std::string& path) try {
  return lesson_of(MarkdownText(text), path);
} catch (const YamlFieldError& e) {
  return Error{ErrorKind::bad_input, e.text, path + ":" + std::to_string(e.line), e.remedy};
} catch (const YAML::Exception& e) {
  return Error{ErrorKind::bad_input, "the lesson's YAML cannot be used: " + printable(e.msg), path, ""};
}

}  // namespace kdscope
