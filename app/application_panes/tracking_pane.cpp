#include "app/application_panes/tracking_pane.hpp"

#include <QDockWidget>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/run/applications.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/quantities.hpp"
#include "app/application_panes/applied_run.hpp"
#include "app/application_panes/keyed_box.hpp"
#include "app/application_panes/slider.hpp"
#include "app/recording/run.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench_window.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t samples = 1500;
constexpr char tracking_writer[] = "tracking";
/// A first guess from which the iterations can be seen: this far from the place of the object, in metres and degrees.
const Vector3 off{0.015, -0.012, 0.01};
constexpr int turned_off = 7;

/// Returns the point whose neighbour is farthest away; 0 if none has one.
std::uint32_t farthest_pair(const TrackedObject& object, const PointSet& scan, const TrackingStep& step) {
  std::uint32_t farthest = 0;
  double most = -1;
  for (std::uint32_t i = 0; i < step.nearest.size(); ++i) {
    const std::uint32_t j = step.nearest[i].value;
    if (j == no_id) continue;
    const Vector3 at = step.place({object.places[3 * i], object.places[3 * i + 1], object.places[3 * i + 2]});
    const double apart = length(at - Vector3{scan.value(j, 0), scan.value(j, 1), scan.value(j, 2)});
    if (apart > most) most = apart, farthest = i;
  }
  return farthest;
}

}  // namespace

TrackingPane::TrackingPane(Workbench& workbench, SceneView& view, QWidget* parent)
    : ApplicationPane(workbench, tr("Tracking"),
                      {"track_frame", tr("Track"),
                       tr("Moves the object's points to their nearest neighbours in this scan, again and again")},
                      {"tracking_summary", tr("Result")}, parent),
      view_(view),
      fit_(choice(new NarrowComboBox,
                  {"tracking_fit", tr("Fit"),
                   tr("What an iteration makes small: the distances of the neighbours to the planes through the "
                      "object's points, or to the points themselves")},
                  {{tr("fit to planes"), static_cast<int>(TrackingFit::planes)},
                   {tr("fit to points"), static_cast<int>(TrackingFit::points)}},
                  [this] {
                    if (tracked_ && !working()) track();
                  })),
      turn_(number(new KeyedBox<QSpinBox>,
                   {"tracking_turn", tr("Turn of the first guess"),
                    tr("How far the first guess is turned about the vertical axis, from where the object is")},
                   Range{-180, 180, turned_off})),
      play_(tick<PlayButton>({"play_scans", tr("Frames"),
                              tr("Builds a tree over one scan after another, and follows the object through them")},
                             [this] { set_playing(play_->playing()); })),
      iteration_(named(new Slider(Qt::Horizontal), {"tracking_iteration", tr("Iteration")})),
      iteration_text_(text_line({"tracking_iteration_text", tr("Iteration")})),
      point_(number(new KeyedBox<QSpinBox>, {"tracking_point", tr("Point of the object")},
                    Range{0, static_cast<int>(samples) - 1, 0}, [this] { show_view_and_texts(); })),
      step_search_(button({"step_tracking_search", tr("Step its search"),
                           tr("Opens the search for this point's nearest neighbour, in the tree over this scan")},
                          [this] { step_search(); })),
      point_text_(text_line({"tracking_point_text", tr("Neighbour")})),
      bars_(named(new TimeBars(workbench.looks().appearance(), {tr("build"), tr("search"), tr("rest")}),
                  {"tracking_times", tr("Times of the frames")})) {
  page_.wrap({fit_, turn_, start_, play_});
  page_.add(summary_);
  page_.add(bars_);
  page_.line(tr("&Iteration"), iteration_);
  page_.add(iteration_text_);
  page_.wrap({label_of(tr("&Point of the object"), point_), point_, step_search_});
  page_.add(point_text_);
  page_.stretch();
  turn_->setPrefix(tr("turned "));
  turn_->setSuffix(tr("°"));
  connect(iteration_, &QSlider::valueChanged, this, &TrackingPane::show_view_and_texts);
  connect(&workbench.looks(), &Looks::changed, this, &TrackingPane::show_view);
  take_run();
}

