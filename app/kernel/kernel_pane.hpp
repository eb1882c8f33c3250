#pragma once
// The pane of "Be the kernel": the task, the cells to be written, and the verdict.

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "app/kernel/kernel_sheet.hpp"

class QBoxLayout;

namespace kdscope {

class KernelPane : public QWidget {
  Q_OBJECT

 public:
  KernelPane(Workbench& workbench, KernelPractice& practice, QAction& start, QWidget* parent = nullptr);
  /// Moves the keyboard focus to the sheet with the current cell.
  void enter();
  /// The lists of steps and threads, for the title of the pane's dock.
  QWidget* choices() const { return head_; }
  const std::vector<KernelSheet*>& sheets() const { return sheets_; }
  /// The height at which words and sheets stand side by side without scrolling.
  int wanted_height() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_practice();
  void make_sheets();
  void fill_choices();
  void lay_out();

  Workbench& workbench_;
  KernelPractice& practice_;
  QWidget *words_, *head_, *buttons_;
  QBoxLayout* layout_;
  QComboBox *step_, *thread_;
  QLabel *task_, *hint_, *feedback_;
  QToolButton *start_, *check_, *hint_button_, *show_, *repeat_, *leave_;
  QScrollArea *words_area_, *area_;
  std::vector<KernelSheet*> sheets_;
  const Trace* trace_ = nullptr;  // of the sheets, with step and thread
  std::uint32_t of_step_ = 0;
  std::optional<std::uint64_t> of_thread_;
  bool filling_ = false;
};

}  // namespace kdscope
