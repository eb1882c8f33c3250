#include "app/workbench/point_edits.hpp"

#include <algorithm>
#include <utility>

#include "app/workbench/playback.hpp"

namespace kdscope {
namespace {

/// A change of some points: undo keeps the change, not the set.
class ChangePoints : public QUndoCommand {
 public:
  ChangePoints(PointEdits& edits, PointChange change, const QString& what)
      : QUndoCommand(what), edits_(edits), change_(std::move(change)), name_before_(edits.points()->name) {}
  void undo() override { apply(inverse(change_), name_before_); }
  void redo() override { apply(change_, edited_name(name_before_)); }

 private:
  void apply(const PointChange& change, const std::string& name) {
    edits_.set(changed_points(edits_.state(), change, name));
  }
  PointEdits& edits_;
  PointChange change_;
  std::string name_before_;
};

/// Other points in place of all.
class ReplacePoints : public QUndoCommand {
 public:
  ReplacePoints(PointEdits& edits, PointState before, PointState after, const QString& what)
      : QUndoCommand(what),
        edits_(edits),
        before_(std::move(before)),
        after_(std::move(after)),
        kept_(sizeof(std::uint32_t) *
              std::uint64_t{before_.data->points.words.size() + after_.data->points.words.size()}) {}
  void undo() override { edits_.set(before_); }
  void redo() override { edits_.set(after_); }

 private:
  PointEdits& edits_;
  PointState before_, after_;
  KeptBytes kept_;
};

}  // namespace

PointState changed_points(const PointState& before, const PointChange& change, const std::string& name) {
  auto data = std::make_shared<DataSet>();
  data->name = name;
  data->column_names = before.data->column_names;
  data->up_axis = before.data->up_axis;
  data->provenance = before.data->provenance;
  data->points = changed(before.data->points, change);
  if (change.kind == PointChange::Kind::move) data->triangles = before.data->triangles;
  return {std::move(data), std::make_shared<PointIds>(changed(*before.ids, change))};
}

std::shared_ptr<const DataSet> PointEdits::recorded_points() const {
  if (!recorded_.data && playback_.cursor()) recorded_.data = points_of(*playback_.trace());
  return recorded_.data;
}

std::vector<std::uint32_t> PointEdits::recorded_indices() const {
  return edited_.data ? earlier_indices(*recorded_.ids, *edited_.ids) : std::vector<std::uint32_t>();
}

std::shared_ptr<const PointIds> PointEdits::fresh_ids(std::uint64_t count) {
  return std::make_shared<PointIds>(PointIds{std::exchange(next_id_, next_id_ + count), count, {}});
}

void PointEdits::edit(PointChange change, const QString& what) {
  if (!playback_.cursor() || change.indices.empty()) return;
  if (change.kind == PointChange::Kind::move && change.before == change.after) return;
  if (change.kind == PointChange::Kind::insert) {
    change.ids.resize(change.indices.size());
    for (std::uint64_t& id : change.ids) id = next_id_++;
  } else if (change.kind == PointChange::Kind::erase) {
    const PointState now = state();
    for (const std::uint32_t i : change.indices) change.ids.push_back(now.ids->at(i));
  }
  undo_.push(new ChangePoints(*this, std::move(change), what));
}

void PointEdits::edit(std::shared_ptr<const DataSet> data, const QString& what) {
  if (!playback_.cursor()) return;
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
    edit(move_of(now, std::move(moved), std::move(words)), what);
    return;
  }
  if (KeptBytes::all() > KeptBytes::most) undo_.clear();
  const auto ids = fresh_ids(next.size());
  replace({std::move(data), ids}, what);
}

void PointEdits::replace(PointState points, const QString& what) {
  undo_.push(new ReplacePoints(*this, state(), std::move(points), what));
}

void PointEdits::set(PointState points) {
  const bool as_recorded = equal_points(*points.data, *recorded_points());
  edited_ = as_recorded ? PointState{} : std::move(points);
  emit changed();
}

void PointEdits::begin(std::shared_ptr<const DataSet> points, std::uint64_t count) {
  recorded_ = {std::move(points), fresh_ids(count)};
  edited_ = {};
}

void PointEdits::go_on(PointState recorded, bool keeps_edits) {
  if (recorded.data) recorded_ = std::move(recorded);
  if (!keeps_edits || (edited_.data && equal_points(*edited_.data, *recorded_points()))) edited_ = {};
}

}  // namespace kdscope
