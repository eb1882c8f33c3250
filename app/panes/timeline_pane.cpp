#include "app/panes/timeline_pane.hpp"

#include <QHeaderView>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/shown_updates.hpp"
#include "app/views/step_slider.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_steps_expanded = 60;
const QString violated_mark = QStringLiteral("\u2717 ");

int levels_of(const Trace& trace) {
  int deepest = -1;
  for (const Step& step : trace.steps) deepest = std::max(deepest, step.level);
  return deepest + 1;
}

}  // namespace

TimelinePane::TimelinePane(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), tree_(new QTreeWidget), legend_(rich_label()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tree_, 1);
  column->addWidget(legend_);
  tree_->setColumnCount(3);
  tree_->setHeaderLabels({tr("Phase"), tr("Step"), tr("ms")});
  QHeaderView* header = tree_->header();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(0, QHeaderView::Stretch);
  header->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  header->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  header->setToolTip(tr("Milliseconds of the recorded run, copies left out"));
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setUniformRowHeights(true);
  tree_->setSelectionMode(QTreeWidget::SingleSelection);
  tree_->setAccessibleName(tr("Timeline"));
  setFocusProxy(tree_);
  legend_->setWordWrap(true);
  legend_->setContentsMargins(8, 4, 8, 4);
  legend_->setObjectName(QStringLiteral("phase_legend"));
  legend_->setAccessibleName(tr("What the colours mean"));
  legend_->setToolTip(tr("Phases, in the colours of the bands above the step slider"));
  legend_->hide();
  setWindowTitle(tr("No run is open"));
  connect(&workbench.playback(), &Playback::opened, this, &TimelinePane::open_run);
  connect(&workbench.playback(), &Playback::stepped, new ShownUpdate(this, [this] { show_step(); }),
          &ShownUpdate::request);
  connect(&workbench.looks(), &Looks::changed, this, &TimelinePane::show_colours);
  for (const auto signal : {&Playback::stepped, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, this, &TimelinePane::show_title);
  new Curtain(this, workbench,
              [](const Concealment& concealed, const Trace& trace) { return hides_steps(concealed, trace); });
  const auto go = [this](QTreeWidgetItem* item) { workbench_.playback().seek(item->data(0, Qt::UserRole).toUInt()); };
  connect(tree_, &QTreeWidget::itemClicked, this, go);
  // Enter or a double click on the current step looks inside it
  connect(tree_, &QTreeWidget::itemActivated, this, [this, go](QTreeWidgetItem* item) {
    const std::uint32_t step = item->data(0, Qt::UserRole).toUInt();
    if (workbench_.playback().cursor() && step == workbench_.playback().step() && steps_[step] == item)
      workbench_.inside().ask();
    else
      go(item);
  });
}

void TimelinePane::open_run() {
  tree_->clear();
  const Trace& trace = workbench_.playback().cursor()->trace();
  bands_ = phase_bands(trace);
  steps_.assign(trace.steps.size(), nullptr);
  marked_ = no_id;
  const auto add = [&](auto& self, const Phase& phase, QTreeWidgetItem* parent) -> void {
    auto* item = new QTreeWidgetItem({foreign_text(phase.name)});
    item->setData(0, Qt::UserRole, phase.first);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    if (phase.is_step) {
      const Step& step = trace.steps[phase.first];
      item->setText(1, QString::number(phase.first));
      item->setText(2, QString::number(step.elapsed_ms, 'f', 3));
      item->setToolTip(0, plain_tip(foreign_text(step_heading(step))));
      steps_[phase.first] = item;
    }
    if (parent)
      parent->addChild(item);
    else
      tree_->addTopLevelItem(item);
    for (const Phase& child : phase.children) self(self, child, item);
  };
  for (const Phase& phase : phase_tree(trace)) add(add, phase, nullptr);
  if (steps_.size() <= most_steps_expanded)
    tree_->expandAll();
  else
    tree_->expandToDepth(0);
  show_colours();
}

/// Draws a swatch with the letter of its phase beside each step.
void TimelinePane::show_colours() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const QFont letters = interface_font(workbench_.looks().appearance().text_scale, tokens::small_text);
  const int side = QFontMetrics(letters).height() * 11 / 10;
  std::vector<QIcon> swatches;
  for (const PhaseBand& kind : band_kinds(bands_)) {
    const qreal ratio = devicePixelRatioF();
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    QPainter painter(&pixmap);
    painter.setFont(letters);
    paint_phase(painter, QRectF(0, 0, side, side), t, kind.kind, false,
                QString::fromStdString(letter_of_kind(kind.kind)));
    painter.end();
    swatches.emplace_back(pixmap);
  }
  tree_->setIconSize({side, side});
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    const PhaseBand* band = band_at(bands_, static_cast<std::uint32_t>(step));
    steps_[step]->setIcon(0, band ? swatches[static_cast<std::size_t>(band->kind)] : QIcon());
    if (band && steps_[step]->text(0) != foreign_text(band->name))
      steps_[step]->setData(0, Qt::AccessibleDescriptionRole, foreign_text(band->name));
  }
  mark_violations();
  legend_->setText(phase_legend(bands_, t));
  fit_legend();
  QTimer::singleShot(0, this, &TimelinePane::fit_legend);  // after it gets its font
}

/// Marks steps with violated checks, and the phases around them, by a cross and the colour of failure.
void TimelinePane::mark_violations() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  for (const Violation& v : workbench_.violations().all()) {
    if (v.step >= steps_.size()) continue;
    for (QTreeWidgetItem* item = steps_[v.step]; item; item = item->parent()) {
      if (!item->text(0).startsWith(violated_mark)) item->setText(0, violated_mark + item->text(0));
      for (int column = 0; column < 3; ++column) item->setForeground(column, colour(t.failed));
      item->setData(0, Qt::AccessibleDescriptionRole, tr("a check is violated"));
    }
  }
}

void TimelinePane::fit_legend() {
  legend_->setVisible(!bands_.empty() && legend_->heightForWidth(width()) < height() / 2);
}

void TimelinePane::resizeEvent(QResizeEvent*) { fit_legend(); }

void TimelinePane::show_title() {
  if (!workbench_.playback().cursor()) return;
  const Trace& trace = workbench_.playback().cursor()->trace();
  setWindowTitle(hides_steps(workbench_.playback().concealment(), trace)
                     ? tr("%L1 steps").arg(trace.steps.size())
                     : tr("%L1 steps, %L2 levels").arg(trace.steps.size()).arg(levels_of(trace)));
}

void TimelinePane::show_step() {
  const std::uint32_t step = workbench_.playback().step();
  const auto embolden = [this](std::uint32_t which, bool bold) {
    QFont font = tree_->font();
    font.setBold(bold);
    for (int column = 0; column < 3; ++column)
      steps_[which]->setData(column, Qt::FontRole, bold ? QVariant(font) : QVariant());
  };
  if (marked_ < steps_.size()) embolden(marked_, false);
  embolden(step, true);
  marked_ = step;
  tree_->setCurrentItem(steps_[step]);
  tree_->scrollToItem(steps_[step], QTreeWidget::PositionAtCenter);
}

}  // namespace kdscope