void TrackingPane::cancel() {
  set_playing(false);
  ApplicationPane::cancel();
}

void TrackingPane::fail(const Error& error) {
  set_playing(false);
  show_error(error);
}

void TrackingPane::take_run() {
  const auto trace = workbench_.playback().trace();
  const bool known = trace && !workbench_.desk().request().points && known_scan(trace->header.data_set);
  const std::string data = known ? trace->header.data_set : std::string();
  // The search of a frame is opened on the frame's scan, whose object stays
  if (!scan_ || scan_->points->name != data) {
    set_playing(false);
    if (working()) ApplicationPane::cancel();
    data_ = data;
    frame_ = frame_of(data);
    bars_->clear();
    forget();
    show_message(data_.empty() ? tr("Open the scan of a workbench, for example %1 with the algorithm %2: the piston on "
                                    "it is tracked here.")
                                     .arg(QString::fromStdString(tracking::application().data),
                                          QString::fromStdString(tracking::application().algorithm))
                               : tr("Choose Track to find the piston in this scan from a first guess, or Frames to "
                                    "follow it from scan to scan."));
  } else {
    show_view();
    show_result();
  }
  show_state();
}

void TrackingPane::forget() {
  scan_.reset();
  tracked_ = nullptr;
  show_view();
  show_texts();
}

void TrackingPane::track() {
  if (data_.empty() || working()) return;
  const auto known = known_scan(with_frame(data_, frame_));
  if (!known) return;
  constexpr double degrees = 360;
  Placement guess = known->place.turned_z(turn_->value() / degrees);
  guess.origin = guess.origin + off;
  follow(frame_, guess);
}

void TrackingPane::follow(std::uint32_t frame, const Placement& from) {
  const std::string data = with_frame(data_, frame);
  TrackingRequest request;
  request.start = from;
  request.camera = known_scan(data)->camera;
  request.fit = static_cast<TrackingFit>(fit_->currentData().toInt());
  request.backend = workbench_.desk().request().backend;
  constexpr double reach = 0.04;  // of small scans, whose points are far apart
  request.reach = reach;
  request.keep_nearest = true;
  const auto object = scan_ ? scan_->object : nullptr;
  const auto points = scan_ && scan_->data == data ? scan_->points : nullptr;
  work_on<Followed>(
      tr("Tracking"),
      [request, data, object, points,
       name = known_scan(data)->object](const RunControl& control) mutable -> Result<Followed> {
        Scan scan{data, points, object};
        if (!scan.points) {
          const auto opened = open_data_set(data);
          if (!opened) return opened.error();
          const auto floats = with_coordinates(*opened, ScalarType::float32);
          if (!floats) return floats.error();
          scan.points = *floats;
        }
        if (!scan.object) {
          const auto model = open_data_set(name);
          if (!model) return model.error();
          const auto floats = with_coordinates(*model, ScalarType::float32);
          if (!floats) return floats.error();
          auto drawn = tracked_object(**floats, samples);
          if (!drawn) return drawn.error();
          scan.object = std::make_shared<const TrackedObject>(std::move(*drawn));
        }
        request.object = scan.object;
        request.scans = {scan.points};
        auto tracked = run(request, control);
        if (!tracked) return tracked.error();
        return Followed{std::move(scan), std::move(*tracked)};
      },
      [this, data, frame](Result<Followed> followed) { finish(data, frame, std::move(followed)); });
}

