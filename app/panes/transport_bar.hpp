#pragma once
// Buttons for first, back, play, forward, last, and moves by level; the speed; the slider; and the number of the step,
// which can be typed.

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>
#include <array>
#include <vector>

#include "app/views/step_slider.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// The moves as actions, shared by the bar, the menu and the keys.
struct TransportActions {
  explicit TransportActions(Workbench& workbench, QObject* parent);
  QAction *first, *back, *play, *forward, *last, *level_back, *level_forward, *stop_back, *stop_forward, *go_to_step,
      *faster, *slower, *next_violation, *previous_violation;
};

class TransportBar : public QWidget {
  Q_OBJECT

 public:
  TransportBar(Workbench& workbench, TransportActions& actions, QWidget* parent = nullptr);
  /// Moves the keyboard focus to the number of the step.
  void edit_step();
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open_run();
  void show_step();
  void show_speed();
  void show_appearance();
  /// The parts that are left out, in this order, if the bar is too narrow for all.
  std::array<QWidget*, 3> optional_parts() const { return {title_, step_word_, speed_}; }
  int width_without(std::size_t left_out) const;
  void leave_out();

  Workbench& workbench_;
  StepSlider* slider_;
  QSpinBox* number_;
  QLabel *of_, *title_, *step_word_ = nullptr;
  QComboBox* speed_;
  std::vector<QToolButton*> buttons_;
  QList<QAction*> leads_back_, leads_forward_;
};

}  // namespace kdscope
