#include "app/panes/generated_practice.hpp"

#include <QRandomGenerator>
#include <algorithm>

#include "algorithms/trace/divergence.hpp"
#include "app/workbench/find_step.hpp"

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
  ask_from(workbench_.playback().step(), QRandomGenerator::global()->generate64(), std::nullopt, [this] {
    workbench_.messages().report({ErrorKind::bad_usage, "nothing can be asked about the steps from here on", "",
                                  "go back to an earlier step, or open another run"});
  });
}

void GeneratedPractice::ask_from(std::uint32_t first, std::uint64_t seed, std::optional<QuestionKind> kind,
                                 const std::function<void()>& none) {
  const auto takes = [this, seed, kind, none](std::uint32_t next) {
    const auto trace = workbench_.playback().trace();
    const auto ask = [this, trace, step = next - 1, seed, kind] {
      auto questions = generated_questions(trace, step, seed);
      if (kind) std::erase_if(questions, [kind](const auto& question) { return question.kind != kind; });
      if (questions.empty()) return false;
      workbench_.playback().seek(step, [this, questions = std::move(questions)] { ask_all(questions); });
      return true;
    };
    const std::uint32_t visit = next_visit(*trace, next - 1).value_or(next);
    if (visit <= next) return ask();
    workbench_.playback().when_here(visit, [this, ask, next, seed, kind, none] {
      if (!ask()) ask_from(next, seed, kind, none);
    });
    return true;
  };
  find_step(workbench_.playback(), first + 1, takes, none);
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
  const auto same = step_of_same_path(*pending->from, pending->question.step, *workbench_.playback().trace());
  const auto from_start = [this, pending] {
    ask_from(0, pending->seed, pending->question.kind, [this] {
      workbench_.messages().report({ErrorKind::bad_usage, "the fresh run has no question like the last one", "",
                                    "ask for another one once more"});
    });
  };
  same ? ask_from(*same, pending->seed, pending->question.kind, from_start) : from_start();
}

}  // namespace kdscope