void TrackingPane::finish(const std::string& data, std::uint32_t frame, Result<Followed> followed) {
  if (data_.empty() || data != with_frame(data_, frame)) return;  // another run was opened
  if (!followed) return fail(followed.error());
  const bool first = !scan_;
  frame_ = frame;
  scan_ = std::move(followed->scan);
  device_ = followed->tracking.device.name;
  tracked_ = std::make_shared<const TrackedFrame>(std::move(followed->tracking.frames.front()));
  bars_->add({tracked_->build_ms, tracked_->search_ms, tracked_->rest_ms});
  const int last = static_cast<int>(tracked_->steps.size()) - 1;
  {
    const QSignalBlocker quiet_slider(iteration_), quiet_point(point_);
    iteration_->setRange(0, last);
    iteration_->setValue(last);
    if (!play_->playing())
      point_->setValue(static_cast<int>(farthest_pair(*scan_->object, scan_->points->points, tracked_->steps.back())));
  }
  show_result();
  show_texts();
  show_view();
  if (first && view_.fitted_to()) look_closer();
  if (!play_->playing()) return;
  // The job ends after this
  const auto next = [this] {
    if (play_->playing() && tracked_ && !working()) follow((frame_ + 1) % frames_of(data_), tracked_->place);
  };
  QMetaObject::invokeMethod(this, next, Qt::QueuedConnection);
}

void TrackingPane::show_result() {
  const double whole = tracked_->build_ms + tracked_->search_ms + tracked_->rest_ms;
  QString text = tr("Frame %1 on %2: %3 iterations in %4, %5 frames per second.")
                     .arg(frame_)
                     .arg(foreign_text(device_))
                     .arg(tracked_->iterations())
                     .arg(milliseconds(whole), QString::number(1000 / std::max(whole, 1e-6), 'g', 3));
  if (tracked_->lost) {
    text += QLatin1Char(' ') + tr("The object is lost: too few of its points have a neighbour within reach.");
  } else {
    const double apart = farthest_apart(*scan_->object, tracked_->place, known_scan(scan_->data)->place);
    text += QLatin1Char(' ') + tr("No point is farther than %1 mm from its true place.").arg(1000 * apart, 0, 'f', 1);
  }
  if (const auto trace = workbench_.playback().trace(); trace && trace->header.data_set != scan_->points->name)
    text += QLatin1Char(' ') +
            tr("The tree and the tables are those of the run on frame %1.").arg(frame_of(trace->header.data_set));
  show_message(text, tracked_->lost);
}

void TrackingPane::look_closer() {
  const std::uint32_t m = scan_->object->size();
  Vector3 at;
  for (std::uint32_t i = 0; i < m; ++i) at = at + (1.0 / m) * place_of(i);
  double radius = 0;
  for (std::uint32_t i = 0; i < m; ++i) radius = std::max(radius, length(place_of(i) - at));
  view_.look_at({at.x, at.y, at.z}, radius);
}

void TrackingPane::set_playing(bool playing) {
  play_->show_playing(playing && !data_.empty());
  if (!play_->playing() || working()) return;
  if (tracked_ && !tracked_->lost)
    follow((frame_ + 1) % frames_of(data_), tracked_->place);
  else
    track();
}

void TrackingPane::show_view_and_texts() {
  show_view();
  show_texts();
}

const TrackingStep& TrackingPane::step() const {
  return tracked_->steps[std::min(static_cast<std::size_t>(iteration_->value()), tracked_->steps.size() - 1)];
}

Vector3 TrackingPane::place_of(std::uint32_t point) const {
  const float* const at = &scan_->object->places[3 * std::size_t(point)];
  return step().place({at[0], at[1], at[2]});
}

