#include "app/shell/start_page.hpp"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/mnemonics.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/viewer.hpp"
#include "app/shell/course_list.hpp"
#include "app/shell/live_picture.hpp"
#include "app/workspace/recent_files.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr int most_recent = 4;
constexpr int page_margin = 3 * tokens::space_large, most_stretch = 100;
constexpr double usual_width = 1280, usual_height = 680, most_roomy = 1.4;  // where texts grow with the page

QString start_title() { return StartPage::tr("See how kd-trees are built in parallel"); }

QPushButton* opener(const QString& text, const char* name, QBoxLayout& column) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setAutoDefault(true);  // Enter presses it
  column.addWidget(button, 0, Qt::AlignLeft);
  return button;
}

}  // namespace

StartPage::StartPage(WorkbenchWindow& window, Workbench& workbench)
    : QWidget(&window),
      window_(window),
      workbench_(workbench),
      title_(plain_label(start_title())),
      words_(plain_label(tr("Step by step, on the CPU or a GPU: the arrays, the tree, and the partition of space."))),
      stack_(new QStackedWidget) {
  setObjectName(QStringLiteral("start_page"));
  setAccessibleName(tr("Start"));
  auto* page = new QVBoxLayout(scrolling_page(*this));
  scroll_ = findChild<QScrollArea*>();
  scroll_->setFocusPolicy(Qt::NoFocus);
  page->setContentsMargins(page_margin, 2 * tokens::space_large, page_margin, 2 * tokens::space_large);
  page->setSpacing(tokens::space_large);
  page->addStretch(1);
  for (QLabel* label : {title_, words_}) {
    label->setWordWrap(true);
    page->addWidget(label);
  }

  auto* pictures = new QHBoxLayout(stack_->widget(stack_->addWidget(new QWidget)));
  pictures->setContentsMargins(0, 0, 0, 0);
  pictures->setSpacing(tokens::space_large);
  for (const auto& [lesson, name] : {std::pair{"wald/ten-points", tr("Ten points: a tree by tagging and sorting")},
                                     {"wald/bunny", tr("A bunny: the same in three dimensions")},
                                     {"wald/nearest-with-a-stack", tr("A search: which point is nearest?")}})
    pictures->addWidget(new LivePicture(workbench, lesson, name, this), 1);
  page->addWidget(stack_, most_stretch);

  auto* below = new QHBoxLayout;
  below->setSpacing(tokens::space_large);
  const auto add_column = [&](const QString& heading) {
    auto* column = new QVBoxLayout;
    column->setSpacing(tokens::space);
    headings_.push_back(plain_label(heading));
    column->addWidget(headings_.back());
    below->addLayout(column, 1);
    return column;
  };
  add_starts(*add_column(tr("Learn")), workbench);
  add_own_points(*add_column(tr("Your own points")));
  const auto* recent = window_.findChild<RecentFiles*>();
  if (recent && !recent->paths().isEmpty())
    add_recent(*add_column(tr("Recent work")), recent->paths().mid(0, most_recent));
  else
    add_presentation(*add_column(tr("In front of a class")));
  page->addLayout(below);
  page->addStretch(1);

  when_restyled(*this, workbench, [this] { restyle(); });
  // What goes wrong while a file is opened is said here.
  auto* message = window.findChild<MessageBar*>();
  if (message) {
    message->lie_over(*this);
    const auto make_room = [this, message] {
      const int room = message->isHidden() ? 0 : message->height() + 2 * tokens::space;
      layout()->setContentsMargins(0, 0, 0, room);
    };
    connect(message, &MessageBar::visibility_changed, this, make_room);
    make_room();
  }
  auto* present = window.findChild<QAction*>(QStringLiteral("present"));
  connect(&workbench.playback(), &Playback::opened, this, [this, message, present] {
    if (message) message->lie_over(window_.scene());
    if (presents_) QMetaObject::invokeMethod(present, &QAction::trigger, Qt::QueuedConnection);
    deleteLater();
    hide();
  });
  // Behind the end of the job, which opens what it has read
  connect(
      &workbench.jobs(), &Jobs::busy_changed, this,
      [this](const QString& what) {
        if (what.isEmpty()) presents_ = false;
      },
      Qt::QueuedConnection);
  page_down_ = new QShortcut(Qt::Key_PageDown, this, [this] { begin(false); });
  if (present) new QShortcut(Qt::Key_F5, this, [this] { begin(true); });
  for (const char* name : {"next_pane", "previous_pane"})
    if (auto* walk = window.findChild<QAction*>(QLatin1String(name))) {
      walk->setEnabled(false);
      connect(this, &QObject::destroyed, walk, [walk] { walk->setEnabled(true); });
    }
  window.installEventFilter(this);
  cover_window();
  restyle();
}

void StartPage::begin(bool presents) {
  if (!accented_ || workbench_.jobs().busy()) return;
  presents_ = presents;
  accented_->click();
}

