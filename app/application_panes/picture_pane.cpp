#include "app/application_panes/picture_pane.hpp"

#include <QDockWidget>
#include <QSlider>
#include <algorithm>
#include <array>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/quantities.hpp"
#include "app/appearance/value_table.hpp"
#include "app/application_panes/applied_run.hpp"
#include "app/application_panes/slider.hpp"
#include "app/recording/run.hpp"
#include "app/workbench/workbench_window.hpp"
#include "datasets/datasets.hpp"
#include "datasets/moving_data.hpp"

namespace kdscope {
namespace {

constexpr std::array<std::pair<int, int>, 5> sizes{{{128, 96}, {256, 192}, {256, 256}, {512, 384}, {1024, 1024}}};

constexpr int light_places = 100;  // around the scene

QString title_of(SceneTree tree) {
  switch (tree) {
    case SceneTree::zhou_sah:
      return PicturePane::tr("SAH tree, built for each picture");
    case SceneTree::exact_sah:
      return PicturePane::tr("exact greedy SAH tree");
    case SceneTree::median:
      return PicturePane::tr("median tree");
  }
  return {};
}

Choices choices_of_tree() {
  Choices choices;
  for (const SceneTree each : {SceneTree::zhou_sah, SceneTree::exact_sah, SceneTree::median})
    choices.emplace_back(title_of(each), static_cast<int>(each));
  return choices;
}

Choices choices_of_size() {
  Choices choices;
  for (const auto& [width, height] : sizes)
    choices.emplace_back(QStringLiteral("%1 \u00d7 %2").arg(width).arg(height), QSize(width, height));
  return choices;
}

double mean_visited(const Picture& picture) {
  double sum = 0;
  for (const std::uint32_t nodes : picture.visited) sum += nodes;
  return picture.rays.sum() > 0 ? sum / static_cast<double>(picture.rays.sum()) : 0;
}

}  // namespace

PicturePane::PicturePane(Workbench& workbench, QWidget* parent)
    : ApplicationPane(workbench, tr("Picture"), {"trace_picture", tr("Trace")}, {"picture_summary", tr("Times")},
                      parent),
      canvas_(named(new PictureCanvas, {"picture_canvas", tr("Picture")})),
      tree_(choice(new NarrowComboBox,
                   {"picture_tree", tr("Tree"),
                    tr("Zhou et al. build a tree for every picture. The other two are built once on one thread")},
                   choices_of_tree(), [this] { retrace(); })),
      size_(choice(
          new QComboBox, {"picture_size", tr("Pixels")}, choices_of_size(), [this] { retrace(); }, 1)),
      heat_(tick({"picture_heat", tr("Visited nodes"),
                  tr("How many nodes the rays of each pixel visit: from black over blue, green and yellow to red")},
                 [this] { show_image(); })),
      caustics_(tick({"picture_caustics", tr("Caustics"),
                      tr("Sends photons from the lights through mirrors and glass, builds a tree over those that end "
                         "on matte surfaces, and gathers the nearest ones for each pixel")},
                     [this] { retrace(); })),
      light_(number(new Slider(Qt::Horizontal), {"picture_light", tr("Light"), tr("Turns the lights around the scene")},
                    Range{0, light_places, 0}, [this] { retrace(); })),
      play_(tick<PlayButton>({"play_frames", tr("Frames"), tr("Traces one frame of the moving scene after another")},
                             [this] { set_playing(play_->playing()); })),
      step_(button({"step_ray", tr("Step this ray"),
                    tr("Opens the eye ray of the chosen pixel as a search: its cells, its stack and the triangles that "
                       "it tests (Enter)")},
                   [this] {
                     if (canvas_->pixel()) step_ray(*canvas_->pixel());
                   })),
      open_scene_(button({"open_scene", tr("Open a scene of toys")},
                         [this] {
                           const auto toys = ray_tracing::application();
                           workbench_.desk().run({toys.data, toys.algorithm, {}, workbench_.desk().request().backend});
                         })),
      pixel_text_(text_line({"picture_pixel", tr("Pixel")})),
      table_(value_table({"picture_times", tr("Times of the trees")})) {
  page_.wrap({tree_, size_, heat_, caustics_, start_});
  page_.wrap({play_, step_, open_scene_});
  page_.line(tr("&Light"), light_);
  page_.add(canvas_, 1);  // what grows and shrinks with the texts stands below every button
  page_.add(pixel_text_);
  page_.add(summary_);
  page_.add(table_);
  table_->setColumnCount(4);
  table_->setHorizontalHeaderLabels({tr("tree"), tr("build"), tr("trace"), tr("nodes per ray")});
  table_->setSelectionMode(QAbstractItemView::NoSelection);

  connect(canvas_, &PictureCanvas::chosen, this, &PicturePane::show_pixel);
  connect(canvas_, &PictureCanvas::taken, this, &PicturePane::step_ray);
  connect(canvas_, &PictureCanvas::dragged, this, &PicturePane::drag_eye);
  connect(canvas_, &PictureCanvas::moved_nearer, this, &PicturePane::move_eye_nearer);
  take_run();
}

void PicturePane::retrace() {
  if (picture_) trace();
}

void PicturePane::drag_eye(double right, double down) {
  constexpr double lowest = -0.02, highest = 0.23;
  eye_.turned -= 0.5 * right;
  eye_.raised = std::clamp(eye_.raised + 0.25 * down, lowest, highest);
  trace();
}

void PicturePane::move_eye_nearer(double steps) {
  constexpr double nearest = 0.2, farthest = 3, step = 0.9;
  eye_.distance = std::clamp(eye_.distance * std::pow(step, steps), nearest, farthest);
  trace();
}

void PicturePane::cancel() {
  set_playing(false);
  again_ = false;
  ApplicationPane::cancel();
}

void PicturePane::fail(const Error& error) {
  again_ = false;
  stop_frames();
  show_error(error);
}

SceneTree PicturePane::tree() const { return static_cast<SceneTree>(tree_->currentData().toInt()); }

std::string PicturePane::scene_wanted() const { return moves_ ? with_frame(data_, frame_) : data_; }

void PicturePane::take_run() {
  const auto trace = workbench_.playback().trace();
  const std::string data = trace && sorts_triangles(*trace) ? trace->header.data_set : std::string();
  // Edited triangles may have the name of others.
  const auto own = workbench_.desk().request().points;
  if (data != scene_wanted() || own != own_ || canvas_->hint().isEmpty()) {
    set_playing(false);
    again_ = rebuild_ = false;
    if (working()) ApplicationPane::cancel();
    own_ = own;
    data_ = data;
    moves_ = frames_of(data_) > 1;
    frame_ = moves_ ? frame_of(data_) : 0;
    scene_ = nullptr, opened_.clear(), picture_ = nullptr;
    eye_ = default_eye(data_);
    table_->setRowCount(0);
    canvas_->show_image({});
    open_scene_->setVisible(data_.empty());
    canvas_->set_hint(data_.empty()
                          ? tr("Open a scene or a mesh: its rays are traced here.")
                          : tr("Choose Trace to see the scene. A click in the picture chooses a pixel, whose ray can "
                               "be stepped; dragging moves the eye."));
    show_message({});
    show_pixel();
  }
  show_state();
}

void PicturePane::build_and_trace() {
  rebuild_ = true;
  trace();
}

void PicturePane::trace() {
  if (data_.empty()) return;
  if (working()) {
    again_ = true;
    return;
  }
  PictureRequest request;
  request.tree = tree();
  request.keep_tree = true;
  if (caustics_->isChecked()) request.photons = usual_photons(data_);
  request.backend = workbench_.desk().request().backend;
  const QSize size = size_->currentData().toSize();
  const std::string wanted = scene_wanted();
  // What no specification makes again is in the run.
  const auto known = opened_ == wanted ? scene_ : nullptr;
  const bool rebuild = std::exchange(rebuild_, false);
  if (known && picture_ && tree_of_picture_ == request.tree && !rebuild) request.kept = picture_->tree;
  const auto own = moves_ ? nullptr : own_;
  work_on<Traced>(
      tr("Tracing a picture"),
      [request, size, wanted, known, own, turns = double(light_->value()) / light_places,
       eye = eye_](const RunControl& control) mutable -> Result<Traced> {
        auto opened =
            known || own ? Result<std::shared_ptr<const DataSet>>(known ? known : own) : open_data_set(wanted);
        if (opened) opened = with_coordinates(*opened, ScalarType::float32);
        if (!opened) return opened.error();
        const std::shared_ptr<const DataSet> scene = *opened;
        request.scene = scene;
        request.look = look_of(*scene);
        turn_lights(request.look, *scene, turns);
        request.camera =
            camera_of(*scene, static_cast<std::uint32_t>(size.width()), static_cast<std::uint32_t>(size.height()), eye);
        auto traced = run(request, control);
        if (!traced) return traced.error();
        return Traced{scene, request, std::move(*traced)};
      },
      [this, wanted, own](Result<Traced> traced) {
        finish({wanted, own}, std::move(traced));
      });
}

void PicturePane::finish(const Wanted& of, Result<Traced> traced) {
  const bool current = of.data == scene_wanted() && of.own == (moves_ ? nullptr : own_);
  if (current && traced) {
    scene_ = std::move(traced->scene), opened_ = of.data;
    picture_ = std::make_shared<const Picture>(std::move(traced->picture));
    camera_ = traced->request.camera, tree_of_picture_ = traced->request.tree;
    show_image();
    show_times(traced->request);
    show_pixel();
  } else if (current) {
    stop_frames();
    show_error(traced.error());
  }
  // The job ends after this
  if (!play_->playing() && !again_) return;
  again_ = false;
  const auto next = [this, next_frame = play_->playing()] {
    if (next_frame && !play_->playing()) return;
    if (next_frame && !working()) frame_ = (frame_ + 1) % frames_of(data_);
    trace();
  };
  QMetaObject::invokeMethod(this, next, Qt::QueuedConnection);
}

void PicturePane::stop_frames() {
  set_playing(false);
  if (moves_ && !opened_.empty()) frame_ = frame_of(opened_);  // that of the picture
}

void PicturePane::set_playing(bool playing) {
  play_->show_playing(playing && moves_);
  if (play_->playing()) trace();
}

void PicturePane::show_image() {
  if (!picture_) return;
  const std::vector<std::uint32_t> pixels = heat_->isChecked() ? heat_of(picture_->visited) : picture_->pixels;
  canvas_->show_image(QImage(reinterpret_cast<const uchar*>(pixels.data()), static_cast<int>(picture_->width),
                             static_cast<int>(picture_->height), QImage::Format_RGB32)
                          .copy());
  if (!times_text_.isEmpty()) show_summary();
}

/// Shows what the trace took, and what the colours of visited nodes mean while they are shown.
void PicturePane::show_summary() {
  show_message(!heat_->isChecked()
                   ? times_text_
                   : times_text_ + QLatin1Char(' ') +
                         tr("Dark pixels visit no node, yellow ones %L1 or more.").arg(heat_end(picture_->visited)));
}

void PicturePane::show_times(const PictureRequest& request) {
  const Picture& picture = *picture_;
  const double build = picture.build_ms.back(), trace = picture.photon_ms.back() + picture.trace_ms.back();
  QString text = tr("%1 rays on %2: %3 from the eye, %4 mirrored or refracted, %5 towards lights.")
                     .arg(thousands(picture.rays.sum()), foreign_text(picture.device.name), thousands(picture.rays.eye),
                          thousands(picture.rays.mirrored), thousands(picture.rays.shadow));
  const QString per_second = QString::number(1000 / (build + trace), 'g', 3);
  text += QLatin1Char(' ') + (request.kept || request.tree != SceneTree::zhou_sah
                                  ? tr("The trace takes %1 in a tree that is kept: %2 pictures per second.")
                                  : tr("Build and trace take %1: %2 pictures per second."))
                                 .arg(milliseconds(build + trace), per_second);
  if (const auto& photons = picture.photons; photons && photons->emitted == 0)
    text += QLatin1Char(' ') + tr("The scene has no mirror or glass, so it has no caustics.");
  else if (photons)
    text += QLatin1Char(' ') +
            tr("%1 of %2 photons lie on matte surfaces: traced in %3, their tree built in %4. R is %5.")
                .arg(thousands(photons->stored), thousands(photons->emitted), milliseconds(photons->trace_ms.back()),
                     milliseconds(photons->build_ms.back()), QString::number(photons->radius, 'g', 3));
  if (moves_) text = tr("Frame %1. ").arg(frame_) + text;
  times_text_ = text;
  show_summary();

  // One row per tree that was tried; pictures of another size or place would not be comparable.
  const QString title = title_of(request.tree);
  int row = 0;
  while (row < table_->rowCount() && table_->item(row, 0)->text() != title) ++row;
  if (row == table_->rowCount()) table_->insertRow(row);
  const QString build_text = request.kept && table_->item(row, 1)  ? table_->item(row, 1)->text()
                             : request.tree == SceneTree::zhou_sah ? milliseconds(build)
                                                                   : tr("%1, once").arg(milliseconds(picture.once_ms));
  put_texts(*table_, row, {title, build_text, milliseconds(trace), QString::number(mean_visited(picture), 'f', 1)});
  fit_height(*table_);
  table_->show();
}

void PicturePane::show_pixel() {
  const auto pixel = canvas_->pixel();
  step_->setEnabled(picture_ && pixel && !workbench_.jobs().busy());
  if (!picture_ || !pixel) {
    pixel_text_->setText(picture_ ? tr("Click a pixel to see how many nodes its rays visit.") : QString());
    return;
  }
  const auto at = static_cast<std::size_t>(pixel->y()) * picture_->width + static_cast<std::size_t>(pixel->x());
  pixel_text_->setText(tr("Pixel %1, %2: its rays visit %3 nodes.")
                           .arg(pixel->x())
                           .arg(pixel->y())
                           .arg(thousands(picture_->visited[at])));
}

void PicturePane::step_ray(QPoint pixel) {
  if (!picture_ || workbench_.jobs().busy()) return;
  again_ = false;
  stop_frames();
  RunRequest spec = with_search_of(ray_tracing::application(), workbench_.desk().request(),
                                   ray_tracing::search_of_pixel(camera_, static_cast<std::uint32_t>(pixel.x()),
                                                                static_cast<std::uint32_t>(pixel.y())));
  if (moves_) spec.data = opened_, spec.points = nullptr;
  workbench_.desk().run(spec);
}

void PicturePane::show_fields() {
  play_->setEnabled(suits() && moves_);
  for (QWidget* field : std::initializer_list<QWidget*>{tree_, size_, heat_, caustics_, light_})
    field->setEnabled(suits());
  table_->setVisible(table_->rowCount() > 0);
  show_pixel();
}

void add_pictures(WorkbenchWindow& window, Workbench& workbench) {
  window.add_dock(QStringLiteral("picture"), new PicturePane(workbench), nullptr, QStringLiteral("tree"), false);
}

}  // namespace kdscope
