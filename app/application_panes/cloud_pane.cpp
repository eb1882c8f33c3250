#include "app/application_panes/cloud_pane.hpp"

#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "algorithms/run/applications.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/quantities.hpp"
#include "app/application_panes/applied_run.hpp"
#include "app/application_panes/colour_scale.hpp"
#include "app/application_panes/keyed_box.hpp"
#include "app/application_panes/slider.hpp"
#include "app/recording/run.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {
namespace {

constexpr char cloud_writer[] = "cloud";
/// Larger clouds are drawn as dots, so that the view stays quick.
constexpr std::size_t most_splats = 250'000;

bool same(Vector3 a, Vector3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same_points(const PointSet& a, const PointSet& b) {
  if (a.size() != b.size() || a.dim != b.dim || a.type != b.type) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::uint32_t d = 0; d < a.dim; ++d)
      if (a.word(i, d) != b.word(i, d)) return false;
  return true;
}

double longest_side(const PointSet& points) {
  double longest = 0;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    double low = points.value(0, d), high = low;
    for (std::size_t i = 1; i < points.size(); ++i)
      low = std::min(low, points.value(i, d)), high = std::max(high, points.value(i, d));
    longest = std::max(longest, high - low);
  }
  return longest;
}

/// Returns the range of density that colours cover: that of 9 of 10 points, and at least from a third to three times
/// the median, so that a cloud that is sampled evenly looks even.
std::array<float, 2> range_of(const std::vector<float>& density) {
  std::vector<float> finite;
  std::ranges::copy_if(density, std::back_inserter(finite), [](float d) { return std::isfinite(d) && d > 0; });
  if (finite.empty()) return {1, 1};
  std::ranges::sort(finite);
  const std::size_t last = finite.size() - 1;
  const float median = finite[last / 2];
  return {std::min(finite[last / 20], median / 3), std::max(finite[last - last / 20], 3 * median)};
}

QString number(double value) { return QString::number(value, 'g', 3); }

}  // namespace

