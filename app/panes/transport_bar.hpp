#pragma once
// First, back, play, forward, last; a slider with a tick for each level; the step's number, which can be typed.

#include <QAbstractSlider>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>
#include <array>
#include <vector>

#include "app/session/navigation.hpp"
#include "app/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A slider whose ticks are where levels begin. Pressing anywhere goes there.
class StepSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit StepSlider(QWidget* parent = nullptr);
  void set_ticks(std::vector<std::uint32_t> ticks);
  /// Coloured and labelled above the groove; what has no room for its label tells it as a tool tip.
  void set_bands(std::vector<StrategyBand> bands);
  void set_theme(const Theme& theme);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
  double x_of(int step) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int step_at(double x) const;
  double middle() const;
  std::vector<std::uint32_t> ticks_;
  std::vector<StrategyBand> bands_;
  const Theme* theme_;
};

/// The moves as actions, shared by the bar, the menu and the keys.
struct TransportActions {
  explicit TransportActions(Workbench& workbench, QObject* parent);
  QAction *first, *back, *play, *forward, *last, *level_back, *level_forward, *stop_back, *stop_forward, *go_to_step;
};

class TransportBar : public QWidget {
  Q_OBJECT

 public:
  TransportBar(Workbench& workbench, TransportActions& actions, QWidget* parent = nullptr);
  /// Puts the keyboard into the step's number.
  void edit_step();
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open_run();
  void show_step();
  void show_appearance();
  /// What may be missing in a bar too narrow for all, in the order of leaving.
  std::array<QWidget*, 3> optional_parts() const { return {title_, step_word_, speed_}; }
  int width_without(std::size_t left_out) const;
  void leave_out();

  Workbench& workbench_;
  StepSlider* slider_;
  QSpinBox* number_;
  QLabel *of_, *title_, *step_word_ = nullptr;
  QComboBox* speed_;
  std::vector<QToolButton*> buttons_;
};

}  // namespace kdscope
