#pragma once
// Covers a pane while a question asks for what it shows, or while the values of its next step come.

#include <QLabel>
#include <functional>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A label over the whole of a pane. Belongs to the pane.
class Curtain : public QLabel {
  Q_OBJECT

 public:
  using Hides = std::function<bool(const Concealment&, const Trace&)>;
  Curtain(QWidget* pane, const QString& words);
  /// Shown while `hides` holds for what the workbench's playback conceals, or another one.
  Curtain(QWidget* pane, Workbench& workbench, const Hides& hides, Playback* of = nullptr);
  void draw(bool shown);
  /// Paints on the curtain what may be seen, in the room above the words.
  void set_picture(std::function<void(QPainter&, const QRect& room)> picture);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<void(QPainter&, const QRect&)> picture_;
};

/// Covers a pane that shows a step, while the values of the next one come for longer than a moment: what is half there
/// is not drawn, and nobody takes the step before for it.
void cover_while_coming(QWidget& pane, Playback& playback, const ComingValues& values);

}  // namespace kdscope
