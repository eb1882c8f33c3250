// The points of the workbench: edits that undo takes back, and the run before them that "what if" compares with.

#include <algorithm>

#include "app/look/labels.hpp"
#include "app/workbench/open_run.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/model/difference.hpp"

namespace kdscope {
namespace {

/// Whole sets that undo may keep; beyond, what lies before is forgotten.
constexpr std::uint64_t most_kept_bytes = 512u << 20;

}  // namespace

/// A change of some points: undo keeps the change, not the set.
class ChangePoints : public QUndoCommand {
 public:
  ChangePoints(Workbench& workbench, PointChange change, const QString& what)
      : QUndoCommand(what), workbench_(workbench), change_(std::move(change)), name_before_(workbench.points()->name) {}
  void undo() override { apply(inverse(change_), name_before_); }
  void redo() override { apply(change_, edited_name(name_before_)); }

 private:
  void apply(const PointChange& change, const std::string& name) {
    workbench_.set_points(workbench_.changed_points(workbench_.point_state(), change, name));
  }
  Workbench& workbench_;
  PointChange change_;
  std::string name_before_;
};

/// Other points in place of all.
class ReplacePoints : public QUndoCommand {
 public:
  ReplacePoints(Workbench& workbench, Workbench::PointState before, Workbench::PointState after, const QString& what)
      : QUndoCommand(what), workbench_(workbench), before_(std::move(before)), after_(std::move(after)) {
    kept_bytes() += bytes();
  }
  ~ReplacePoints() override { kept_bytes() -= bytes(); }
  void undo() override { workbench_.set_points(before_); }
  void redo() override { workbench_.set_points(after_); }
  static std::uint64_t& kept_bytes() {
    static std::uint64_t bytes = 0;
    return bytes;
  }

 private:
  std::uint64_t bytes() const {
    return sizeof(std::uint32_t) * std::uint64_t{before_.data->points.words.size() + after_.data->points.words.size()};
  }
  Workbench& workbench_;
  Workbench::PointState before_, after_;
};

OpenRun::OpenRun(Workbench& workbench, Workbench::EarlierRun before, Workbench::PointState edited_before,
                 Workbench::EarlierRun after, const QString& what)
    : QUndoCommand(what),
      workbench_(workbench),
      before_(std::move(before)),
      after_(std::move(after)),
      edited_before_(std::move(edited_before)),
      bytes_(before_.recording.trace->stored_bytes()) {
  ReplacePoints::kept_bytes() += bytes_;
}

OpenRun::~OpenRun() { ReplacePoints::kept_bytes() -= bytes_; }

void OpenRun::compare_with(std::optional<Workbench::EarlierRun> before, std::optional<Workbench::EarlierRun> after) {
  earlier_before_ = std::move(before);
  earlier_after_ = std::move(after);
}

void OpenRun::open(const Workbench::EarlierRun& run, const Workbench::EarlierRun& left,
                   const Workbench::PointState& edited, const std::optional<Workbench::EarlierRun>& earlier) {
  const bool as_left = have_same_steps(*workbench_.trace(), *left.recording.trace);
  std::vector<Bookmark> here = as_left ? workbench_.session_.bookmarks : std::vector<Bookmark>();
  workbench_.go_back_to(run, edited, earlier);
  if (!bookmarks_) return;
  workbench_.set_bookmarks(std::exchange(*bookmarks_, std::move(here)));
}

void OpenRun::undo() { open(before_, after_, edited_before_, earlier_before_); }

void OpenRun::redo() {
  if (!std::exchange(stands_, false)) open(after_, before_, {}, earlier_after_);
}

bool have_same_steps(const Trace& a, const Trace& b) {
  return a.header.algorithm == b.header.algorithm &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                    [](const Step& x, const Step& y) { return x.path == y.path; });
}

Workbench::PointState Workbench::changed_points(const PointState& before, const PointChange& change,
                                                const std::string& name) const {
  auto data = std::make_shared<DataSet>();
  data->name = name;
  data->column_names = before.data->column_names;
  data->up_axis = before.data->up_axis;
  data->provenance = before.data->provenance;
  data->points = changed(before.data->points, change);
  if (change.kind == PointChange::Kind::move) data->triangles = before.data->triangles;
  return {std::move(data), std::make_shared<PointIds>(changed(*before.ids, change))};
}

std::shared_ptr<const DataSet> Workbench::points() const { return edited_.data ? edited_.data : recorded_points(); }

std::shared_ptr<const DataSet> Workbench::recorded_points() const {
  if (!recorded_.data && cursor()) recorded_.data = points_of(*trace());
  return recorded_.data;
}

std::vector<std::uint32_t> Workbench::recorded_indices() const {
  return edited_.data ? earlier_indices(*recorded_.ids, *edited_.ids) : std::vector<std::uint32_t>();
}

std::shared_ptr<const PointIds> Workbench::fresh_ids(std::uint64_t count) {
  return std::make_shared<PointIds>(PointIds{std::exchange(next_point_id_, next_point_id_ + count), count, {}});
}

void Workbench::edit_points(PointChange change, const QString& what) {
  if (!cursor() || change.indices.empty()) return;
  if (change.kind == PointChange::Kind::move && change.before == change.after) return;
  if (change.kind == PointChange::Kind::insert) {
    change.ids.resize(change.indices.size());
    for (std::uint64_t& id : change.ids) id = next_point_id_++;
  } else if (change.kind == PointChange::Kind::erase) {
    const PointState now = point_state();
    for (const std::uint32_t i : change.indices) change.ids.push_back(now.ids->at(i));
  }
  undo_.push(new ChangePoints(*this, std::move(change), what));
}

