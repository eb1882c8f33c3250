// yaml-cpp decides how a single value has to be quoted; the structure, and texts of several lines, are written here,
// because its emitter neither folds lines nor ends a block of lines without a line end.

#include "walkthroughs/writer/lesson_writer.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/numbers.hpp"
#include "datasets/loaders/read_options.hpp"

namespace kdscope {
namespace {

constexpr std::size_t line_length = 112;
constexpr const char* missing = "\u2026";

std::string quoted(const std::string& text) {
  YAML::Emitter out;
  if (text.find_first_of("\n\t") != std::string::npos) out.SetStringFormat(YAML::DoubleQuoted);
  out << text;
  return out.c_str();
}

/// Returns whether lines that follow "|-" read back as this text.
bool can_be_lines(const std::string& text) {
  return text.find('\t') == std::string::npos && text.front() != ' ' && text.front() != '\n' && text.back() != '\n';
}

/// Cuts a text of one line where ">-" puts single spaces.
std::vector<std::string> folded(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (text.size() - begin > line_length) {
    // The last single space that leaves a line short enough, else the first one after it.
    const auto is_cut = [&](std::size_t at) {
      return text[at] == ' ' && at > begin && text[at - 1] != ' ' && at + 1 < text.size() && text[at + 1] != ' ';
    };
    std::size_t cut = begin + line_length;
    while (cut > begin && !is_cut(cut)) --cut;
    if (cut == begin)
      for (cut = begin + line_length; cut < text.size() && !is_cut(cut);) ++cut;
    if (cut >= text.size()) break;
    lines.push_back(text.substr(begin, cut - begin));
    begin = cut + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

/// Lines of a YAML document, indented.
class YamlLines {
 public:
  /// "key: value", in the form that suits the value.
  void text(const std::string& key, const std::string& value) {
    begin(key + ":");
    const bool several = value.find('\n') != std::string::npos;
    if (value.empty() || (several ? !can_be_lines(value) : value.size() <= line_length || value.front() == ' ')) {
      text_ += " " + quoted(value) + "\n";
      return;
    }
    const std::vector<std::string> lines = several ? lines_of(value) : folded(value);
    if (lines.size() == 1) {
      text_ += " " + quoted(value) + "\n";
      return;
    }
    text_ += several ? " |-\n" : " >-\n";
    for (const std::string& line : lines) text_ += line.empty() ? "\n" : std::string(indent_ + 2, ' ') + line + "\n";
  }
  void text_if(const std::string& key, const std::string& value) {
    if (!value.empty()) text(key, value);
  }
  void number(const std::string& key, std::int64_t value) { begin(key + ": " + std::to_string(value) + "\n"); }
  void flow(const std::string& key, const YAML::Emitter& value) { begin(key + ": " + value.c_str() + "\n"); }
  void open(const std::string& key) {
    begin(key + ":\n");
    indent_ += 2;
  }
  void close() { indent_ -= 2; }
  /// The next key begins an entry of a list.
  void item() {
    item_ = true;
    indent_ += 2;
  }
  const std::string& str() const { return text_; }

 private:
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  }
  void begin(const std::string& words) {
    text_ += std::string(item_ ? indent_ - 2 : indent_, ' ') + (item_ ? "- " : "") + words;
    item_ = false;
  }

  std::string text_;
  std::size_t indent_ = 0;
  bool item_ = false;
};

template <class Words>
std::string joined(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string joined_numbers(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::string> words;
  for (const std::uint32_t number : numbers) words.push_back(std::to_string(number));
  return joined(words);
}

/// A list or a mapping on one line.
YAML::Emitter& add(YAML::Emitter& out, const std::vector<std::string>& texts) {
  out << YAML::Flow << YAML::BeginSeq;
  for (const std::string& text : texts) out << text;
  return out << YAML::EndSeq;
}

void write_expected(YamlLines& lines, const ExpectedAnswer& answer) {
  YAML::Emitter out;
  out << YAML::Flow << YAML::BeginMap << YAML::Key << name_of(answer.kind) << YAML::Value;
  switch (answer.kind) {
    case AnswerKind::positions:
    case AnswerKind::points:
    case AnswerKind::nodes:
      out << joined_numbers(answer.elements);
      break;
    case AnswerKind::cell:
      out << joined_numbers(answer.elements) << YAML::Key << "row" << YAML::Value << answer.row;
      break;
    case AnswerKind::split:
      out << shortest(answer.number) << YAML::Key << "dimension" << YAML::Value << answer.dimension;
      break;
    case AnswerKind::number:
      out << shortest(answer.number);
      break;
    case AnswerKind::words:
      add(out, answer.texts);
      break;
    case AnswerKind::choice:
      out << (answer.right < answer.texts.size() ? answer.texts[answer.right] : "");
      add(out << YAML::Key << "among" << YAML::Value, answer.texts);
      break;
  }
  if (answer.within != 0) out << YAML::Key << "within" << YAML::Value << shortest(answer.within);
  out << YAML::EndMap;
  lines.flow("expects", out);
}

void write_texts(YamlLines& lines, const std::string& key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  YAML::Emitter out;
  lines.flow(key, add(out, texts));
}

void write_question(YamlLines& lines, const Question& question) {
  lines.item();
  lines.text("ask", question.text);
  lines.text("answer", question.answer);
  lines.text_if("hint", question.hint);
  if (question.expects) write_expected(lines, *question.expects);
  std::vector<std::string> hides;
  for (const HiddenPart part : question.hides) hides.emplace_back(name_of(part));
  lines.text_if("hides", joined(hides));
  write_texts(lines, "hides_rows", question.hidden_rows);
  lines.close();
}

void write_highlight(YamlLines& lines, const Highlight& highlight) {
  lines.item();
  lines.text("role", name_of(highlight.role));
  if (highlight.space != Highlight().space) lines.text("space", name_of(highlight.space));
  std::vector<std::string> ranges;
  for (const IndexRange& range : highlight.ranges)
    ranges.push_back(std::to_string(range.begin) +
                     (range.end == range.begin + 1 ? "" : "-" + std::to_string(range.end - 1)));
  lines.text("ranges", joined(ranges));
  lines.text_if("nodes", joined_numbers(highlight.nodes));
  lines.close();
}

/// The shortest text that reads back as the same number.
std::string shortest_text(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

/// "34 14 > 40 20, 34 24 > 40 20": see read_marks().
std::string places_text(const LessonMark& mark) {
  std::string text;
  for (std::size_t i = 0; i < mark.places.size(); ++i) {
    if (i > 0) text += mark.shape == MarkShape::arrows && i % 2 == 1 ? " > " : ", ";
    for (std::size_t d = 0; d < mark.places[i].size(); ++d)
      text += (d > 0 ? " " : "") + shortest_text(mark.places[i][d]);
  }
  return text;
}

void write_mark(YamlLines& lines, const LessonMark& mark) {
  lines.item();
  lines.text(name_of(mark.shape), places_text(mark));
  if (mark.shape == MarkShape::ball) lines.text("radius", shortest_text(mark.radius));
  write_texts(lines, "labels", mark.labels);
  if (mark.ink != LessonMark().ink) lines.text("ink", name_of(mark.ink));
  if (mark.dashed) lines.text("dashed", "true");
  lines.close();
}

/// "0 1*12 2 ...": few equal values in a row are easier to read one by one.
std::string claimed_text(const ClaimedRow& claim) {
  constexpr std::ptrdiff_t fewest = 12;
  std::vector<std::string> words;
  for (auto at = claim.values.begin(); at != claim.values.end();) {
    const auto end = std::find_if(at, claim.values.end(), [&](const std::string& value) { return value != *at; });
    if (end - at >= fewest)
      words.push_back(*at + "*" + std::to_string(end - at));
    else
      words.insert(words.end(), at, end);
    at = end;
  }
  if (!claim.whole) words.emplace_back("...");
  return joined(words);
}

std::string stop_block(const Stop& stop) {
  YamlLines lines;
  lines.text("select", stop.select);
  if (stop.occurrence != 0) lines.number("occurrence", stop.occurrence);
  if (!stop.shows.empty()) {
    lines.open("shows");
    for (const ClaimedRow& claim : stop.shows) lines.text(quoted(claim.row), claimed_text(claim));
    lines.close();
  }
  if (!stop.highlights.empty()) {
    lines.open("highlights");
    for (const Highlight& highlight : stop.highlights) write_highlight(lines, highlight);
    lines.close();
  }
  if (!stop.marks.empty()) {
    lines.open("marks");
    for (const LessonMark& mark : stop.marks) write_mark(lines, mark);
    lines.close();
  }
  lines.text_if("panes", joined(stop.panes));
  lines.text_if("inside", stop.inside);
  write_texts(lines, "rows", stop.rows);
  lines.text_if("notes", stop.notes);
  if (!stop.questions.empty()) {
    lines.open("questions");
    for (const Question& question : stop.questions) write_question(lines, question);
    lines.close();
  }
  return lines.str();
}

/// Points as the text of a CSV file. A set of floats has a decimal point, which tells it from whole numbers.
std::string points_text(const DataSet& data) {
  const PointSet& points = data.points;
  std::string text;
  const auto is_name = [](const std::string& name) {
    return !name.empty() && name.find_first_of(",;\"\n\r\t") == std::string::npos && name.front() != ' ' &&
           name.back() != ' ' && name.find_first_not_of("0123456789+-.eE") != std::string::npos;
  };
  if (data.column_names.size() == points.dim && names_coordinates_alone(data.column_names) &&
      std::all_of(data.column_names.begin(), data.column_names.end(), is_name))
    for (std::uint32_t d = 0; d < points.dim; ++d) text += (d ? "," : "") + data.column_names[d];
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!text.empty()) text += '\n';
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const bool whole = points.type == ScalarType::int32;
      std::string number = whole ? std::to_string(static_cast<std::int32_t>(points.value(i, d)))
                                 : shortest(static_cast<float>(points.value(i, d)));
      if (!whole && number.find_first_of(".e") == std::string::npos) number += ".0";
      text += (d ? "," : "") + number;
    }
  }
  return text;
}

std::string front_matter(const Lesson& lesson) {
  YamlLines lines;
  lines.text("title", lesson.title);
  lines.text("source", lesson.source);
  lines.text("data", lesson.data);
  if (lesson.points) lines.text("points", points_text(*lesson.points));
  lines.text("algorithm", lesson.algorithm);
  const auto map = [&](const char* key, const std::map<std::string, std::string>& values) {
    if (values.empty()) return;
    lines.open(key);
    for (const auto& [name, value] : values) lines.text(quoted(name), value);
    lines.close();
  };
  map("parameters", lesson.parameters);
  map("search", lesson.search);
  lines.text_if("axes", joined_numbers(lesson.axes));
  if (lesson.order != Lesson().order) lines.number("order", lesson.order);
  lines.text_if("aim", lesson.aim);
  if (lesson.minutes != 0) lines.number("minutes", lesson.minutes);
  lines.text_if("builds_on", joined(lesson.builds_on));
  return lines.str();
}

bool same_points(const std::shared_ptr<const DataSet>& a, const std::shared_ptr<const DataSet>& b) {
  if (!a || !b) return a == b;
  const PointSet &p = a->points, &q = b->points;
  if (p.type != q.type || p.dim != q.dim || p.size() != q.size()) return false;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::uint32_t d = 0; d < p.dim; ++d)
      if (p.word(i, d) != q.word(i, d)) return false;
  return true;
}

bool same_claim(const ClaimedRow& a, const ClaimedRow& b) {
  return a.row == b.row && a.values == b.values && a.whole == b.whole;
}

bool same_stop(const Stop& a, const Stop& b) {
  return a.title == b.title && a.select == b.select && a.occurrence == b.occurrence && a.narration == b.narration &&
         std::equal(a.shows.begin(), a.shows.end(), b.shows.begin(), b.shows.end(), same_claim) &&
         a.highlights == b.highlights && a.marks == b.marks && a.questions == b.questions && a.panes == b.panes &&
         a.inside == b.inside &&
         a.rows == b.rows && a.notes == b.notes;
}

/// A text as a quotation, in which no heading begins a stop and no block of code stays open.
std::string quoted_lines(const std::string& text) {
  std::string quoted = "> ";
  for (const char c : text) {
    quoted += c;
    if (c == '\n') quoted += "> ";
  }
  return quoted;
}

/// Returns whether a lesson of this stop alone reads back as it is.
bool is_readable(const Stop& stop) {
  Lesson alone;
  alone.title = alone.source = alone.data = alone.algorithm = missing;
  alone.stops = {stop};
  const auto read = parse_lesson(lesson_text(alone), "");
  return read && same_lesson(*read, alone);
}

/// Returns whether a question reads back as it is, whatever else is in its stop.
bool is_readable(const Question& question) {
  Stop alone;
  alone.title = alone.select = alone.narration = missing;
  alone.questions = {question};
  return is_readable(alone);
}

/// Makes a stop of a draft one that the reader takes. Answers that are not whole are left out. Its heading and its
/// narration change only if the reader refuses the stop even so.
void make_readable(Stop& stop) {
  if (is_readable(stop)) return;
  for (Question& question : stop.questions)
    if (!is_readable(question)) question.expects.reset();
  if (is_readable(stop)) return;
  std::replace(stop.title.begin(), stop.title.end(), '\n', ' ');
  if (stop.title.starts_with('#')) stop.title.insert(0, missing);
  if (!is_readable(stop)) stop.narration = quoted_lines(stop.narration);
}

/// Every text of a draft that its file must have.
template <class Visit>
void visit_required(Lesson& draft, Visit&& visit) {
  for (std::string* text : {&draft.title, &draft.source}) visit(*text);
  for (Stop& stop : draft.stops) {
    for (std::string* text : {&stop.title, &stop.narration}) visit(*text);
    for (Question& question : stop.questions) {
      for (std::string* text : {&question.text, &question.answer}) visit(*text);
      if (question.expects)
        for (std::string& text : question.expects->texts) visit(text);
    }
  }
}

}  // namespace

