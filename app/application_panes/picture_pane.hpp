#pragma once
// Traces pictures of the open run's triangles, and opens the ray of a pixel as a search to step through.

#include <memory>
#include <string>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "app/application_panes/application_pane.hpp"
#include "app/application_panes/picture_canvas.hpp"

class QSlider;
class QTableWidget;

namespace kdscope {

class WorkbenchWindow;

/// Adds the pane "Picture" to the window.
void add_pictures(WorkbenchWindow& window, Workbench& workbench);

class PicturePane : public ApplicationPane {
  Q_OBJECT

 public:
  explicit PicturePane(Workbench& workbench, QWidget* parent = nullptr);

  /// Traces the scene as the fields state. While a picture is traced, the next one waits. The tree of the last picture
  /// is kept if only the eye has moved.
  void trace();
  /// The same with a new tree.
  void build_and_trace();
  /// Traces one frame of a moving scene after another until it is stopped.
  void set_playing(bool playing);
  /// Opens the search for what the ray of a pixel hits, on the tree of the picture's scene.
  void step_ray(QPoint pixel);
  /// The last picture; null before the first, or if the last attempt failed.
  std::shared_ptr<const Picture> picture() const { return picture_; }
  QString times_text_;  ///< of the picture
  const PictureCanvas& canvas() const { return *canvas_; }

 private:
  void take_run() override;
  bool suits() const override { return !data_.empty(); }
  void start() override { build_and_trace(); }
  void cancel() override;
  void fail(const Error& error) override;
  void show_fields() override;
  /// The scene that a picture was asked for.
  struct Wanted {
    std::string data;
    std::shared_ptr<const DataSet> own;  ///< points that no specification makes again; or null
  };
  struct Traced {
    std::shared_ptr<const DataSet> scene;
    PictureRequest request;
    Picture picture;
  };
  void finish(const Wanted& of, Result<Traced> traced);
  /// Traces again what is shown.
  void retrace();
  void drag_eye(double right, double down);
  void move_eye_nearer(double steps);
  /// Stops at the frame of the picture.
  void stop_frames();
  void show_image();
  void show_summary();
  void show_times(const PictureRequest& request);
  void show_pixel();
  SceneTree tree() const;
  /// The scene and frame that are to be traced; empty: none.
  std::string scene_wanted() const;

  std::string data_;  ///< the open run's triangles; empty if it has none
  std::uint32_t frame_ = 0;
  bool moves_ = false;  ///< whether the scene has frames
  bool again_ = false, rebuild_ = false;
  EyePlace eye_;
  std::shared_ptr<const DataSet> own_;  ///< the open run's own triangles; null if its data makes them again
  std::string opened_;                  ///< name of scene_
  std::shared_ptr<const DataSet> scene_;
  std::shared_ptr<const Picture> picture_;
  SceneTree tree_of_picture_ = SceneTree::zhou_sah;
  Camera camera_;  ///< of the picture

  PictureCanvas* canvas_;
  QComboBox *tree_, *size_;
  QCheckBox *heat_, *caustics_;
  QSlider* light_;
  PlayButton* play_;
  QPushButton *step_, *open_scene_;
  QLabel* pixel_text_;
  QTableWidget* table_;
};

}  // namespace kdscope
