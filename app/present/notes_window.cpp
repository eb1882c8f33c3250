#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/viewer.hpp"
#include "app/present/presentation.hpp"
#include "app/recording/navigation.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "visualizer/model/step_heading.hpp"

namespace kdscope {
namespace {

constexpr int rest_ms = 500;  // notes are kept once the lecturer pauses

}  // namespace

NotesWindow::NotesWindow(Workbench& workbench, LecturerNotes& own, QWidget* parent, int text_scale, QTime started,
                         bool overlooked)
    : QWidget(parent, Qt::Window | Qt::WindowStaysOnTopHint),
      workbench_(workbench),
      own_(own),
      editor_(new QPlainTextEdit(this)),
      place_(plain_label({}, this)),
      next_title_(rich_label({}, this)),
      clock_(plain_label({}, this)),
      elapsed_(plain_label({}, this)),
      started_(started),
      overlooked_(overlooked) {
  set_own_text_scale(*this, text_scale);
  setWindowTitle(tr("Notes \u2013 kdscope"));
  setAccessibleName(tr("Notes"));
  notes_ = new NarrationPane(workbench, this, overlooked ? Reader::overlooked_speaker : Reader::speaker);
  preview_ = new SceneView(this);
  preview_->setAccessibleName(tr("Preview of the next step"));
  QFont bold = font(), large = font();
  bold.setBold(true);
  large.setPointSizeF(large.pointSizeF() * 1.8);
  place_->setFont(bold);
  clock_->setFont(large);
  elapsed_->setFont(large);
  elapsed_->setAlignment(Qt::AlignRight);
  elapsed_->setForegroundRole(QPalette::PlaceholderText);
  next_title_->setWordWrap(true);
  place_->setObjectName(QStringLiteral("place"));
  next_title_->setObjectName(QStringLiteral("next"));
  clock_->setObjectName(QStringLiteral("clock"));
  clock_->setAccessibleName(tr("Time"));
  elapsed_->setObjectName(QStringLiteral("elapsed"));
  elapsed_->setAccessibleName(tr("Time since the start"));

  editor_->setObjectName(QStringLiteral("own_notes"));
  editor_->setAccessibleName(tr("Your notes"));
  editor_->setPlaceholderText(tr("Your notes for this stop (E to write, Esc to leave)"));
  editor_->setTabChangesFocus(true);
  editor_->setFocusPolicy(Qt::ClickFocus);  // keys control the presentation until the lecturer writes
  editor_->installEventFilter(this);
  setFocusPolicy(Qt::StrongFocus);

  auto* left = new QVBoxLayout;
  left->addWidget(place_);
  left->addWidget(editor_, 1);
  left->addWidget(notes_, 3);
  auto* times = new QHBoxLayout;
  times->addWidget(clock_);
  times->addWidget(elapsed_, 1);
  auto* right = new QVBoxLayout;
  right->addLayout(times);
  right->addWidget(next_title_);
  right->addWidget(preview_, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 12, 16, 12);
  row->setSpacing(20);
  row->addLayout(left, 1);
  row->addLayout(right, 1);

  connect(&workbench.playback(), &Playback::opened, this, [this] { next_.close(); });
  connect(&workbench.playback(), &Playback::stepped, this, &NotesWindow::show_step);
  connect(&workbench.playback(), &Playback::concealment_changed, this, &NotesWindow::show_coming);
  next_.fetch_by(&workbench.coming_values());
  attach(*preview_, next_, workbench, [](const Selection&) {});
  connect(&tick_, &QTimer::timeout, this, &NotesWindow::show_clock);
  tick_.start(1000);
  rest_.setSingleShot(true);
  rest_.setInterval(rest_ms);
  connect(&rest_, &QTimer::timeout, this, &NotesWindow::keep_own);
  connect(editor_, &QPlainTextEdit::textChanged, &rest_, qOverload<>(&QTimer::start));
  show_clock();
  show_step();
}

NotesWindow::~NotesWindow() { keep_own(); }

void NotesWindow::edit() {
  if (!editor_->isEnabled()) return;
  activateWindow();
  editor_->setFocus(Qt::ShortcutFocusReason);
  editor_->moveCursor(QTextCursor::End);
}

void NotesWindow::keep_own() {
  rest_.stop();
  if (edited_stop_.empty()) return;
  if (const auto kept = own_.set(edited_lesson_, edited_stop_, editor_->toPlainText()); !kept)
    workbench_.messages().report(kept.error());
}

bool NotesWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched != editor_ || (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress))
    return QWidget::eventFilter(watched, event);
  // Escape leaves the editor, and nothing else.
  if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
  if (event->type() == QEvent::KeyPress) {
    keep_own();
    setFocus();
  }
  event->accept();
  return true;
}

