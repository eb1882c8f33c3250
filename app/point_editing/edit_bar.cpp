#include "app/point_editing/edit_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/before_badge.hpp"
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

/// The difference in a few words: the pane What would change has all of them.
QString short_words_of(const Difference& difference) {
  const std::size_t nodes = difference.nodes.size(), points = difference.points.size();
  return difference.empty() ? EditBar::tr("Nothing differs")
         : nodes == 1       ? EditBar::tr("1 node differs")
         : nodes > 1        ? EditBar::tr("%L1 nodes differ").arg(nodes)
         : points == 1      ? EditBar::tr("1 point differs")
                            : EditBar::tr("%L1 points differ").arg(points);
}

/// The same where these have no room.
QString brief_words_of(const Difference& difference) {
  if (difference.empty()) return EditBar::tr("as before");
  const std::size_t count = difference.nodes.empty() ? difference.points.size() : difference.nodes.size();
  return count == 1 ? EditBar::tr("1 differs") : EditBar::tr("%L1 differ").arg(count);
}

}  // namespace

EditBar::EditBar(Workbench& workbench, PointEditor& editor, WhatIf& what_if, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      editor_(editor),
      what_if_(what_if),
      row_(new QWidget),
      axes_(new AxesBar(workbench)),
      title_(plain_label(tr(pane_named("view").title))),
      mark_(plain_label()),
      words_(new CutLabel),
      run_again_(new QPushButton(icon(Symbol::run), tr("Run again"))),
      accept_(new QPushButton(tr("Accept"))),
      take_back_(new QPushButton(tr("Take back"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout(row_);
  row->setContentsMargins(6, 1, 6, 1);
  row->setSpacing(6);
  row->addWidget(title_);
  row->addWidget(new BeforeBadge(workbench, "view"));
  row->addWidget(mark_);
  row->addWidget(words_, 1);
  row->addWidget(axes_);
  for (QPushButton* button : {run_again_, accept_, take_back_}) {
    button->setProperty(compact_control, true);
    row->addWidget(button);
  }
  column->addWidget(new ScrollingRow(row_));
  row_->setAutoFillBackground(true);
  words_->setMinimumWidth(0);
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  words_->setObjectName(QStringLiteral("edit_words"));
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
  connect(&workbench.playback(), &Playback::axes_changed, this, &EditBar::show_state);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &EditBar::show_state);
  connect(&workbench.looks(), &Looks::changed, this, &EditBar::show_state);
  connect(&workbench.desk(), &RunDesk::earlier_run_changed, this, &EditBar::show_state);
  connect(&editor, &PointEditor::editing_changed, this, &EditBar::show_state);
  connect(&editor, &PointEditor::hovered, this, [this](const QString& place) {
    place_ = place;
    show_words();
  });
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

/// Says what is edited and, where there is room, where the mouse is.
void EditBar::show_words() {
  const bool stale = workbench_.edits().stale(), compared = !stale && workbench_.desk().earlier_trace();
  const Difference* difference = compared ? what_if_.difference() : nullptr;
  const bool says = editor_.editing() || stale || compared;
  QString words = what_if_.on() ? tr("Drag a point") : tr("Click adds, drag moves"),
          all = what_if_.on() ? tr("What if? Drag a point: the algorithm runs at once, and differences are marked.")
                              : tr("Click adds a point, drag moves one, Delete removes the chosen ones.");
  if (stale)
    words = tr("Points edited"), all = tr("This run used the points before your edit.");
  else if (compared && !difference)
    words = all = tr("Comparing with the run before\u2026");
  else if (difference)
    words = short_words_of(*difference), all = what_if_.words();
  if (!says) words.clear();
  words_->set_brief(difference ? brief_words_of(*difference) : stale ? tr("Edited") : words);
  words_->setText(compared ? words : (words + QStringLiteral("   ") + place_).trimmed());
  words_->setToolTip(plain_tip(says ? all : QString()));
  words_->setAccessibleDescription(says ? all : QString());
}

void EditBar::show_state() {
  const bool stale = workbench_.edits().stale(), compared = !stale && workbench_.desk().earlier_trace();
  const Difference* difference = compared ? what_if_.difference() : nullptr;
  const Theme& t = theme_of(workbench_.looks().appearance());
  row_->setFont(interface_font(scale_of_bars(workbench_.looks().appearance().text_scale)));
  show_words();
  run_again_->setVisible(stale);
  run_again_->setEnabled(!workbench_.jobs().busy());
  accept_->setVisible(compared);
  take_back_->setVisible(compared);
  take_back_->setEnabled(!workbench_.jobs().busy());
  const int side = 20 * workbench_.looks().appearance().text_scale / 100;
  mark_->setPixmap(icon(stale ? Symbol::warning : Symbol::information, colour(t.text)).pixmap(side, side));
  QPalette colours = palette();
  colours.setColor(QPalette::Window, colour(stale                                ? mix(t.base, t.warning, 0.25)
                                            : difference && !difference->empty() ? changed_ground(t)
                                                                                 : t.window));
  row_->setPalette(colours);
  const bool says = editor_.editing() || stale || compared;
  title_->setVisible(!says && !AxesBar::is_needed(workbench_));  // the names of axes are title enough
  mark_->setVisible(says);
  for (const char* gives_way : {"edit_points_button", "show_everything_button"})
    if (auto* button = row_->findChild<QToolButton*>(QLatin1String(gives_way))) button->setVisible(!compared);
  // As high with buttons as without, so that the picture does not move under the mouse
  row_->setMinimumHeight(run_again_->sizeHint().height() + 2);
}

bool EditBar::eventFilter(QObject* watched, QEvent* event) {
  // Show only the picture in full screen.
  if (watched == window() && event->type() == QEvent::WindowStateChange) setVisible(!window()->isFullScreen());
  return QWidget::eventFilter(watched, event);
}

}  // namespace kdscope
