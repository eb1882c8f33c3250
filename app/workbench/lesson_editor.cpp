#include "app/workbench/lesson_editor.hpp"

#include <QUndoCommand>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "app/workbench/workbench.hpp"
#include "datasets/datasets.hpp"
#include "walkthroughs/writer/lesson_writer.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;

constexpr int pause_ms = 250;                     ///< from the last key to the views
constexpr std::size_t most_coordinates = 20'000;  ///< that a lesson holds itself: some 200 KiB

/// The path of a file of points that a specification names, without parameters; empty if it names none.
std::string file_of(const std::string& data) {
  const std::string path = data_file_of(data);
  std::error_code failed;
  return fs::is_regular_file(path, failed) ? path : std::string();
}

/// Points without what builders do not read: the lesson keeps coordinates alone.
std::shared_ptr<const DataSet> coordinates_of(const DataSet& data, const std::string& name) {
  auto alone = std::make_shared<DataSet>();
  alone->name = name;
  alone->column_names = data.column_names;
  alone->points.type = data.points.type;
  alone->points.dim = data.points.dim;
  for (std::size_t i = 0; i < data.points.size(); ++i)
    for (std::uint32_t d = 0; d < data.points.dim; ++d) alone->points.words.push_back(data.points.word(i, d));
  return alone;
}

bool same_coordinates(const PointSet& a, const PointSet& b) {
  if (a.type != b.type || a.dim != b.dim || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::uint32_t d = 0; d < a.dim; ++d)
      if (a.word(i, d) != b.word(i, d)) return false;
  return true;
}

/// Returns whether two files hold the same bytes.
bool same_bytes(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (fs::file_size(a, failed) != fs::file_size(b, failed) || failed) return false;
  std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return left && right && std::equal(Bytes(left), Bytes(), Bytes(right), Bytes());
}

/// Exchanges a part of a draft with one that is kept, so that every second call restores the draft.
using Exchange = std::function<void(Lesson&)>;

/// Takes the stop at an index out of the draft, or puts the one that is kept back there.
Exchange exchange_stop(int index, std::optional<Stop> kept) {
  return [index, kept = std::move(kept)](Lesson& draft) mutable {
    const auto place = draft.stops.begin() + index;
    if (kept) {
      draft.stops.insert(place, std::move(*kept));
      kept.reset();
    } else {
      kept = std::move(*place);
      draft.stops.erase(place);
    }
  };
}

/// Exchanges the step of a stop, and the values that it shows there.
Exchange exchange_step(int index, Stop kept) {
  return [index, kept = std::move(kept)](Lesson& draft) mutable {
    Stop& stop = draft.stops[static_cast<std::size_t>(index)];
    std::swap(stop.select, kept.select);
    std::swap(stop.occurrence, kept.occurrence);
    std::swap(stop.shows, kept.shows);
  };
}

/// Exchanges the lesson's run. Points beside an earlier file of the lesson are named by their whole path.
Exchange exchange_run(Lesson kept) {
  return [kept = std::move(kept)](Lesson& draft) mutable {
    if (!kept.points && kept.path != draft.path) kept.data = data_of(kept);
    kept.path = draft.path;
    std::swap(draft.data, kept.data);
    std::swap(draft.points, kept.points);
    std::swap(draft.algorithm, kept.algorithm);
    std::swap(draft.parameters, kept.parameters);
    std::swap(draft.search, kept.search);
  };
}

/// The exchange that undoes a change: of a stop added at `to`, removed at `from` or moved between the two, of the step
/// of a stop, or of the run.
Exchange exchange_of(const Lesson& before, int from, const Lesson& after, int to) {
  if (after.stops.size() > before.stops.size()) return exchange_stop(to, std::nullopt);
  const auto at = static_cast<std::size_t>(from);
  if (after.stops.size() < before.stops.size()) return exchange_stop(from, before.stops[at]);
  if (from != to)
    return [from, to](Lesson& draft) { std::iter_swap(draft.stops.begin() + from, draft.stops.begin() + to); };
  const bool same_run = before.data == after.data && before.points == after.points &&
                        before.algorithm == after.algorithm && before.parameters == after.parameters &&
                        before.search == after.search;
  return same_run && from >= 0 ? exchange_step(from, before.stops[at]) : exchange_run(before);
}

}  // namespace

