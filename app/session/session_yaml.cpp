// The session format. A head of sections, each at the left margin and each a YAML document of its own to the reader, so
// that damage stays where it is; then `--- | # points` and a row of numbers a point. The whole is a YAML stream.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/session/session_file.hpp"
#include "datasets/data_form.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_session_bytes = std::uintmax_t{8} << 30;
constexpr std::size_t max_head_bytes = 16 << 20;
constexpr std::size_t max_named = 3;       ///< sections or lines that a message names one by one
constexpr std::size_t max_shown_key = 40;  ///< bytes of an unknown section's name in a message
constexpr std::string_view block_mark = "--- | # ";
/// Everything that is read beside the members of a run. Only these are kept in memory; a file may have any number of
/// others.
constexpr std::string_view known_sections[] = {"kdscope_session", "trace",      "lesson",    "step",  "selection",
                                               "baseline",        "bookmarks",  "camera",    "axes",  "smallest_boxes",
                                               "surface",         "all_planes", "colouring", "theme", "equal_scales",
                                               "text_scale",      "layout",     "tree_hash", "file",  "points",
                                               "edited_points",   "draft",      "draft_file"};
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
  DataForm form = parse_data_form(data);
  if (!form.source.empty() || form.file.empty() || !fs::exists(form.file)) return data;
  form.file = absolute_name(form.file);
  return specification_of(form);
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

/// Column names are only labels: they are left out if, quoted and escaped, they might take more than half of the
/// bytes that a section may have.
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

struct RunMembers {
  std::set<std::string_view> names;
  template <class... Types>
  void operator()(Field<Types>... members) {
    (names.insert(members.name), ...);
  }
};

bool is_known(std::string_view key) {
  static const RunMembers of_run = [] {
    RunMembers members;
    RunRequest run;
    fields(members, run);
    return members;
  }();
  return of_run.names.contains(key) ||
         std::find(std::begin(known_sections), std::end(known_sections), key) != std::end(known_sections);
}

struct Block {
  std::string_view rows;
  int line;  ///< of the first row
};

std::array<double, 3> triple(const YamlField& field) {
  const auto items = field.items(3);
  return {items[0].real(), items[1].real(), items[2].real()};
}