CloudPane::CloudPane(Workbench& workbench, SceneView& view, QWidget* parent)
    : ApplicationPane(
          workbench, tr("Point cloud"),
          {"estimate_cloud", tr("Estimate"),
           tr("Builds a tree over the points, and finds the neighbours of each: their distance gives the density, and "
              "the direction in which they extend least the normal")},
          {"cloud_summary", tr("Result")}, parent),
      view_(view),
      tool_(new HandleTool(
          view, [this](const SightLine& line) { return grip(line); }, this)),
      dense_{1, 1},
      show_(choice(
          new NarrowComboBox,
          {"cloud_show", tr("Shown in the view"),
           tr("What the view shows: discs that lie in the surface, coloured by density or by how strongly "
              "each follows the active handle; or the picture of the run")},
          {{tr("surface"), static_cast<int>(Show::surface)},
           {tr("density"), static_cast<int>(Show::density)},
           {tr("strength"), static_cast<int>(Show::strength)},
           {tr("the run"), static_cast<int>(Show::run)}},
          [this] { show_view(); }, 1)),
      k_(number(new KeyedBox<QSpinBox>, {"cloud_k", tr("Neighbours of a point")}, Range{3, 64, 10},
                [this] { change_neighbours(); })),
      point_(number(new KeyedBox<QSpinBox>, {"cloud_point", tr("Point")}, Range{0, 99, 0},
                    [this] { show_view_and_texts(); })),
      handle_here_(button({"put_cloud_handle", tr("Handle here")},
                          [this] { put_handle(static_cast<std::uint32_t>(point_->value())); })),
      remove_(button({"remove_cloud_handle", tr("Remove handle")}, [this] { remove_handle(); })),
      put_back_(
          button({"put_cloud_back", tr("Put back"), tr("Takes all points back to where they were; the handles stay")},
                 [this] { put_back(); })),
      open_(
          button({"open_cloud", tr("Open as run"), tr("Builds the tree over the points as they are now, step by step")},
                 [this] { open_as_run(); })),
      step_search_(button({"step_cloud_search", tr("Step its search"),
                           tr("Opens the search for this point's neighbours, in the tree over the points as they are")},
                          [this] { step_search(); })),
      by_mouse_(tick({"cloud_handles", tr("&Handles by mouse"),
                      tr("A click on the cloud puts a handle there; drag it, and the points follow the more, the "
                         "nearer they are to it than to the other handles")},
                     [this] { show_state(); })),
      radius_(number(new Slider(Qt::Horizontal), {"cloud_handle_radius", tr("Radius of a new handle")},
                     Range{1, 30, 10}, [this] { show_texts(); })),
      radius_text_(text_line({"cloud_handle_radius_text", tr("Radius of a new handle")}, false)),
      handle_text_(text_line({"cloud_handle_text", tr("Handles")})),
      point_text_(text_line({"cloud_point_text", tr("The point's estimates")})),
      scale_(named(new ColourScale(workbench.looks().appearance()), {"cloud_scale", tr("Colours")})),
      bars_(named(new TimeBars(workbench.looks().appearance(), {tr("tree"), tr("neighbours"), tr("rest")}),
                  {"cloud_times", tr("Times of the poses")})) {
  // The first estimate sets the range.
  const std::array<FieldText, 3> axes{{{"cloud_move_x", tr("Move along x")},
                                       {"cloud_move_y", tr("Move along y")},
                                       {"cloud_move_z", tr("Move along z")}}};
  for (std::size_t d = 0; d < by_.size(); ++d)
    by_[d] = number(new KeyedBox<QDoubleSpinBox>, axes[d], Range{0.0, 99.99, 0.0}, [this] {
      move_handle({by_[0]->value(), by_[1]->value(), by_[2]->value()});
    });

  page_.wrap({label_of(tr("&Neighbours"), k_), k_, start_, show_});
  page_.wrap({by_mouse_, remove_});
  page_.line(tr("Handle &radius"), radius_, radius_text_);
  page_.wrap({put_back_, open_});
  page_.wrap({handle_here_, step_search_, label_of(tr("&Point"), point_), point_});
  // Below every button, so that none moves: fields that become wider, and what appears
  page_.wrap({label_of(tr("&Move by"), by_[0]), by_[0], by_[1], by_[2]});
  for (QWidget* result : std::initializer_list<QWidget*>{summary_, scale_, handle_text_, point_text_})
    page_.add(result);
  page_.add(bars_);
  page_.stretch();

  connect(tool_, &HandleTool::clicked, this, &CloudPane::click);
  connect(tool_, &HandleTool::grabbed, this, &CloudPane::grab);
  connect(tool_, &HandleTool::dragged, this, [this](Vector3 by) { move_handle(grabbed_move_ + by); });
  connect(tool_, &HandleTool::taken_back, this, [this] { move_handle(grabbed_move_); });
  connect(&workbench.looks(), &Looks::changed, this, &CloudPane::show_view);
  take_run();
}

void CloudPane::cancel() {
  ApplicationPane::cancel();
  ++version_;  // it may have ended already
  fail({ErrorKind::cancelled, "", "", ""});
}

void CloudPane::change_neighbours() {
  ++version_;
  go_on();
}

void CloudPane::remove_handle() {
  tool_->let_go();
  keep_pose();
  handles_.remove_active();
  change_handles();
}

void CloudPane::click(const SightLine& line) {
  const auto point = point_at(line);
  if (!point) return;
  point_->setValue(static_cast<int>(*point));
  put_handle(*point);
}

void CloudPane::grab() {
  if (gripped_ != handles_.active_number()) {
    keep_pose();
    handles_.activate(gripped_);
    change_handles();
  }
  grabbed_move_ = move_;
}

std::shared_ptr<const DeformedCloud> CloudPane::pose() const { return pose_; }

void CloudPane::take_run() {
  const auto trace = workbench_.playback().trace();
  suitable_ = trace && trace->header.dim == 3 && trace->header.scalar == ScalarType::float32 && trace->header.n > 0;
  const auto known = [&] {
    const auto points = rest_ && suitable_ ? workbench_.edits().recorded_points() : nullptr;
    return points &&
           (same_points(points->points, pose_->points->points) || same_points(points->points, rest_->points->points));
  };
  if (known()) {
    show_view_and_texts();
  } else {
    forget();
    show_message(suitable_ ? tr("Choose Estimate for the density and the normals of the open run's points.")
                           : tr("Open points of floats in three dimensions, for example bunny:sample=20000 with the "
                                "algorithm zhou-vvh; whole numbers of a file become floats with type=float."));
  }
  show_state();
}

