#pragma once
// Sampling density, normals and deformation of the open run's points (Zhou et al. 2008, appendix B), shown as splats in
// the 2D/3D view, where handles are put and dragged.

#include <array>
#include <memory>
#include <optional>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "app/application_panes/application_pane.hpp"
#include "app/application_panes/cloud_handles.hpp"
#include "app/application_panes/handle_tool.hpp"
#include "app/application_panes/time_bars.hpp"

class QDoubleSpinBox;
class QSlider;
class QSpinBox;

namespace kdscope {

class ColourScale;
class SceneView;
class WorkbenchWindow;

/// Adds the pane "Point cloud" to the window.
void add_point_clouds(WorkbenchWindow& window, Workbench& workbench);

class CloudPane : public ApplicationPane {
  Q_OBJECT

 public:
  enum class Show { surface, density, strength, run };

  CloudPane(Workbench& workbench, SceneView& view, QWidget* parent = nullptr);

  /// Estimates density and normals of the run's points, and from then on of every pose.
  void estimate();
  /// Makes the points around one, within the chosen radius, a handle, and the active one.
  void put_handle(std::uint32_t point);
  /// Moves the active handle by a translation from where it was put. The points follow, and are estimated in the
  /// background.
  void move_handle(Vector3 by);
  /// Takes all points back to where they were; the handles stay.
  void put_back();
  /// Opens a run on the points as they are now.
  void open_as_run();
  /// Opens the search for the k nearest of the chosen point, in the tree over the points as they are now.
  void step_search();

  const CloudHandles& handles() const { return handles_; }
  /// The pose that was estimated last, and the strength field of the handles; null before.
  std::shared_ptr<const DeformedCloud> pose() const;
  std::shared_ptr<const StrengthField> field() const { return field_; }
  const TimeBars& bars() const { return *bars_; }
  /// Whether everything shown is that of the points, the handles and the move.
  bool up_to_date() const { return rest_ && !working() && next_job() == Job::none; }

 private:
  enum class Job { none, rest, strength, pose };
  struct Pose : DeformedCloud {
    std::uint32_t k = 0;  ///< neighbours of its estimates
  };

  void take_run() override;
  bool suits() const override { return suitable_; }
  void start() override { estimate(); }
  void cancel() override;
  /// Starts the job that is due.
  void go_on() override;
  void fail(const Error& error) override;
  void show_fields() override;
  Job next_job() const;
  void start_rest();
  void start_strength();
  void start_pose();
  /// Returns the run on the points as they are.
  RunRequest run_of_pose() const;
  /// Runs work in the background, and takes its result unless points or handles have changed meanwhile.
  template <class T>
  void start_timed(const QString& what, std::function<Result<T>(const RunControl&)> work,
                   std::function<void(T, double ms)> take);
  /// Returns the request for an estimate of points.
  CloudRequest request_for(std::shared_ptr<const DataSet> points) const;
  /// Makes the current pose the base of the next move, because the handles are about to change.
  void keep_pose();
  void change_handles();
  void remove_handle();
  void change_neighbours();
  void click(const SightLine& line);
  void grab();
  /// Shows points or handles that have changed, and estimates what is due.
  void follow_change();
  void forget();

  Show shown() const;
  double handle_radius() const;
  /// The points as they are drawn: ahead of the pose while its estimate is under way.
  const PointSet& places() const { return moved_ ? *moved_ : pose_->points->points; }
  void place_points();
  std::vector<float> disc_radii() const;
  std::optional<std::uint32_t> point_at(const SightLine& line) const;
  std::optional<Vector3> grip(const SightLine& line);
  void show_view();
  void show_texts();
  void show_view_and_texts();
  std::vector<Rgb> colours() const;

  SceneView& view_;
  HandleTool* tool_;
  bool wanted_ = false;         ///< a person has asked for estimates, and has not cancelled them
  bool again_ = false;          ///< the estimate at rest is wanted once more, for its times
  bool suitable_ = false;       ///< the run's points are floats in three dimensions
  std::uint64_t version_ = 0;   ///< of points and handles
  double size_ = 0;             ///< longest side of the points' box
  std::array<float, 2> dense_;  ///< range of the density at rest that the colours cover

  RunRequest rest_run_;               ///< the run on the points at rest
  std::shared_ptr<const Pose> rest_;  ///< the run's points
  std::shared_ptr<const Pose> base_;  ///< those that the active handle moves from
  std::shared_ptr<const Pose> pose_;  ///< estimated last
  bool base_estimated_ = false;       ///< base_ has estimates of its own
  CloudHandles handles_;
  std::shared_ptr<const StrengthField> field_;  ///< of base_ and handles_; null: outdated
  Vector3 move_, grabbed_move_;
  std::optional<Vector3> posed_;  ///< the move of pose_; nullopt: its estimate is outdated
  std::unique_ptr<const PointSet> moved_;
  std::size_t gripped_ = 0;

  QComboBox* show_;
  QSpinBox *k_, *point_;
  QPushButton *handle_here_, *remove_, *put_back_, *open_, *step_search_;
  QCheckBox* by_mouse_;
  QSlider* radius_;
  std::array<QDoubleSpinBox*, 3> by_;
  QLabel *radius_text_, *handle_text_, *point_text_;
  ColourScale* scale_;
  TimeBars* bars_;
};

}  // namespace kdscope
