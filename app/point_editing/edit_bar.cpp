#include "app/point_editing/edit_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

/// A row as high as its contents. If they need more than half of the window's width, they can scroll sideways.
class ScrollingRow : public QScrollArea {
 public:
  explicit ScrollingRow(QWidget* row) {
    setWidget(row);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    row->setAutoFillBackground(false);
    row->installEventFilter(this);
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this] { updateGeometry(); });
  }
  QSize sizeHint() const override {
    const QSize row = widget()->layout()->sizeHint();
    const bool scrolls = horizontalScrollBar()->maximum() > 0;
    return {row.width(), row.height() + (scrolls ? horizontalScrollBar()->sizeHint().height() : 0)};
  }
  QSize minimumSizeHint() const override {
    return {std::min(sizeHint().width(), window()->width() / 2), sizeHint().height()};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
    if (watched == widget() && event->type() == QEvent::FontChange)
      QTimer::singleShot(0, this, [this] {  // after its parts have the font too; a combo box does not signal that
        for (QWidget* part : widget()->findChildren<QWidget*>()) part->updateGeometry();
        fit();
      });
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  void fit() {
    const QSize least = widget()->layout()->minimumSize();
    // Pass on only changes: each one makes the window lay out anew, which requests this layout again. Without the test,
    // the requests would never end.
    if (least == fitted_) return;
    fitted_ = least;
    widget()->setMinimumWidth(least.width());
    updateGeometry();
  }
  QSize fitted_;
};

}  // namespace

EditBar::EditBar(Workbench& workbench, PointEditor& editor, WhatIf& what_if, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      editor_(editor),
      what_if_(what_if),
      row_(new QWidget),
      axes_(new AxesBar(workbench)),
      stripe_(new QFrame),
      place_(plain_label()),
      mark_(plain_label()),
      words_(plain_label()),
      run_again_(new QPushButton(icon(Symbol::run), tr("Run again"))),
      accept_(new QPushButton(tr("Accept"))),
      take_back_(new QPushButton(tr("Take back"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout(row_);
  row->setContentsMargins(6, 1, 6, 1);
  row->setSpacing(6);
  row->addWidget(plain_label(tr(pane_named("view").title)));
  row->addWidget(place_, 1);
  row->addWidget(axes_);
  auto* stripe = new QHBoxLayout(stripe_);
  stripe->setContentsMargins(10, 3, 6, 3);
  stripe->addWidget(mark_);
  stripe->addWidget(words_, 1);
  for (QPushButton* button : {run_again_, accept_, take_back_}) stripe->addWidget(button);
  column->addWidget(new ScrollingRow(row_));
  column->addWidget(stripe_);
  place_->setMinimumWidth(0);
  place_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  place_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  stripe_->setObjectName(QStringLiteral("edit_stripe"));
  stripe_->setAutoFillBackground(true);
  words_->setObjectName(QStringLiteral("edit_words"));
  words_->setWordWrap(true);
  run_again_->setObjectName(QStringLiteral("run_again"));
  run_again_->setToolTip(tr("Runs the algorithm on the points as they are now (F9)"));
  accept_->setObjectName(QStringLiteral("accept_edits"));
  accept_->setToolTip(tr("Keeps the edited points and this run"));
  take_back_->setObjectName(QStringLiteral("revert_edits"));
  take_back_->setToolTip(tr("Restores the points and the run before the edit"));
  connect(run_again_, &QPushButton::clicked, &workbench.desk(), &RunDesk::run_again);
  connect(accept_, &QPushButton::clicked, &workbench.desk(), &RunDesk::accept_edits);
  connect(take_back_, &QPushButton::clicked, &workbench.desk(), &RunDesk::revert_edits);
  connect(&workbench.edits(), &PointEdits::changed, this, &EditBar::show_state);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &EditBar::show_state);
  connect(&workbench.looks(), &Looks::changed, this, &EditBar::show_state);
  connect(&workbench.desk(), &RunDesk::earlier_run_changed, this, &EditBar::show_state);
  connect(&editor, &PointEditor::editing_changed, this, &EditBar::show_state);
  connect(&editor, &PointEditor::hovered, place_, &QLabel::setText);
  connect(&what_if, &WhatIf::changed, this, &EditBar::show_state);
  connect(&what_if, &WhatIf::switched, this, &EditBar::show_state);
  show_state();
}

void EditBar::add_action(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setObjectName(action->objectName() + QStringLiteral("_button"));
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setAutoRaise(true);
  auto* row = static_cast<QHBoxLayout*>(row_->layout());
  row->addWidget(button);
}

void EditBar::show_state() {
  const bool stale = workbench_.edits().stale(), compared = !stale && workbench_.desk().earlier_trace();
  const bool differs = compared && what_if_.difference() && !what_if_.difference()->empty();
  const Theme& t = theme_of(workbench_.looks().appearance());
  row_->setFont(interface_font(scale_of_bars(workbench_.looks().appearance().text_scale)));
  QString words = what_if_.on() ? tr("What if? Drag a point: the algorithm runs at once, and differences are marked.")
                                : tr("Click adds a point, drag moves one, Delete removes the chosen ones.");
  if (stale)
    words = tr("This run used the points before your edit.");
  else if (compared)
    words = what_if_.difference() ? what_if_.words() : tr("Comparing with the run before\u2026");
  words_->setText(words);
  run_again_->setVisible(stale);
  run_again_->setEnabled(!workbench_.jobs().busy());
  accept_->setVisible(compared);
  take_back_->setVisible(compared);
  take_back_->setEnabled(!workbench_.jobs().busy());
  const int side = 20 * workbench_.looks().appearance().text_scale / 100;
  mark_->setPixmap(icon(stale ? Symbol::warning : Symbol::information, colour(t.text)).pixmap(side, side));
  QPalette colours = palette();
  colours.setColor(QPalette::Window, colour(stale     ? mix(t.base, t.warning, 0.25)
                                            : differs ? changed_ground(t)
                                                      : t.window));
  colours.setColor(QPalette::WindowText, colour(t.text));
  stripe_->setPalette(colours);
  // Keep the stripe while points are edited, so that the picture does not move under the mouse.
  stripe_->setVisible(editor_.editing() || stale || compared);
  const QFontMetrics metrics(words_->font());
  const int lines = width() < 32 * metrics.lineSpacing() ? 3 : 2;  // beside the buttons of a comparison
  stripe_->setMinimumHeight(lines * metrics.lineSpacing() + 10);
}

bool EditBar::eventFilter(QObject* watched, QEvent* event) {
  // Show only the picture in full screen.
  if (watched == window() && event->type() == QEvent::WindowStateChange) setVisible(!window()->isFullScreen());
  return QWidget::eventFilter(watched, event);
}

}  // namespace kdscope
