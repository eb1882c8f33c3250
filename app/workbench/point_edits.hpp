#pragma once
// The points as they are edited: what the next run takes, and which of them the open trace was recorded from.

#include <QObject>
#include <QUndoStack>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/session/point_edits.hpp"

namespace kdscope {

class Playback;

/// A set of points and which is which.
struct PointState {
  std::shared_ptr<const DataSet> data;
  std::shared_ptr<const PointIds> ids;
};

/// Bytes that undo keeps, counted for as long as this lives.
class KeptBytes {
 public:
  /// Points and traces that undo may keep; beyond, what lies before is forgotten.
  static constexpr std::uint64_t most = 512u << 20;
  static std::uint64_t all() { return all_; }

  explicit KeptBytes(std::uint64_t bytes) : bytes_(bytes) { all_ += bytes_; }
  ~KeptBytes() { all_ -= bytes_; }
  KeptBytes(const KeptBytes&) = delete;
  KeptBytes& operator=(const KeptBytes&) = delete;

 private:
  static inline std::uint64_t all_ = 0;
  std::uint64_t bytes_;
};

/// The points after a change, with the name of edited points.
PointState changed_points(const PointState& before, const PointChange& change, const std::string& name);

class PointEdits : public QObject {
  Q_OBJECT

 public:
  PointEdits(const Playback& playback, QUndoStack& undo, QObject* parent = nullptr)
      : QObject(parent), playback_(playback), undo_(undo) {}

  /// The points as they were last edited: what the next run takes. Null while nothing is open.
  std::shared_ptr<const DataSet> points() const { return edited_.data ? edited_.data : recorded_points(); }
  /// The points were edited since the open trace was recorded.
  bool stale() const { return edited_.data != nullptr; }
  /// Returns the points from which the open trace was recorded. Null while nothing is open.
  std::shared_ptr<const DataSet> recorded_points() const;
  /// Returns, for each of points(), its index in the open trace, or no_id. Empty: the same index. Work O(n).
  std::vector<std::uint32_t> recorded_indices() const;

  /// Makes one edit that undo reverts; `what` names it in the Edit menu. The trace is stale until it is run again.
  void edit(PointChange change, const QString& what);
  /// Replaces all points. If number, type and dimension stay the same, the points count as moved.
  void edit(std::shared_ptr<const DataSet> points, const QString& what);
  /// As edit(), whatever the points are.
  void replace(PointState points, const QString& what);

  /// points(), and which is which.
  PointState state() const { return {points(), edited_.data ? edited_.ids : recorded_.ids}; }
  /// The same, null if they are as recorded.
  const PointState& edited() const { return edited_; }
  /// recorded_points(), null until they were asked for, and which is which.
  const PointState& recorded() const { return recorded_; }
  /// Puts points in the place of points(), without undo.
  void set(PointState points);

  /// For the desk, before another run opens: begins with other points, or goes on with the points of a run on the same
  /// ones; null: recorded(). Both emit no signal.
  void begin(std::shared_ptr<const DataSet> points, std::uint64_t count);
  void go_on(PointState recorded, bool keeps_edits);
  /// For the desk, once the run is open.
  void follow_run() { emit changed(); }

 signals:
  void changed();  ///< points() are others; also when a run is opened

 private:
  std::shared_ptr<const PointIds> fresh_ids(std::uint64_t count);

  const Playback& playback_;
  QUndoStack& undo_;
  mutable PointState recorded_;  // of the open trace; its points once asked for
  PointState edited_;            // null: as recorded
  std::uint64_t next_id_ = 0;
};

}  // namespace kdscope
