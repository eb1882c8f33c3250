#pragma once
// How a motion begins with the picture of the step before.

#include <QImage>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>

#include "visualizer/model/concealment.hpp"

namespace kdscope {

class Playback;
class StepMotion;
class Workbench;

/// Covers a view with what it showed when a motion began, and fades: marks, texts and colours that do not move pass
/// from the old to the new ones. A motion that is shown again begins with the same picture, unless the view has another
/// size or theme, or a person has moved what it shows. Belongs to the view; make it before what lets the view follow
/// the motion.
class Dissolve : public QWidget {
  Q_OBJECT

 public:
  /// `frame`: says which texts stand where. Where the two pictures differ in it, the old one fades before the new one
  /// appears: no text is read through another.
  Dissolve(QWidget& view, Playback& playback, StepMotion& motion, Workbench& workbench,
           std::function<QString()> frame = {});

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void take();
  void follow();
  void forget();
  void note_shown();

  QWidget& view_;
  Playback& playback_;
  StepMotion& motion_;
  std::function<QString()> frame_;
  QString old_frame_;
  QImage picture_;                                              ///< in device pixels; null for none
  double opacity_ = 0;                                          ///< of the picture
  std::optional<std::pair<std::uint32_t, Concealment>> shown_;  ///< the step on the screen, and what is hidden there
};

}  // namespace kdscope
