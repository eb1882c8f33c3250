#include "app/panes/generated_practice.hpp"

#include <QRandomGenerator>
#include <algorithm>

namespace kdscope {

GeneratedPractice::GeneratedPractice(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    asked_.clear();
    // The run is shown at its first step after this signal.
    if (pending_) QMetaObject::invokeMethod(this, &GeneratedPractice::resume, Qt::QueuedConnection);
  });
  connect(&workbench.messages(), &Messages::failed, this, [this] { pending_.reset(); });
}

void GeneratedPractice::ask() {
  const auto trace = workbench_.playback().trace();
  if (!trace) return;
  const std::uint64_t seed = QRandomGenerator::global()->generate64();
  for (std::uint32_t step = workbench_.playback().step(); step < workbench_.playback().step_count(); ++step) {
    auto questions = generated_questions(trace, step, seed);
    if (questions.empty()) continue;
    return workbench_.playback().seek(step, [this, questions = std::move(questions)] { ask_all(questions); });
  }
  workbench_.messages().report({ErrorKind::bad_usage, "nothing can be asked about the steps from here on", "",
                                "go back to an earlier step, or open another run"});
}

void GeneratedPractice::ask_all(std::vector<GeneratedQuestion> questions) {
  std::vector<AskedQuestion> asked;
  for (GeneratedQuestion& generated : questions) {
    const QuestionPlace place = place_of(attempt_at(generated, *workbench_.playback().trace()));
    asked.push_back({place, generated.question});
    asked_.emplace_back(place, std::move(generated));
  }
  workbench_.questions().add(std::move(asked));
}

std::optional<GeneratedQuestion> GeneratedPractice::current() const {
  const QuestionPlace* place = workbench_.questions().place();
  const auto found =
      std::find_if(asked_.begin(), asked_.end(), [&](const auto& each) { return place && each.first == *place; });
  return found == asked_.end() ? std::nullopt : std::optional(found->second);
}

void GeneratedPractice::repeat() {
  const auto question = current();
  if (!question || workbench_.jobs().busy()) return;
  pending_ = Pending{*question, workbench_.playback().trace(), QRandomGenerator::global()->generate64()};
  RunRequest spec = workbench_.desk().request();
  spec.points = nullptr;
  spec.data = fresh_data(*pending_->from, pending_->seed);
  workbench_.desk().run(spec);
}

void GeneratedPractice::resume() {
  const auto pending = std::exchange(pending_, std::nullopt);
  if (!pending || !workbench_.playback().trace() || workbench_.playback().trace() == pending->from) return;
  const auto question = another_like(pending->question, *pending->from, workbench_.playback().trace(), pending->seed);
  if (!question)
    return workbench_.messages().report(
        {ErrorKind::bad_usage, "the fresh run has no question like the last one", "", "ask for another one once more"});
  workbench_.playback().seek(question->step, [this, question] { ask_all({*question}); });
}

}  // namespace kdscope