std::uint32_t natural32(const YamlField& field) {
  return static_cast<std::uint32_t>(field.natural(0, std::numeric_limits<std::uint32_t>::max()));
}
std::uint64_t natural64(const YamlField& field) { return field.natural(0, std::numeric_limits<std::uint64_t>::max()); }

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

  /// Calls read(field) for one of known_sections; whatever it throws is that section's damage.
  template <class Read>
  void section(const std::string& key, Read read) {
    const auto found = sections_.find(key);
    if (found == sections_.end()) return;
    ++known_;
    const auto damaged = [&](int line, const std::string& what) {
      problems.push_back("its section '" + key + "' (line " + std::to_string(line) + ") is damaged" + what);
    };
    try {
      read(YamlField::document(found->second.text, found->second.line, "the section").fields({key}, {}).at(key));
    } catch (const YamlFieldError& e) {
      damaged(e.line, ": " + e.text);
    } catch (const std::exception&) {
      damaged(found->second.line, "");
    }
  }
  void text(const std::string& key, std::string& value) {
    section(key, [&](const YamlField& field) { value = field.any_text(); });
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
      read = from_chars(at, end, value);
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
  section(key, [&](const YamlField& field) {
    const YamlFields fields = field.known_fields({"type", "dim", "count", "up_axis"}, {"name", "columns"});
    dim = static_cast<std::uint32_t>(fields.at("dim").natural(1, max_dim));
    const YamlField& type = fields.at("type");
    if (type.text() == name_of(ScalarType::int32))
      data->points.type = ScalarType::int32;
    else if (type.text() != name_of(ScalarType::float32))
      type.fail("no type is called '" + type.text() + "'");
    count = natural64(fields.at("count"));
    if (const YamlField* name = find(fields, "name")) data->name = name->any_text();
    data->up_axis = natural32(fields.at("up_axis"));
    if (const YamlField* columns = find(fields, "columns"))
      for (const YamlField& name : columns->items(dim)) data->column_names.push_back(name.any_text());
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

/// Reads members of a run from the sections with their names.
struct RunReader {
  SessionText& text;
  template <class... Types>
  void operator()(Field<Types>... members) {
    (text.section(members.name, [&](const YamlField& field) { read(field, members.value); }), ...);
  }
  static void read(const YamlField& field, std::string& value) { value = field.any_text(); }
  static void read(const YamlField& field, bool& value) { value = field.boolean(); }
  static void read(const YamlField& field, Parameters& value) {
    value.clear();
    for (const auto& [name, text] : field.pairs()) value[name] = text.any_text();
  }
  static void read(const YamlField& field, Backend& value) {
    const auto backend = backend_named(field.text());
    if (!backend) field.fail("no backend is called '" + field.text() + "'");
    value = *backend;
  }
  template <class Number>
  static void read(const YamlField& field, Number& value) requires std::is_integral_v<Number> {
    value = static_cast<Number>(field.natural(0, std::numeric_limits<Number>::max()));
  }
  static void read(const YamlField&, std::vector<RecordedSource>&) {}  // those of a variant are not kept
};

void read_marks(SessionText& text, Session& session, Place& place) {
  text.section("step", [&](const YamlField& field) { place.step = natural32(field); });
  text.section("selection", [&](const YamlField& field) {
    const YamlFields fields = field.known_fields({"space", "index", "count"}, {"array"});
    Selection read;
    const auto space = space_named(fields.at("space").text());
    if (!space) fields.at("space").fail("no space is called '" + fields.at("space").text() + "'");
    read.space = *space;
    read.index = natural64(fields.at("index"));
    if (const YamlField* array = find(fields, "array")) read.array = array->any_text();
    read.count = natural64(fields.at("count"));
    place.selection = read;
  });
  text.section("baseline", [&](const YamlField& field) {
    const YamlFields fields = field.known_fields({"with", "step"}, {});
    const YamlField& with = fields.at("with");
    const auto found = std::find(std::begin(baseline_names), std::end(baseline_names), with.text());
    if (found == std::end(baseline_names)) with.fail("nothing is compared with '" + with.text() + "'");
    place.baseline = {static_cast<ComparedWith>(found - std::begin(baseline_names)), natural32(fields.at("step"))};
  });
  text.section("bookmarks", [&](const YamlField& field) {
    std::optional<YamlFieldError> damage;
    for (const YamlField& mark : field.items()) try {
        const YamlFields fields = mark.known_fields({"step"}, {"note"});
        const YamlField* note = find(fields, "note");
        session.bookmarks.push_back({natural32(fields.at("step")), note ? note->any_text() : ""});
      } catch (const YamlFieldError& e) {
        if (!damage) damage = e;  // the others are kept
      }
    const auto earlier = [](const Bookmark& a, const Bookmark& b) { return a.step < b.step; };
    const auto same = [](const Bookmark& a, const Bookmark& b) { return a.step == b.step; };
    auto& marks = session.bookmarks;
    std::stable_sort(marks.begin(), marks.end(), earlier);
    marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
    if (damage) throw *damage;
  });
}

void read_looks(SessionText& text, SavedSession& saved) {
  Appearance& looks = saved.session.looks;
  Place& place = saved.place;
  text.section("camera", [&](const YamlField& field) {
    const YamlFields fields = field.known_fields({"position", "focal_point", "view_up", "scale", "parallel"}, {});
    const CameraState read{triple(fields.at("position")), triple(fields.at("focal_point")),
                           triple(fields.at("view_up")), fields.at("scale").real(), fields.at("parallel").boolean()};
    if (read.parallel_scale <= 0) fields.at("scale").fail("'scale' must be greater than 0");
    if (read.position == read.focal_point) field.fail("the camera is at its focal point");
    looks.camera = read;
  });
  text.section("axes", [&](const YamlField& field) {
    const auto items = field.items(3);
    const auto axis = [&](std::size_t i, int min) { return static_cast<int>(items[i].integer(min, max_dim - 1)); };
    place.axes = Axes{axis(0, 0), axis(1, -1), axis(2, -1)};
  });
  text.section("smallest_boxes", [&](const YamlField& field) { looks.smallest_boxes = field.boolean(); });
  text.section("surface", [&](const YamlField& field) { looks.surface = field.boolean(); });
  text.section("all_planes", [&](const YamlField& field) { looks.all_planes = field.boolean(); });
  text.section("equal_scales", [&](const YamlField& field) { looks.equal_scales = field.boolean(); });
  text.section("colouring", [&](const YamlField& field) {
    const auto colouring = colouring_named(field.text());
    if (!colouring) field.fail("no colouring is called '" + field.text() + "'");
    looks.colouring = *colouring;
  });
  text.section("theme", [&](const YamlField& field) { looks.theme = field.text(); });
  text.section("text_scale", [&](const YamlField& field) {
    looks.text_scale = static_cast<int>(field.integer(min_text_scale, max_text_scale));
  });
  text.text("layout", saved.layout);
}

}  // namespace

bool session_files_available() { return true; }

namespace {

/// The sections of a session, without its points.
void add_parameters(YAML::Emitter& out, const char* section, const Parameters& parameters) {
  if (parameters.empty()) return;
  out << YAML::Key << section << YAML::Value << YAML::Flow << YAML::BeginMap;
  for (const auto& [name, value] : parameters) add_text(out, name.c_str(), value);
  out << YAML::EndMap;
}

/// Writes members of a run as sections with their names; texts and numbers only where they are not the usual ones,
/// which a first pass without `out` collects.
struct RunWriter {
  YAML::Emitter* out = nullptr;
  std::vector<std::uint64_t> usual = {};
  std::size_t next = 0;
  template <class... Types>
  void operator()(Field<Types>... members) {
    (write(members.name, members.value), ...);
  }
  template <class T>
  void write(const char* name, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      if (!out) return usual.push_back(static_cast<std::uint64_t>(value));
      if (usual[next++] != static_cast<std::uint64_t>(value)) *out << YAML::Key << name << YAML::Value << value;
    } else if constexpr (!std::is_same_v<T, std::vector<RecordedSource>>) {  // those of a variant are not kept
      if (out) add(name, value);
    }
  }
  void add(const char* name, const std::string& text) { add_text(*out, name, text); }
  void add(const char* name, const Parameters& texts) { add_parameters(*out, name, texts); }
  void add(const char* name, Backend backend) { *out << YAML::Key << name << YAML::Value << name_of(backend); }
};

std::string head_text(const SavedSession& saved) {
  const Session& session = saved.session;
  const Appearance& looks = session.looks;
  const Place& place = saved.place;
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "kdscope_session" << YAML::Value << session_format;
  RunRequest run = session.run, usual;
  run.data = absolute_data(run.data);
  RunWriter members;
  fields(members, usual);
  members.out = &out;
  fields(members, run);
  add_text(out, "trace", session.trace_file.empty() ? std::string() : absolute_name(session.trace_file));
  add_text(out, "lesson", session.lesson);
  out << YAML::Key << "step" << YAML::Value << place.step;
  if (const Selection selection = place.selection) {
    out << YAML::Key << "selection" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key << "space"
        << YAML::Value << name_of(selection.space) << YAML::Key << "index" << YAML::Value << selection.index;
    add_text(out, "array", selection.array);
    out << YAML::Key << "count" << YAML::Value << selection.count << YAML::EndMap;
  }
  const Baseline baseline = place.baseline.with == ComparedWith::other_run ? Baseline{} : place.baseline;
  out << YAML::Key << "baseline" << YAML::Value << YAML::Flow << YAML::BeginMap << YAML::Key << "with" << YAML::Value
      << baseline_names[static_cast<int>(baseline.with)] << YAML::Key << "step" << YAML::Value << baseline.step
      << YAML::EndMap;
  if (!session.bookmarks.empty()) {
    out << YAML::Key << "bookmarks" << YAML::Value << YAML::BeginSeq;
    for (const Bookmark& mark : session.bookmarks) {
      out << YAML::Flow << YAML::BeginMap << YAML::Key << "step" << YAML::Value << mark.step;
      add_text(out, "note", mark.note);
      out << YAML::EndMap;
    }
    out << YAML::EndSeq;
  }
  if (looks.camera) {
    out << YAML::Key << "camera" << YAML::Value << YAML::Flow << YAML::BeginMap;
    add_numbers(out, "position", looks.camera->position);
    add_numbers(out, "focal_point", looks.camera->focal_point);
    add_numbers(out, "view_up", looks.camera->view_up);
    out << YAML::Key << "scale" << YAML::Value << shortest(looks.camera->parallel_scale) << YAML::Key << "parallel"
        << YAML::Value << looks.camera->parallel << YAML::EndMap;
  }
  if (place.axes) add_numbers(out, "axes", *place.axes);
  if (!looks.smallest_boxes) out << YAML::Key << "smallest_boxes" << YAML::Value << false;
  if (!looks.surface) out << YAML::Key << "surface" << YAML::Value << false;
  if (looks.all_planes) out << YAML::Key << "all_planes" << YAML::Value << true;
  if (!looks.equal_scales) out << YAML::Key << "equal_scales" << YAML::Value << false;
  if (looks.colouring != Colouring::subtree) out << YAML::Key << "colouring" << YAML::Value << name_of(looks.colouring);
  add_text(out, "theme", looks.theme);
  out << YAML::Key << "text_scale" << YAML::Value << looks.text_scale;
  add_text(out, "layout", saved.layout);
  if (saved.tree_hash) out << YAML::Key << "tree_hash" << YAML::Value << saved.tree_hash;
  add_text(out, "file", saved.file);
  add_text(out, "draft", saved.draft);
  add_text(out, "draft_file", saved.draft_file);
  add_points_head(out, "points", session.run.points.get());
  add_points_head(out, "edited_points", saved.edited_points.get());
  out << YAML::EndMap;
  return std::string(out.c_str()) + '\n';
}

std::string with_points(std::string text, const SavedSession& saved) {
  add_points(text, "points", saved.session.run.points.get());
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
  text.section("kdscope_session", [&](const YamlField& field) { format = static_cast<int>(natural32(field)); });
  if (format > session_format)
    text.problems.push_back("it comes from a newer kdscope (format " + std::to_string(format) + ", this one knows " +
                            std::to_string(session_format) + ")");
  RunReader run{text};
  fields(run, saved.session.run);
  text.text("trace", saved.session.trace_file);
  text.text("lesson", saved.session.lesson);
  read_marks(text, saved.session, saved.place);
  read_looks(text, saved);
  text.text("file", saved.file);
  text.text("draft", saved.draft);
  text.text("draft_file", saved.draft_file);
  text.section("tree_hash", [&](const YamlField& field) { saved.tree_hash = natural64(field); });
  saved.session.run.points = text.points("points", "its own points");
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
