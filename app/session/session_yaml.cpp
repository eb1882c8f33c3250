// The session format. A head of sections, each at the left margin and each a YAML document of its own to the reader, so
// that damage stays where it is; then `--- | # points` and a row of numbers a point. The whole is a YAML stream.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <string_view>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/session/data_form.hpp"
#include "app/session/session_file.hpp"
#include "app/session/whole_file.hpp"
#include "walkthroughs/reader/bounded_yaml.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_session_bytes = std::uintmax_t{8} << 30;
constexpr std::size_t max_head_bytes = 16 << 20;
constexpr std::size_t max_named = 3;       ///< sections or lines that a message names one by one
constexpr std::size_t max_shown_key = 40;  ///< bytes of an unknown section's name in a message
constexpr std::string_view block_mark = "--- | # ";
/// Everything that is read. Only these are kept in memory; a file may have any number of others.
constexpr std::string_view known_sections[] = {
    "kdscope_session", "data",   "algorithm",      "parameters", "backend",   "thin",
    "trace",           "lesson", "step",           "selection",  "baseline",  "bookmarks",
    "camera",          "axes",   "smallest_boxes", "surface",    "colouring", "theme",
    "text_scale",      "layout", "tree_hash",      "file",       "points",    "edited_points"};
constexpr std::uint32_t max_dim = 512;
constexpr const char* baseline_names[] = {"previous step", "previous level", "bookmark"};

// ---- writing

std::string absolute_name(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().string();
}

/// A specification that names a file does so from anywhere.
std::string absolute_data(const std::string& data) {
  const DataForm form = parse_data_form(data);
  return form.source.empty() && !form.file.empty() && fs::exists(form.file) ? absolute_name(data) : data;
}

template <std::size_t n, class Number>
void add_numbers(YAML::Emitter& out, const char* key, const std::array<Number, n>& numbers) {
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const Number number : numbers) out << shortest(number);
  out << YAML::EndSeq;
}

void add_text(YAML::Emitter& out, const char* key, const std::string& text) {
  if (!text.empty()) out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << text;
}

/// Column names are labels: a half of what can be read of a section is kept, in quotes and with escapes.
bool columns_fit(const std::vector<std::string>& names) {
  constexpr std::size_t longest_escape = 4;
  std::size_t bytes = 0;
  for (const std::string& name : names) bytes += longest_escape * name.size() + 4;
  return bytes <= YamlBounds{}.bytes / 2;
}

/// What the block of numbers with the same name is.
void add_points_head(YAML::Emitter& out, const char* key, const DataSet* data) {
  if (!data) return;
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginMap;
  add_text(out, "name", data->name);
  out << YAML::Key << "type" << YAML::Value << name_of(data->points.type) << YAML::Key << "dim" << YAML::Value
      << data->points.dim << YAML::Key << "count" << YAML::Value << data->points.size() << YAML::Key << "up_axis"
      << YAML::Value << data->up_axis;
  if (!data->column_names.empty() && columns_fit(data->column_names)) {
    out << YAML::Key << "columns" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const std::string& name : data->column_names) out << YAML::DoubleQuoted << name;
    out << YAML::EndSeq;
  }
  out << YAML::EndMap;
}

void add_points(std::string& text, const char* key, const DataSet* data) {
  if (!data) return;
  const PointSet& points = data->points;
  text += block_mark;
  text += key;
  text += '\n';
  text.reserve(text.size() + points.size() * points.dim * 10);
  char number[32];
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const std::uint32_t word = points.word(i, d);
      const auto end = points.type == ScalarType::int32
                           ? std::to_chars(number, number + sizeof number, static_cast<std::int32_t>(word))
                           : std::to_chars(number, number + sizeof number, std::bit_cast<float>(word));
      text.append(number, end.ptr);
      text += d + 1 < points.dim ? ' ' : '\n';
    }
}

// ---- reading

struct Section {
  std::string text;
  int line = 0;
};

bool is_known(std::string_view key) {
  return std::find(std::begin(known_sections), std::end(known_sections), key) != std::end(known_sections);
}

struct Block {
  std::string_view rows;
  int line;  ///< of the first row
};

template <class Integer>
Integer integer(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  Integer value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) throw YAML::Exception(node.Mark(), "no integer");
  return value;
}

[[noreturn]] void refuse() { throw YAML::Exception(YAML::Mark::null_mark(), "out of range"); }

double finite(const YAML::Node& node) {
  const auto value = node.as<double>();
  if (!std::isfinite(value)) refuse();
  return value;
}

