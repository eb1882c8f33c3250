#include "app/recording/saved_run.hpp"

#include <algorithm>
#include <filesystem>

#include "algorithms/text/similar_names.hpp"
#include "datasets/data_form.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

/// The path itself, or a file of that name beside the session.
std::string located(const std::string& path, const std::string& session) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  const fs::path beside = fs::path(session).parent_path() / fs::path(path).filename();
  return fs::exists(beside, ignored) ? beside.string() : path;
}

std::string clause(const Error& error) {
  std::string text = error.message();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Indices that a selection may have somewhere in a run: what was selected at one step stays so at steps before it is
/// there.
std::uint64_t indices(const Trace& trace, const Selection& selection) {
  if (selection.space == Space::point || selection.space == Space::position) return trace.header.n;
  std::uint64_t most = 0;
  for (const Trace::Array& array : trace.arrays)
    if (selection.space == Space::count ? array.info.name == selection.array
                                        : array.info.index_space == selection.space)
      for (const ArrayVersion& version : array.versions)
        most = std::max(most, version.size / (selection.space == Space::count ? 1 : array.info.components));
  return most;
}

/// Records the run from what it names if that is available, or else from the nearest substitute.
void record_what_can_be(SavedRun& opened, const std::string& path, const RunControl& control) {
  Session& session = opened.saved.session;
  RunRequest& run = session.run;
  if (!session.trace_file.empty()) {
    auto recording = open_trace(located(session.trace_file, path));
    if (recording) {
      opened.recording = std::move(*recording);
      return;
    }
    opened.problems.push_back("its trace cannot be opened (" + clause(recording.error()) +
                              "), so its run was made again");
  }
  if (run.algorithm.empty()) return opened.problems.push_back("it names no algorithm, so nothing could be run");
  if (DataForm form = parse_data_form(run.data); !run.points && form.source.empty()) {
    form.file = located(form.file, path);
    run.data = specification_of(form);
  }
  auto recording = record_run(run, control);
  const auto again = [&](const std::string& problem) {
    auto second = record_run(run, control);
    if (!second) return;
    opened.problems.push_back(clause(recording.error()) + ", so " + problem);
    recording = std::move(second);
  };
  if (!recording && recording.error().kind == ErrorKind::no_device && run.backend == Backend::cuda) {
    run.backend = Backend::automatic;
    again("it was run without a CUDA device");
  }
  if (!recording && recording.error().kind == ErrorKind::bad_usage && !run.parameters.empty()) {
    run.parameters.clear();
    again("it was run with the parameters' defaults");
  }
  if (!recording && opened.saved.edited_points && !run.points && recording.error().kind != ErrorKind::cancelled) {
    run.points = std::exchange(opened.saved.edited_points, nullptr);
    again("it was run on its edited points");
  }
  if (recording)
    opened.recording = std::move(*recording);
  else
    opened.problems.push_back("its run cannot be made (" + clause(recording.error()) + ")");
}

/// Takes away what does not hold for the run that was opened.
void fit_to_run(SavedRun& opened) {
  Session& session = opened.saved.session;
  const auto& trace = opened.recording->trace;
  Place& place = opened.saved.place;
  const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
  if (opened.saved.tree_hash && opened.saved.tree_hash != trace->header.tree_hash)
    opened.problems.push_back("its run gives another tree than when it was saved: data or program have changed since");
  if (place.step > last) {
    opened.problems.push_back("it was saved at step " + std::to_string(place.step) + ", and its run ends with step " +
                              std::to_string(last));
    place.step = last;
  }
  const auto beyond = [last](const Bookmark& mark) { return mark.step > last; };
  if (const auto lost = std::erase_if(session.bookmarks, beyond); lost > 0)
    opened.problems.push_back(std::to_string(lost) + (lost == 1 ? " bookmark lies" : " bookmarks lie") +
                              " beyond the end of its run");
  if (place.baseline.step > last) place.baseline = {};
  if (const Selection selection = place.selection) {
    const std::uint64_t size = indices(*trace, selection);
    if (selection.count == 0 || selection.index >= size || selection.count > size - selection.index) {
      opened.problems.push_back("what it had selected is not in its run");
      place.selection = {};
    }
  }
  if (place.axes && !axes_fit(*place.axes, trace->header.dim)) place.axes.reset();
}

}  // namespace

Error unknown_lesson(const std::string& id, const LessonCatalogue& lessons) {
  for (const Error& problem : lessons.problems)
    if (problem.where.find("/" + id + ".md") != std::string::npos) return problem;
  std::vector<std::string> known;
  for (const Lesson& lesson : lessons.lessons) known.push_back(lesson.id);
  const std::string meant = did_you_mean(id, known);
  return {ErrorKind::bad_usage, "there is no lesson '" + id + "'", "",
          known.empty()   ? "no lesson is installed"
          : meant.empty() ? "kdscope-cli list lessons prints the ids"
                          : meant};
}

Result<SavedRun> open_saved_run(const std::string& path, const LessonCatalogue& lessons, const RunControl& control) {
  auto read = read_session(path);
  if (!read) return read.error();
  SavedRun opened{std::move(read->saved), {}, {}, std::move(read->problems)};
  Session& session = opened.saved.session;
  if (is_lesson_path(session.lesson)) {
    auto lesson = read_lesson(session.lesson);
    if (lesson)
      opened.lesson = std::move(*lesson);
    else
      opened.problems.push_back(clause(lesson.error()));
  } else if (!session.lesson.empty()) {
    const auto found = std::find_if(lessons.lessons.begin(), lessons.lessons.end(),
                                    [&](const Lesson& lesson) { return lesson.id == session.lesson; });
    if (found == lessons.lessons.end()) {
      opened.problems.push_back(clause(unknown_lesson(session.lesson, lessons)));
    } else {
      opened.lesson = *found;
      // A damaged file may still name a lesson, which determines the rest.
      if (session.run.data.empty() && !session.run.points) session.run.data = found->data;
      if (session.run.algorithm.empty()) {
        session.run.algorithm = found->algorithm;
        if (session.run.parameters.empty()) session.run.parameters = found->parameters;
      }
    }
  }
  record_what_can_be(opened, path, control);
  if (control.stop.stop_requested()) return Error{ErrorKind::cancelled, "opening the session was cancelled", path, ""};
  if (!opened.recording) return opened;
  if (opened.lesson && !resolve_stops(*opened.lesson, *opened.recording->trace)) {
    opened.problems.push_back("its lesson does not fit its run");
    opened.lesson.reset();
  }
  fit_to_run(opened);
  const auto here = fetch_step(*opened.recording->trace, opened.saved.place.step);
  return here ? Result<SavedRun>(std::move(opened)) : here.error();
}

Error sum_up(const std::vector<std::string>& problems, const std::string& path) {
  std::string what = "not everything could be opened: ";
  for (std::size_t i = 0; i < problems.size(); ++i) what += (i ? "; " : "") + problems[i];
  return {ErrorKind::bad_input, what, path, "the file stays as it is, saving asks for a new name"};
}

std::optional<Axes> axes_of(const Lesson& lesson) {
  if (lesson.axes.empty()) return std::nullopt;
  Axes axes{-1, -1, -1};
  std::copy(lesson.axes.begin(), lesson.axes.end(), axes.begin());
  return axes;
}

}  // namespace kdscope
