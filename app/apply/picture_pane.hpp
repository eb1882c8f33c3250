#pragma once
// Traces pictures of the open run's triangles, and opens the ray of a pixel as a search to step through.

#include <QWidget>
#include <memory>
#include <optional>
#include <string>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "app/apply/picture_canvas.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QTableWidget;

namespace kdscope {

class WorkbenchWindow;

/// Adds the pane "Picture" to the window.
void add_pictures(WorkbenchWindow& window, Workbench& workbench);

class PicturePane : public QWidget {
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
  bool tracing() const { return job_.running(); }
  const PictureCanvas& canvas() const { return *canvas_; }

 private:
  void take_run();
  /// The scene that a picture was asked for.
  struct Wanted {
    std::string data;
    std::shared_ptr<const DataSet> own;  ///< points that no specification makes again; or null
  };
  void finish(const Wanted& of, std::shared_ptr<const DataSet> scene, const PictureRequest& request,
              Result<Picture> traced);
  /// Stops at the frame of the picture.
  void stop_frames();
  void show_image();
  void show_times(const PictureRequest& request);
  void show_pixel();
  void show_state();
  void show_message(const QString& text, bool failed = false);
  SceneTree tree() const;
  /// The scene and frame that are to be traced; empty: none.
  std::string scene_wanted() const;

  Workbench& workbench_;
  BackgroundJob job_;
  std::string data_;  ///< the open run's triangles; empty if it has none
  std::uint32_t frame_ = 0;
  bool moves_ = false;  ///< whether the scene has frames
  bool playing_ = false, again_ = false, rebuild_ = false;
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
  QPushButton *start_, *play_, *step_;
  QLabel *summary_, *pixel_text_;
  QTableWidget* table_;
};

}  // namespace kdscope
