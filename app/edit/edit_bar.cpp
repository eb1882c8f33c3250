#include "app/edit/edit_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>

#include "app/appearance.hpp"
#include "app/icons.hpp"

namespace kdscope {

EditBar::EditBar(Workbench& workbench, PointEditor& editor, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      editor_(editor),
      row_(new QWidget),
      stripe_(new QFrame),
      hint_(new QLabel),
      mark_(new QLabel),
      stale_(new QLabel(tr("Points were edited: this run is of the points before."))),
      run_again_(new QPushButton(icon(Symbol::run), tr("Run again"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout(row_);
  row->setContentsMargins(6, 1, 6, 1);
  row->setSpacing(6);
  row->addWidget(hint_, 1);
  auto* stripe = new QHBoxLayout(stripe_);
  stripe->setContentsMargins(10, 3, 6, 3);
  stripe->addWidget(mark_);
  stripe->addWidget(stale_, 1);
  stripe->addWidget(run_again_);
  column->addWidget(row_);
  column->addWidget(stripe_);
  hint_->setObjectName(QStringLiteral("edit_hint"));
  hint_->setMinimumWidth(0);
  hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  hint_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  stripe_->setObjectName(QStringLiteral("stale"));
  stripe_->setAutoFillBackground(true);
  stale_->setWordWrap(true);
  run_again_->setObjectName(QStringLiteral("run_again"));
  run_again_->setToolTip(tr("Runs the algorithm on the points as they are now (F9)"));
  connect(run_again_, &QPushButton::clicked, &workbench, &Workbench::run_again);
  connect(&workbench, &Workbench::points_changed, this, &EditBar::show_state);
  connect(&workbench, &Workbench::busy_changed, this, &EditBar::show_state);
  connect(&workbench, &Workbench::appearance_changed, this, &EditBar::show_colours);
  connect(&editor, &PointEditor::editing_changed, this, &EditBar::show_state);
  connect(&editor, &PointEditor::hovered, this, [this](const QString& coordinates) {
    if (coordinates.isEmpty())
      show_state();
    else
      hint_->setText(coordinates);
  });
  show_colours();
  show_state();
}

void EditBar::add_action(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setObjectName(action->objectName() + QStringLiteral("_button"));
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setAutoRaise(true);
  auto* row = static_cast<QHBoxLayout*>(row_->layout());
  row->insertWidget(row->count() - 1, button);
}

void EditBar::show_state() {
  const QString hint = tr("Click adds, drag moves, Delete removes");
  hint_->setText(editor_.editing() ? hint : QString());
  hint_->setToolTip(hint);
  stripe_->setVisible(workbench_.stale());
  run_again_->setEnabled(!workbench_.busy());
}

void EditBar::show_colours() {
  const Theme& t = theme_of(workbench_.session());
  QPalette colours = palette();
  const Rgb ground = mix(t.base, t.warning, 0.25);
  colours.setColor(QPalette::Window, colour(ground));
  colours.setColor(QPalette::WindowText, colour(t.text));
  stripe_->setPalette(colours);
  const int side = 20 * workbench_.session().text_scale / 100;
  mark_->setPixmap(icon(Symbol::warning, colour(t.text)).pixmap(side, side));
}

bool EditBar::eventFilter(QObject* watched, QEvent* event) {
  // Nothing but the picture in full screen.
  if (watched == window() && event->type() == QEvent::WindowStateChange) setVisible(!window()->isFullScreen());
  return QWidget::eventFilter(watched, event);
}

}  // namespace kdscope
