#include "app/point_editing/difference_pane.hpp"

#include <QVBoxLayout>
#include <algorithm>

#include "algorithms/core/ids.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_listed = 1000;

QString split_of(const Cursor& cursor, NodeId node) {
  const NodeList list(cursor);
  const int dim = node.value < list.size() ? list.split_dim(node.value) : -1;
  if (dim < 0) return DifferencePane::tr("no split");
  return QString::fromStdString(coordinate_name(static_cast<std::uint32_t>(dim), list.dim()) + " = " +
                                short_number(list.split_value(node.value)));
}

QString point_of(const Cursor& cursor, NodeId node) {
  const std::uint32_t point = NodeList(cursor).point(node.value);
  return point == no_id ? DifferencePane::tr("no point") : point_label(point);
}

/// The bucket of a node: "{4, 9}", "20 points", "3 triangles", or "no leaf" if the node keeps none.
QString bucket_of(const TreeDiagram& tree, NodeId id) {
  const auto node = tree.node(id);
  if (!node || !node->keeps_bucket) return DifferencePane::tr("no leaf");
  if (const std::string text = node->bucket_text(); !text.empty()) return foreign_text(text);
  if (tree.of_triangles)
    return node->count == 1 ? DifferencePane::tr("1 triangle") : DifferencePane::tr("%L1 triangles").arg(node->count);
  return DifferencePane::tr("%L1 points").arg(node->count);
}

/// The trees of both runs, used to show the buckets of their leaves.
struct Trees {
  TreeDiagram before, after;
};

QString describe(const NodeDifference& node, const Cursor& before, const Cursor& after, const Trees& trees) {
  if (node.before.value == no_id)
    return DifferencePane::tr("node %1 is new: %2").arg(node.after.value).arg(split_of(after, node.after));
  if (node.after.value == no_id)
    return DifferencePane::tr("node %1 is gone: %2").arg(node.before.value).arg(split_of(before, node.before));
  QStringList what;
  if (node.split)
    what << DifferencePane::tr("%1 \u2192 %2").arg(split_of(before, node.before), split_of(after, node.after));
  if (node.point)
    what << DifferencePane::tr("%1 \u2192 %2").arg(point_of(before, node.before), point_of(after, node.after));
  if (node.bucket) {
    const QString was = bucket_of(trees.before, node.before), is = bucket_of(trees.after, node.after);
    what << (was == is ? (trees.after.of_triangles ? DifferencePane::tr("different corners in it")
                                                   : DifferencePane::tr("different points in its bucket"))
                       : DifferencePane::tr("%1 \u2192 %2").arg(was, is));
  }
  if (node.box)
    what << (node.cell ? DifferencePane::tr("different cell") : DifferencePane::tr("different region"));
  else if (node.tight_box)
    what << DifferencePane::tr("different smallest box");
  return DifferencePane::tr("node %1: %2").arg(node.after.value).arg(what.join(QStringLiteral(", ")));
}

}  // namespace

DifferencePane::DifferencePane(Workbench& workbench, WhatIf& what_if, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      what_if_(what_if),
      when_(new QComboBox),
      words_(plain_label()),
      list_(new QListWidget) {
  setAccessibleName(tr("What would change"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(tokens::space, tokens::space_small, tokens::space, 0);
  column->setSpacing(tokens::space_small);
  column->addWidget(words_);
  column->addWidget(list_, 1);
  column->addStretch();
  when_->setProperty(compact_control, true);
  when_->addItems({tr("after this step"), tr("in the finished tree")});
  when_->setAccessibleName(tr("Where the runs are compared"));
  when_->setObjectName(QStringLiteral("compared_at"));
  list_->setObjectName(QStringLiteral("differences"));
  list_->setAccessibleName(tr("Nodes that differ"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setMinimumHeight(40);
  words_->setObjectName(QStringLiteral("difference_words"));
  words_->setWordWrap(true);
  connect(when_, &QComboBox::currentIndexChanged, this, [this](int index) { what_if_.set_finished(index == 1); });
  connect(&what_if, &WhatIf::changed, this, &DifferencePane::show_difference);
  connect(&what_if, &WhatIf::switched, this, &DifferencePane::show_difference);
  connect(list_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item && item->data(Qt::UserRole).isValid())
      workbench_.playback().select({Space::node, item->data(Qt::UserRole).toUInt()});
  });
  show_difference();
}

void DifferencePane::show_difference() {
  const Difference* difference = what_if_.difference();
  when_->setVisible(difference);
  list_->setVisible(difference && !difference->empty());
  words_->setText(difference      ? what_if_.words()
                  : what_if_.on() ? tr("Drag a point in the view. What changes in the tree is listed here.")
                                  : tr("Choose What if above the view and drag a point. What changes is listed here."));
  list_->clear();
  if (!difference) return;
  Trees trees;
  if (std::any_of(difference->nodes.begin(), difference->nodes.end(),
                  [](const NodeDifference& node) { return node.bucket; }))
    trees = {TreeDiagram::at(*what_if_.before()), TreeDiagram::at(*what_if_.after())};
  for (std::size_t i = 0; i < difference->nodes.size() && i < most_listed; ++i) {
    const NodeDifference& node = difference->nodes[i];
    auto* item = new QListWidgetItem(describe(node, *what_if_.before(), *what_if_.after(), trees), list_);
    if (node.after.value != no_id) item->setData(Qt::UserRole, node.after.value);
  }
  if (!difference->points.empty())
    new QListWidgetItem(difference->points.size() == 1
                            ? tr("1 point belongs to another node")
                            : tr("%L1 points belong to another node").arg(difference->points.size()),
                        list_);
  if (difference->nodes.size() > most_listed)
    new QListWidgetItem(tr("\u2026 and %L1 more").arg(difference->nodes.size() - most_listed), list_);
}

}  // namespace kdscope
