#include "app/panes/parallel_coordinates_pane.hpp"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/axes_choice.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t most_of_the_view = 3;
constexpr int most_scale_of_hint = 150, most_named = 6, lines_with_hint = 12;

}  // namespace

ParallelCoordinatesPane::ParallelCoordinatesPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      view_(new ParallelCoordinatesView),
      minimap_(new Minimap(1.6)),
      caption_(plain_label()),
      empty_(plain_label(tr("Open a run: its points appear here, one line per point."))),
      buttons_(new QWidget) {
  setAccessibleName(tr("Parallel coordinates pane"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(view_, 1);
  column->addWidget(minimap_);
  column->addWidget(empty_, 1);
  column->addWidget(caption_);
  caption_->setWordWrap(true);
  caption_->setContentsMargins(8, 2, 8, 4);
  caption_->setObjectName(QStringLiteral("coordinates_caption"));
  caption_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setContentsMargins(16, 8, 16, 8);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  view_->hide();
  caption_->hide();

  auto* bar = new QHBoxLayout(buttons_);
  bar->setContentsMargins(0, 0, 12, 0);
  bar->setSpacing(2);
  QToolButton* axes = add_button(tr("Axes"), tr("Which axes are shown, and how long they are"), "coordinates_axes");
  auto* choices = new QMenu(axes);
  axes->setMenu(choices);
  axes->setPopupMode(QToolButton::InstantPopup);
  const auto add_choice = [&](const QString& words, const char* name) {
    QAction* choice = choices->addAction(words);
    choice->setObjectName(QString::fromLatin1(name));
    return choice;
  };
  split_only_ = add_choice(tr("Only dimensions that the tree &splits"), "coordinates_split_only");
  split_only_->setCheckable(true);
  QAction* same_unit = add_choice(tr("One &unit of length: the widest is the longest"), "coordinates_same_unit");
  same_unit->setCheckable(true);
  connect(add_choice(tr("&All at once"), "coordinates_show_all"), &QAction::triggered, view_,
          &ParallelCoordinatesView::show_all);
  connect(split_only_, &QAction::toggled, this, [this](bool on) {
    view_->set_split_only(on);
    show_step();
  });
  connect(same_unit, &QAction::toggled, this, [this](bool on) {
    view_->set_same_unit(on);
    draw_minimap();
  });
  connect(add_button(QStringLiteral("\u2212"), tr("Axes closer together (Ctrl+wheel)"), "coordinates_zoom_out"),
          &QToolButton::clicked, view_, [this] { view_->zoom(1 / 1.5); });
  connect(add_button(QStringLiteral("+"), tr("Axes wider apart (Ctrl+wheel)"), "coordinates_zoom_in"),
          &QToolButton::clicked, view_, [this] { view_->zoom(1.5); });

  new Curtain(this, workbench, [](const Concealment& concealed, const Trace& trace) {
    return concealed.splits || concealed.hides_nodes(trace);
  });
  connect(&workbench.playback(), &Playback::opened, this, &ParallelCoordinatesPane::open_run);
  auto* step_shown = new ShownUpdate(this, [this] { show_step(); });
  connect(&workbench.playback(), &Playback::stepped, step_shown, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::selected, step_shown, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::axes_changed, this,
          [this] { view_->set_axes(workbench_.playback().axes()); });
  const auto show_appearance = [this] {
    view_->set_appearance(theme_of(workbench_.looks().appearance()),
                          text_scale_of(*this, workbench_.looks().appearance()));
    draw_minimap();
  };
  when_restyled(*this, workbench, show_appearance);
  connect(view_, &ParallelCoordinatesView::picked, this,
          [this](const Selection& picked) { workbench_.playback().select(picked); });
  connect(view_, &ParallelCoordinatesView::axis_picked, this, [this](int axis, int dimension) {
    choose_axes(workbench_, with_axis(workbench_.playback().axes(), axis, dimension,
                                      workbench_.playback().cursor()->trace().header.dim));
  });
  connect(view_, &ParallelCoordinatesView::window_changed, this, [this] {
    minimap_->set_window(view_->window());
    say();
  });
  connect(minimap_, &Minimap::pressed, view_, &ParallelCoordinatesView::centre);
  show_appearance();
  step_shown->request();
}

bool ParallelCoordinatesPane::is_needed(const Workbench& workbench) {
  return workbench.playback().cursor() && workbench.playback().cursor()->trace().header.dim > most_of_the_view;
}

QToolButton* ParallelCoordinatesPane::add_button(const QString& text, const QString& words, const char* name) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(words);
  button->setAccessibleName(words);
  button->setObjectName(QString::fromLatin1(name));
  button->setAutoRaise(true);
  buttons_->layout()->addWidget(button);
  return button;
}

void ParallelCoordinatesPane::open_run() {
  shown_ = nullptr;
  view_->show_trace(nullptr);
}

void ParallelCoordinatesPane::show_step() {
  const Cursor* cursor = workbench_.playback().cursor();
  if (!cursor) return;
  if (shown_ != cursor->shared_trace()) {
    shown_ = cursor->shared_trace();
    view_->show_trace(shown_);
    view_->set_axes(workbench_.playback().axes());
    const bool has_points = !view_->model().axes().empty();
    view_->setVisible(has_points);
    caption_->setVisible(has_points);
    empty_->setVisible(!has_points);
    empty_->setText(tr("There are no points."));
    split_only_->setEnabled(view_->model().split_count() > 0 && view_->model().split_count() < view_->model().dim());
    draw_minimap();
  }
  view_->show_step(*cursor, workbench_.playback().selection(), workbench_.playback().linked());
  draw_minimap();
  say();
}

void ParallelCoordinatesPane::draw_minimap() {
  const ParallelCoordinates& model = view_->model();
  if (model.axes().empty()) return minimap_->hide();
  minimap_->set_picture(view_->overview(std::max(64, width()), minimap_->sizeHint().height()),
                        theme_of(workbench_.looks().appearance()));
  std::vector<QRectF> marks;
  const double gaps = std::max(1.0, static_cast<double>(model.axes().size()) - 1);
  for (const CoordinateBox& box : model.boxes())
    if (const auto axis = box.split_dim < 0 ? std::nullopt : model.axis_of(static_cast<std::uint32_t>(box.split_dim)))
      marks.emplace_back(static_cast<double>(*axis) / gaps, 1 - model.share(*axis, box.split_value), 0, 0);
  minimap_->set_marks(std::move(marks));
  minimap_->set_window(view_->window());
}

void ParallelCoordinatesPane::show_to_audience() {
  for_audience_ = true;
  say();
}

void ParallelCoordinatesPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  say();
}

