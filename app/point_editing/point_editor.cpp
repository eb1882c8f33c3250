#include "app/point_editing/point_editor.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "algorithms/core/ids.hpp"
#include "app/appearance/point_label.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_marks = 2000;
constexpr std::uint32_t most_written = 8;

std::vector<double> values_of(const std::uint32_t* words, std::uint32_t dim, ScalarType type) {
  std::vector<double> values;
  for (std::uint32_t d = 0; d < dim; ++d) values.push_back(scalar_value(words[d], type));
  return values;
}

}  // namespace

QString coordinates_text(const std::uint32_t* words, std::uint32_t dim, ScalarType type, const Axes& axes) {
  std::string text;
  for (std::uint32_t d = 0; d < dim; ++d) {
    if (dim > most_written && !is_on_axis(axes, d)) continue;
    text += (text.empty() ? "" : ", ") + (dim > most_written ? coordinate_name(d, dim) + " " : std::string()) +
            coordinate_text(words[d], type);
  }
  return QString::fromStdString(dim > most_written ? text : "(" + text + ")");
}

PointEditor::PointEditor(Workbench& workbench, SceneView& view, QObject* parent)
    : QObject(parent), workbench_(workbench), view_(view), live_(workbench) {
  follow_.setSingleShot(true);
  follow_.setInterval(0);
  connect(&follow_, &QTimer::timeout, this, &PointEditor::follow_drag);
  if (QWidget* canvas = view.canvas()) canvas->installEventFilter(this);
  connect(&workbench.edits(), &PointEdits::changed, this, &PointEditor::take_points);
  connect(&workbench.playback(), &Playback::selected, this, &PointEditor::take_selection);
  connect(&workbench.playback(), &Playback::stepped, this, [this] {
    if (workbench_.playback().selection()) take_selection();  // a node has other points now
  });
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    if (live_.is_opening()) return;
    // Another run ends a drag.
    live_.forget();
    let_go();
  });
}

void PointEditor::set_editing(bool editing) {
  if (editing == editing_) return;
  if (held_) take_drag_back();
  editing_ = editing;
  view_.set_flat(editing);  // points are edited in a plane; their other dimensions keep their values
  if (QWidget* canvas = view_.canvas()) {
    canvas->setMouseTracking(editing);
    if (editing)
      canvas->setCursor(Qt::CrossCursor);
    else
      canvas->unsetCursor();
  }
  if (!editing) emit hovered(QString());
  emit editing_changed(editing);
}

void PointEditor::choose(std::vector<std::uint32_t> points) {
  if (points == chosen_) return;
  chosen_ = std::move(points);
  choosing_ = true;
  Selection selection;
  if (chosen_.size() == 1) {
    const std::uint32_t was = earlier_.empty() ? chosen_.front() : earlier_[chosen_.front()];
    if (workbench_.playback().trace() && was < workbench_.playback().trace()->header.n) selection = {Space::point, was};
  }
  workbench_.playback().select(selection);
  choosing_ = false;
  show_marks();
  emit chosen_changed();
}

void PointEditor::erase_chosen() {
  const auto data = workbench_.edits().points();
  if (!data || chosen_.empty()) return;
  const QString what = chosen_.size() == 1 ? tr("delete point %1").arg(point_label(chosen_.front()))
                                           : tr("delete %L1 points").arg(chosen_.size());
  workbench_.edits().edit(erasure_in(data->points, chosen_), what);
  choose({});
}

void PointEditor::take_points() {
  earlier_ = workbench_.edits().recorded_indices();
  changes_ = {};
  const auto data = workbench_.edits().points();
  if (workbench_.edits().stale())
    changes_ = differences(workbench_.edits().recorded_points()->points, data->points, earlier_);
  const std::size_t n = data ? data->points.size() : 0;
  if (held_ && (*held_ >= n || (!held_words_.empty() && held_words_.size() != data->points.stride()))) {
    live_.forget();
    let_go();  // the held point belongs to another point set
  }
  if (std::erase_if(chosen_, [n](std::uint32_t point) { return point >= n; }) > 0) emit chosen_changed();
  show_marks();
}