/// A change of one stop, or of the lesson's run. It stands when this is made. Undo and redo exchange only what changed:
/// texts that were typed since, and the file that the lesson was saved to, stay.
class LessonEditor::ChangeStops : public QUndoCommand {
 public:
  /// The change of the draft to `after`, where the author edits `stop`.
  ChangeStops(LessonEditor& editor, const Lesson& after, int stop, const QString& what)
      : QUndoCommand(what),
        editor_(editor),
        draft_(editor.draft_number_),
        before_(editor.stop_),
        after_(stop),
        exchange_(exchange_of(*editor.draft_, before_, after, after_)) {}
  void undo() override { change(before_); }
  void redo() override {
    if (!std::exchange(stands_, false)) change(after_);
  }

 private:
  void change(int stop) {
    if (!editor_.draft_ || editor_.draft_number_ != draft_) return setObsolete(true);
    Lesson draft = *editor_.draft_;
    exchange_(draft);
    editor_.set_draft(std::move(draft), stop);
  }

  LessonEditor& editor_;
  int draft_;           ///< the number of the draft that was changed
  int before_, after_;  ///< the stop that was edited
  Exchange exchange_;
  bool stands_ = true;
};

LessonEditor::LessonEditor(Workbench& workbench) : workbench_(workbench) {
  soon_.setSingleShot(true);
  soon_.setInterval(pause_ms);
  connect(&soon_, &QTimer::timeout, this, &LessonEditor::show);
  workbench.lessons().ask_only_if([this] { return asks(); });
  connect(&workbench.playback(), &Playback::stepped, this, &LessonEditor::follow_step);
  // The workbench shows the run at its step after this signal.
  connect(&workbench.playback(), &Playback::opened, this, &LessonEditor::follow_run, Qt::QueuedConnection);
}

/// Makes the open run the lesson's.
Result<void> LessonEditor::take_run(Lesson& lesson) const {
  const RunRequest& run = workbench_.desk().request();
  const auto points = workbench_.edits().recorded_points();
  const std::string file = run.points ? std::string() : file_of(run.data);
  const bool nameless = run.points || !file.empty() || !workbench_.desk().trace_file().empty();
  lesson.points = nullptr;
  lesson.data = run.data;
  if (nameless) {
    const bool fits = points && points->points.size() * points->points.dim <= most_coordinates &&
                      !sorts_triangles(*workbench_.playback().trace());
    if (fits) {
      lesson.data = file.empty() ? run.data : fs::path(file).filename().string();
      lesson.points = coordinates_of(*points, lesson.data);
    } else if (file.empty()) {
      return Error{ErrorKind::bad_input, "a lesson does not hold this many points, or triangles", "",
                   "save them as a file, open that, and begin the lesson again"};
    }
  }
  lesson.algorithm = run.algorithm;
  lesson.parameters = run.parameters;
  lesson.search = run.search;
  return {};
}

Result<void> LessonEditor::begin() {
  if (!workbench_.playback().cursor()) return {};
  Lesson draft;
  draft.source = workbench_.playback().trace()->header.citation;
  if (auto taken = take_run(draft); !taken) return taken;
  if (const auto& axes = workbench_.playback().place().axes)
    for (const int axis : *axes)
      if (axis >= 0) draft.axes.push_back(static_cast<std::uint32_t>(axis));
  if (draft.axes.size() < 2) draft.axes.clear();
  start(std::move(draft), std::nullopt);
  return {};
}

void LessonEditor::edit(Lesson lesson, bool as_copy) {
  std::optional<Lesson> saved;
  if (as_copy) {
    // Data beside the lesson stays where it is until the copy is saved.
    if (!lesson.points) lesson.data = data_of(lesson);
    lesson.path.clear();
    lesson.id.clear();
  } else {
    saved = lesson;
  }
  start(std::move(lesson), std::move(saved));
}

void LessonEditor::start(Lesson draft, std::optional<Lesson> saved) {
  ++draft_number_;
  draft_ = std::move(draft);
  saved_ = std::move(saved);
  stop_ = std::max(-1, std::min(workbench_.lessons().stop_index(), static_cast<int>(draft_->stops.size()) - 1));
  preview_ = false;
  fits_ = is_of_open_run();
  show();
  emit opened();
  if (!fits_) open_run();
}

void LessonEditor::close() {
  if (!draft_) return;
  soon_.stop();
  const bool shown = std::exchange(shows_draft_, false);
  const auto saved = std::exchange(saved_, std::nullopt);
  draft_.reset();
  text_.reset();
  problems_.clear();
  preview_ = false;
  stop_ = -1;
  if (shown) workbench_.lessons().show(saved);
  emit opened();
  emit changed();
}

