#include "walkthroughs/reader/lesson.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <tuple>

#include "algorithms/text/from_chars.hpp"
#include "datasets/datasets.hpp"
#include "walkthroughs/reader/gallery.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_lesson_bytes = 1 << 20;

std::string place(const Lesson& lesson, int line) { return lesson.path + ":" + std::to_string(line); }

/// "build / initialise tags, build / level 0 / sort, ... (8 in all)".
std::string some_paths(const Trace& trace, const std::vector<std::uint32_t>& steps) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(steps.size(), shown); ++i)
    text += (i ? ", '" : "'") + path_text(trace.steps[steps[i]]) + "'";
  if (steps.size() > shown) text += ", ... (" + std::to_string(steps.size()) + " in all)";
  return text;
}

/// Whether the element reads as claimed: the same text, or the same number in the row's own type.
bool reads_as(const Cursor& cursor, const ArrayInfo& info, std::uint64_t index, const std::string& claimed) {
  if (cursor.text(info.name, index) == claimed) return true;
  double number = 0;
  const auto [end, failed] = from_chars(claimed.data(), claimed.data() + claimed.size(), number);
  if (failed != std::errc() || end != claimed.data() + claimed.size()) return false;
  const double found = cursor.number(info.name, index);
  if (info.type == ElementType::float32) return static_cast<float>(number) == static_cast<float>(found);
  return number == found;
}

Result<void> check_row(const Lesson& lesson, const Stop& stop, const ClaimedRow& claim, const Cursor& cursor) {
  const auto contradiction = [&](const std::string& what) {
    return Error{ErrorKind::failed_check, "stop '" + stop.title + "' " + what, place(lesson, claim.line),
                 "the stop is at step " + std::to_string(cursor.step()) + ", " + path_text(cursor.current())};
  };
  const Trace::Array* row = cursor.trace().find(claim.row);
  if (!row) return contradiction("claims row '" + claim.row + "', which the trace does not have");
  const std::uint64_t size = cursor.row_size(claim.row);
  if (size < claim.values.size() || (claim.whole && size != claim.values.size()))
    return contradiction("claims " + std::to_string(claim.values.size()) + " values in row '" + claim.row +
                         "', the trace has " + std::to_string(size));
  for (std::size_t i = 0; i < claim.values.size(); ++i)
    if (!reads_as(cursor, row->info, i, claim.values[i]))
      return contradiction("claims " + claim.values[i] + " at index " + std::to_string(i) + " of row '" + claim.row +
                           "', the trace has " + cursor.text(claim.row, i));
  return {};
}

/// A mark may only stand at places of as many coordinates as the points have.
Result<void> check_mark(const Lesson& lesson, const Stop& stop, const LessonMark& mark, const Trace& trace) {
  const std::size_t coordinates = mark.places.empty() ? trace.header.dim : mark.places.front().size();
  if (coordinates == trace.header.dim) return {};
  return Error{ErrorKind::failed_check,
               "stop '" + stop.title + "' marks a place of " + std::to_string(coordinates) +
                   " coordinates, the points have " + std::to_string(trace.header.dim),
               place(lesson, stop.line), ""};
}

/// A highlight may only mark places that exist.
Result<void> check_highlight(const Lesson& lesson, const Stop& stop, const Highlight& highlight, const Trace& trace) {
  const bool known = std::any_of(trace.arrays.begin(), trace.arrays.end(), [&](const Trace::Array& a) {
    return a.info.index_space == highlight.space || a.info.value_space == highlight.space;
  });
  if (!known)
    return Error{ErrorKind::failed_check,
                 "stop '" + stop.title + "' highlights space '" + name_of(highlight.space) +
                     "', to which no array of the trace refers",
                 place(lesson, stop.line), "use position, point or node"};
  if (highlight.space != Space::position && highlight.space != Space::point) return {};
  for (const IndexRange& range : highlight.ranges)
    if (range.end > trace.header.n)
      return Error{ErrorKind::failed_check,
                   "stop '" + stop.title + "' highlights " + name_of(highlight.space) + " " +
                       std::to_string(range.end - 1) + ", the trace has " + std::to_string(trace.header.n) + " points",
                   place(lesson, stop.line), ""};
  return {};
}

}  // namespace

Result<Lesson> read_lesson(const std::string& path) try {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed) return Error{ErrorKind::bad_input, "the lesson cannot be read: " + failed.message(), path, ""};
  if (size > max_lesson_bytes)
    return Error{ErrorKind::bad_input, "a lesson of " + std::to_string(size) + " bytes is refused", path,
                 "keep lessons under 1 MiB"};
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad() || text.size() != size) return Error{ErrorKind::bad_input, "the lesson cannot be read", path, ""};
  return parse_lesson(text, path);
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "memory does not hold this lesson", path, ""};
} catch (const std::exception& e) {
  return Error{ErrorKind::bad_input, std::string("the lesson cannot be read: ") + e.what(), path, ""};
}

