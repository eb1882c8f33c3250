#pragma once
// Questions about any run: about the step at hand, and others like them on fresh data.

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "walkthroughs/practice/generate.hpp"

namespace kdscope {

/// Generates questions and asks them through Workbench::questions(). Generated questions are about the next step.
class GeneratedPractice : public QObject {
  Q_OBJECT

 public:
  explicit GeneratedPractice(Workbench& workbench, QObject* parent = nullptr);

  /// Asks what can be asked at this step. Where nothing can, goes on to the next step at which something can, and
  /// reports if there is none.
  void ask();
  /// Whether the current question is a generated one.
  bool can_repeat() const { return current().has_value(); }
  /// Runs the same algorithm on fresh data, and asks a question like the current one there.
  void repeat();

 private:
  struct Pending {
    GeneratedQuestion question;
    std::shared_ptr<const Trace> from;
    std::uint64_t seed;
  };
  std::optional<GeneratedQuestion> current() const;
  /// Asks at the first step from `first` on that has a question, of one kind if named, once its values are here.
  void ask_from(std::uint32_t first, std::uint64_t seed, std::optional<QuestionKind> kind,
                const std::function<void()>& none);
  void ask_all(std::vector<GeneratedQuestion> questions);
  void resume();

  Workbench& workbench_;
  std::vector<std::pair<QuestionPlace, GeneratedQuestion>> asked_;  // in the open run
  std::optional<Pending> pending_;
};

}  // namespace kdscope