std::array<double, 3> triple(const YAML::Node& node) {
  if (node.size() != 3) refuse();
  return {finite(node[0]), finite(node[1]), finite(node[2])};
}

/// The head in sections and the blocks behind it, and what was wrong with them.
class SessionText {
 public:
  explicit SessionText(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    int line = 1;
    Section* section = nullptr;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      std::string_view row = text.substr(0, end);
      if (row.starts_with(block_mark)) {
        text.remove_prefix(end);
        line = cut_block(std::string(row.substr(block_mark.size())), text, line + 1);
        section = nullptr;
        continue;
      }
      text.remove_prefix(end);
      head_bytes_ += row.size();
      if (head_bytes_ <= max_head_bytes) section = add_line(row, line, section);
      ++line;
    }
    if (head_bytes_ > max_head_bytes)
      problems.push_back("what follows " + std::to_string(max_head_bytes >> 20) + " MiB of sections is left out");
  }

  bool has(const std::string& key) const { return sections_.contains(key); }
  bool knows_something() const { return known_ > 0; }

  /// The first section that is too large to be read, or none.
  std::optional<std::string> too_large() const {
    for (const auto& [key, section] : sections_) try {
        read_yaml(section.text);
      } catch (const YAML::Exception&) {
        return key;
      }
    return std::nullopt;
  }

  /// Calls read(node) for one of known_sections; whatever it throws is that section's damage.
  template <class Read>
  void section(const std::string& key, Read read) {
    const auto found = sections_.find(key);
    if (found == sections_.end()) return;
    ++known_;
    try {
      const YAML::Node node = read_yaml(found->second.text)[key];
      if (!node.IsDefined() || node.IsNull()) refuse();
      read(node);
    } catch (const std::exception&) {
      problems.push_back("its section '" + key + "' (line " + std::to_string(found->second.line) + ") is damaged");
    }
  }
  void text(const std::string& key, std::string& value) {
    section(key, [&](const YAML::Node& node) { value = node.as<std::string>(); });
  }

  void list_unknown() {
    problems.insert(problems.end(), unknown_.begin(), unknown_.end());
    if (const std::size_t others = unknown_count_ - unknown_.size(); others > 0)
      problems.push_back(std::to_string(others) + (others == 1 ? " other section is" : " other sections are") +
                         " unknown here too");
    for (const int line : stray_) problems.push_back("line " + std::to_string(line) + " belongs to no section");
  }

  std::shared_ptr<const DataSet> points(const std::string& key, const std::string& what);

  std::vector<std::string> problems;

 private:
  Section* add_line(std::string_view row, int line, Section* section) {
    const char first = row.front();
    if (section && (first == ' ' || first == '\t' || first == '-' || first == '\n' || first == '\r')) {
      if (section != &passed_over_ && !row.starts_with("---")) section->text += row;
      return section;
    }
    const std::size_t colon = row.find(':');
    if (first == '#' || first == '\n' || first == '\r' || row.starts_with("---")) return nullptr;
    if (colon == std::string_view::npos || first == ' ') {
      if (stray_.size() < max_named) stray_.push_back(line);
      return nullptr;
    }
    const std::string_view key = row.substr(0, colon);
    if (!is_known(key)) {
      count_unknown(key, line);
      return &passed_over_;
    }
    const auto [section_of_key, added] = sections_.try_emplace(std::string(key), Section{std::string(row), line});
    return added ? &section_of_key->second : &passed_over_;  // of several with one name, the first
  }

  void count_unknown(std::string_view key, int line) {
    if (++unknown_count_ > max_named) return;
    const std::string shown = std::string(key.substr(0, max_shown_key)) + (key.size() > max_shown_key ? "..." : "");
    unknown_.push_back("its section '" + shown + "' (line " + std::to_string(line) + ") is unknown here");
  }

  /// Takes the rows up to the next block from the text; the number of the line behind them.
  int cut_block(std::string key, std::string_view& text, int line) {
    key.erase(key.find_last_not_of(" \t\r\n") + 1);
    const std::size_t next = text.find("\n---");
    const std::string_view rows = text.substr(0, next == std::string_view::npos ? text.size() : next + 1);
    if (is_known(key)) blocks_.try_emplace(key, Block{rows, line});
    text.remove_prefix(rows.size());
    return line + static_cast<int>(std::count(rows.begin(), rows.end(), '\n'));
  }

  std::map<std::string, Section> sections_;
  std::map<std::string, Block> blocks_;
  Section passed_over_;  ///< takes the lines of sections that are not read
  std::vector<std::string> unknown_;
  std::size_t unknown_count_ = 0;
  std::vector<int> stray_;
  std::size_t head_bytes_ = 0;
  int known_ = 0;
};

