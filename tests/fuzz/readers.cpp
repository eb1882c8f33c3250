#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <string_view>

#include "algorithms/registry/tuning_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trace/trace_validity.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "app/arguments/arguments.hpp"
#include "app/command_line/command_line.hpp"
#include "app/session/point_edits.hpp"
#include "app/session/session_file.hpp"
#include "datasets/data_form.hpp"
#include "datasets/specification.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/support/sealed_file.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "walkthroughs/practice/results.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::fuzz {
namespace {

constexpr const char* file_name = "f";

/// Returns a rejection of user input, which is sound if it is one sentence. The terminal shows control characters
/// escaped.
Outcome refused_words(const Error& error) { return {false, error.what.empty() ? "a refusal without a clause" : ""}; }

/// Returns a rejection, which is sound if it is one sentence with a place, short enough to read and safe to print.
Outcome refused(const Error& error, const std::string& path = file_name) {
  constexpr std::size_t longest_message = 3000;
  const std::string message = error.message();
  if (error.what.empty()) return {false, "a refusal without a clause"};
  if (!error.where.starts_with(path)) return {false, "a refusal without a place: " + message};
  if (message.size() > longest_message) return {false, "a refusal too long to be read"};
  if (message != printable(message)) return {false, "a refusal with control characters: " + printable(message)};
  return {};
}

std::string unsound_points(const PointSet& points, std::size_t bytes) {
  if (points.dim < 1 || points.dim > 512 || points.words.size() % points.dim != 0) return "no whole points";
  if (points.words.size() > 100 * bytes) return "more points than the bytes can hold";
  for (const std::uint32_t word : points.words)
    if (!std::isfinite(scalar_value(word, points.type))) return "a point that is not finite";
  return "";
}

/// Parameters that the bytes choose, so that one input always has the same.
ReadOptions options_by(const std::string& bytes) {
  std::uint32_t choice = 0;
  for (const char c : bytes) choice = 31 * choice + static_cast<unsigned char>(c);
  ReadOptions options;
  options.drop_missing = choice % 2 == 0;
  options.type = static_cast<CoordinateType>(choice / 2 % 3);
  options.auto_shift = choice / 6 % 2 == 0;
  if (choice / 12 % 2 == 0) options.scale = 0.5;
  if (choice / 24 % 4 == 0) options.columns = {"2", "1"};
  return options;
}

Outcome read_points_with(FileFormat format, const std::string& bytes, const ReadOptions& options) {
  const Result<DataSet> set = parse_points(format, bytes, file_name, options);
  if (!set) return refused(set.error());
  const PointSet& points = set->points;
  if (std::string unsound = unsound_points(points, bytes.size()); !unsound.empty()) return {true, unsound};
  if (set->triangles.size() % 3 != 0) return {true, "no whole triangles"};
  for (const std::uint32_t vertex : set->triangles)
    if (vertex >= points.size()) return {true, "a triangle without its vertex"};
  if (!set->column_names.empty() && set->column_names.size() != points.dim) return {true, "too few column names"};
  if (set->warnings.size() > 10) return {true, "more warnings than anyone reads"};
  return {true};
}

template <FileFormat format>
Outcome read_points(const std::string& bytes) {
  const Outcome plain = read_points_with(format, bytes, {});
  if (!plain.unsound.empty()) return plain;
  const Outcome chosen = read_points_with(format, bytes, options_by(bytes));
  return chosen.unsound.empty() ? plain : chosen;
}

template <FileFormat format>
std::vector<std::string> seeds_of() {
  return point_seeds(format);
}

/// Reads only the parameters, because a specification may request a billion points.
Outcome read_specification(const std::string& text) {
  const DataForm form = parse_data_form(text);
  const DataSource* source = data_source_of(form.source);
  if (!source) return {};
  const std::size_t colon = text.find(':');
  const auto canonical = [&](std::string_view parameters) { return ParameterValues(*source, parameters).canonical(); };
  try {
    const std::string once = canonical(colon == text.npos ? "" : std::string_view(text).substr(colon + 1));
    const std::size_t begin = once.find(':');
    const std::string twice = canonical(begin == once.npos ? "" : std::string_view(once).substr(begin + 1));
    return {true, once == twice ? "" : "a specification that reads back as another one: " + once + ", " + twice};
  } catch (const ErrorException& e) {
    return refused(e.error(), source->id);
  }
}

Outcome read_lesson(const std::string& text) {
  static const std::shared_ptr<const Trace> trace = tests::ten_point_beginning();
  constexpr std::size_t most_values = 500'000;
  const Result<Lesson> lesson = parse_lesson(text, file_name);
  if (!lesson) return refused(lesson.error());
  if (lesson->stops.empty()) return {true, "a lesson without a stop"};
  std::size_t values = 0;
  for (const Stop& stop : lesson->stops) {
    for (const ClaimedRow& row : stop.shows) values += row.values.size();
    for (const Highlight& highlight : stop.highlights)
      for (const IndexRange& range : highlight.ranges)
        if (range.begin > range.end) return {true, "a highlight that ends before it begins"};
  }
  if (values > most_values) return {true, "more claimed values than a lesson may have"};
  // Stops of a lesson are resolved in any run.
  if (const auto stops = resolve_stops(*lesson, *trace); !stops && stops.error().what.empty())
    return {true, "no clause"};
  if (const auto held = check_claims(*lesson, trace); !held && held.error().what.empty()) return {true, "no clause"};
  return {true};
}

std::string unsound_session(const SavedSession& saved, std::size_t bytes) {
  const Session& session = saved.session;
  for (const auto& set : {session.run.points, saved.edited_points}) {
    if (!set) continue;
    if (set->points.words.empty()) return "no points";
    if (std::string unsound = unsound_points(set->points, bytes); !unsound.empty()) return unsound;
  }
  if (session.looks.text_scale < min_text_scale || session.looks.text_scale > max_text_scale)
    return "a text scale out of range";
  if (session.looks.camera && !std::isfinite(session.looks.camera->parallel_scale)) return "a camera that is nowhere";
  if (!std::ranges::is_sorted(session.bookmarks, {}, &Bookmark::step)) return "bookmarks out of order";
  return "";
}

Outcome read_session(const std::string& text) {
  const auto read = parse_session(text, file_name);
  if (!read) return refused(read.error());
  for (const std::string& problem : read->problems)
    if (problem.size() > 400) return {true, "a problem too long to read"};
  if (std::string unsound = unsound_session(read->saved, text.size()); !unsound.empty()) return {true, unsound};
  // Save it again: the text must read as the same session.
  const std::string written = session_text(read->saved);
  const auto again = parse_session(written, file_name);
  if (!again) return {true, "a session that is refused once it is written: " + again.error().message()};
  if (!again->problems.empty()) return {true, "a session that is written with problems: " + again->problems.front()};
  if (session_text(again->saved) != written) return {true, "a session that is written differently: " + written};
  return {true};
}

/// Reads pasted text.
Outcome read_pasted(const std::string& text) {
  constexpr std::uint32_t most_dimensions = 512;
  const auto pasted = parse_pasted_points(text, most_dimensions);
  if (!pasted) return refused(pasted.error(), "");
  const PointSet& points = pasted->points;
  if (std::string unsound = unsound_points(points, text.size()); !unsound.empty()) return {true, unsound};
  // Copy it: the copy must paste as the same text.
  std::vector<std::uint32_t> indices(points.size());
  std::iota(indices.begin(), indices.end(), 0);
  const auto again = parse_pasted_points(text_of_points(points, indices), most_dimensions);
  if (!again) return {true, "points that are refused once they are copied: " + again.error().message()};
  const auto words = words_as(points, again->points);
  return {true, words && *words == points.words ? "" : "points that are copied as others"};
}

Outcome read_tuning(const std::string& text) {
  const Device& device = tuned_device();
  const auto rows = parse_tuning(text, device, file_name);
  if (!rows) return refused(rows.error());
  const std::string written = tuning_text(device, *rows);
  const auto again = parse_tuning(written, device, file_name);
  if (!again) return {true, "a search that is refused once it is written: " + again.error().message()};
  return {true, tuning_text(device, *again) == written ? "" : "a search that is written differently: " + written};
}

/// Reads behind the seal, which nearly every damage breaks.
Outcome read_student_results(const std::string& text) {
  const auto results = read_results(text, file_name, SealCheck::ignore);
  if (!results) return refused(results.error());
  if (const auto valid = check_student(results->student); !valid) return {true, "a student without a name"};
  if (results->attempts.size() > text.size() / 100) return {true, "more attempts than the bytes can hold"};
  const std::string written = results_text(*results);
  const auto again = read_results(written, file_name);
  if (!again) return {true, "results that are refused once they are written: " + again.error().message()};
  return {true, results_text(*again) == written ? "" : "results that are written differently: " + written};
}

std::vector<std::string> words_of_lines(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

/// Reads options of the window, one word per line.
Outcome read_window_options(const std::string& text) {
  const auto line = parse_command_line(words_of_lines(text));
  if (!line) return refused_words(line.error());
  const auto within = [](int value, int least, int most) { return value == 0 || (value >= least && value <= most); };
  if (!within(line->width, 200, 16384) || !within(line->height, 200, 16384)) return {true, "a size out of range"};
  if (!within(line->text_scale, min_text_scale, max_text_scale)) return {true, "a text scale out of range"};
  // The speed of a film is checked with the trace.
  const ExportRequest& request = line->exported.request;
  if (line->exported.steps_given && request.first > request.last) return {true, "steps that end before they begin"};
  return {true};
}

/// Reads options of a command, one word per line.
Outcome read_command_options(const std::string& text) {
  constexpr std::uint64_t least = 5, most = 1'000'000'000'000;
  const CommandSpec command{"count", "", "", {{"FILE", "", false}}, {{"--n", "N", ""}, {"--all", "", ""}}, {}};
  const auto arguments = parse_arguments(command, words_of_lines(text));
  if (!arguments) return refused_words(arguments.error());
  for (const bool bytes : {false, true}) {
    const auto n = arguments->integer("--n", least, least, most, bytes);
    if (!n) return refused_words(n.error());
    if (*n < least || *n > most) return {true, "a number out of range"};
  }
  return {true};
}

template <TreeFormat format>
Outcome read_tree(const std::string& bytes) {
  const auto file = parse_tree(format, bytes, file_name);
  if (!file) return refused(file.error());
  if (file->difference != printable(file->difference)) return {true, "a difference with control characters"};
  const Tree& tree = file->tree;
  const PointSet points = tree.kind().original_points(tree);
  if (std::string unsound = unsound_points(points, bytes.size()); !unsound.empty()) return {true, unsound};
  for (const auto& finding : verify_tree(tree, points))
    if (finding.detail != printable(finding.detail)) return {true, "a finding with control characters"};
  return {true};
}

std::vector<std::string> no_seeds() { return {}; }

/// Reads the bytes behind the seal as the program does: HDF5 reads them only in a child process.
Outcome read_trace(const std::string& bytes) {
  const tests::SealedFile file(bytes);
  if (!file.whole()) return {false, "no file could be made"};
  const auto trace = load_trace(file.path());
  if (!trace) return refused(trace.error(), file.path());
  if (const auto valid = check_trace(**trace); !valid)
    return {true, "a trace that is not valid: " + valid.error().message()};
  if ((*trace)->stored_bytes() > 1100 * (bytes.size() + seal_bytes)) return {true, "more than the bytes can hold"};
  Cursor cursor(*trace);
  for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    for (const Trace::Array& array : (*trace)->arrays) {
      const std::uint64_t size = cursor.row_size(array.info.name);
      for (const std::uint64_t index : {std::uint64_t(0), size / 2, size - 1, size})
        cursor.short_text(array.info.name, index);
    }
  }
  return {true};
}

constexpr Reader all[] = {
    {"csv", read_points<FileFormat::csv>, seeds_of<FileFormat::csv>},
    {"xyz", read_points<FileFormat::xyz>, seeds_of<FileFormat::xyz>},
    {"npy", read_points<FileFormat::npy>, seeds_of<FileFormat::npy>},
    {"pcd", read_points<FileFormat::pcd>, seeds_of<FileFormat::pcd>},
    {"ply", read_points<FileFormat::ply>, seeds_of<FileFormat::ply>},
    {"obj", read_points<FileFormat::obj>, seeds_of<FileFormat::obj>},
    {"stl", read_points<FileFormat::stl>, seeds_of<FileFormat::stl>},
    {"specification", read_specification, specification_seeds},
    {"pasted", read_pasted, pasted_seeds},
    {"tuning", read_tuning, tuning_seeds},
    {"window-options", read_window_options, window_option_seeds},
    {"command-options", read_command_options, command_option_seeds},
    {"lesson", read_lesson, lesson_seeds},
    {"session", read_session, session_seeds},
    {"results", read_student_results, results_seeds},
    {"tree-csv", read_tree<TreeFormat::csv>, no_seeds},
    {"tree-npy", read_tree<TreeFormat::npy>, no_seeds},
    {"trace", read_trace, trace_seeds},
};

/// Returns the files that were once read wrongly and repeat one line: a session with sections without end, and a lesson
/// whose 17 KB asked for 3 GB.
std::map<std::filesystem::path, std::string> repetitive_files(std::string_view reader) {
  const auto numbered = [](const char* key, int count, const char* value) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += key + std::to_string(i) + value;
    return lines;
  };
  if (reader == "session")
    return {{"sections-10000.kdsession",
             "kdscope_session: 1\ndata: \"uniform:n=10,dim=2\"\nalgorithm: \"wald\"\nstep: 0\n" +
                 numbered("s", 10'000, ": 1\n")}};
  if (reader == "lesson")
    return {{"lesson-17k-3GB.md",
             "---\ntitle: t\nsource: s\ndata: wald-10\nalgorithm: wald\n---\nintro\n## A\n```stop\n"
             "select: initialise tags\nshows:\n" +
                 numbered("  r", 1'000, ": 0*100000\n") + "```\nnarration\n"}};
  return {};
}

}  // namespace

std::span<const Reader> readers() { return all; }

std::vector<std::string> corpus(const Reader& reader) {
  const std::filesystem::path folder = std::filesystem::path(KDSCOPE_SOURCE_DIR "/tests/fuzz/corpus") / reader.name;
  std::map<std::filesystem::path, std::string> files = repetitive_files(reader.name);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()].assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::vector<std::string> texts;
  for (auto& [name, text] : files) texts.push_back(std::move(text));
  return texts;
}

}  // namespace kdscope::fuzz
