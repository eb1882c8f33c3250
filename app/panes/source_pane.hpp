#pragma once
// The source of the current step, from the build that recorded the trace, beside short pseudo-code of the algorithm.
// What runs is marked in both, values stand in the lines, and a click on a line goes to the next step that runs it.

#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QWidget>
#include <memory>

#include "app/pseudocode/pseudocode.hpp"
#include "app/pseudocode/step_values.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class CodeHighlighter;
class CodeView;

class SourcePane : public QWidget {
  Q_OBJECT

 public:
  explicit SourcePane(Workbench& workbench, QWidget* parent = nullptr);
  /// Buttons for the dock's title bar: to the previous and the next step that run what the current step runs.
  QWidget* run_buttons() const { return buttons_; }
  /// Leaves out how to use it: an audience reads.
  void show_to_audience() { for_audience_ = true; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open_run();
  void show_step();
  void show_pseudocode();
  void fill_source();
  void show_source();
  void mark();
  void restyle();
  /// Places pseudo-code and source side by side or one above the other; shows only one if there is no room for both.
  void lay_out();
  void go_to(const std::vector<std::uint32_t>& steps, bool backwards, const QString& what);
  void choose_line(int line, bool backwards);
  void choose_region(int region, bool backwards);
  void choose_current(bool backwards);
  void say(const QString& words);

  Workbench& workbench_;
  ShownUpdate* step_shown_ = nullptr;
  bool for_audience_ = false;
  QWidget* buttons_;
  QToolButton *previous_, *next_, *source_shown_;
  QSplitter* split_;
  CodeView *pseudocode_view_, *source_view_;
  QLabel *without_pseudocode_, *provenance_, *status_;
  CodeHighlighter* highlighter_;
  std::shared_ptr<const Trace> trace_;  // the trace that the following members were made from
  const Pseudocode* pseudocode_ = nullptr;
  std::unique_ptr<CodeOfSteps> code_;
  std::unique_ptr<StepValues> values_;
  bool tight_ = false, source_when_tight_ = false, source_when_roomy_ = true;
  std::vector<const RecordedSource*> regions_;  // of the trace, in the order shown
};

}  // namespace kdscope