void ParallelCoordinatesPane::say() {
  const ParallelCoordinates& model = view_->model();
  if (model.axes().empty()) return;
  QStringList words;
  if (view_->drawn() < model.point_count())
    words << tr("A sample: %1 of %2 points.").arg(thousands(view_->drawn()), thousands(model.point_count()));
  const auto [first, end] = view_->axes_in_sight();
  const auto name = [&](std::size_t axis) {
    return QString::fromStdString(coordinate_name(model.axes()[axis].dim, model.dim()));
  };
  if (model.split_only()) words << tr("%1 of %2 dimensions are split.").arg(model.axes().size()).arg(model.dim());
  if (end - first < model.axes().size() && first < end)
    words << tr("In sight: %1 to %2 of %3 axes.").arg(name(first), name(end - 1)).arg(model.axes().size());
  QStringList elsewhere;
  for (const CoordinateAxis& axis : model.axes()) {
    const bool split = std::any_of(model.boxes().begin(), model.boxes().end(), [&](const CoordinateBox& box) {
      return box.split_dim == static_cast<int>(axis.dim);
    });
    const std::size_t at = *model.axis_of(axis.dim);
    if (split && (at < first || at >= end)) elsewhere << name(at);
  }
  if (elsewhere.size() > most_named) elsewhere = elsewhere.mid(0, most_named) << QStringLiteral("\u2026");
  if (!elsewhere.empty()) words << tr("Out of sight: splits in %1.").arg(elsewhere.join(QStringLiteral(", ")));
  if (!model.boxes().empty() && model.left_out().empty() && !view_->has_bars()) {
    if (!for_audience_) words << tr("Zoom in (+) or select a node for the boxes.");
  } else if (!model.boxes().empty() && model.left_out().empty()) {
    QStringList nodes;
    for (const CoordinateBox& box : model.boxes()) nodes << QString::number(box.node.value);
    const bool tight = model.boxes().front().tight;
    words << (nodes.size() > 1 ? (tight ? tr("Bars: smallest boxes of nodes %1.") : tr("Bars: cells of nodes %1."))
                               : (tight ? tr("Bars: smallest box of node %1.") : tr("Bars: cell of node %1.")))
                 .arg(nodes.join(QStringLiteral(", ")));
  }
  if (!model.left_out().empty()) words << QString::fromStdString(model.left_out());
  const bool low = height() < lines_with_hint * fontMetrics().height();
  if (words.size() < 2 && !low && !for_audience_ &&
      text_scale_of(*this, workbench_.looks().appearance()) <= most_scale_of_hint)
    words << tr("Click a name to put its dimension along x, Shift+click along y.");
  caption_->setText(words.join(QLatin1Char(' ')));
  view_->setAccessibleDescription(
      caption_->text() +
      tr(" Alt+arrows move from axis to axis and from point to point, Return puts the axis along x."));
}

}  // namespace kdscope