LessonCatalogue read_lessons(const std::string& folder) {
  LessonCatalogue catalogue;
  std::error_code failed;
  std::vector<std::string> paths;
  for (auto source = fs::directory_iterator(folder, failed); !failed && source != fs::directory_iterator();
       source.increment(failed)) {
    if (source->path().filename() == gallery_name) continue;  // broken variants, which are no lessons
    std::error_code unreadable;
    for (auto file = fs::directory_iterator(source->path(), unreadable);
         !unreadable && file != fs::directory_iterator(); file.increment(unreadable))
      if (file->path().extension() == ".md") paths.push_back(file->path().string());
  }
  if (failed)
    catalogue.problems.push_back({ErrorKind::bad_input, "the folder of lessons cannot be read: " + failed.message(),
                                  folder, "set KDSCOPE_LESSONS to the folder that holds them"});
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    Result<Lesson> lesson = read_lesson(path);
    if (lesson)
      catalogue.lessons.push_back(std::move(*lesson));
    else
      catalogue.problems.push_back(lesson.error());
  }
  // Folders stand in the order of their first lessons.
  const auto folder_of = [](const Lesson& lesson) { return lesson.id.substr(0, lesson.id.find('/')); };
  std::map<std::string, int> order_of_folder;
  for (const Lesson& lesson : catalogue.lessons) {
    int& first = order_of_folder.try_emplace(folder_of(lesson), lesson.order).first->second;
    first = std::min(first, lesson.order);
  }
  const auto place_of = [&](const Lesson& lesson) {
    return std::tuple(order_of_folder.at(folder_of(lesson)), folder_of(lesson), lesson.order, lesson.id);
  };
  std::stable_sort(catalogue.lessons.begin(), catalogue.lessons.end(),
                   [&](const Lesson& a, const Lesson& b) { return place_of(a) < place_of(b); });
  return catalogue;
}

std::string lessons_folder() {
  if (const char* chosen = std::getenv("KDSCOPE_LESSONS"); chosen && *chosen) return chosen;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path installed = program.parent_path().parent_path() / "share/kdscope/walkthroughs";
  if (!failed && fs::is_directory(installed, failed)) return installed.string();
  return KDSCOPE_SOURCE_LESSONS;
}

std::string data_of(const Lesson& lesson) {
  std::error_code failed;  // a path that cannot be looked up names no file
  const fs::path beside = fs::path(lesson.path).parent_path() / lesson.data;
  return !lesson.path.empty() && fs::is_regular_file(data_file_of(beside.string()), failed) ? beside.string()
                                                                                            : lesson.data;
}

Result<std::uint32_t> resolve_stop(const Lesson& lesson, const Stop& stop, const Trace& trace) {
  const auto unresolved = [&](const std::string& what, const std::string& remedy) {
    return Error{ErrorKind::failed_check, "stop '" + stop.title + "' selects '" + stop.select + "', " + what,
                 place(lesson, stop.line), remedy};
  };
  const std::vector<std::uint32_t> matches = steps_matching(trace, stop.select);
  if (matches.empty()) {
    std::vector<std::uint32_t> all(trace.steps.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return unresolved("which matches no step", "the trace's steps are " + some_paths(trace, all));
  }
  if (stop.occurrence == 0 && matches.size() > 1)
    return unresolved("which matches " + std::to_string(matches.size()) + " steps: " + some_paths(trace, matches),
                      "select one of them, or name it with occurrence");
  if (stop.occurrence > matches.size())
    return unresolved("occurrence " + std::to_string(stop.occurrence) + ", and only " + std::to_string(matches.size()) +
                          " steps match",
                      "");
  return matches[stop.occurrence == 0 ? 0 : stop.occurrence - 1];
}

Result<std::vector<std::uint32_t>> resolve_stops(const Lesson& lesson, const Trace& trace) {
  std::vector<std::uint32_t> ordinals;
  for (const std::uint32_t dimension : lesson.axes)
    if (dimension >= trace.header.dim)
      return Error{ErrorKind::failed_check,
                   "its axes name dimension " + std::to_string(dimension) + ", and the points have " +
                       std::to_string(trace.header.dim),
                   lesson.path, "count dimensions from 0"};
  for (const Stop& stop : lesson.stops) {
    const Result<std::uint32_t> step = resolve_stop(lesson, stop, trace);
    if (!step) return step.error();
    ordinals.push_back(*step);
  }
  return ordinals;
}

Result<void> check_claims(const Lesson& lesson, std::shared_ptr<const Trace> trace) {
  const Result<std::vector<std::uint32_t>> ordinals = resolve_stops(lesson, *trace);
  if (!ordinals) return ordinals.error();
  Cursor cursor(trace);
  for (std::size_t i = 0; i < lesson.stops.size(); ++i) {
    const Stop& stop = lesson.stops[i];
    cursor.seek((*ordinals)[i]);
    for (const Highlight& highlight : stop.highlights)
      if (auto held = check_highlight(lesson, stop, highlight, *trace); !held) return held;
    for (const LessonMark& mark : stop.marks)
      if (auto held = check_mark(lesson, stop, mark, *trace); !held) return held;
    for (const ClaimedRow& claim : stop.shows)
      if (auto held = check_row(lesson, stop, claim, cursor); !held) return held;
  }
  return {};
}

}  // namespace kdscope