void StartPage::add_starts(QBoxLayout& column, Workbench& workbench) {
  QMenu& lessons = window_.menu(QStringLiteral("lessons"));
  const auto* go_on = lessons.findChild<QAction*>(QStringLiteral("continue_course"));
  const bool begun = go_on && go_on->isVisible();
  if (begun) {
    QPushButton* again = opener(words_of(*go_on), "start_continue", column);
    accented_ = again;
    connect(again, &QPushButton::clicked, go_on, &QAction::trigger);
  }
  // With no lesson open, the next one is the first.
  if (auto* next = lessons.findChild<QAction*>(QStringLiteral("next_lesson"))) {
    QPushButton* start = opener(tr("Start here: %1").arg(as_label(next->data().toString())), "start_here", column);
    if (!begun) accented_ = start;
    connect(start, &QPushButton::clicked, next, &QAction::trigger);
  }
  if (accented_) accented_->setDefault(true);
  const auto* course = lessons.findChild<CourseMenu*>();
  if (course && !course->course().parts.empty()) {
    auto* list = new CourseList(*course, workbench);
    stack_->addWidget(list);
    QPushButton* all = opener(tr("All lessons"), "start_lessons", column);
    const auto browse = [this, all, list](bool browses) {
      stack_->setCurrentIndex(browses);
      page_down_->setEnabled(!browses);  // the list scrolls
      all->setText(browses ? tr("Back to the pictures") : tr("All lessons"));
      title_->setText(browses ? tr("All lessons") : start_title());
      words_->setVisible(!browses);
      cover_window();
      (browses ? static_cast<QWidget*>(list) : all)->setFocus();
    };
    connect(all, &QPushButton::clicked, this, [this, browse] { browse(stack_->currentIndex() == 0); });
    auto* leave = new QShortcut(
        Qt::Key_Escape, list, [browse] { browse(false); }, Qt::WidgetShortcut);
    leave->setObjectName(QStringLiteral("leave_lessons"));
  }
  column.addStretch(1);
}

void StartPage::add_own_points(QBoxLayout& column) {
  if (auto* open = window_.findChild<QAction*>(QStringLiteral("open_points")))
    connect(opener(tr("Open your own points\u2026"), "start_open", column), &QPushButton::clicked, open,
            &QAction::trigger);
  QLabel* drop = plain_label(tr("or drop a file here: CSV, XYZ, NPY, PCD, PLY, OBJ, STL, or a trace"));
  drop->setWordWrap(true);
  column.addWidget(drop);
  column.addStretch(1);
}

void StartPage::add_recent(QBoxLayout& column, const QStringList& paths) {
  for (const QString& path : paths) {
    QPushButton* again = opener(QFileInfo(path).fileName(), "start_recent", column);
    again->setToolTip(plain_tip(path));
    connect(again, &QPushButton::clicked, this, [this, path] { workbench_.open(path); });
  }
  column.addStretch(1);
}

void StartPage::add_presentation(QBoxLayout& column) {
  connect(opener(tr("Present the lesson (F5)"), "start_present", column), &QPushButton::clicked, this,
          [this] { begin(true); });
  QLabel* keys = plain_label(tr("PageDown and PageUp, as on a remote, lead through it; F1 lists all keys."));
  keys->setWordWrap(true);
  column.addWidget(keys);
  column.addStretch(1);
}

/// Also above what has been added or raised since.
void StartPage::cover_window() {
  const int top = window_.menuBar()->geometry().bottom() + 1;
  setGeometry(0, top, window_.width(), window_.height() - top);
  // Higher than wide, a picture would have nothing but white above and below
  const int picture = (width() - 2 * page_margin - 2 * tokens::space_large) / 3;
  stack_->setMaximumHeight(stack_->currentIndex() == 0 ? picture : QWIDGETSIZE_MAX);
  raise();
  const double roomy = std::clamp(std::min(width() / usual_width, height() / usual_height), 1.0, most_roomy);
  if (std::exchange(roomy_, roomy) != roomy) QTimer::singleShot(0, this, &StartPage::restyle);
}

void StartPage::restyle() {
  const double scale = std::max<double>(text_scale_of(*this, workbench_.looks().appearance()), 100 * roomy_);
  const auto font = [&](double size, bool bold) {
    QFont font = interface_font(100, size * scale / 100);
    font.setBold(bold);
    return font;
  };
  title_->parentWidget()->setFont(font(1, false));  // a message below has its own
  title_->setFont(font(tokens::title_text, true));
  words_->setFont(font(tokens::lesson_text, false));
  for (QLabel* heading : headings_) heading->setFont(font(1, true));
  // The first pictures take long: no text is cut until then
  for (const LivePicture* picture : findChildren<LivePicture*>()) picture->layout()->activate();
  title_->parentWidget()->layout()->activate();
}

std::vector<QWidget*> StartPage::stations() const {
  std::vector<QWidget*> all;
  for (QWidget* at = nextInFocusChain(); at != this; at = at->nextInFocusChain())
    if (isAncestorOf(at) && at->isVisible() && at->isEnabled() && (at->focusPolicy() & Qt::TabFocus)) all.push_back(at);
  return all;
}

bool StartPage::focusNextPrevChild(bool next) {
  const std::vector<QWidget*> all = stations();
  if (all.empty()) return false;
  const auto here = std::find(all.begin(), all.end(), window_.focusWidget());
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  const std::ptrdiff_t at = here == all.end() ? (next ? -1 : 0) : here - all.begin();
  QWidget* there = all[static_cast<std::size_t>((at + (next ? 1 : count - 1)) % count)];
  there->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  scroll_->ensureWidgetVisible(there);
  return true;
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (accented_) accented_->setFocus();
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
    cover_window();
  return QWidget::eventFilter(watched, event);
}

void StartPage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), palette().color(QPalette::Window)); }

}  // namespace kdscope
