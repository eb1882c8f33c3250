#include "app/panes/timeline_pane.hpp"

#include <QHeaderView>
#include <algorithm>

#include "app/session/navigation.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_steps_expanded = 60;

int levels_of(const Trace& trace) {
  int deepest = -1;
  for (const Step& step : trace.steps) deepest = std::max(deepest, step.level);
  return deepest + 1;
}

}  // namespace

TimelinePane::TimelinePane(Workbench& workbench, QWidget* parent) : QTreeWidget(parent), workbench_(workbench) {
  setColumnCount(3);
  setHeaderLabels({tr("Phase"), tr("Step"), tr("ms")});
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  header()->setToolTip(tr("Milliseconds of the recorded run, copies left out"));
  setFrameShape(QFrame::NoFrame);
  setUniformRowHeights(true);
  setSelectionMode(SingleSelection);
  setAccessibleName(tr("Timeline"));
  setWindowTitle(tr("No run is open"));
  connect(&workbench, &Workbench::run_opened, this, &TimelinePane::open_run);
  connect(&workbench, &Workbench::step_changed, this, &TimelinePane::show_step);
  const auto go = [this](QTreeWidgetItem* item) { workbench_.seek(item->data(0, Qt::UserRole).toUInt()); };
  connect(this, &QTreeWidget::itemClicked, this, go);
  connect(this, &QTreeWidget::itemActivated, this, go);
}

void TimelinePane::open_run() {
  clear();
  const Trace& trace = workbench_.cursor()->trace();
  steps_.assign(trace.steps.size(), nullptr);
  marked_ = no_id;
  const auto add = [&](auto& self, const Phase& phase, QTreeWidgetItem* parent) -> void {
    auto* item = new QTreeWidgetItem({QString::fromStdString(phase.name)});
    item->setData(0, Qt::UserRole, phase.first);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    if (phase.is_step) {
      const Step& step = trace.steps[phase.first];
      item->setText(1, QString::number(phase.first));
      item->setText(2, QString::number(step.elapsed_ms, 'f', 3));
      item->setToolTip(0, QString::fromStdString(step.title));
      steps_[phase.first] = item;
    }
    if (parent)
      parent->addChild(item);
    else
      addTopLevelItem(item);
    for (const Phase& child : phase.children) self(self, child, item);
  };
  setWindowTitle(tr("%L1 steps, %L2 levels").arg(trace.steps.size()).arg(levels_of(trace)));
  for (const Phase& phase : phase_tree(trace)) add(add, phase, nullptr);
  if (steps_.size() <= most_steps_expanded)
    expandAll();
  else
    expandToDepth(0);
}

void TimelinePane::show_step() {
  const std::uint32_t step = workbench_.session().step;
  const auto embolden = [this](std::uint32_t which, bool bold) {
    QFont font = this->font();
    font.setBold(bold);
    for (int column = 0; column < 3; ++column)
      steps_[which]->setData(column, Qt::FontRole, bold ? QVariant(font) : QVariant());
  };
  if (marked_ < steps_.size()) embolden(marked_, false);
  embolden(step, true);
  marked_ = step;
  setCurrentItem(steps_[step]);
  scrollToItem(steps_[step], PositionAtCenter);
}

}  // namespace kdscope
