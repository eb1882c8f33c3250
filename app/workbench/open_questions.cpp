#include "app/workbench/open_questions.hpp"

#include "visualizer/model/question_concealment.hpp"

namespace kdscope {
namespace {

/// The numbers of the questions that hide a part; none where the stop has only one question.
QStringList numbers_hiding(const Workbench& workbench, const HiddenPartOf& part) {
  QStringList numbers;
  if (workbench.questions().count() < 2) return numbers;
  for (const int question : workbench.questions().hiding(part)) numbers << QString::number(question + 1);
  return numbers;
}

/// "1, 2 and 3"
QString enumerated(QStringList numbers) {
  const QString last = numbers.takeLast();
  return numbers.isEmpty() ? last : QObject::tr("%1 and %2").arg(numbers.join(QStringLiteral(", ")), last);
}

}  // namespace

Concealment concealed_by(const Workbench& workbench, const Stop& stop) {
  Concealment all;
  const Questions& questions = workbench.questions();
  if (!questions.hides() || !workbench.lessons().lesson()) return all;
  for (std::uint32_t i = 0; i < stop.questions.size(); ++i) {
    const Question& question = stop.questions[i];
    if (questions.answers().state({workbench.lessons().lesson()->id, stop.title, i, question.text}) ==
        QuestionState::open)
      all.add(concealment_of(question));
  }
  return all;
}

Concealment concealment_at(const Workbench& workbench, std::uint32_t step) {
  if (step == workbench.playback().step()) return workbench.playback().concealment();
  Concealment all;
  for (std::size_t i = 0; i < workbench.lessons().stop_steps().size(); ++i)
    if (workbench.lessons().stop_steps()[i] == step)
      all.add(concealed_by(workbench, workbench.lessons().lesson()->stops[i]));
  if (all) all.before = stop_before(workbench.lessons().stop_steps(), step);
  return all;
}

QString until_answered(const Workbench& workbench, const HiddenPartOf& part) {
  const QStringList numbers = numbers_hiding(workbench, part);
  return numbers.isEmpty()     ? QObject::tr("until the question is answered")
         : numbers.size() == 1 ? QObject::tr("until question %1 is answered").arg(numbers.front())
                               : QObject::tr("until questions %1 are answered").arg(enumerated(numbers));
}

QString before_answer(const Workbench& workbench, const HiddenPartOf& part) {
  const QStringList numbers = numbers_hiding(workbench, part);
  return numbers.isEmpty()     ? QObject::tr("before the answer")
         : numbers.size() == 1 ? QObject::tr("before answer %1").arg(numbers.front())
                               : QObject::tr("before answers %1").arg(enumerated(numbers));
}

bool shows_tree_before(const Workbench& workbench) {
  const Playback& playback = workbench.playback();
  return playback.cursor() && !workbench.lessons().at_introduction() && playback.concealment().tree &&
         (playback.concealment().before || playback.step() > 0);
}

bool shows_partition_before(const Workbench& workbench) {
  const Cursor* cursor = workbench.playback().cursor();
  if (!cursor) return false;
  const auto shown = workbench.playback().concealment().step_of_partition(*cursor);
  return shown && *shown != cursor->step();
}

QString hidden_words(const Workbench& workbench, const HiddenPartOf& part) {
  return workbench.lessons().at_introduction() ? QObject::tr("Comes with the first stop.")
         : workbench.playback().is_confined()  ? QObject::tr("Hidden while you perform a step.")
                                               : QObject::tr("Hidden %1.").arg(until_answered(workbench, part));
}

}  // namespace kdscope