void TrackingPane::show_view() {
  Overlay overlay;
  if (tracked_) {
    const Theme& look = theme_of(workbench_.looks().appearance());
    const TrackingStep& now = step();
    const auto trace = workbench_.playback().trace();
    // The picture of the run stays if it is that of the frame's scan
    if (!trace || trace->header.data_set != scan_->points->name) {
      overlay.replaces_run = true;
      Overlay::Cloud scan;
      const PointSet& points = scan_->points->points;
      for (std::size_t i = 0; i < points.size(); ++i)
        for (std::uint32_t d = 0; d < 3; ++d) scan.places.push_back(float_of(points.word(i, d)));
      scan.colours = {mix(look.base, look.text, 0.45)};
      scan.size = 2;
      overlay.clouds.push_back(std::move(scan));
    }
    Overlay::Cloud object;
    object.size = 4;
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < scan_->object->size(); ++i) {
      const bool paired = now.nearest[i].value != no_id;
      if (paired) pairs.push_back(i);
      const Vector3 at = place_of(i);
      for (const double c : {at.x, at.y, at.z}) object.places.push_back(static_cast<float>(c));
      object.colours.push_back(paired ? look.passed : mix(look.base, look.passed, 0.4));
    }
    overlay.clouds.push_back(std::move(object));
    const auto neighbour = [&](std::uint32_t i) {
      const std::size_t j = now.nearest[i].value;
      const PointSet& points = scan_->points->points;
      return std::vector<double>{points.value(j, 0), points.value(j, 1), points.value(j, 2)};
    };
    // As many pairs as can be told apart
    constexpr std::size_t most_lines = 150;
    const std::size_t every = std::max<std::size_t>(1, pairs.size() / most_lines);
    for (std::size_t at = 0; at < pairs.size(); at += every) {
      const Vector3 from = place_of(pairs[at]);
      overlay.segments.push_back({{from.x, from.y, from.z}, neighbour(pairs[at]), {Ink::changed, 1}});
    }
    const auto chosen = static_cast<std::uint32_t>(point_->value());
    if (chosen < now.nearest.size() && !play_->playing()) {
      const Vector3 at = place_of(chosen);
      if (now.nearest[chosen].value != no_id)
        overlay.segments.push_back({{at.x, at.y, at.z}, neighbour(chosen), {Ink::selected, 3}});
      overlay.labels.push_back({{at.x, at.y, at.z}, tr("point %1").arg(chosen).toStdString(), Ink::selected});
    }
  }
  workbench_.playback().add_overlay(tracking_writer, std::move(overlay));
}

void TrackingPane::show_texts() {
  const bool there = tracked_ != nullptr;
  for (QWidget* widget : std::initializer_list<QWidget*>{iteration_, point_}) widget->setEnabled(there);
  const auto chosen = static_cast<std::uint32_t>(point_->value());
  const bool paired = there && chosen < step().nearest.size() && step().nearest[chosen].value != no_id;
  step_search_->setEnabled(paired && !workbench_.jobs().busy() && !working());
  if (!there) {
    iteration_text_->clear();
    point_text_->clear();
    return;
  }
  const TrackingStep& now = step();
  const auto iterations = static_cast<int>(tracked_->iterations());
  const QString when = iteration_->value() < iterations
                           ? tr("Before iteration %1 of %2").arg(iteration_->value() + 1).arg(iterations)
                           : tr("After all %1 iterations").arg(iterations);
  iteration_text_->setText(tr("%1: %2 of %3 points that face the camera have a neighbour within reach, %4 mm away on "
                              "average (root mean square).")
                               .arg(when)
                               .arg(now.pairs)
                               .arg(now.facing)
                               .arg(1000 * now.distance, 0, 'f', 2));
  if (!paired) {
    point_text_->setText(tr("This point faces away, or has no neighbour within reach."));
    return;
  }
  const std::size_t j = now.nearest[chosen].value;
  const PointSet& points = scan_->points->points;
  const double apart = length(place_of(chosen) - Vector3{points.value(j, 0), points.value(j, 1), points.value(j, 2)});
  point_text_->setText(tr("Its nearest neighbour is p%1 of the scan, %2 mm away.").arg(j).arg(1000 * apart, 0, 'f', 2));
}

void TrackingPane::step_search() {
  if (!step_search_->isEnabled()) return;
  set_playing(false);
  const Vector3 at = place_of(static_cast<std::uint32_t>(point_->value()));
  RunRequest spec = with_search_of(tracking::application(), workbench_.desk().request(), tracking::search_of_place(at));
  spec.data = scan_->data;
  spec.points = nullptr;
  workbench_.desk().run(spec);
}

void TrackingPane::show_fields() {
  play_->setEnabled(suits() && frames_of(data_) > 1);
  fit_->setEnabled(suits() && (!working() || play_->playing()));
  bars_->setVisible(bars_->count() > 0);
  show_texts();
}

void add_tracking(WorkbenchWindow& window, Workbench& workbench) {
  window.add_dock(QStringLiteral("tracking"), new TrackingPane(workbench, window.scene()), nullptr,
                  QStringLiteral("timing"), false);
}

}  // namespace kdscope