void CloudPane::forget() {
  ++version_;
  if (working()) ApplicationPane::cancel();
  tool_->let_go();
  wanted_ = again_ = false;
  rest_ = base_ = pose_ = nullptr;
  handles_.clear();
  field_ = nullptr;
  move_ = {};
  posed_.reset();
  moved_.reset();
  bars_->clear();
  show_view_and_texts();
}

void CloudPane::estimate() {
  if (!suitable_ || working()) return;
  wanted_ = true;
  again_ = next_job() == Job::none;
  go_on();
}

CloudPane::Job CloudPane::next_job() const {
  if (!rest_ || again_ || rest_->k != static_cast<std::uint32_t>(k_->value())) return Job::rest;
  if (!handles_.empty() && !field_) return Job::strength;
  if (!posed_ || !same(*posed_, move_)) return Job::pose;
  return Job::none;
}

void CloudPane::go_on() {
  if (wanted_ && suitable_ && !working()) switch (next_job()) {
      case Job::rest:
        start_rest();
        break;
      case Job::strength:
        start_strength();
        break;
      case Job::pose:
        start_pose();
        break;
      case Job::none:
        break;
    }
  show_state();
}

template <class T>
void CloudPane::start_timed(const QString& what, std::function<Result<T>(const RunControl&)> work,
                            std::function<void(T, double ms)> take) {
  using Timed = std::pair<T, double>;
  work_on<Timed>(
      what,
      [work = std::move(work)](const RunControl& control) -> Result<Timed> {
        const auto from = std::chrono::steady_clock::now();
        auto made = work(control);
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
        if (!made) return made.error();
        return Timed{std::move(*made), ms};
      },
      [this, version = version_, take = std::move(take)](Result<Timed> made) {
        if (version_ != version) return;
        if (!made) return fail(made.error());
        take(std::move(made->first), made->second);
        show_view_and_texts();
      });
}

void CloudPane::fail(const Error& error) {
  wanted_ = false;
  tool_->let_go();
  show_error(error, tr("Cancelled. Choose Estimate to go on."));
  show_state();
}

CloudRequest CloudPane::request_for(std::shared_ptr<const DataSet> points) const {
  CloudRequest request;
  request.points = std::move(points);
  request.k = static_cast<std::uint32_t>(k_->value());
  request.backend = workbench_.desk().request().backend;
  return request;
}

void CloudPane::start_rest() {
  const CloudRequest request = request_for(rest_ ? rest_->points : workbench_.edits().recorded_points());
  if (!request.points) return;
  start_timed<Cloud>(
      tr("Estimating normals"), [request](const RunControl& control) { return run(request, control); },
      [this, request](Cloud cloud, double ms) {
        bars_->add({median_ms(cloud.build_ms), median_ms(cloud.search_ms),
                    ms - median_ms(cloud.build_ms) - median_ms(cloud.search_ms)});
        const bool first = !rest_;
        rest_ = std::make_shared<const Pose>(Pose{{request.points, std::move(cloud)}, request.k});
        again_ = false;
        dense_ = range_of(rest_->cloud.density);
        base_estimated_ = first || base_->points == rest_->points;
        if (base_estimated_) base_ = rest_;
        posed_.reset();
        if (base_ == rest_ && same(move_, {})) pose_ = rest_, posed_ = Vector3();
        place_points();
        if (!first) return;
        rest_run_ = workbench_.desk().request();
        size_ = longest_side(rest_->points->points);
        if (size_ == 0) size_ = 1;  // equal points can be moved as well
        const QSignalBlocker quiet(point_);
        point_->setRange(0, static_cast<int>(std::min<std::size_t>(rest_->points->points.size() - 1, INT_MAX)));
        point_->setValue(0);
        for (QDoubleSpinBox* box : by_) {
          const QSignalBlocker quiet_box(box);
          const double step = std::pow(10, std::floor(std::log10(size_ / 10)));
          box->setDecimals(std::clamp(2 - static_cast<int>(std::floor(std::log10(step))), 0, 12));
          box->setRange(-10 * size_, 10 * size_);
          box->setSingleStep(step);
          box->setValue(0);
        }
      });
}