bool LessonEditor::unsaved() const {
  if (!draft_) return false;
  if (saved_) return !same_lesson(*draft_, *saved_);
  // The run, its source and its axes come from the window; all else was typed.
  return !draft_->stops.empty() || !draft_->introduction.empty() || !draft_->title.empty() || !draft_->aim.empty() ||
         draft_->minutes != 0 || !draft_->builds_on.empty();
}

std::string LessonEditor::draft() const {
  if (!text_) text_ = unsaved() ? draft_text(*draft_) : std::string();
  return *text_;
}

void LessonEditor::restore(const std::string& draft, const std::string& file) {
  if (draft.empty()) return;
  auto read = parse_draft(draft, file);
  if (!read) return workbench_.messages().report(read.error());
  if (unsaved())
    return workbench_.messages().report({ErrorKind::bad_usage,
                                         "the session holds a lesson, and the one here is not saved", "",
                                         "save this one, and open the session again"});
  std::optional<Lesson> saved;
  if (!file.empty())
    if (auto lesson = read_lesson(file)) saved = std::move(*lesson);
  if (file.empty()) read->id.clear();
  start(std::move(*read), std::move(saved));
}

Result<void> LessonEditor::save(const std::string& path) {
  show();
  for (const LessonProblem& problem : problems_)
    if (problem.refused) {
      go_to(problem.stop);
      const std::string where = problem.stop < 0 ? "" : "stop " + std::to_string(problem.stop + 1);
      return Error{ErrorKind::bad_input,
                   "the lesson is not saved yet: " + problem.sentence.substr(0, problem.sentence.size() - 1), where,
                   ""};
    }
  Lesson lesson = *draft_;
  // Put a file of points beside the lesson, unless its name leads to it from there.
  const std::string data = data_of(lesson);
  if (const std::string file = lesson.points ? std::string() : file_of(data); !file.empty()) {
    const fs::path folder = fs::path(path).parent_path(), to = folder / fs::path(file).filename();
    std::error_code failed;
    if (fs::path(lesson.data).is_absolute() ||
        !fs::equivalent(file, data_file_of((folder / lesson.data).string()), failed)) {
      const bool exists = fs::exists(to, failed);
      if (exists && !fs::equivalent(file, to, failed) && !same_bytes(file, to))
        return Error{ErrorKind::bad_input, "another file has the name of the lesson's points", to.string(),
                     "rename it, or save the lesson in another folder"};
      failed.clear();
      if (!exists) fs::copy_file(file, to, failed);
      if (failed)
        return Error{ErrorKind::io_failure, "the points cannot be put beside the lesson: " + failed.message(),
                     to.string(), ""};
      lesson.data = to.filename().string() + data.substr(file.size());
    }
  }
  if (auto written = save_lesson(lesson, path); !written) return written;
  auto read = read_lesson(path);
  if (!read) return read.error();
  draft_ = *read;
  saved_ = std::move(*read);
  show();
  return {};
}

bool LessonEditor::is_of_open_run() const {
  if (!draft_ || !workbench_.playback().cursor()) return false;
  const RunRequest& run = workbench_.desk().request();
  if (draft_->algorithm != run.algorithm || draft_->parameters != run.parameters || draft_->search != run.search)
    return false;
  if (draft_->points) {
    const auto points = workbench_.edits().recorded_points();
    return points && same_coordinates(draft_->points->points, points->points);
  }
  const std::string data = data_of(*draft_);
  return !run.points && (data == run.data ||
                         (!file_of(run.data).empty() && fs::path(data).filename() == fs::path(run.data).filename()));
}

Result<void> LessonEditor::use_open_run() {
  Lesson draft = *draft_;
  if (auto taken = take_run(draft); !taken) return taken;
  replace(std::move(draft), stop_, tr("the lesson's run"));
  return {};
}

void LessonEditor::open_run() {
  Lesson lesson = *draft_;
  // Until its stops fit, the run opens alone.
  if (lesson.title.empty()) lesson.title = "the lesson";
  workbench_.desk().open_lesson(lesson);
}

void LessonEditor::go_to(int stop) {
  if (!draft_) return;
  stop_ = std::clamp(stop, -1, static_cast<int>(draft_->stops.size()) - 1);
  if (shows_draft_) workbench_.lessons().go_to_stop(stop_);
  emit changed();
}

void LessonEditor::change(const std::function<void(Lesson&)>& edit) {
  if (!draft_) return;
  edit(*draft_);
  text_.reset();
  show_soon();
}

