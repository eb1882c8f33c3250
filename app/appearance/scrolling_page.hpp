#pragma once
// A pane's page that scrolls: a small dock then neither cuts texts nor pushes its neighbours away.

#include <QScrollArea>
#include <QVBoxLayout>

namespace kdscope {

/// Fills `pane`, whose accessible name is set, with a scroll area and returns the empty page inside it.
inline QWidget* scrolling_page(QWidget& pane) {
  auto* page = new QWidget;
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName(pane.accessibleName());
  scroll->setWidget(page);
  auto* layout = new QVBoxLayout(&pane);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
  return page;
}

}  // namespace kdscope