void CloudPane::start_strength() {
  StrengthRequest request;
  request.points = base_->points;
  request.active = handles_.active();
  request.fixed = handles_.fixed();
  request.backend = workbench_.desk().request().backend;
  start_timed<StrengthField>(
      tr("Computing the strength field"), [request](const RunControl& control) { return run(request, control); },
      [this](StrengthField field, double) {
        field_ = std::make_shared<const StrengthField>(std::move(field));
        place_points();
      });
}

void CloudPane::start_pose() {
  // Without a field there are no handles, and nothing has moved
  const Vector3 by = move_;
  start_timed<DeformedCloud>(
      tr("Estimating normals"),
      [request = request_for(base_->points), field = field_, before = pose_, by](const RunControl& control) {
        const std::vector<float> still(field ? 0 : request.points->points.size());
        return run(DeformRequest{request, field ? field->strength : still, by, before->cloud.normals}, control);
      },
      [this, by, k = static_cast<std::uint32_t>(k_->value())](DeformedCloud pose, double ms) {
        const double build = median_ms(pose.cloud.build_ms), search = median_ms(pose.cloud.search_ms);
        bars_->add({build, search, ms - build - search});
        pose_ = std::make_shared<const Pose>(Pose{std::move(pose), k});
        if (same(by, {})) base_ = pose_, base_estimated_ = true;
        posed_ = by;
        place_points();
      });
}

void CloudPane::put_handle(std::uint32_t point) {
  if (!pose_) return;
  const PointSet& points = places();
  if (point >= points.size()) return;
  const Vector3 at{points.value(point, 0), points.value(point, 1), points.value(point, 2)};
  if (!handles_.add(points, at, handle_radius()))
    return handle_text_->setText(tr("No handle was put: all points there belong to other handles."));
  tool_->let_go();
  keep_pose();
  change_handles();
}

void CloudPane::keep_pose() {
  if (posed_ && same(*posed_, move_)) {
    base_ = pose_;
    base_estimated_ = true;
  } else if (moved_) {
    auto points = std::make_shared<DataSet>(*pose_->points);
    points->points = *moved_;
    base_ = pose_ = std::make_shared<const Pose>(Pose{{std::move(points), pose_->cloud}, pose_->k});
    base_estimated_ = false;
    posed_.reset();
  }
  if (posed_) posed_ = Vector3();
  move_ = {};
  moved_.reset();
}

void CloudPane::change_handles() {
  ++version_;
  field_ = nullptr;
  follow_change();
}

void CloudPane::follow_change() {
  wanted_ = true;
  place_points();
  show_view_and_texts();
  go_on();
}

void CloudPane::move_handle(Vector3 by) {
  if (handles_.empty() || same(by, move_)) return;
  move_ = by;
  if (same(by, {}) && base_estimated_) {  // nothing is to be estimated, and an estimate under way is outdated
    pose_ = base_;
    posed_ = Vector3();
    ++version_;
  }
  follow_change();
}

void CloudPane::put_back() {
  if (!rest_) return;
  tool_->let_go();
  if (base_ != rest_) field_ = nullptr;
  base_ = pose_ = rest_;
  base_estimated_ = true;
  move_ = {};
  posed_ = Vector3();
  ++version_;
  follow_change();
}

void CloudPane::place_points() {
  moved_.reset();
  if (field_ && !(posed_ && same(*posed_, move_)))
    moved_ = std::make_unique<const PointSet>(deformed(base_->points->points, field_->strength, move_));
  const double values[3]{move_.x, move_.y, move_.z};
  for (std::size_t d = 0; d < 3; ++d) {
    const QSignalBlocker quiet(by_[d]);
    by_[d]->setValue(values[d]);
  }
}

std::vector<float> CloudPane::disc_radii() const {
  // k discs of radius r / sqrt(k) have the area of the ball's section; these overlap, so that few holes are left
  const float share = 1.8f / std::sqrt(static_cast<float>(pose_->k));
  std::vector<float> radii = pose_->cloud.radius;
  for (float& radius : radii) radius *= share;
  return radii;
}