std::string lesson_text(const Lesson& lesson) {
  std::string text = "---\n" + front_matter(lesson) + "---\n";
  if (!lesson.introduction.empty()) text += "\n" + lesson.introduction + "\n";
  for (const Stop& stop : lesson.stops)
    text += "\n## " + stop.title + "\n\n```stop\n" + stop_block(stop) + "```\n\n" + stop.narration + "\n";
  return text;
}

bool same_lesson(const Lesson& a, const Lesson& b) {
  return a.title == b.title && a.source == b.source && a.data == b.data && same_points(a.points, b.points) &&
         a.algorithm == b.algorithm && a.parameters == b.parameters && a.search == b.search && a.axes == b.axes &&
         a.order == b.order && a.aim == b.aim && a.minutes == b.minutes && a.builds_on == b.builds_on &&
         a.introduction == b.introduction &&
         std::equal(a.stops.begin(), a.stops.end(), b.stops.begin(), b.stops.end(), same_stop);
}

Result<void> save_lesson(const Lesson& lesson, const std::string& path) {
  const std::string text = lesson_text(lesson);
  const auto read = parse_lesson(text, path);
  if (!read) return read.error();
  if (!same_lesson(lesson, *read))
    return Error{ErrorKind::bad_input, "a text of this lesson would change when its file is read again", path,
                 "remove headings that begin with '## ', and control characters"};
  return replace_file(path, text);
}

std::string draft_text(Lesson draft) {
  if (draft.stops.empty()) {  // a file has at least one
    draft.stops.emplace_back();
    draft.stops.back().select = missing;
  }
  visit_required(draft, [](std::string& text) {
    if (text.empty()) text = missing;
  });
  for (Stop& stop : draft.stops) make_readable(stop);
  if (!draft.introduction.empty()) {
    Stop alone;
    alone.title = alone.select = missing;
    alone.narration = draft.introduction;
    make_readable(alone);
    draft.introduction = alone.narration;
  }
  return lesson_text(draft);
}

Result<Lesson> parse_draft(const std::string& text, const std::string& path) {
  auto draft = parse_lesson(text, path);
  if (!draft) return draft;
  visit_required(*draft, [](std::string& text) {
    if (text == missing) text.clear();
  });
  std::erase_if(draft->stops, [](const Stop& stop) { return stop.select == missing; });
  return draft;
}

}  // namespace kdscope