/// One row of numbers; false when it is anything else. With dim 0 the row decides how many there are.
bool add_row(std::string_view row, PointSet& points, std::uint32_t dim) {
  const std::size_t size = points.words.size();
  const char *at = row.data(), *end = at + row.size();
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto refuse_row = [&] { return points.words.resize(size), false; };
  while (true) {
    while (at != end && blank(*at)) ++at;
    if (at == end) break;
    std::from_chars_result read{};
    if (points.type == ScalarType::int32) {
      std::int32_t value = 0;
      read = std::from_chars(at, end, value);
      points.words.push_back(word_of(value));
    } else {
      float value = 0;
      read = std::from_chars(at, end, value);
      if (!std::isfinite(value)) return refuse_row();
      points.words.push_back(word_of(value));
    }
    if (read.ec != std::errc() || (read.ptr != end && !blank(*read.ptr))) return refuse_row();
    at = read.ptr;
  }
  const std::size_t found = points.words.size() - size;
  if (found == 0 || found > max_dim || (dim != 0 && found != dim)) return refuse_row();
  return true;
}

std::shared_ptr<const DataSet> SessionText::points(const std::string& key, const std::string& what) {
  auto data = std::make_shared<DataSet>();
  std::uint32_t dim = 0;
  std::uint64_t count = no_id;
  section(key, [&](const YAML::Node& node) {
    dim = integer<std::uint32_t>(node["dim"]);
    if (dim < 1 || dim > max_dim) dim = 0, refuse();
    const auto type = node["type"].as<std::string>();
    if (type == name_of(ScalarType::int32))
      data->points.type = ScalarType::int32;
    else if (type != name_of(ScalarType::float32))
      refuse();
    count = integer<std::uint64_t>(node["count"]);
    data->name = node["name"].as<std::string>("");
    data->up_axis = integer<std::uint32_t>(node["up_axis"]);
    if (const YAML::Node columns = node["columns"]; columns && columns.size() == dim)
      for (const YAML::Node& name : columns) data->column_names.push_back(name.as<std::string>());
  });
  const auto found = blocks_.find(key);
  if (found == blocks_.end()) {
    if (has(key)) problems.push_back(what + " are missing");
    return nullptr;
  }
  ++known_;
  int line = found->second.line, first_bad = 0;
  std::uint64_t bad = 0;
  for (std::string_view rows = found->second.rows; !rows.empty(); ++line) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    if (!add_row(rows.substr(0, end), data->points, dim)) {
      if (bad++ == 0) first_bad = line;
    } else if (dim == 0) {
      dim = static_cast<std::uint32_t>(data->points.words.size());
    }
    rows.remove_prefix(std::min(end + 1, rows.size()));
  }
  data->points.dim = std::max(dim, 1U);
  const std::size_t good = data->points.size();
  const std::string where = first_bad ? " (line " + std::to_string(first_bad) + " is the first that could not)" : "";
  if (good == 0)
    problems.push_back(what + " could not be read" + where);
  else if (bad > 0 || (count != no_id && count != good))
    problems.push_back("of " + what + " " + std::to_string(good) +
                       (count != no_id ? " of " + std::to_string(count) : std::string()) + " could be read" + where);
  return good ? data : nullptr;
}

void read_run(SessionText& text, RunSpec& run) {
  text.text("data", run.data);
  text.text("algorithm", run.algorithm);
  text.section("parameters", [&](const YAML::Node& node) {
    if (!node.IsMap()) refuse();
    Parameters read;
    for (const auto& entry : node) read[entry.first.as<std::string>()] = entry.second.as<std::string>();
    run.parameters = read;
  });
  text.section("backend", [&](const YAML::Node& node) { run.backend = *backend_named(node.as<std::string>()); });
  text.section("thin", [&](const YAML::Node& node) { run.thin = node.as<bool>(); });
}