std::optional<std::uint32_t> CloudPane::point_at(const SightLine& line) const {
  if (!pose_) return std::nullopt;
  return point_on(line, places(), pose_->cloud.normals, disc_radii(), view_.scene().reach());
}

std::optional<Vector3> CloudPane::grip(const SightLine& line) {
  const auto point = handles_.empty() ? std::nullopt : point_at(line);
  const auto handle = point ? handles_.handle_of(*point) : std::nullopt;
  if (!handle) return std::nullopt;
  gripped_ = *handle;
  return Vector3{places().value(*point, 0), places().value(*point, 1), places().value(*point, 2)};
}

void CloudPane::open_as_run() {
  if (!open_->isEnabled()) return;
  show_->setCurrentIndex(show_->findData(static_cast<int>(Show::run)));
  workbench_.desk().run(run_of_pose());
}

RunRequest CloudPane::run_of_pose() const {
  RunRequest spec = with_trees_of(point_clouds::application(), rest_run_);
  spec.backend = workbench_.desk().request().backend;
  if (pose_ != rest_) spec.data = pose_->points->name, spec.points = pose_->points;
  return spec;
}

void CloudPane::step_search() {
  if (!step_search_->isEnabled()) return;
  const auto point = static_cast<std::size_t>(point_->value());
  const SearchOfRun search =
      point_clouds::search_of_point(pose_->points->points, point, static_cast<std::uint32_t>(k_->value()));
  const RunRequest spec = with_search_of(point_clouds::application(), run_of_pose(), search);
  show_->setCurrentIndex(show_->findData(static_cast<int>(Show::run)));
  workbench_.desk().run(spec);
}

CloudPane::Show CloudPane::shown() const { return static_cast<Show>(show_->currentData().toInt()); }

double CloudPane::handle_radius() const { return size_ * radius_->value() / 100; }

std::vector<Rgb> CloudPane::colours() const {
  const Theme& look = theme_of(workbench_.looks().appearance());
  const Cloud& cloud = pose_->cloud;
  std::vector<Rgb> colours(cloud.radius.size(), mix(look.base, look.text, 0.4));
  if (shown() == Show::density) {
    const double low = std::log(dense_[0]), wide = std::max(std::log(dense_[1]) - low, 1e-6);
    for (std::size_t i = 0; i < colours.size(); ++i)
      colours[i] = blue_to_red((std::log(cloud.density[i]) - low) / wide);
  } else if (shown() == Show::strength && field_) {
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = blue_to_red(field_->strength[i]);
  }
  if (handles_.empty()) return colours;
  for (const std::uint32_t i : handles_.fixed()) colours[i] = look.text;
  for (const std::uint32_t i : handles_.active()) colours[i] = look.selection;
  return colours;
}

void CloudPane::show_view() {
  Overlay overlay;
  if (pose_) {
    const PointSet& points = places();
    const Cloud& estimates = pose_->cloud;
    const bool run = shown() == Show::run;
    const std::vector<Rgb> all = colours();
    Overlay::Cloud cloud;
    const auto add = [&](std::uint32_t i) {
      for (std::uint32_t d = 0; d < 3; ++d) cloud.places.push_back(float_of(points.word(i, d)));
      cloud.colours.push_back(all[i]);
    };
    if (run) {
      constexpr double dot = 5;
      cloud.size = dot;
      if (!handles_.empty()) {
        for (const std::uint32_t i : handles_.active()) add(i);
        for (const std::uint32_t i : handles_.fixed()) add(i);
      }
    } else {
      overlay.replaces_run = true;
      for (std::uint32_t i = 0; i < points.size(); ++i) add(i);
      if (points.size() <= most_splats) {
        cloud.normals = estimates.normals;
        cloud.radii = disc_radii();
      }
      const auto chosen = static_cast<std::uint32_t>(point_->value());
      const std::vector<double> at{points.value(chosen, 0), points.value(chosen, 1), points.value(chosen, 2)};
      overlay.balls.push_back({at, estimates.radius[chosen], {Ink::plain, 1.5}});
      overlay.labels.push_back({at, tr("point %1").arg(chosen).toStdString(), Ink::plain});
    }
    overlay.clouds.push_back(std::move(cloud));
  }
  if (shown() == Show::strength)
    scale_->set_ends(tr("stays"), tr("follows"));
  else
    scale_->set_ends(tr("sparse, %1").arg(number(dense_[0])), tr("dense, %1").arg(number(dense_[1])));
  scale_->setVisible(pose_ && (shown() == Show::density || shown() == Show::strength));
  workbench_.playback().add_overlay(cloud_writer, std::move(overlay));
}