void PointEditor::take_selection() {
  if (choosing_) return;
  std::vector<std::uint32_t> points;
  if (workbench_.playback().selection()) points = workbench_.playback().linked().points;
  if (!earlier_.empty() && !points.empty()) {
    std::vector<std::uint32_t> now;
    for (std::uint32_t i = 0; i < earlier_.size(); ++i)
      if (std::binary_search(points.begin(), points.end(), earlier_[i])) now.push_back(i);
    points = std::move(now);
  }
  if (points == chosen_) return;
  chosen_ = std::move(points);
  show_marks();
  emit chosen_changed();
}

EditMark PointEditor::mark_of(std::optional<std::uint32_t> was, std::uint32_t now) const {
  const PointSet& points = workbench_.edits().points()->points;
  const bool held = held_ == now && !held_words_.empty();
  const std::uint32_t* words = held ? held_words_.data() : &points.words[std::size_t(now) * points.stride()];
  EditMark mark;
  if (was) mark.was = PointId{*was};
  mark.now = values_of(words, points.dim, points.type);
  mark.label = point_name(now);
  mark.chosen = std::binary_search(chosen_.begin(), chosen_.end(), now);
  if (held || (mark.chosen && chosen_.size() == 1))
    mark.coordinates = coordinates_text(words, points.dim, points.type, workbench_.playback().axes()).toStdString();
  return mark;
}

void PointEditor::show_marks() {
  std::vector<EditMark> marks;
  bool held_shown = false;
  const auto room = [&] { return marks.size() < most_marks; };
  for (const auto& [was, now] : changes_.moved) {
    held_shown |= held_ == now;
    if (room()) marks.push_back(mark_of(was, now));
  }
  for (const std::uint32_t now : changes_.added) {
    held_shown |= held_ == now;
    if (room()) marks.push_back(mark_of({}, now));
  }
  for (const std::uint32_t was : changes_.erased)
    if (room()) marks.push_back({PointId{was}, {}, {}, {}, false});
  if (held_ && !held_words_.empty() && !held_shown)
    marks.push_back(mark_of(earlier_.empty() ? *held_ : earlier_[*held_], *held_));
  view_.show_edits(std::move(marks));
}

std::optional<std::uint32_t> PointEditor::point_under(QPointF at) const {
  const auto data = workbench_.edits().points();
  if (!data) return std::nullopt;
  // Prefer edited points, which are drawn above those of the run.
  std::optional<std::uint32_t> best;
  double nearest = view_.reach();
  const auto consider = [&](std::uint32_t now) {
    const auto place = view_.place_of(
        values_of(&data->points.words[std::size_t(now) * data->points.stride()], data->points.dim, data->points.type));
    if (!place) return;
    const double distance = std::hypot(place->x() - at.x(), place->y() - at.y());
    if (distance > nearest) return;
    nearest = distance;
    best = now;
  };
  for (const auto& move : changes_.moved) consider(move.now);
  for (const std::uint32_t now : changes_.added) consider(now);
  if (best) return best;
  const auto recorded = view_.point_at(at);
  if (!recorded) return std::nullopt;
  std::uint32_t now = recorded->value;
  if (!earlier_.empty()) {
    const auto found = std::find(earlier_.begin(), earlier_.end(), recorded->value);
    if (found == earlier_.end()) return std::nullopt;
    now = static_cast<std::uint32_t>(found - earlier_.begin());
  }
  const bool ghost =
      std::any_of(changes_.moved.begin(), changes_.moved.end(), [&](const auto& move) { return move.now == now; });
  return ghost || now >= data->points.size() ? std::nullopt : std::optional(now);
}

std::vector<std::uint32_t> PointEditor::words_at(QPointF at, std::optional<std::uint32_t> moved) const {
  const PointSet& points = workbench_.edits().points()->points;
  std::vector<double> pixel;
  const auto place = view_.coordinates_at(at, &pixel);
  std::vector<std::uint32_t> words(points.stride(), 0);
  if (moved) std::copy_n(&points.words[std::size_t(*moved) * points.stride()], points.stride(), words.begin());
  if (!place) return words;
  for (std::uint32_t d = 0; d < points.dim && d < place->size(); ++d) {
    double value = (*place)[d];
    if (pixel[d] > 0) {
      value = rounded_to_pixel(value, pixel[d]);
    } else if (moved) {
      continue;  // the dimension is not drawn: keep its value
    }
    words[d] = nearest_word(value, points.type);
  }
  return words;
}

