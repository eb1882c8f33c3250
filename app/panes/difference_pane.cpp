#include "app/panes/difference_pane.hpp"

#include <QVBoxLayout>

#include "algorithms/core/ids.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_listed = 1000;

QString split_of(const Cursor& cursor, NodeId node) {
  const NodeList list(cursor);
  const int dim = node.value < list.size() ? list.split_dim(node.value) : -1;
  if (dim < 0) return DifferencePane::tr("no split");
  return QString::fromStdString(dimension_name(static_cast<std::uint32_t>(dim), list.dim()) + " = " + short_number(list.split_value(node.value)));
}

QString point_of(const Cursor& cursor, NodeId node) {
  const std::uint32_t point = NodeList(cursor).point(node.value);
  return point == no_id ? DifferencePane::tr("no point") : DifferencePane::tr("point %1").arg(point);
}

QString describe(const NodeDifference& node, const Cursor& before, const Cursor& after) {
  if (node.before.value == no_id) return DifferencePane::tr("node %1 is new: %2").arg(node.after.value).arg(split_of(after, node.after));
  if (node.after.value == no_id) return DifferencePane::tr("node %1 is gone: %2").arg(node.before.value).arg(split_of(before, node.before));
  QStringList what;
  if (node.split) what << DifferencePane::tr("%1 \u2192 %2").arg(split_of(before, node.before), split_of(after, node.after));
  if (node.point) what << DifferencePane::tr("%1 \u2192 %2").arg(point_of(before, node.before), point_of(after, node.after));
  if (node.box) what << (node.cell ? DifferencePane::tr("other cell") : DifferencePane::tr("other region"));
  return DifferencePane::tr("node %1: %2").arg(node.after.value).arg(what.join(QStringLiteral(", ")));
}

}  // namespace

DifferencePane::DifferencePane(Workbench& workbench, WhatIf& what_if, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      what_if_(what_if),
      when_(new QComboBox),
      empty_(new QLabel(tr("Choose What if above the view and move a point: what the move changes is listed here."))),
      list_(new QListWidget) {
  setAccessibleName(tr("What would change"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(4);
  column->addWidget(empty_);
  column->addWidget(when_);
  column->addWidget(list_, 1);
  column->addStretch();
  when_->addItems({tr("after this step"), tr("in the finished tree")});
  when_->setAccessibleName(tr("Where the runs are compared"));
  when_->setObjectName(QStringLiteral("compared_at"));
  list_->setObjectName(QStringLiteral("differences"));
  list_->setAccessibleName(tr("Nodes that differ"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setMinimumHeight(40);
  empty_->setWordWrap(true);
  empty_->setContentsMargins(10, 4, 10, 4);
  connect(when_, &QComboBox::currentIndexChanged, this, [this](int index) { what_if_.set_finished(index == 1); });
  connect(&what_if, &WhatIf::changed, this, &DifferencePane::show_difference);
  connect(list_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item && item->data(Qt::UserRole).isValid()) workbench_.select({Space::node, item->data(Qt::UserRole).toUInt()});
  });
  show_difference();
}

void DifferencePane::show_difference() {
  const Difference* difference = what_if_.difference();
  when_->setVisible(difference);
  list_->setVisible(difference);
  empty_->setVisible(!difference);
  list_->clear();
  setWindowTitle(difference ? words_of(*difference) : tr("This run beside the one before the edit"));
  if (!difference) return;
  for (std::size_t i = 0; i < difference->nodes.size() && i < most_listed; ++i) {
    const NodeDifference& node = difference->nodes[i];
    auto* item = new QListWidgetItem(describe(node, *what_if_.before(), *what_if_.after()), list_);
    if (node.after.value != no_id) item->setData(Qt::UserRole, node.after.value);
  }
  if (!difference->points.empty())
    new QListWidgetItem(tr("%L1 points belong to another node").arg(difference->points.size()), list_);
  if (difference->nodes.size() > most_listed)
    new QListWidgetItem(tr("\u2026 and %L1 nodes more").arg(difference->nodes.size() - most_listed), list_);
}

}  // namespace kdscope
