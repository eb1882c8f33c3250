#pragma once
// Follows an object through the scans of the open run's data, and shows it in the 2D/3D view.

#include <QWidget>
#include <memory>
#include <optional>
#include <string>

#include "algorithms/applications/tracking/tracking.hpp"
#include "app/apply/time_bars.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"
#include "datasets/moving_data.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace kdscope {

class SceneView;
class WorkbenchWindow;

/// Adds the pane "Tracking" to the window.
void add_tracking(WorkbenchWindow& window, Workbench& workbench);

class TrackingPane : public QWidget {
  Q_OBJECT

 public:
  TrackingPane(Workbench& workbench, SceneView& view, QWidget* parent = nullptr);

  /// Tracks the object in the frame that is shown, from about its place.
  void track();
  /// Tracks from one frame to the next until it is stopped.
  void set_playing(bool playing);
  /// Shows the object before an iteration, with its neighbours.
  void show_iteration(int iteration);
  /// Opens the search for the nearest neighbour of the chosen point of the object, in the tree of the frame.
  void step_search();
  /// The frame that was tracked last; null before the first.
  std::shared_ptr<const TrackedFrame> tracked() const { return tracked_; }
  std::uint32_t frame() const { return frame_; }
  bool tracking() const { return job_.running(); }
  const TimeBars& bars() const { return *bars_; }

 private:
  struct Scan {
    std::string data;
    std::shared_ptr<const DataSet> points;
    std::shared_ptr<const TrackedObject> object;
  };
  void take_run();
  void start(std::uint32_t frame, const Placement& from);
  void finish(Scan scan, std::uint32_t frame, Result<Tracking> tracking);
  void forget();
  void show_state();
  void show_view();
  /// Describes the frame in the summary.
  void show_result();
  /// Moves the camera of the view to the object.
  void look_closer();
  void show_texts();
  void show_message(const QString& text, bool failed = false);
  /// The step that the slider has chosen.
  const TrackingStep& step() const;
  Vector3 place_of(std::uint32_t point) const;

  Workbench& workbench_;
  SceneView& view_;
  BackgroundJob job_;
  std::string data_;  ///< the open run's scan; empty if no object is known in it
  std::uint32_t frame_ = 0;
  bool playing_ = false;
  std::optional<Scan> scan_;
  std::string device_;  ///< that tracked it
  std::shared_ptr<const TrackedFrame> tracked_;

  QComboBox* fit_;
  QSpinBox* turn_;
  QPushButton *start_, *play_, *step_search_;
  QSlider* iteration_;
  QSpinBox* point_;
  QLabel *iteration_text_, *summary_, *point_text_;
  TimeBars* bars_;
};

}  // namespace kdscope
