#include "app/apply/picture_pane.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/apply/applied_run.hpp"
#include "app/apply/slider.hpp"
#include "app/look/appearance.hpp"
#include "app/look/icons.hpp"
#include "app/look/narrow_form.hpp"
#include "app/look/plain_text.hpp"
#include "app/look/quantities.hpp"
#include "app/look/scrolling_page.hpp"
#include "app/session/run.hpp"
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

double mean_visited(const Picture& picture) {
  double sum = 0;
  for (const std::uint32_t nodes : picture.visited) sum += nodes;
  return picture.rays.sum() > 0 ? sum / static_cast<double>(picture.rays.sum()) : 0;
}

}  // namespace

PicturePane::PicturePane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      canvas_(new PictureCanvas),
      tree_(new NarrowComboBox),
      size_(new QComboBox),
      heat_(new QCheckBox(tr("Visited nodes"))),
      caustics_(new QCheckBox(tr("Caustics"))),
      light_(new Slider(Qt::Horizontal)),
      start_(new QPushButton(tr("Trace"))),
      play_(new QPushButton(icon(Symbol::play), tr("Frames"))),
      step_(new QPushButton(tr("Step this ray"))),
      summary_(plain_label()),
      pixel_text_(plain_label()),
      table_(new QTableWidget) {
  setAccessibleName(tr("Picture"));
  auto* column = new QVBoxLayout(scrolling_page(*this));
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  auto* row = new WrappingRow(column->spacing());
  for (QWidget* widget : std::initializer_list<QWidget*>{tree_, size_, heat_, caustics_, start_, play_})
    row->addWidget(widget);
  column->addLayout(row);
  column->addWidget(canvas_, 1);
  auto* light_row = new QHBoxLayout;
  auto* light_label = new QLabel(tr("&Light"));
  light_label->setBuddy(light_);
  light_row->addWidget(light_label);
  light_row->addWidget(light_, 1);
  column->addLayout(light_row);
  auto* below = new WrappingRow(column->spacing());
  below->addWidget(step_);
  column->addWidget(pixel_text_);
  column->addLayout(below);
  column->addWidget(summary_);
  column->addWidget(table_);

  for (const auto& [widget, name, spoken] :
       {std::tuple<QWidget*, const char*, QString>{canvas_, "picture_canvas", tr("Picture")},
        {tree_, "picture_tree", tr("Tree")},
        {size_, "picture_size", tr("Pixels")},
        {heat_, "picture_heat", tr("Visited nodes")},
        {caustics_, "picture_caustics", tr("Caustics")},
        {light_, "picture_light", tr("Light")},
        {start_, "trace_picture", tr("Trace")},
        {play_, "play_frames", tr("Frames")},
        {step_, "step_ray", tr("Step this ray")},
        {summary_, "picture_summary", tr("Times")},
        {pixel_text_, "picture_pixel", tr("Pixel")},
        {table_, "picture_times", tr("Times of the trees")}}) {
    widget->setObjectName(QLatin1String(name));
    widget->setAccessibleName(spoken);
  }
  for (const SceneTree each : {SceneTree::zhou_sah, SceneTree::exact_sah, SceneTree::median})
    tree_->addItem(title_of(each), static_cast<int>(each));
  tree_->setToolTip(tr("Zhou et al. build a tree for every picture. The other two are built once on one thread"));
  for (const auto& [width, height] : sizes)
    size_->addItem(QStringLiteral("%1 \u00d7 %2").arg(width).arg(height), QSize(width, height));
  size_->setCurrentIndex(1);
  heat_->setToolTip(tr("How many nodes the rays of each pixel visit: from black over blue, green and yellow to red"));
  caustics_->setToolTip(tr(
      "Sends photons from the lights through mirrors and glass, builds a tree over those that end on matte surfaces, "
      "and gathers the nearest ones for each pixel"));
  light_->setRange(0, light_places);
  light_->setToolTip(tr("Turns the lights around the scene"));
  play_->setCheckable(true);
  play_->setToolTip(tr("Traces one frame of the moving scene after another"));
  step_->setToolTip(
      tr("Opens the eye ray of the chosen pixel as a search: its cells, its stack and the triangles that "
         "it tests (Enter)"));
  for (QLabel* label : {summary_, pixel_text_}) label->setWordWrap(true);
  table_->setColumnCount(4);
  table_->setHorizontalHeaderLabels({tr("tree"), tr("build"), tr("trace"), tr("nodes per ray")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setTabKeyNavigation(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->verticalHeader()->hide();
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the pane scrolls

  connect(start_, &QPushButton::clicked, this, [this] {
    if (!job_.running()) return build_and_trace();
    set_playing(false);
    again_ = false;
    job_.cancel();
  });
  connect(tree_, &QComboBox::currentIndexChanged, this, [this] {
    if (picture_) trace();
  });
  connect(size_, &QComboBox::currentIndexChanged, this, [this] {
    if (picture_) trace();
  });
  connect(heat_, &QCheckBox::toggled, this, &PicturePane::show_image);
  connect(caustics_, &QCheckBox::toggled, this, [this] {
    if (picture_) trace();
  });
  connect(light_, &QSlider::valueChanged, this, [this] {
    if (picture_) trace();
  });
  connect(play_, &QPushButton::toggled, this, &PicturePane::set_playing);
  connect(step_, &QPushButton::clicked, this, [this] {
    if (canvas_->pixel()) step_ray(*canvas_->pixel());
  });
  connect(canvas_, &PictureCanvas::chosen, this, &PicturePane::show_pixel);
  connect(canvas_, &PictureCanvas::taken, this, &PicturePane::step_ray);
  connect(canvas_, &PictureCanvas::dragged, this, [this](double right, double down) {
    constexpr double lowest = -0.02, highest = 0.23;
    eye_.turned -= 0.5 * right;
    eye_.raised = std::clamp(eye_.raised + 0.25 * down, lowest, highest);
    trace();
  });
  connect(canvas_, &PictureCanvas::moved_nearer, this, [this](double steps) {
    constexpr double nearest = 0.2, farthest = 3, step = 0.9;
    eye_.distance = std::clamp(eye_.distance * std::pow(step, steps), nearest, farthest);
    trace();
  });
  connect(&job_, &BackgroundJob::started, this, &PicturePane::show_state);
  connect(&job_, &BackgroundJob::finished, this, &PicturePane::show_state, Qt::QueuedConnection);
  connect(&workbench.playback(), &Playback::opened, this, &PicturePane::take_run);
  connect(&workbench, &Workbench::busy_changed, this, &PicturePane::show_state);
  take_run();
}

SceneTree PicturePane::tree() const { return static_cast<SceneTree>(tree_->currentData().toInt()); }

std::string PicturePane::scene_wanted() const { return moves_ ? with_frame(data_, frame_) : data_; }

void PicturePane::take_run() {
  const auto trace = workbench_.trace();
  const std::string data = trace && sorts_triangles(*trace) ? trace->header.data_set : std::string();
  // Edited triangles may have the name of others.
  const auto own = workbench_.session().run.points;
  if (data != scene_wanted() || own != own_ || canvas_->hint().isEmpty()) {
    set_playing(false);
    again_ = rebuild_ = false;
    if (job_.running()) job_.cancel();
    own_ = own;
    data_ = data;
    moves_ = frames_of(data_) > 1;
    frame_ = moves_ ? frame_of(data_) : 0;
    scene_ = nullptr, opened_.clear(), picture_ = nullptr;
    eye_ = default_eye(data_);
    table_->setRowCount(0);
    canvas_->show_image({});
    canvas_->set_hint(
        data_.empty() ? tr("Open a scene or a mesh, for example %1 with the algorithm %2: its rays are traced here.")
                            .arg(QString::fromStdString(ray_tracing::application().data),
                                 QString::fromStdString(ray_tracing::application().algorithm))
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
  if (job_.running()) {
    again_ = true;
    return;
  }
  PictureRequest request;
  request.tree = tree();
  request.keep_tree = true;
  if (caustics_->isChecked()) request.photons = usual_photons(data_);
  request.backend = workbench_.session().run.backend;
  const QSize size = size_->currentData().toSize();
  const std::string wanted = scene_wanted();
  // What no specification makes again is in the run.
  const auto known = opened_ == wanted ? scene_ : nullptr;
  const bool rebuild = std::exchange(rebuild_, false);
  if (known && picture_ && tree_of_picture_ == request.tree && !rebuild) request.kept = picture_->tree;
  const auto own = moves_ ? nullptr : own_;
  job_.start(
      tr("Tracing a picture"),
      [pane = QPointer(this), request, size, wanted, known, own, turns = double(light_->value()) / light_places,
       eye = eye_](const RunControl& control) mutable -> BackgroundJob::Finish {
        auto opened =
            known || own ? Result<std::shared_ptr<const DataSet>>(known ? known : own) : open_data_set(wanted);
        if (opened) opened = with_coordinates(*opened, ScalarType::float32);
        if (!opened)
          return [pane, wanted, own, request, error = opened.error()] {
            if (pane) pane->finish({wanted, own}, nullptr, request, error);
          };
        const std::shared_ptr<const DataSet> scene = *opened;
        request.scene = scene;
        request.look = look_of(*scene);
        turn_lights(request.look, *scene, turns);
        request.camera =
            camera_of(*scene, static_cast<std::uint32_t>(size.width()), static_cast<std::uint32_t>(size.height()), eye);
        auto traced = std::make_shared<Result<Picture>>(run(request, control));
        return [pane, wanted, own, scene, request, traced] {
          if (pane) pane->finish({wanted, own}, scene, request, std::move(*traced));
        };
      },
      [pane = QPointer(this)](const Error& error) {
        if (!pane) return;
        pane->again_ = false;
        pane->stop_frames();
        pane->show_message(foreign_text(error.message()), true);
      });
}

void PicturePane::finish(const Wanted& of, std::shared_ptr<const DataSet> scene, const PictureRequest& request,
                         Result<Picture> traced) {
  const bool current = of.data == scene_wanted() && of.own == (moves_ ? nullptr : own_);
  if (current && traced) {
    scene_ = std::move(scene), opened_ = of.data;
    picture_ = std::make_shared<const Picture>(std::move(*traced));
    camera_ = request.camera, tree_of_picture_ = request.tree;
    show_image();
    show_times(request);
    show_pixel();
  } else if (current) {
    stop_frames();
    const bool cancelled = traced.error().kind == ErrorKind::cancelled;
    show_message(cancelled ? tr("Cancelled.") : foreign_text(traced.error().message()), !cancelled);
  }
  // The job ends after this
  if (!playing_ && !again_) return;
  again_ = false;
  const auto go_on = [this, next_frame = playing_] {
    if (next_frame && !playing_) return;
    if (next_frame && !job_.running()) frame_ = (frame_ + 1) % frames_of(data_);
    trace();
  };
  QMetaObject::invokeMethod(this, go_on, Qt::QueuedConnection);
}

void PicturePane::stop_frames() {
  set_playing(false);
  if (moves_ && !opened_.empty()) frame_ = frame_of(opened_);  // that of the picture
}

void PicturePane::set_playing(bool playing) {
  playing_ = playing && moves_;
  const QSignalBlocker quiet(play_);
  play_->setChecked(playing_);
  play_->setIcon(icon(playing_ ? Symbol::pause : Symbol::play));
  if (playing_) trace();
}

void PicturePane::show_image() {
  if (!picture_) return;
  const std::vector<std::uint32_t> pixels = heat_->isChecked() ? heat_of(picture_->visited) : picture_->pixels;
  canvas_->show_image(QImage(reinterpret_cast<const uchar*>(pixels.data()), static_cast<int>(picture_->width),
                             static_cast<int>(picture_->height), QImage::Format_RGB32)
                          .copy());
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
  if (const auto& photons = picture.photons)
    text += QLatin1Char(' ') +
            tr("%1 of %2 photons lie on matte surfaces: traced in %3, their tree built in %4. R is %5.")
                .arg(thousands(photons->stored), thousands(photons->emitted), milliseconds(photons->trace_ms.back()),
                     milliseconds(photons->build_ms.back()), QString::number(photons->radius, 'g', 3));
  if (moves_) text = tr("Frame %1. ").arg(frame_) + text;
  show_message(text);

  // One row per tree that was tried; pictures of another size or place would not be comparable.
  const QString title = title_of(request.tree);
  int row = 0;
  while (row < table_->rowCount() && table_->item(row, 0)->text() != title) ++row;
  if (row == table_->rowCount()) table_->insertRow(row);
  const QString build_text = request.kept && table_->item(row, 1)  ? table_->item(row, 1)->text()
                             : request.tree == SceneTree::zhou_sah ? milliseconds(build)
                                                                   : tr("%1, once").arg(milliseconds(picture.once_ms));
  const QStringList texts{title, build_text, milliseconds(trace), QString::number(mean_visited(picture), 'f', 1)};
  for (int column = 0; column < texts.size(); ++column) {
    auto* cell = new QTableWidgetItem(texts[column]);
    cell->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    table_->setItem(row, column, cell);
  }
  table_->resizeRowsToContents();
  int height = table_->horizontalHeader()->sizeHint().height() + 2 * table_->frameWidth();
  for (int i = 0; i < table_->rowCount(); ++i) height += table_->rowHeight(i);
  table_->setFixedHeight(height);
  table_->show();
}

void PicturePane::show_pixel() {
  const auto pixel = canvas_->pixel();
  step_->setEnabled(picture_ && pixel && !workbench_.busy());
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
  if (!picture_ || workbench_.busy()) return;
  again_ = false;
  stop_frames();
  RunRequest spec = with_search_of(ray_tracing::application(), workbench_.session().run,
                                ray_tracing::search_of_pixel(camera_, static_cast<std::uint32_t>(pixel.x()),
                                                             static_cast<std::uint32_t>(pixel.y())));
  if (moves_) spec.data = opened_, spec.points = nullptr;
  workbench_.run(spec);
}

void PicturePane::show_state() {
  const bool there = !data_.empty(), tracing = job_.running();
  start_->setEnabled(there);
  start_->setText(tracing ? tr("Cancel") : tr("Trace"));
  start_->setIcon(tracing ? icon(Symbol::cancel) : QIcon());
  play_->setEnabled(there && moves_);
  for (QWidget* field : std::initializer_list<QWidget*>{tree_, size_, heat_, caustics_, light_})
    field->setEnabled(there);
  table_->setVisible(table_->rowCount() > 0);
  show_pixel();
}

void PicturePane::show_message(const QString& text, bool failed) {
  summary_->setText(text);
  QPalette palette;
  if (failed) palette.setColor(summary_->foregroundRole(), colour(theme_of(workbench_.session()).failed));
  summary_->setPalette(palette);
}

void add_pictures(WorkbenchWindow& window, Workbench& workbench) {
  window.add_dock(QStringLiteral("picture"), new PicturePane(workbench), nullptr, QStringLiteral("tree"), false);
}

}  // namespace kdscope
