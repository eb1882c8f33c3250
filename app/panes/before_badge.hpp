#pragma once
// The mark on figures that wait for an answer.

#include <string>
#include <vector>

#include "app/appearance/cut_label.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Says that figures show the step before, because a question, or a person who performs the step, hides this one.
/// Hidden while none does.
class BeforeBadge : public CutLabel {
  Q_OBJECT

 public:
  /// Beside the name of `pane`: "tree" or "view".
  BeforeBadge(Workbench& workbench, std::string pane);
  /// Away from its panes, which it therefore names. It has none until set_panes().
  explicit BeforeBadge(Workbench& workbench, QWidget* parent);
  void set_panes(std::vector<std::string> panes);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  BeforeBadge(Workbench& workbench, std::vector<std::string> panes, bool names_panes, QWidget* parent);
  void show_state();

  Workbench& workbench_;
  std::vector<std::string> panes_;
  const bool names_panes_;
};

}  // namespace kdscope
