#include "app/panes/practice_actions.hpp"

#include <QApplication>

#include "app/panes/generated_practice.hpp"
#include "app/panes/question_panel.hpp"

namespace kdscope {

PracticeActions::PracticeActions(Workbench& workbench, QObject* parent) {
  Questions* questions = &workbench.questions();
  LessonPlayer* lessons = &workbench.lessons();
  const auto make = [&](QAction*& action, const QString& text, const char* name, const QList<QKeySequence>& keys,
                        auto&& run) {
    action = new QAction(text, parent);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    QObject::connect(action, &QAction::triggered, questions, run);
  };
  make(check, QObject::tr("&Check the answer, or go on"), "check_answer", {Qt::Key_Return, Qt::Key_Enter},
       [questions, lessons] { questions->can_check() ? questions->check() : lessons->go_on(); });
  make(hint, QObject::tr("Show the &hint"), "show_hint", {Qt::Key_H}, [questions] { questions->hint(); });
  make(reveal, QObject::tr("Show the &answer"), "show_answer", {Qt::Key_A}, [questions] { questions->reveal(); });
  make(skip, QObject::tr("S&kip the question"), "skip_question", {Qt::Key_K}, [questions] { questions->skip(); });
  make(type, QObject::tr("&Type the answer"), "type_answer", {Qt::Key_T}, [] {
    const QWidget* window = QApplication::activeWindow();
    for (auto* panel : window ? window->findChildren<QuestionPanel*>() : QList<QuestionPanel*>()) panel->edit();
  });
  make(try_again, QObject::tr("T&ry again"), "try_again", {}, [questions] { questions->try_again(); });
  make(next, QObject::tr("&Next question"), "next_question", {Qt::CTRL | Qt::Key_PageDown},
       [questions] { questions->go_to(questions->current() + 1); });
  make(previous, QObject::tr("&Previous question"), "previous_question", {Qt::CTRL | Qt::Key_PageUp},
       [questions] { questions->go_to(questions->current() - 1); });

  auto* generated = new GeneratedPractice(workbench, parent);
  make(ask, QObject::tr("As&k me about this step"), "ask_about_step", {Qt::Key_G}, [generated] { generated->ask(); });
  make(repeat, QObject::tr("Another one &like this"), "another_like_this", {Qt::SHIFT | Qt::Key_G},
       [generated] { generated->repeat(); });

  hide = new QAction(QObject::tr("H&ide what answers a question"), parent);
  hide->setObjectName(QStringLiteral("hide_answers"));
  hide->setCheckable(true);
  QObject::connect(hide, &QAction::toggled, questions, &Questions::set_hides);

  const auto update = [this, questions, lessons, generated, &workbench] {
    const bool asked = questions->current() >= 0, open = questions->is_open();
    const bool typed =
        open && questions->question()->expects && questions->question()->expects->kind != AnswerKind::choice;
    check->setEnabled(questions->can_check() || lessons->can_go_on());
    hint->setEnabled(questions->can_hint());
    for (QAction* action : {reveal, skip}) action->setEnabled(open);
    type->setEnabled(typed);
    try_again->setEnabled(asked && !open);
    next->setEnabled(asked && questions->current() + 1 < questions->count());
    previous->setEnabled(questions->current() > 0);
    ask->setEnabled(workbench.playback().cursor() != nullptr);
    repeat->setEnabled(generated->can_repeat());
    hide->setChecked(questions->hides());
  };
  QObject::connect(questions, &Questions::changed, parent, update);
  update();
}

}  // namespace kdscope
