#include "app/run/field_grid.hpp"

#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/plain_text.hpp"

namespace kdscope {

FieldGrid::FieldGrid(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(4);
}

void FieldGrid::add(const QString& label, const QString& help, QWidget* field) {
  auto* cell = new QWidget;
  auto* column = new QVBoxLayout(cell);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  auto* name = plain_label(label);
  name->setToolTip(help);
  name->setBuddy(field);
  field->setToolTip(help);
  field->setAccessibleName(label);
  field->setAccessibleDescription(help);
  if (field->objectName().isEmpty()) field->setObjectName(label);
  column->addWidget(name);
  column->addWidget(field);
  cells_.push_back(cell);
  columns_ = 0;
  arrange();
}

int FieldGrid::cell_width() const {
  int widest = 0;
  for (QWidget* cell : cells_) widest = std::max(widest, cell->minimumSizeHint().width());
  return widest;
}

QSize FieldGrid::minimumSizeHint() const { return {cell_width(), grid_->minimumSize().height()}; }

void FieldGrid::arrange() {
  const int gap = grid_->horizontalSpacing(), count = static_cast<int>(cells_.size());
  const int columns = std::clamp((width() + gap) / std::max(1, cell_width() + gap), 1, std::max(1, std::min(count, 4)));
  if (columns == columns_) return;
  for (QWidget* cell : cells_) grid_->removeWidget(cell);
  for (int i = 0; i < std::max(columns_, columns); ++i) grid_->setColumnStretch(i, i < columns ? 1 : 0);
  columns_ = columns;
  for (int i = 0; i < count; ++i) grid_->addWidget(cells_[static_cast<std::size_t>(i)], i / columns, i % columns);
  updateGeometry();
}

void FieldGrid::resizeEvent(QResizeEvent*) { arrange(); }

void FieldGrid::changeEvent(QEvent* event) {
  // The children get their new font a moment later.
  if (event->type() == QEvent::FontChange) QTimer::singleShot(0, this, &FieldGrid::arrange);
  QWidget::changeEvent(event);
}

}  // namespace kdscope