std::optional<std::uint32_t> NotesWindow::next_step() const {
  const std::uint32_t step = workbench_.playback().step();
  const auto& stops = workbench_.lessons().stop_steps();
  const int stop = workbench_.lessons().stop_index();
  if (workbench_.lessons().at_introduction()) return stops.front();
  if (stop >= 0 && stop + 1 < static_cast<int>(stops.size())) return stops[static_cast<std::size_t>(stop) + 1];
  if (stop < 0)
    if (const auto later = std::upper_bound(stops.begin(), stops.end(), step); later != stops.end()) return *later;
  if (stops.empty() && step + 1 < workbench_.playback().step_count()) return step + 1;
  return std::nullopt;
}

void NotesWindow::show_step() {
  const auto& stops = workbench_.lessons().stop_steps();
  const int stop = workbench_.lessons().stop_index();
  const QString step = step_place(workbench_.playback().step(), workbench_.playback().step_count());
  keep_own();
  const Lesson* lesson = workbench_.lessons().lesson();
  edited_lesson_ = lesson ? lesson->id : std::string();
  edited_stop_ = lesson && stop >= 0 ? lesson->stops[static_cast<std::size_t>(stop)].title : std::string();
  editor_->setVisible(!edited_stop_.empty());
  editor_->setEnabled(!edited_stop_.empty());
  {
    const QSignalBlocker quiet(editor_);
    editor_->setPlainText(own_.text(edited_lesson_, edited_stop_));
  }
  const QString stop_words = notes_->windowTitle();  // the pane already shows this step
  place_->setText(stops.empty() ? step : QStringLiteral("%1, %2").arg(stop_words, step));
  show_coming();
}

void NotesWindow::show_coming() {
  const auto next = next_step();
  const bool hidden = next && *next > workbench_.playback().last_step();
  preview_->setVisible(next && !hidden);
  if (hidden)
    next_title_->setText(tr("<b>Next:</b> hidden while a step is performed."));
  else if (next)
    show_next(*next);
  else
    next_title_->setText(tr("<b>Next:</b> nothing, this is the last one."));
}

void NotesWindow::show_next(std::uint32_t next) {
  const auto& stops = workbench_.lessons().stop_steps();
  const int stop = workbench_.lessons().stop_index();
  if (!next_.cursor()) next_.open(Cursor(workbench_.playback().trace()), {});
  const Step& coming = next_.trace()->steps[next];
  QString title = foreign_text(step_heading(coming));
  Concealment concealed = workbench_.playback().concealment();
  if (!stops.empty()) {
    // Take the stop after the current one, because several stops may share a step.
    const std::size_t index =
        workbench_.lessons().at_introduction() ? 0
        : stop >= 0                            ? static_cast<std::size_t>(stop) + 1
                    : static_cast<std::size_t>(std::find(stops.begin(), stops.end(), next) - stops.begin());
    const Stop& coming_stop = workbench_.lessons().lesson()->stops[index];
    title = foreign_text(coming_stop.title);
    concealed.add(concealed_by(workbench_, coming_stop));
  }
  next_.when_here(next, [this, next, concealed = overlooked_ ? concealed : Concealment()] {
    next_.add_highlights(workbench_.lessons().highlights(next));
    next_.conceal_next(concealed);
    next_.go_to(next);
    next_.set_axes(workbench_.playback().place().axes);
  });
  next_title_->setText(tr("<b>Next:</b> %1").arg(title.toHtmlEscaped()));
}

void NotesWindow::show_clock() {
  const QTime now = QTime::currentTime();
  clock_->setText(QLocale().toString(now, QLocale::ShortFormat));
  // A lecture may run past midnight.
  const int seconds = (started_.secsTo(now) + 24 * 3600) % (24 * 3600);
  elapsed_->setText(QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
}

}  // namespace kdscope
