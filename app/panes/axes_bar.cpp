#include "app/panes/axes_bar.hpp"

#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "app/appearance/flat_style.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/workbench/axes_choice.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr int most_in_sight = 20;

}  // namespace

AxesBar::AxesBar(Workbench& workbench, QWidget* parent) : QWidget(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("axes_bar"));
  setAccessibleName(tr("Dimensions on the axes"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(tokens::space_small);
  auto* label = plain_label(tr("axes"));
  row->addWidget(label);
  for (int axis = 0; axis < 3; ++axis) {
    const QString name = QString(QLatin1Char("xyz"[axis]));
    QComboBox*& list = lists_[static_cast<std::size_t>(axis)];
    list = new QComboBox;
    list->setObjectName(QStringLiteral("axis_") + name);
    list->setAccessibleName(tr("Dimension along %1").arg(name));
    list->setToolTip(axis == 2 ? tr("The dimension along %1, or none for a flat view (X)").arg(name)
                               : tr("The dimension along %1: choose it, or type it and press Enter (X)").arg(name));
    list->setMaxVisibleItems(most_in_sight);
    list->setProperty(compact_control, true);
    list->setEditable(true);  // the hundredth dimension is faster to type than to find
    list->setInsertPolicy(QComboBox::NoInsert);
    list->setMinimumContentsLength(4);
    list->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // the list is filled after it is first shown
    list->completer()->setCompletionMode(QCompleter::PopupCompletion);
    if (axis == 0) label->setBuddy(list);
    row->addWidget(list);
    connect(list, &QComboBox::activated, this, [this, axis, list] {
      const std::uint32_t dim = workbench_.playback().cursor()->trace().header.dim;
      choose_axes(workbench_, with_axis(workbench_.playback().axes(), axis, list->currentData().toInt(), dim));
      show_axes();
    });
    connect(list->lineEdit(), &QLineEdit::editingFinished, this, [this, list] {
      if (list->findText(list->currentText(), Qt::MatchFixedString) < 0)
        workbench_.messages().report({ErrorKind::bad_usage,
                                      "there is no dimension '" + list->currentText().toStdString() + "'", "",
                                      "choose one of " + list->itemText(0).toStdString() + " to " +
                                          list->itemText(list->count() - 1).toStdString()});
      show_axes();
    });
  }
  connect(&workbench.playback(), &Playback::axes_changed, this, &AxesBar::show_axes);
  show_axes();
}

bool AxesBar::is_needed(const Workbench& workbench) {
  return workbench.playback().cursor() && workbench.playback().cursor()->trace().header.dim > 2;
}

void AxesBar::start() {
  lists_[0]->setFocus(Qt::ShortcutFocusReason);
  lists_[0]->lineEdit()->selectAll();
}

void AxesBar::show_axes() {
  setVisible(is_needed(workbench_));
  if (!is_needed(workbench_)) return;
  const auto dim = static_cast<int>(workbench_.playback().cursor()->trace().header.dim);
  const Axes axes = workbench_.playback().axes();
  for (std::size_t axis = 0; axis < lists_.size(); ++axis) {
    QComboBox& list = *lists_[axis];
    const QSignalBlocker quiet(list);
    const int none = axis == 2 ? 1 : 0;
    if (list.count() != dim + none) {
      list.clear();
      if (none) list.addItem(tr("none"), -1);
      for (int d = 0; d < dim; ++d)
        list.addItem(
            QString::fromStdString(coordinate_name(static_cast<std::uint32_t>(d), static_cast<std::uint32_t>(dim))), d);
    }
    list.setCurrentIndex(list.findData(axes[axis]));
    list.setEditText(list.currentText());
  }
}

}  // namespace kdscope