void read_marks(SessionText& text, Session& session, Place& place) {
  text.section("step", [&](const YAML::Node& node) { place.step = integer<std::uint32_t>(node); });
  text.section("selection", [&](const YAML::Node& node) {
    Selection read;
    const auto space = space_named(node["space"].as<std::string>());
    if (!space) refuse();
    read.space = *space;
    read.index = integer<std::uint64_t>(node["index"]);
    read.array = node["array"].as<std::string>("");
    read.count = integer<std::uint64_t>(node["count"]);
    place.selection = read;
  });
  text.section("baseline", [&](const YAML::Node& node) {
    const auto with = node["with"].as<std::string>();
    const auto found = std::find(std::begin(baseline_names), std::end(baseline_names), with);
    if (found == std::end(baseline_names)) refuse();
    place.baseline = {static_cast<ComparedWith>(found - std::begin(baseline_names)),
                      integer<std::uint32_t>(node["step"])};
  });
  text.section("bookmarks", [&](const YAML::Node& node) {
    bool damaged = !node.IsSequence();
    for (const YAML::Node& mark : node) try {
        session.bookmarks.push_back({integer<std::uint32_t>(mark["step"]), mark["note"].as<std::string>("")});
      } catch (const std::exception&) {
        damaged = true;  // the others are kept
      }
    const auto earlier = [](const Bookmark& a, const Bookmark& b) { return a.step < b.step; };
    const auto same = [](const Bookmark& a, const Bookmark& b) { return a.step == b.step; };
    auto& marks = session.bookmarks;
    std::stable_sort(marks.begin(), marks.end(), earlier);
    marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
    if (damaged) refuse();
  });
}

void read_looks(SessionText& text, SavedSession& saved) {
  Session& session = saved.session;
  Place& place = saved.place;
  text.section("camera", [&](const YAML::Node& node) {
    const CameraState read{triple(node["position"]), triple(node["focal_point"]), triple(node["view_up"]),
                           finite(node["scale"]), node["parallel"].as<bool>()};
    if (read.parallel_scale <= 0 || read.position == read.focal_point) refuse();
    session.camera = read;
  });
  text.section("axes", [&](const YAML::Node& node) {
    if (node.size() != 3) refuse();
    const std::array read{integer<int>(node[0]), integer<int>(node[1]), integer<int>(node[2])};
    if (read[0] < 0 || *std::min_element(read.begin(), read.end()) < -1) refuse();
    place.axes = read;
  });
  text.section("smallest_boxes", [&](const YAML::Node& node) { session.smallest_boxes = node.as<bool>(); });
  text.section("surface", [&](const YAML::Node& node) { session.surface = node.as<bool>(); });
  text.section("colouring", [&](const YAML::Node& node) {
    const auto colouring = colouring_named(node.as<std::string>());
    if (!colouring) refuse();
    session.colouring = *colouring;
  });
  text.section("theme", [&](const YAML::Node& node) {
    const auto theme = node.as<std::string>();
    if (theme.empty()) refuse();
    session.theme = theme;
  });
  text.section("text_scale", [&](const YAML::Node& node) {
    const int scale = integer<int>(node);
    if (scale < min_text_scale || scale > max_text_scale) refuse();
    session.text_scale = scale;
  });
  text.text("layout", saved.layout);
}

}  // namespace

bool session_files_available() { return true; }

