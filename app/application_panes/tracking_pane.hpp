#pragma once
// Follows an object through the scans of the open run's data, and shows it in the 2D/3D view.

#include <memory>
#include <optional>
#include <string>

#include "algorithms/applications/tracking/tracking.hpp"
#include "app/application_panes/application_pane.hpp"
#include "app/application_panes/time_bars.hpp"
#include "datasets/moving_data.hpp"

class QSlider;
class QSpinBox;

namespace kdscope {

class SceneView;
class WorkbenchWindow;

/// Adds the pane "Tracking" to the window.
void add_tracking(WorkbenchWindow& window, Workbench& workbench);

class TrackingPane : public ApplicationPane {
  Q_OBJECT

 public:
  TrackingPane(Workbench& workbench, SceneView& view, QWidget* parent = nullptr);

  /// Tracks the object in the frame that is shown, from about its place.
  void track();
  /// Tracks from one frame to the next until it is stopped.
  void set_playing(bool playing);
  /// Opens the search for the nearest neighbour of the chosen point of the object, in the tree of the frame.
  void step_search();
  /// The frame that was tracked last; null before the first.
  std::shared_ptr<const TrackedFrame> tracked() const { return tracked_; }
  std::uint32_t frame() const { return frame_; }
  const TimeBars& bars() const { return *bars_; }

 private:
  struct Scan {
    std::string data;
    std::shared_ptr<const DataSet> points;
    std::shared_ptr<const TrackedObject> object;
  };
  struct Followed {
    Scan scan;
    Tracking tracking;
  };
  void take_run() override;
  bool suits() const override { return !data_.empty(); }
  void start() override { track(); }
  void cancel() override;
  void fail(const Error& error) override;
  void show_fields() override;
  /// Tracks the object in a frame, from a place.
  void follow(std::uint32_t frame, const Placement& from);
  void finish(const std::string& data, std::uint32_t frame, Result<Followed> followed);
  void forget();
  /// Shows the object before the chosen iteration, with its neighbours.
  void show_view();
  /// Describes the frame in the summary.
  void show_result();
  /// Moves the camera of the view to the object.
  void look_closer();
  void show_texts();
  void show_view_and_texts();
  /// The step that the slider has chosen.
  const TrackingStep& step() const;
  Vector3 place_of(std::uint32_t point) const;

  SceneView& view_;
  std::string data_;  ///< the open run's scan; empty if no object is known in it
  std::uint32_t frame_ = 0;
  std::optional<Scan> scan_;
  std::string device_;  ///< that tracked it
  std::shared_ptr<const TrackedFrame> tracked_;

  QComboBox* fit_;
  QSpinBox* turn_;
  PlayButton* play_;
  QSlider* iteration_;
  QLabel* iteration_text_;
  QSpinBox* point_;
  QPushButton* step_search_;
  QLabel* point_text_;
  TimeBars* bars_;
};

}  // namespace kdscope
