#pragma once
// Editing of points with the mouse in the 2D view, and the chosen points, which view, table and menu share.

#include <QAction>
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "app/views/scene_view.hpp"
#include "app/workbench/live_move.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// While editing, a click adds a point, dragging a point moves it, and Delete removes the chosen ones. Dragging the
/// background still moves the camera. Edits since the run are drawn over the run. If the run is quick, it follows a
/// dragged point; Escape takes the drag back.
class PointEditor : public QObject {
  Q_OBJECT

 public:
  PointEditor(Workbench& workbench, SceneView& view, QObject* parent);

  bool editing() const { return editing_; }
  void set_editing(bool editing);
  /// Indices in workbench.edits().points(), ascending.
  const std::vector<std::uint32_t>& chosen() const { return chosen_; }
  void choose(std::vector<std::uint32_t> points);
  void erase_chosen();
  /// The edits since the run.
  const PointDifferences& changes() const { return changes_; }
  /// The runs that follow a dragged point.
  LiveMove& live_move() { return live_; }

 signals:
  void chosen_changed();
  void editing_changed(bool editing);
  /// Coordinates under the mouse while editing; empty outside.
  void hovered(const QString& coordinates);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::optional<std::uint32_t> point_under(QPointF at) const;
  /// Coordinates at a place in the view, rounded as far as a pixel allows, in the type of the points.
  std::vector<std::uint32_t> words_at(QPointF at, std::optional<std::uint32_t> moved) const;
  EditMark mark_of(std::optional<std::uint32_t> was, std::uint32_t now) const;
  void take_points();
  void take_selection();
  void show_marks();
  void show_cursor(QPointF at);
  void start_drag();
  void follow_drag();
  void finish_drag(QPointF at);
  void take_drag_back();
  void let_go();

  Workbench& workbench_;
  SceneView& view_;
  bool editing_ = false, choosing_ = false;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint32_t> earlier_;  // recorded index of each point; empty: equal to the index now
  PointDifferences changes_;
  QPointF pressed_;
  bool pressed_ground_ = false;
  std::optional<std::uint32_t> held_;      // the point under the pressed button
  std::vector<std::uint32_t> held_words_;  // where it is being dragged
  LiveMove live_;
  std::vector<std::uint32_t> run_words_;  // where it is in the run that follows
  QTimer follow_;                         // one run for all moves that wait
};

/// The coordinates in a record of words: "(46, 63)", or for more than eight dimensions those on the axes, by name.
QString coordinates_text(const std::uint32_t* words, std::uint32_t dim, ScalarType type, const Axes& axes);

}  // namespace kdscope