namespace {

/// The sections of a session, without its points.
std::string head_text(const SavedSession& saved) {
  const Session& session = saved.session;
  const Place& place = saved.place;
  const RunSpec& run = session.run;
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "kdscope_session" << YAML::Value << session_format;
  add_text(out, "data", absolute_data(run.data));
  add_text(out, "algorithm", run.algorithm);
  if (!run.parameters.empty()) {
    out << YAML::Key << "parameters" << YAML::Value << YAML::Flow << YAML::BeginMap;
    for (const auto& [name, value] : run.parameters) add_text(out, name.c_str(), value);
    out << YAML::EndMap;
  }
  out << YAML::Key << "backend" << YAML::Value << name_of(run.backend);
  if (run.thin) out << YAML::Key << "thin" << YAML::Value << true;
  add_text(out, "trace", session.trace_file.empty() ? std::string() : absolute_name(session.trace_file));
  add_text(out, "lesson", session.lesson);
  out << YAML::Key << "step" << YAML::Value << place.step;
  if (const Selection selection = place.selection) {
    out << YAML::Key << "selection" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key << "space"
        << YAML::Value << name_of(selection.space) << YAML::Key << "index" << YAML::Value << selection.index;
    add_text(out, "array", selection.array);
    out << YAML::Key << "count" << YAML::Value << selection.count << YAML::EndMap;
  }
  out << YAML::Key << "baseline" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key << "with" << YAML::Value
      << baseline_names[static_cast<int>(place.baseline.with)] << YAML::Key << "step" << YAML::Value
      << place.baseline.step << YAML::EndMap;
  if (!session.bookmarks.empty()) {
    out << YAML::Key << "bookmarks" << YAML::Value << YAML::BeginSeq;
    for (const Bookmark& mark : session.bookmarks) {
      out << YAML::Flow << YAML::BeginMap << YAML::Key << "step" << YAML::Value << mark.step;
      add_text(out, "note", mark.note);
      out << YAML::EndMap;
    }
    out << YAML::EndSeq;
  }
  if (session.camera) {
    out << YAML::Key << "camera" << YAML::Value << YAML::Flow << YAML::BeginMap;
    add_numbers(out, "position", session.camera->position);
    add_numbers(out, "focal_point", session.camera->focal_point);
    add_numbers(out, "view_up", session.camera->view_up);
    out << YAML::Key << "scale" << YAML::Value << shortest(session.camera->parallel_scale) << YAML::Key << "parallel"
        << YAML::Value << session.camera->parallel << YAML::EndMap;
  }
  if (place.axes) add_numbers(out, "axes", *place.axes);
  if (!session.smallest_boxes) out << YAML::Key << "smallest_boxes" << YAML::Value << false;
  if (!session.surface) out << YAML::Key << "surface" << YAML::Value << false;
  if (session.colouring != Colouring::subtree)
    out << YAML::Key << "colouring" << YAML::Value << name_of(session.colouring);
  add_text(out, "theme", session.theme);
  out << YAML::Key << "text_scale" << YAML::Value << session.text_scale;
  add_text(out, "layout", saved.layout);
  if (saved.tree_hash) out << YAML::Key << "tree_hash" << YAML::Value << saved.tree_hash;
  add_text(out, "file", saved.file);
  add_points_head(out, "points", run.own_points.get());
  add_points_head(out, "edited_points", saved.edited_points.get());
  out << YAML::EndMap;
  return std::string(out.c_str()) + '\n';
}

std::string with_points(std::string text, const SavedSession& saved) {
  add_points(text, "points", saved.session.run.own_points.get());
  add_points(text, "edited_points", saved.edited_points.get());
  return text;
}

}  // namespace

std::string session_text(const SavedSession& saved) { return with_points(head_text(saved), saved); }

Result<ReadSession> parse_session(const std::string& bytes, const std::string& path) {
  SessionText text(bytes);
  ReadSession read;
  SavedSession& saved = read.saved;
  int format = 0;
  text.section("kdscope_session", [&](const YAML::Node& node) { format = integer<int>(node); });
  if (format > session_format)
    text.problems.push_back("it comes from a newer kdscope (format " + std::to_string(format) + ", this one knows " +
                            std::to_string(session_format) + ")");
  read_run(text, saved.session.run);
  text.text("trace", saved.session.trace_file);
  text.text("lesson", saved.session.lesson);
  read_marks(text, saved.session, saved.place);
  read_looks(text, saved);
  text.text("file", saved.file);
  text.section("tree_hash", [&](const YAML::Node& node) { saved.tree_hash = integer<std::uint64_t>(node); });
  saved.session.run.own_points = text.points("points", "its own points");
  saved.edited_points = text.points("edited_points", "its edited points");
  if (!text.has("kdscope_session")) {
    if (!text.knows_something() || saved.session.run.algorithm.empty())
      return Error{ErrorKind::bad_input, "this is no session file", path, "open a file that kdscope saved"};
    text.problems.insert(text.problems.begin(), "the line that names its format is missing");
  }
  text.list_unknown();
  read.problems = std::move(text.problems);
  return read;
}

Result<ReadSession> read_session(const std::string& path) try {
  auto bytes = read_file(path, max_session_bytes);
  if (!bytes) return bytes.error();
  return parse_session(*bytes, path);
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "memory does not hold this session", path, "close other programs"};
} catch (const std::exception& e) {
  return Error{ErrorKind::bad_input, std::string("the session cannot be read: ") + e.what(), path, ""};
}

Result<void> save_session(const SavedSession& saved, const std::string& path) {
  std::string head = head_text(saved);
  if (const auto section = SessionText(head).too_large())
    return Error{ErrorKind::bad_usage, "its section '" + *section + "' would be too large to be read again", path,
                 *section == "bookmarks" ? "shorten the notes of its bookmarks" : ""};
  return replace_file(path, with_points(std::move(head), saved));
}

}  // namespace kdscope