void PointEditor::show_cursor(QPointF at) {
  view_.canvas()->setCursor(point_under(at) ? Qt::SizeAllCursor : Qt::CrossCursor);
  const PointSet& points = workbench_.edits().points()->points;
  emit hovered(coordinates_text(words_at(at, {}).data(), points.dim, points.type, workbench_.playback().axes()));
}

void PointEditor::start_drag() {
  run_words_.clear();
  live_.begin();
}

/// Runs with the held point where it is now, if that is quick enough.
void PointEditor::follow_drag() {
  if (!held_ || held_words_.empty() || !live_.active() || held_words_ == run_words_) return;
  const std::vector<std::uint32_t> words = held_words_;
  if (!live_.move(*held_, words)) return;
  run_words_ = words;
  chosen_.clear();  // another run has nothing selected
  choose({*held_});
}

void PointEditor::finish_drag(QPointF at) {
  const std::uint32_t point = *held_;
  const bool dragged = !held_words_.empty();
  if (dragged) held_words_ = words_at(at, point);
  const std::vector<std::uint32_t> words = held_words_;
  follow_drag();
  let_go();
  const QString what = tr("move point %1").arg(point_label(point));
  if (dragged && words == run_words_) {
    live_.finish(what);
    choose({point});
  } else if (dragged) {
    live_.take_back();
    const auto data = workbench_.edits().points();
    if (point < data->points.size()) workbench_.edits().edit(move_of(data->points, {point}, words), what);
  }
  show_marks();
  show_cursor(at);
}

void PointEditor::take_drag_back() {
  const std::uint32_t point = *held_;
  let_go();
  live_.take_back();
  chosen_.clear();
  choose({point});
  show_marks();
}

void PointEditor::let_go() {
  qApp->removeEventFilter(this);
  held_.reset();
  held_words_.clear();
}

bool PointEditor::eventFilter(QObject* watched, QEvent* event) {
  // Escape takes a drag back wherever the focus is, before it clears the selection.
  if (held_ && (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    if (event->type() == QEvent::KeyPress) take_drag_back();
    return true;
  }
  if (watched != view_.canvas()) return false;
  if (!editing_ || !workbench_.playback().cursor() || !view_.is_2d()) return QObject::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      if (held_) take_drag_back();  // its release went to another window
      pressed_ = mouse->position();
      held_ = point_under(pressed_);
      pressed_ground_ = !held_;
      if (!held_) return true;  // adds a point when released, and does not move the picture away under the mouse
      view_.canvas()->setCursor(Qt::ClosedHandCursor);
      if (mouse->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) {
        std::vector<std::uint32_t> several = chosen_;
        const auto place = std::lower_bound(several.begin(), several.end(), *held_);
        if (place != several.end() && *place == *held_)
          several.erase(place);
        else
          several.insert(place, *held_);
        held_.reset();
        choose(std::move(several));
      } else {
        choose({*held_});
        qApp->installEventFilter(this);
      }
      return true;
    }
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->buttons() == Qt::NoButton) show_cursor(mouse->position());
      if (!held_) return mouse->buttons() == Qt::LeftButton;
      if (held_words_.empty() && (mouse->position() - pressed_).manhattanLength() < QApplication::startDragDistance())
        return true;
      if (held_words_.empty()) start_drag();
      held_words_ = words_at(mouse->position(), held_);
      follow_.start();
      const PointSet& points = workbench_.edits().points()->points;
      emit hovered(coordinates_text(held_words_.data(), points.dim, points.type, workbench_.playback().axes()));
      show_marks();
      return true;
    }
    case QEvent::MouseButtonRelease: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      if (held_) {
        finish_drag(mouse->position());
        return true;
      }
      if (!std::exchange(pressed_ground_, false)) return true;
      if ((mouse->position() - pressed_).manhattanLength() >= QApplication::startDragDistance()) return true;
      const auto data = workbench_.edits().points();
      const auto added = static_cast<std::uint32_t>(data->points.size());
      workbench_.edits().edit(insertion_in(data->points, words_at(mouse->position(), {})),
                              tr("add point %1").arg(point_label(added)));
      choose({added});
      return true;
    }
    case QEvent::Leave:
      emit hovered(QString());
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace kdscope