void CloudPane::show_texts() {
  radius_text_->setText(pose_ ? number(handle_radius()) : QString());
  if (!pose_) {
    handle_text_->clear();
    point_text_->clear();
    return;
  }
  const Cloud& cloud = pose_->cloud;
  const std::size_t n = cloud.radius.size();
  if (wanted_) {  // else the message on a failure or a cancelled job stays
    const std::size_t without = without_normal(cloud);
    QString text = tr("%L1 points on %2: tree %3, neighbours and normals %4.")
                       .arg(n)
                       .arg(foreign_text(cloud.device.name), milliseconds(median_ms(cloud.build_ms)),
                            milliseconds(median_ms(cloud.search_ms)));
    const std::uint32_t parts = rest_->cloud.parts;
    text += QLatin1Char(' ') +
            tr("Normals were turned to one side once, along a minimum spanning tree: %1, %2.")
                .arg(milliseconds(rest_->cloud.orient_ms), parts == 1 ? tr("one part") : tr("%L1 parts").arg(parts));
    if (without > 0)
      text += QLatin1Char(' ') +
              (without == 1 ? tr("One point has no normal: its neighbours lie in one place, on a line, or alike in all "
                                 "directions.")
                            : tr("%L1 points have no normal: their neighbours lie in one place, on a line, or alike in "
                                 "all directions.")
                                  .arg(without));
    show_message(text);
  }
  if (handles_.empty()) {
    handle_text_->setText(
        tr("No handle yet. Turn Handles by mouse on and click the cloud where it is to stay; then "
           "where it is to move, and drag that handle."));
  } else {
    QString text = tr("Handle %1 of %2 is active, with %L3 points.")
                       .arg(handles_.active_number() + 1)
                       .arg(handles_.size())
                       .arg(handles_.active().size());
    if (field_)
      text += QLatin1Char(' ') +
              tr("Strength field: trees %1, searches %2.")
                  .arg(milliseconds(median_ms(field_->build_ms)), milliseconds(median_ms(field_->search_ms)));
    handle_text_->setText(text);
  }
  const auto i = static_cast<std::size_t>(point_->value());
  QString text = tr("Its %1 nearest lie within %2, which gives a density of %3. Normal (%4, %5, %6).")
                     .arg(pose_->k)
                     .arg(number(cloud.radius[i]), number(cloud.density[i]), number(cloud.normals[3 * i]),
                          number(cloud.normals[3 * i + 1]), number(cloud.normals[3 * i + 2]));
  if (field_)
    text += QLatin1Char(' ') + tr("It follows the active handle by %1 %.").arg(number(100 * field_->strength[i]));
  point_text_->setText(text);
}

void CloudPane::show_view_and_texts() {
  show_view();
  show_texts();
}

void CloudPane::show_fields() {
  const bool there = pose_ != nullptr, handled = there && !handles_.empty();
  for (QWidget* widget : std::initializer_list<QWidget*>{show_, by_mouse_, radius_, point_, handle_here_})
    widget->setEnabled(there);
  remove_->setEnabled(handled);
  for (QDoubleSpinBox* box : by_) box->setEnabled(handled);
  put_back_->setEnabled(there && (base_ != rest_ || !same(move_, {})));
  const bool current = up_to_date() && !workbench_.jobs().busy();
  open_->setEnabled(current);
  step_search_->setEnabled(current);
  bars_->setVisible(bars_->count() > 0);
  tool_->set_on(there && by_mouse_->isChecked());
}

void add_point_clouds(WorkbenchWindow& window, Workbench& workbench) {
  window.add_dock(QStringLiteral("cloud"), new CloudPane(workbench, window.scene()), nullptr, QStringLiteral("timing"),
                  false);
}

}  // namespace kdscope
