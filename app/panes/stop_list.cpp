#include "app/panes/stop_list.hpp"

#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {

StopList::StopList(Workbench& workbench, QWidget* parent)
    : QDialog(parent, Qt::Popup), workbench_(workbench), list_(new QListWidget) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Dark);  // a line around the list, as around menus
  setObjectName(QStringLiteral("stop_list"));
  list_->setAccessibleName(tr("Stops of the lesson"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setWordWrap(true);
  list_->setSpacing(tokens::space_small);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->addWidget(list_);
  connect(list_, &QListWidget::itemActivated, this, &StopList::go);
  connect(list_, &QListWidget::itemClicked, this, &StopList::go);
  connect(&workbench.playback(), &Playback::opened, this, &QDialog::close);
}

void StopList::show_stops() {
  const Lesson* lesson = workbench_.lessons().lesson();
  if (!lesson || workbench_.lessons().stop_steps().empty()) return;
  list_->setFont(interface_font(text_scale_of(*parentWidget(), workbench_.looks().appearance()), tokens::lesson_text));
  list_->clear();
  list_->addItem(tr("Introduction"));
  for (std::size_t i = 0; i < lesson->stops.size(); ++i)
    list_->addItem(QStringLiteral("%1.  %2").arg(i + 1).arg(foreign_text(lesson->stops[i].title)));
  // Between stops, the last one that was passed.
  const auto& steps = workbench_.lessons().stop_steps();
  int current = workbench_.lessons().stop_index();
  if (current < 0 && !workbench_.lessons().at_introduction())
    current = static_cast<int>(std::count_if(steps.begin(), steps.end(),
                                             [&](std::uint32_t step) { return step < workbench_.playback().step(); })) -
              1;
  list_->setCurrentRow(current + 1);
  const int wanted = (list_->sizeHintForRow(0) + 2 * list_->spacing()) * list_->count() + 8;
  const QSize most = parentWidget()->size() * 0.8;
  resize(std::min(most.width(), std::max(480, list_->sizeHintForColumn(0) + 40)), std::min(most.height(), wanted));
  move(parentWidget()->mapToGlobal(parentWidget()->rect().center()) - rect().center());
  show();
  raise();
  activateWindow();
  list_->setFocus();
}

void StopList::go() {
  const int stop = list_->currentRow() - 1;
  close();
  workbench_.lessons().go_to_stop(stop);
}

}  // namespace kdscope
