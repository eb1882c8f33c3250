#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "app/look/appearance.hpp"
#include "app/look/labels.hpp"
#include "app/look/plain_text.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/viewer.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"

namespace kdscope {
namespace {

/// Sets the text scale of a window before its panes are created, so that they use it.
QWidget* with_scale(QWidget* window, int percent) {
  set_own_text_scale(*window, percent);
  return window;
}

}  // namespace

AudienceWindow::AudienceWindow(Workbench& workbench, QWidget* parent, int text_scale)
    : QWidget(parent, Qt::Window | Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint),
      workbench_(workbench),
      text_scale_(text_scale),
      scene_(new SceneView(with_scale(this, text_scale))),
      tree_(new TreeView(this)),
      narration_(new NarrationPane(workbench, this, Reader::audience)),
      arrays_(new ArraysPane(workbench, this)),
      place_(plain_label({}, this)),
      top_(new QWidget(this)),
      black_(new QWidget(this)) {
  setWindowTitle(tr("Presentation \u2013 kdscope"));
  setAccessibleName(tr("Presentation"));
  setFocusPolicy(Qt::StrongFocus);
  auto* row = new QHBoxLayout(top_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(scene_);
  row->addWidget(tree_);
  row->addWidget(narration_);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(16, 2, 16, 4);
  bottom->setSpacing(24);
  bottom->addWidget(place_);
  bottom->addWidget(new LegendStrip(workbench, this), 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(top_, 1);
  column->addWidget(arrays_);
  column->addLayout(bottom);
  place_->setObjectName(QStringLiteral("place"));
  black_->setObjectName(QStringLiteral("black"));
  black_->setAccessibleName(tr("Black screen"));
  black_->setAutoFillBackground(true);
  black_->setPalette(QPalette(Qt::black));
  black_->hide();
  // Let panes take the focus only by click, because keys control the whole presentation.
  for (QWidget* child : findChildren<QWidget*>())
    if (child->focusPolicy() != Qt::NoFocus) child->setFocusPolicy(Qt::ClickFocus);

  attach(*scene_, workbench.playback(), workbench);
  attach(*tree_, workbench.playback(), workbench);
  connect(&workbench.playback(), &Playback::stepped, this, &AudienceWindow::show_step);
  connect(&workbench.playback(), &Playback::opened, this, &AudienceWindow::share_room);
  connect(&workbench, &Workbench::appearance_changed, this, &AudienceWindow::share_room);
  connect(&workbench, &Workbench::failed, this,
          [this](const Error& error) { place_->setText(foreign_text(error.message())); });
  share_room();
  show_step();
}

void AudienceWindow::set_black(bool black) {
  black_->setGeometry(rect());
  black_->setVisible(black);
  black_->raise();
}

void AudienceWindow::set_text_scale(int percent) {
  text_scale_ = percent;
  set_own_text_scale(*this, percent);
  emit workbench_.appearance_changed();  // panes ask their window for its scale
}

void AudienceWindow::show_step() {
  const Step& step = workbench_.cursor()->current();
  QString place = step_place(step.ordinal, workbench_.step_count());
  place[0] = place[0].toUpper();
  if (step.level >= 0) place += tr(", level %1").arg(step.level);
  place += QStringLiteral(": ") + foreign_text(step.name);
  place_->setText(place);
}

void AudienceWindow::share_room() {
  // Give the arrays the height of their rows and the picture the rest. Hide the tree on a narrow screen.
  arrays_->setFixedHeight(std::clamp(arrays_->sizeHint().height(), height() / 5, height() * 17 / 50));
  const int reading = std::min(width() / 3, QFontMetrics(font()).averageCharWidth() * 44);
  narration_->setFixedWidth(reading);
  const int room = width() - reading;
  tree_->setVisible(room > QFontMetrics(font()).averageCharWidth() * 60);
  tree_->setFixedWidth(room * 9 / 20);
}

void AudienceWindow::resizeEvent(QResizeEvent*) {
  black_->setGeometry(rect());
  share_room();
}

}  // namespace kdscope