void Workbench::edit_points(std::shared_ptr<const DataSet> data, const QString& what) {
  if (!cursor()) return;
  const PointSet &now = points()->points, &next = data->points;
  if (now.type == next.type && now.dim == next.dim && now.payload_words == next.payload_words &&
      now.size() == next.size()) {
    std::vector<std::uint32_t> moved, words;
    for (std::uint32_t i = 0; i < next.size(); ++i) {
      const auto from = next.words.begin() + std::ptrdiff_t(i) * next.stride(), to = from + next.stride();
      if (std::equal(from, to, now.words.begin() + std::ptrdiff_t(i) * now.stride())) continue;
      moved.push_back(i);
      words.insert(words.end(), from, to);
    }
    edit_points(move_of(now, std::move(moved), std::move(words)), what);
    return;
  }
  if (ReplacePoints::kept_bytes() > most_kept_bytes) undo_.clear();
  const auto ids = fresh_ids(next.size());
  undo_.push(new ReplacePoints(*this, point_state(), {std::move(data), ids}, what));
}

void Workbench::set_points(PointState state) {
  const bool as_recorded = equal_points(*state.data, *recorded_points());
  edited_ = as_recorded ? PointState{} : std::move(state);
  emit points_changed();
}

bool Workbench::has_points_of_lesson() const {
  if (lesson_) return !edited_.data && !session_.run.points;
  const auto now = points();
  return left_ && now && equal_points(*now, *left_->points);
}

void Workbench::return_to_lesson() {
  if (left_) open_lesson(Lesson(left_->lesson));
}

bool Workbench::take_points(const RecordedRun& recording, bool afresh, bool to_lesson) {
  const bool had_points = cursor() != nullptr;
  const bool asked = asked_points_.data && (going_back_ || to_lesson || recording.run.points == asked_points_.data);
  const bool same = had_points && (going_back_ || (!afresh && recording.trace_file.empty())) &&
                    (asked || (recording.run.data == session_.run.data && recording.run.points == session_.run.points));
  if (same) {
    // What was edited while this ran stays, and what may be taken back too.
    if (asked) recorded_ = std::exchange(asked_points_, {});
    if (edited_.data && equal_points(*edited_.data, *recorded_points())) edited_ = {};
    return true;
  }
  const PointState recorded_before = recorded_, edited_before = edited_;
  recorded_ = {recording.run.points, fresh_ids(recording.trace->header.n)};
  edited_ = {};
  if (afresh || !had_points || !recording.trace_file.empty()) {
    undo_.clear();
    return false;
  }
  recorded_.data = recorded_.data ? recorded_.data : points_of(*recording.trace);
  EarlierRun run_before{{session_.run, session_.trace_file, trace()}, lesson_, recorded_before, playback_.step()};
  if (!run_before.points.data) run_before.points.data = points_of(*trace());
  if (ReplacePoints::kept_bytes() + trace()->stored_bytes() > most_kept_bytes) undo_.clear();
  if (trace()->stored_bytes() <= most_kept_bytes) {
    auto* command = new OpenRun(*this, std::move(run_before), edited_before, {recording, {}, recorded_, 0},
                                tr("open %1").arg(as_label(recorded_.data->name)));
    command->restore_bookmarks(session_.bookmarks);
    undo_.push(command);
  }
  return false;
}

void Workbench::keep_earlier(const RecordedRun& next, bool same_points, PointState points) {
  if (going_back_) {
    earlier_ = std::exchange(earlier_then_, std::nullopt);
    return;
  }
  const bool same_run =
      same_points && next.run.algorithm == session_.run.algorithm && next.run.parameters == session_.run.parameters;
  if (!same_run) {
    earlier_.reset();
    return;
  }
  if (!first_step_ && !next.first_difference) first_step_ = corresponding_step(*trace(), playback_.step(), *next.trace);
  // Further edits are still compared with the run before the first.
  if (!earlier_ && points.data && points.data != recorded_.data && trace()->stored_bytes() < most_kept_bytes)
    earlier_ = EarlierRun{{session_.run, session_.trace_file, trace()}, lesson_, std::move(points), playback_.step()};
  if (earlier_ && earlier_->points.data->points.words == recorded_.data->points.words) earlier_.reset();
}

std::vector<std::uint32_t> Workbench::earlier_points() const {
  return earlier_ ? earlier_indices(*earlier_->points.ids, *recorded_.ids) : std::vector<std::uint32_t>();
}

void Workbench::accept_edits() {
  earlier_.reset();
  emit earlier_run_changed();
}

void Workbench::revert_edits() {
  if (!earlier_ || refuse_while_busy()) return;
  EarlierRun back = std::move(*earlier_);
  undo_.push(new ReplacePoints(*this, point_state(), back.points, tr("take the edits back")));
  back.step = corresponding_step(*trace(), playback_.step(), *back.recording.trace);
  go_back_to(back, {});
}

void Workbench::go_back_to(const EarlierRun& run, const PointState& edited, std::optional<EarlierRun> earlier) {
  earlier_then_ = std::move(earlier);
  asked_points_ = run.points;
  edited_ = {};
  first_step_ = run.step;
  going_back_ = true;
  adopt(run.recording, run.lesson);
  if (edited.data) set_points(edited);
  going_back_ = false;
}

}  // namespace kdscope