void LessonEditor::show_soon() { soon_.start(); }

/// Shows the draft in the window, unless another run is open, and checks it.
void LessonEditor::show() {
  soon_.stop();
  text_.reset();
  if (!draft_) return;
  fits_ = is_of_open_run();
  problems_ = problems_of(*draft_, fits_ ? workbench_.playback().trace() : nullptr);
  if (fits_) {
    // Files that are not there yet have no name that answers could be kept under.
    Lesson shown = *draft_;
    if (shown.id.empty()) shown.id = "draft";
    shows_draft_ = true;
    showing_ = true;
    workbench_.lessons().show(std::move(shown), stop_);
    showing_ = false;
  } else {
    shows_draft_ = false;
  }
  emit changed();
}

void LessonEditor::follow_step() {
  if (!draft_ || !shows_draft_ || showing_) return;
  const int stop = workbench_.lessons().stop_index();
  if (stop >= 0)
    stop_ = stop;
  else if (workbench_.lessons().at_introduction())
    stop_ = -1;
  emit changed();
}

void LessonEditor::follow_run() {
  if (!draft_) return;
  // A lesson without stops follows the run that its author looks for.
  if (draft_->stops.empty() && !workbench_.lessons().lesson() && !is_of_open_run()) {
    Lesson draft = *draft_;
    const bool same_source = workbench_.playback().trace() != nullptr;
    if (take_run(draft) && same_source) {
      draft.source = workbench_.playback().trace()->header.citation;
      draft_ = std::move(draft);
    }
  }
  show();
}

void LessonEditor::set_draft(Lesson draft, int stop) {
  draft_ = std::move(draft);
  stop_ = std::clamp(stop, -1, static_cast<int>(draft_->stops.size()) - 1);
  show();
}

void LessonEditor::replace(Lesson draft, int stop, const QString& what) {
  auto* change = new ChangeStops(*this, draft, stop, what);
  set_draft(std::move(draft), stop);
  workbench_.undo_stack().push(change);
}

void LessonEditor::add_stop() {
  if (!draft_ || !fits_) return;
  const Trace& trace = *workbench_.playback().trace();
  const std::uint32_t here = workbench_.playback().step();
  const Step& step = trace.steps[here];
  Stop stop;
  const StepChoice choice = choice_of(trace, here);
  stop.select = choice.select;
  stop.occurrence = choice.occurrence;
  stop.title = step.title.empty() ? step.name : step.title;
  if (!stop.title.empty() && static_cast<unsigned char>(stop.title[0]) < 128)
    stop.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(stop.title[0])));
  Lesson draft = *draft_;
  const auto place = std::find_if(draft.stops.begin(), draft.stops.end(), [&](const Stop& each) {
    const auto at = resolve_stop(draft, each, trace);
    return at && *at > here;
  });
  const int index = static_cast<int>(place - draft.stops.begin());
  draft.stops.insert(place, std::move(stop));
  replace(std::move(draft), index, tr("a new stop"));
}

void LessonEditor::move_here() {
  if (!draft_ || !fits_ || stop_ < 0) return;
  Lesson draft = *draft_;
  Stop& stop = draft.stops[static_cast<std::size_t>(stop_)];
  const StepChoice choice = choice_of(*workbench_.playback().trace(), workbench_.playback().step());
  stop.select = choice.select;
  stop.occurrence = choice.occurrence;
  read_shows_again(stop, *workbench_.playback().cursor());
  replace(std::move(draft), stop_, tr("the step of a stop"));
}

void LessonEditor::reorder(int direction) {
  if (!draft_ || stop_ < 0) return;
  const int to = stop_ + direction;
  if (to < 0 || to >= static_cast<int>(draft_->stops.size())) return;
  Lesson draft = *draft_;
  std::swap(draft.stops[static_cast<std::size_t>(stop_)], draft.stops[static_cast<std::size_t>(to)]);
  replace(std::move(draft), to, tr("the order of stops"));
}

void LessonEditor::remove_stop() {
  if (!draft_ || stop_ < 0) return;
  Lesson draft = *draft_;
  draft.stops.erase(draft.stops.begin() + stop_);
  replace(std::move(draft), std::min(stop_, static_cast<int>(draft.stops.size()) - 1), tr("a removed stop"));
}

void LessonEditor::preview(bool on) {
  if (!draft_ || preview_ == on) return;
  preview_ = on;
  show();
  if (on && shows_draft_) workbench_.lessons().go_to_stop(stop_);
}

}  // namespace kdscope
