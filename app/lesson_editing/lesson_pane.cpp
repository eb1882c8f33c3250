#include "app/lesson_editing/lesson_pane.hpp"

#include <QAction>
#include <QKeyEvent>

#include "app/appearance/scrolling_page.hpp"

namespace kdscope {
namespace {

/// A button of an action; its text is the action's, without the key of the menu.
QToolButton* button_of(QAction* action, const QString& text, const char* name) {
  auto* made = new QToolButton;
  made->setDefaultAction(action);
  made->setText(text);
  made->setObjectName(QString::fromLatin1(name));
  made->setAccessibleName(text);
  made->setFocusPolicy(Qt::StrongFocus);
  // The button would take the text of the action again whenever that changes.
  QObject::connect(action, &QAction::changed, made, [made, text] { made->setText(text); });
  return made;
}

}  // namespace

LessonPane::LessonPane(Workbench& workbench, const LessonActions& actions, std::function<InSight()> in_sight)
    : workbench_(workbench), actions_(actions), pages_(new QStackedWidget) {
  setAccessibleName(tr("Lesson editor"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(pages_);
  pages_->addWidget(make_empty());
  pages_->addWidget(make_editing(std::move(in_sight)));
  connect(&workbench.editor(), &LessonEditor::opened, this, &LessonPane::show_draft);
  connect(&workbench.editor(), &LessonEditor::changed, this, &LessonPane::show_draft);
  connect(&workbench.looks(), &Looks::changed, this, &LessonPane::show_draft);
  show_draft();
}

/// The page while no lesson is edited: it says what to do.
QWidget* LessonPane::make_empty() {
  auto* page = new QWidget;
  page->setAccessibleName(tr("How to begin a lesson"));
  auto* column = new QVBoxLayout(scrolling_page(*page));
  auto* words = plain_label(
      tr("Run any algorithm on any data, your own points too. Begin a lesson on this run, go to a step, and add a stop "
         "there."));
  words->setWordWrap(true);
  column->addWidget(words);
  column->addWidget(button_of(actions_.begin, tr("New lesson"), "editor_new"));
  column->addWidget(button_of(actions_.edit, tr("Edit the open lesson, or a copy of it"), "editor_edit"));
  column->addStretch(1);
  return page;
}

QWidget* LessonPane::make_editing(std::function<InSight()> in_sight) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(4);

  other_run_ = new QWidget;
  auto* other = new QVBoxLayout(other_run_);
  other->setContentsMargins(0, 0, 0, 0);
  auto* words = plain_label(tr("The open run is not the lesson's."));
  words->setWordWrap(true);
  other->addWidget(words);
  auto* choices = new QHBoxLayout;
  auto* back = text_button(tr("Open the lesson's run"), "editor_open_run", tr("Open the lesson's run"));
  auto* use = text_button(tr("Use this run"), "editor_use_run", tr("Make the open run the lesson's"));
  choices->addWidget(back);
  choices->addWidget(use);
  choices->addStretch(1);
  other->addLayout(choices);
  column->addWidget(other_run_);

  stops_ = new QComboBox;
  stops_->setObjectName(QStringLiteral("editor_stops"));
  stops_->setAccessibleName(tr("Lesson and stops"));
  stops_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  stops_->setMinimumContentsLength(14);
  column->addWidget(stops_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(2);
  move_ = text_button(tr("Move here"), "editor_move", tr("Move the stop to the step that is shown"));
  up_ = text_button(QStringLiteral("\u2191"), "editor_up", tr("Earlier in the lesson"));
  down_ = text_button(QStringLiteral("\u2193"), "editor_down", tr("Later in the lesson"));
  remove_ = text_button(QStringLiteral("\u2715"), "editor_remove", tr("Remove the stop"));
  buttons->addWidget(button_of(actions_.add_stop, tr("Add a stop here"), "editor_add_stop"));
  for (QToolButton* each : {move_, up_, down_, remove_}) buttons->addWidget(each);
  buttons->addStretch(1);
  column->addLayout(buttons);

  auto* form_frame = new QWidget;
  form_frame->setAccessibleName(tr("Fields of the lesson"));
  auto* inner = new QVBoxLayout(scrolling_page(*form_frame));
  inner->setContentsMargins(0, 4, 8, 4);
  forms_ = new QStackedWidget;
  lesson_form_ = new LessonForm(workbench_);
  stop_form_ = new StopForm(workbench_, std::move(in_sight));
  forms_->addWidget(lesson_form_);
  forms_->addWidget(stop_form_);
  inner->addWidget(forms_);
  column->addWidget(form_frame, 1);

  state_ = plain_label();
  state_->setObjectName(QStringLiteral("editor_state"));
  state_->setWordWrap(true);
  auto* foot = new QHBoxLayout;
  foot->addWidget(state_, 1);
  foot->addWidget(button_of(actions_.preview, tr("As a student"), "editor_preview"));
  foot->addWidget(button_of(actions_.save, tr("Save"), "editor_save"));
  column->addLayout(foot);

  LessonEditor* editor = &workbench_.editor();
  connect(stops_, &QComboBox::activated, editor, [editor](int index) { editor->go_to(index - 1); });
  connect(move_, &QToolButton::clicked, editor, &LessonEditor::move_here);
  connect(up_, &QToolButton::clicked, editor, [editor] { editor->reorder(-1); });
  connect(down_, &QToolButton::clicked, editor, [editor] { editor->reorder(1); });
  connect(remove_, &QToolButton::clicked, editor, &LessonEditor::remove_stop);
  connect(back, &QToolButton::clicked, editor, &LessonEditor::open_run);
  connect(use, &QToolButton::clicked, this, [this] {
    if (const auto used = workbench_.editor().use_open_run(); !used) workbench_.messages().report(used.error());
  });
  return page;
}

void LessonPane::show_draft() {
  const LessonEditor& editor = workbench_.editor();
  pages_->setCurrentIndex(editor.active() ? 1 : 0);
  // The page that is not shown takes no room from the docks beside this one.
  for (int i = 0; i < pages_->count(); ++i)
    pages_->widget(i)->setSizePolicy(QSizePolicy::Preferred,
                                     i == pages_->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
  if (!editor.active()) return stop_form_->stop_picking();
  const Lesson& lesson = editor.lesson();
  const int stop = editor.stop(), count = static_cast<int>(lesson.stops.size());
  other_run_->setVisible(!editor.fits_run());

  const auto wrong = [&](int at) {
    const auto& problems = editor.problems();
    return std::any_of(problems.begin(), problems.end(),
                       [&](const LessonProblem& problem) { return problem.refused && problem.stop == at; });
  };
  const auto marked = [&](const QString& text, int at) { return wrong(at) ? text + tr(" \u2717") : text; };
  {
    const QSignalBlocker quiet(stops_);
    stops_->clear();
    stops_->addItem(
        marked(lesson.title.empty() ? tr("The lesson") : tr("The lesson: %1").arg(foreign_text(lesson.title)), -1));
    for (int i = 0; i < count; ++i)
      stops_->addItem(marked(
          QStringLiteral("%1. %2").arg(i + 1).arg(foreign_text(lesson.stops[static_cast<std::size_t>(i)].title)), i));
    stops_->setCurrentIndex(stop + 1);
  }
  move_->setEnabled(stop >= 0 && editor.fits_run());
  up_->setEnabled(stop > 0);
  down_->setEnabled(stop >= 0 && stop + 1 < count);
  remove_->setEnabled(stop >= 0);

  forms_->setCurrentIndex(stop < 0 ? 0 : 1);
  if (stop < 0) {
    stop_form_->stop_picking();
    lesson_form_->show_lesson();
  } else {
    stop_form_->show_stop();
  }
  const auto refused = std::count_if(editor.problems().begin(), editor.problems().end(),
                                     [](const LessonProblem& problem) { return problem.refused; });
  state_->setText(!editor.unsaved() && !editor.file().empty() ? tr("Saved.")
                  : refused == 1                              ? tr("Fill in or correct 1 field.")
                  : refused > 1                               ? tr("Fill in or correct %1 fields.").arg(refused)
                                                              : tr("Not saved."));
}

/// Ctrl+S saves the lesson while the keys go to this pane.
bool LessonPane::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save) &&
      workbench_.editor().active()) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void LessonPane::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Save) && actions_.save->isEnabled())
    actions_.save->trigger();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace kdscope
